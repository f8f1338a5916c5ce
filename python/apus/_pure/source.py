"""Source: read-only access to JSON values. Mirrors `rust/core/src/source.rs`.

A value is a plain Python value. In the json lane strings, numbers, arrays and objects are of the classes in
`json.values`, which know where they stand; `flags` is what refuses a value that JSON cannot hold.
"""

from __future__ import annotations

import re
from enum import StrEnum
from math import isfinite
from typing import TYPE_CHECKING, Any

from . import error
from .json.compact import compact, exact
from .json.values import (
    DEPTH,
    DUPLICATE_KEY,
    LONE_SURROGATE,
    NUL,
    PRIVATE_KEY,
    PUBLIC,
    JsonArray,
    JsonNumber,
    JsonObject,
    JsonString,
    cleaned,
    number_text,
    string_flags,
)
from .tokens import text_tokens as _text_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = [
    "DEPTH",
    "DUPLICATE_KEY",
    "LONE_SURROGATE",
    "NUL",
    "PRIVATE_KEY",
    "Kind",
    "boolean",
    "compact",
    "depth",
    "entries",
    "flags",
    "get",
    "is_blank",
    "is_true",
    "items",
    "kind",
    "number",
    "same",
    "text",
    "text_tokens",
]


class Kind(StrEnum):
    """What a value is."""

    NULL = "null"
    BOOL = "bool"
    NUMBER = "number"
    STRING = "string"
    ARRAY = "array"
    OBJECT = "object"


_KINDS: dict[type, Kind] = {
    type(None): Kind.NULL,
    bool: Kind.BOOL,
    int: Kind.NUMBER,
    float: Kind.NUMBER,
    JsonNumber: Kind.NUMBER,
    str: Kind.STRING,
    JsonString: Kind.STRING,
    list: Kind.ARRAY,
    tuple: Kind.ARRAY,
    JsonArray: Kind.ARRAY,
    dict: Kind.OBJECT,
    JsonObject: Kind.OBJECT,
}
_MAX_DIGITS = 4300  # what Python itself refuses to write by default
_TOO_LONG = 10**_MAX_DIGITS
_SEEN = re.compile(r"[^\s\ufeff]")  # \s is White_Space and, as str.isspace has it, U+001C to U+001F


def kind(value: Any) -> Kind:
    """What the value is."""
    found = _kind(value)
    if found is None:
        raise error.error(error.foreign_type(type(value).__name__))
    return found


def _kind(value: Any) -> Kind | None:
    found = _KINDS.get(type(value))
    if found is None:
        found = next((kind for base, kind in _KINDS.items() if isinstance(value, base)), None)
    return found


def items(value: Any) -> Sequence[Any]:
    """The items of an array in order; nothing for any other kind."""
    return value if isinstance(value, list | tuple) else ()


def entries(value: Any) -> Iterable[tuple[str, Any]]:
    """The keys and values of an object in order; nothing for any other kind."""
    return value.items() if isinstance(value, dict) else ()


def get(value: Any, key: str, absent: Any = None) -> Any:
    """The value of `key`; `absent` without that key, and for any other kind than an object."""
    return value.get(key, absent) if isinstance(value, dict) else absent


def text(value: Any) -> str | None:
    """The string with U+FFFD for each lone surrogate; None for any other kind.

    It is no longer a value of the source, so its spelling there says nothing of how it is written.
    """
    return str.__str__(cleaned(value, nul=False)) if isinstance(value, str) else None


def number(value: Any) -> str | None:
    """The number as JSON writes it; None for any other kind."""
    return number_text(value) if kind(value) is Kind.NUMBER else None


def boolean(value: Any) -> bool | None:
    """The boolean; None for any other kind."""
    return value if isinstance(value, bool) else None


def is_true(value: Any) -> bool:
    """Whether the value is `true`, and not merely something that counts as true."""
    return value is True


def text_tokens(value: Any) -> int:
    """The token estimate of the string; 0 for any other kind."""
    return _text_tokens(value) if isinstance(value, str) else 0


def depth(value: Any) -> int:
    """How many arrays and objects stand around the deepest value, this one included; 0 for a scalar."""
    levels = 0
    level = [value]
    while level := [v for v in level if isinstance(v, dict | list | tuple)]:
        levels += 1
        level = [v for outer in level for v in (outer.values() if isinstance(outer, dict) else outer)]
    return levels


