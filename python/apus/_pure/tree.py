"""Tree: what a dialect writes. Mirrors `rust/core/src/tree.rs`.

New values are plain dicts, lists and scalars; values of the source stand among them as they are. The classes below say
what else becomes of a value; they nest.
"""

from __future__ import annotations

from dataclasses import dataclass
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, Any, NamedTuple

from .arguments import object_of
from .json.compact import exact, scrubbed
from .json.values import JsonString, cleaned, placed, raw, string_flags

if TYPE_CHECKING:
    from collections.abc import Iterator

RAW_ARGUMENTS = "_raw_arguments"
"""The key under which an arguments text stands that is no JSON object."""


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """The tree with U+FFFD for each lone surrogate, and for each NUL if `nul`, in strings and keys."""

    tree: Any
    nul: bool


@dataclass(frozen=True, slots=True)
class Parsed:
    """The object that a string spells out as JSON; the string itself if it spells out none."""

    text: Any


@dataclass(frozen=True, slots=True)
class Stringified:
    """The compact JSON text of a value, as a string."""

    tree: Any


@dataclass(frozen=True, slots=True)
class Joined:
    """Strings as one, with `gap` between two of them."""

    texts: list[Any]
    gap: str


@dataclass(frozen=True, slots=True)
class Cut:
    """What stands in a string behind the first `mark`; all of it without that mark."""

    text: Any
    mark: str


def wrapped(text: Any) -> dict[str, Any]:
    """An arguments text for a target that takes nothing but objects: `{"_raw_arguments": "…"}`."""
    return {RAW_ARGUMENTS: text}


def build(tree: Any) -> Any:
    """The plain values that `tree` says. What holds nothing of the classes here stays the same object."""
    return built(tree, Style(as_json=False))


class Style(NamedTuple):
    """How a part of the tree is built."""

    as_json: bool
    """Whether what is parsed and joined keeps its spelling."""
    nul: bool | None = None
    """Whether NUL is scrubbed; None if nothing is."""

    def clean(self, value: Any) -> Any:
        """The value, scrubbed if it is to be."""
        return value if self.nul is None else scrubbed(value, nul=self.nul)


def built(tree: Any, style: Style) -> Any:
    """What `tree` says, in `style`; what stands in it unmarked is not scrubbed."""
    top = _Frame(None, None, [tree])
    frames = [top]
    while True:
        frame = frames[-1]
        for place, value in frame.rest:
            if isinstance(value, _MARKS):
                frame.put(place, _made(value, style))
            elif type(value) is dict or type(value) is list:
                frames.append(_Frame(frame, place, value))
                break
        else:
            if frame.parent is None:
                return frame.made[0]
            frames.pop()
            if frame.made is not frame.stored:
                frame.parent.put(frame.place, frame.made)


class _Frame:
    """An array or object that is being built: the stored one, until something in it changes."""

    __slots__ = ("made", "parent", "place", "rest", "stored")

    def __init__(self, parent: _Frame | None, place: Any, stored: Any) -> None:
        self.parent = parent
        self.place = place
        self.stored = stored
        self.made = stored
        self.rest: Iterator[tuple[Any, Any]] = iter(stored.items() if isinstance(stored, dict) else enumerate(stored))

    def put(self, place: Any, value: Any) -> None:
        """Put `value` in place of another."""
        if self.made is self.stored:
            self.made = self.stored.copy()
        self.made[place] = value


def _made(tree: Any, style: Style) -> Any:
    """What one of the classes here says."""
    if isinstance(tree, Scrubbed):
        style = style._replace(nul=tree.nul or bool(style.nul))
        return style.clean(built(tree.tree, style))
    if isinstance(tree, Parsed):
        return _parsed(tree.text, style)
    if isinstance(tree, Stringified):
        return exact(style.clean(built(tree.tree, style)))
    if isinstance(tree, Joined):
        return _joined([built(text, style) for text in tree.texts], tree.gap)
    said = built(tree.text, style)
    if not isinstance(said, str):
        return ""
    said = cleaned(said, nul=False)
    return said.partition(tree.mark)[2] if tree.mark in said else str(said)


def _parsed(text: Any, style: Style) -> Any:
    if isinstance(text, Scrubbed):  # scrubbed is what it spells out, not its spelling
        return _parsed(text.tree, style._replace(nul=text.nul or bool(style.nul)))
    said = built(text, style._replace(nul=None))
    found = object_of(cleaned(said, nul=False), as_json=style.as_json) if isinstance(said, str) else None
    return style.clean(found if isinstance(found, dict) else built(text, style))


def _joined(texts: list[Any], gap: str) -> str:
    said = [text if isinstance(text, str) else "" for text in texts]
    joined = gap.join(said)
    if not any(isinstance(text, JsonString) for text in said):
        return joined
    spelled = [raw(text) if isinstance(text, JsonString) else encode_basestring(text) for text in said]
    inside = encode_basestring(gap)[1:-1].join(text[1:-1] for text in spelled)
    found: str = placed(JsonString(joined), f'"{inside}"', 0, len(inside) + 2, string_flags(joined))
    return found


_MARKS = (Scrubbed, Parsed, Stringified, Joined, Cut)
