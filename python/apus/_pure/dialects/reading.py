"""Reading: what the dialects share when they fill the outline. Mirrors `rust/core/src/dialects/reading.rs`."""

from __future__ import annotations

from typing import Any

from ..arguments import Text, arguments_of
from ..outline import MEDIA, Arguments, Block, BlockKind
from ..source import flags, is_blank, text
from ..texts import Texts


class Reader:
    """What reading needs beside the message: the texts to recognise, and whether any string may be broken at all."""

    __slots__ = ("clean", "texts")

    def __init__(self, texts: Texts, *, clean: bool) -> None:
        self.texts = texts
        self.clean = clean

    def flags(self, node: Any) -> int:
        """What stands in a value; in a transcript known to be clean nothing is looked at twice."""
        return 0 if self.clean else flags(node)


def text_block(node: Any, value: Any, key: str, index: int | None, order: int, reader: Reader) -> Block:
    """A text; `value` is the node of its string."""
    block = Block(BlockKind.TEXT, node, key, index, order)
    block.text = value
    block.flags = reader.flags(node)
    said = text(value)
    block.blank = said is None or is_blank(said)
    if said is not None and said in reader.texts.own:
        block.label = "own"
    return block


def untyped(node: Any) -> Any:
    """The text of a block without a type: its `text` or, where a whole message was nested, its `content`; else None."""
    if not isinstance(node, dict) or "type" in node:
        return None
    return next((node[key] for key in ("text", "content") if isinstance(node.get(key), str)), None)


def read_id(block: Block, value: Any) -> None:
    """The id of a call or result: trimmed; `null`, blank and no key are one missing id."""
    said = text(value) if value is not None else None
    trimmed = said.strip() if said is not None else ""
    block.id = trimmed or None
    block.exact = said is not None and said == trimmed and not flags(value) and bool(trimmed)


def read_name(block: Block, value: Any) -> None:
    """The name of a tool; anything but a string is none."""
    block.name = text(value)


def arguments_kind(value: Any, *, present: bool) -> Arguments:
    """How the arguments of a call stand."""
    if not present:
        return Arguments.MISSING
    if value is None:
        return Arguments.EMPTY
    if isinstance(value, dict):
        return Arguments.OBJECT
    said = text(value)
    if said is None:
        return Arguments.VALUE
    return {
        Text.EMPTY: Arguments.EMPTY,
        Text.OBJECT: Arguments.TEXT,
        Text.BIG_NUMBER: Arguments.BIG,
    }.get(arguments_of(said), Arguments.BROKEN)


def unknown_keys(node: dict[str, Any], known: frozenset[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Keys that the table does not list, and those that start with `_`."""
    extra = [key for key in node if key not in known]
    if not extra:
        return (), ()
    return tuple(k for k in extra if not k.startswith("_")), tuple(k for k in extra if k.startswith("_"))


INNER = frozenset([BlockKind.TEXT, *MEDIA, BlockKind.REFERENCE, BlockKind.OPAQUE])


def as_inner(block: Block) -> Block:
    """A block inside a result; what can't stand there is unknown."""
    if block.kind not in INNER:
        block.kind = BlockKind.UNKNOWN
        block.note = ""
    return block


def is_synthetic(block: Block, reader: Reader, *, flagged: bool) -> bool:
    """Whether a system inserted a result: its whole text is a known one, flagged as an error where it can be."""
    if len(block.inner) != 1 or block.inner[0].kind != BlockKind.TEXT or (flagged and not block.error):
        return False
    return (text(block.inner[0].text) or "") in reader.texts.known_synthetic


def media_type_of(url: str) -> str | None:
    """The media type of a data URL, lower case; None for any other URL."""
    if url[:5].lower() != "data:":
        return None
    return url[5:].partition(",")[0].partition(";")[0].strip().lower() or None
