"""Values of a JSON text: each knows where it stands and what is in it. Mirrors `rust/core/src/json/values.rs`.

`data` is the whole text and `start` and `end` count its characters, not bytes: what is cut out of a `str` needs no
decoding, and the whole is encoded once, in `write`.
"""

from __future__ import annotations

import re
from typing import Any

DEPTH = 500
"""The default limit of nesting: how many arrays and objects may stand around a value."""

LONE_SURROGATE = 1
"""Half of a surrogate pair in a string or key."""
NUL = 2
"""U+0000 in a string or key."""
DUPLICATE_KEY = 4
"""An object that holds one key twice."""
PRIVATE_KEY = 8
"""A key that starts with `_`."""
PUBLIC = 15
BIG = 128
"""A number beyond a double."""
DOUBLE_DIGITS = 308
"""Digits that an integer can have and surely be a double."""

_surrogates = re.compile("[\ud800-\udfff]")


class JsonString(str):
    """A string of a JSON text; lone surrogates stay in it."""

    __slots__ = ("data", "end", "flags", "start")
    data: str
    start: int
    end: int
    flags: int


class JsonNumber:
    """A number of a JSON text, of any magnitude. Its text is all that apus ever needs of it."""

    __slots__ = ("data", "end", "flags", "start")

    def __init__(self, data: str, start: int, end: int, flags: int) -> None:
        self.data = data
        self.start = start
        self.end = end
        self.flags = flags

    @property
    def raw(self) -> str:
        """The number as it stands."""
        return self.data[self.start : self.end]

    def __repr__(self) -> str:
        return f"JsonNumber({self.raw})"


class JsonArray(list[Any]):
    """An array of a JSON text."""

    __slots__ = ("data", "end", "flags", "start")
    data: str
    start: int
    end: int
    flags: int


class JsonObject(dict[str, Any]):
    """An object of a JSON text: the last value of each key, at the place of the first."""

    __slots__ = ("data", "end", "flags", "start")
    data: str
    start: int
    end: int
    flags: int


JsonValue = JsonString | JsonNumber | JsonArray | JsonObject


def placed(value: JsonString | JsonArray | JsonObject, data: str, start: int, end: int, flags: int) -> Any:
    """The value, with its place."""
    value.data = data
    value.start = start
    value.end = end
    value.flags = flags
    return value


def raw(value: JsonValue) -> str:
    """The value as it stands in the text."""
    return value.data[value.start : value.end]


def has_lone_surrogate(text: str) -> bool:
    """Whether half of a surrogate pair is in the text."""
    if text.isascii():
        return False
    try:
        text.encode()  # an order of magnitude faster than a search
    except UnicodeEncodeError:
        return True
    return False


def string_flags(text: str) -> int:
    """What is in a string."""
    return (NUL if "\0" in text else 0) | (LONE_SURROGATE if has_lone_surrogate(text) else 0)


def cleaned(text: str, *, nul: bool) -> str:
    """The text with U+FFFD for each lone surrogate, and for each NUL if `nul`; the same object if there is none."""
    if has_lone_surrogate(text):
        text = _surrogates.sub("\ufffd", text)
    return text.replace("\0", "\ufffd") if nul and "\0" in text else text


def number_text(value: Any) -> str:
    """A number as JSON writes it."""
    if isinstance(value, JsonNumber):
        return value.raw
    if isinstance(value, float):
        return float.__repr__(value)
    try:
        return int.__repr__(value)
    except ValueError:  # the process allows fewer digits than `flags`
        high, low = divmod(abs(value), 10**600)
        return f"{'-' if value < 0 else ''}{number_text(high)}{low:0600d}"
