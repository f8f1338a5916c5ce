"""Writing: what the dialects share when they build an answer. Mirrors `rust/core/src/dialects/writing.rs`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..outline import Arguments, Block, BlockKind
from ..plan import Piece, Slot
from ..request import Request
from ..source import text
from ..tree import Cut, Joined, Parsed, Scrubbed, Stringified

GAP = "\n\n"


class Writer:
    """What a dialect needs to write: the request, and how strings are copied."""

    __slots__ = ("nul", "request", "same")

    def __init__(self, request: Request) -> None:
        self.request = request
        self.same = request.same
        self.nul = request.policy.refuses_nul

    def copy(self, node: Any, *, scrub: bool) -> Any:
        """A stored value as it stands, or with its broken strings cleaned."""
        return Scrubbed(node, self.nul) if scrub else node

    def text(self, piece: Piece) -> Any:
        """The text of a piece."""
        if piece.text is not None:
            return (piece.prefix or "") + piece.text
        if piece.block is None:
            return piece.prefix or ""
        if piece.prefix is not None:
            said = piece.prefix + (text(piece.block.text) or "")
            return said.replace("\0", "\ufffd") if piece.scrub and self.nul else said
        return self.copy(piece.block.text, scrub=piece.scrub)

    def joined(self, pieces: list[Piece], lead: str = "") -> Any:
        """Texts as one string, joined by a blank line."""
        if len(pieces) == 1 and not lead:
            return self.text(pieces[0])
        joined = Joined([self.text(p) for p in pieces], GAP)
        return Joined([lead, joined], "") if lead else joined

    def arguments_object(self, call: Piece) -> Any:
        """The arguments of a call as an object."""
        block = call.block
        if block is None or call.args == "empty":
            return {}
        if call.args == "wrap":
            return {"_raw_arguments": self._raw(call)}
        if block.args in (Arguments.TEXT, Arguments.BIG):
            return self.copy(Parsed(block.text), scrub=call.scrub)
        return self.copy(block.text, scrub=call.scrub)

    def arguments_text(self, call: Piece) -> Any:
        """The arguments of a call as a JSON text."""
        block = call.block
        if block is None or call.args == "empty":
            return "{}"
        if call.args == "wrap":
            return Stringified({"_raw_arguments": self._raw(call)})
        if block.args in (Arguments.OBJECT, Arguments.VALUE):
            return self.copy(Stringified(block.text), scrub=call.scrub)
        return self.copy(block.text, scrub=call.scrub)

    def _raw(self, call: Piece) -> Any:
        if call.block is None:
            return ""
        node = call.block.text
        return self.copy(Stringified(node) if call.block.args == Arguments.VALUE else node, scrub=call.scrub)


class _Absent:
    """The value of an edit that takes a key out."""


ABSENT = _Absent()


def rewrite(
    node: Mapping[str, Any], edits: Mapping[str, Any], gone: tuple[str, ...], writer: Writer, *, scrub: bool
) -> dict[str, Any]:
    """A stored object with some keys replaced, some left out, and the others as they stand, in their order."""
    made: dict[str, Any] = {}
    for key, value in node.items():
        if key in edits:
            if edits[key] is not ABSENT:
                made[key] = edits[key]
        elif key not in gone:
            made[cleaned(key) if scrub else key] = writer.copy(value, scrub=scrub)
    return made | {key: value for key, value in edits.items() if key not in node and value is not ABSENT}


def cleaned(key: str) -> str:
    """A key without lone surrogates."""
    return (text(key) or "").replace("\0", "\ufffd")


def mark_value(mark: str | None) -> Any:
    """A cache mark as the wires write it."""
    if mark is None:
        return ABSENT
    return {"type": "ephemeral"} if mark == "5m" else {"type": "ephemeral", "ttl": mark}


def texts_of(slot: Slot) -> list[Piece]:
    """The texts of a message."""
    return [p for p in slot.pieces if p.kind == BlockKind.TEXT]


def call_id(piece: Piece) -> str:
    """The id that a call or result goes out with: a result has its call's."""
    found = piece.call.id if piece.call is not None else piece.id
    return found or ""


def call_name(piece: Piece) -> str:
    """The tool name that a call or result goes out with."""
    found = piece.call.name if piece.call is not None else piece.name
    return found or ""


def media_payload(block: Block, writer: Writer, *, scrub: bool) -> Any:
    """The base64 text of a medium: its payload, or what stands behind the comma of its data URL."""
    said = text(block.data)
    payload = Cut(block.data, ",") if said is not None and said[:5].lower() == "data:" else block.data
    return writer.copy(payload, scrub=scrub)


def data_url(block: Block, writer: Writer, *, scrub: bool) -> Any:
    """A medium as a URL: its own, or a data URL of its payload."""
    said = text(block.data)
    if block.url is not None or (said is not None and said[:5].lower() == "data:"):
        return writer.copy(block.data, scrub=scrub)
    return Joined([f"data:{block.media_type or 'image/png'};base64,", writer.copy(block.data, scrub=scrub)], "")