def same(a: Any, b: Any) -> bool:
    """Whether the two values have the same compact JSON text. The order of keys counts, the spelling of numbers too."""
    return a is b or (kind(a) is kind(b) and exact(a) == exact(b))


def is_blank(said: str) -> bool:
    """Whether a text counts as blank: empty, or only White_Space, U+001C to U+001F and U+FEFF."""
    return _SEEN.search(said) is None


def flags(value: Any, depth: int = DEPTH, path: Sequence[error.Step] = ()) -> int:
    """What stands in the value or anywhere below it.

    In the objects lane this is also the check: it raises for what JSON cannot hold, and for more than `depth` levels.
    `path` is the way to the value, for the error.
    """
    if isinstance(value, JsonString | JsonArray | JsonObject):
        return value.flags & PUBLIC
    found = _walk(value, depth)
    if found is None:
        raise error.error(*_locate(value, depth, path))
    return found


def _walk(root: Any, depth: int) -> int | None:
    """The flags, level by level; None if something is wrong, wherever it is."""
    found = 0
    level = [root]
    while True:
        inner: list[Any] = []
        is_scalar = True
        for value in level:
            kind = _KINDS.get(type(value)) or _kind(value)
            if kind is Kind.STRING:
                if "\0" in value or not value.isascii():
                    found |= string_flags(value)
            elif kind is Kind.OBJECT or kind is Kind.ARRAY:
                is_scalar = False
                more = _container_flags(value, inner)
                if more is None or not depth:
                    return None
                found |= more
            elif kind is None or (kind is Kind.NUMBER and _number_fault(value)):
                return None
        if is_scalar:
            return found
        level = inner
        depth -= 1


def _container_flags(value: Any, inner: list[Any]) -> int | None:
    """What is in the keys of a container; what it holds is appended to `inner`. None for a foreign key."""
    if isinstance(value, JsonArray | JsonObject):
        return value.flags & PUBLIC
    if not isinstance(value, dict):
        inner.extend(value)
        return 0
    found = 0
    for key in value:
        if not isinstance(key, str):
            return None
        found |= string_flags(key) | (PRIVATE_KEY if key[:1] == "_" else 0)
    inner.extend(value.values())
    return found


def _number_fault(value: Any) -> error.Fault | None:
    """What keeps a number out of JSON."""
    if isinstance(value, float):
        return None if isfinite(value) else error.CONSTANT
    if isinstance(value, int) and not -_TOO_LONG < value < _TOO_LONG:
        return error.HUGE_INTEGER
    return None


class _Node:
    """A value and the way to it."""

    __slots__ = ("above", "depth", "step", "value")

    def __init__(self, value: Any, above: _Node | None = None, step: error.Step | None = None) -> None:
        self.value = value
        self.above = above
        self.step = step
        self.depth: int = above.depth + 1 if above is not None else 1

    def path(self) -> list[error.Step]:
        """The steps from the root."""
        steps: list[error.Step] = []
        node: _Node | None = self
        while node is not None:
            steps += [] if node.step is None else [node.step]
            node = node.above
        return steps[::-1]


def _locate(root: Any, depth: int, path: Sequence[error.Step]) -> tuple[error.Fault, list[error.Step]]:
    """The first fault in document order, which is where the json lane stops, and the way to it."""
    pending = [_Node(root)]
    while True:
        node = pending.pop()
        fault = _fault(node, depth)
        if fault is not None:
            return fault, [*path, *node.path()]
        value = node.value
        if isinstance(value, dict):
            inner = [_Node(v, node, k) if isinstance(k, str) else _Node(_FOREIGN_KEY, node) for k, v in value.items()]
        else:
            inner = [_Node(v, node, index) for index, v in enumerate(items(value))]
        pending.extend(reversed(inner))


_FOREIGN_KEY = object()


def _fault(node: _Node, depth: int) -> error.Fault | None:
    """What is wrong with a value, what stands in it aside."""
    value = node.value
    if value is _FOREIGN_KEY:
        return error.FOREIGN_KEY
    kind = _kind(value)
    if kind is None:
        return error.foreign_type(type(value).__name__)
    if kind in (Kind.ARRAY, Kind.OBJECT) and node.depth > depth:
        return error.deep(depth)
    return _number_fault(value) if kind is Kind.NUMBER else None
