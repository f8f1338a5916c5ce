"""Scan: bytes to values, in one pass that also validates. Mirrors `rust/core/src/json/scan.rs`.

Strict RFC 8259 in UTF-8; a byte order mark before the value is passed over, as Python's json module does. Numbers stay
text. Open containers lie on a stack of their own, so no depth of nesting can exhaust the interpreter's.
"""

from __future__ import annotations

import re
from typing import Any

from apus._pure import error
from apus.errors import LimitExceeded

from .lexeme import StopError, number_end, string_end
from .values import DEPTH, DUPLICATE_KEY, PRIVATE_KEY, JsonArray, JsonNumber, JsonObject, JsonString

_MAX_BYTES = 0xFFFF_FFFF  # the native core counts in 32 bits
_NUMBER_STARTS = frozenset("-0123456789")
_space = re.compile(r"[ \t\n\r]*").match
_colon = re.compile(r"[ \t\n\r]*:[ \t\n\r]*").match
_behind = re.compile(r"[ \t\n\r]*([],}])[ \t\n\r]*").match
_WORDS = {"t": ("true", True), "f": ("false", False), "n": ("null", None)}


def _space_end(text: str, at: int) -> int:
    """Where the white space at `at` ends."""
    found = _space(text, at)
    return found.end() if found else at


def scan(data: bytes, depth: int = DEPTH) -> Any:
    """Read `data`, which must hold one JSON value nested at most `depth` levels deep."""
    if len(data) > _MAX_BYTES:
        raise LimitExceeded(f"found {len(data)} bytes in the transcript, expected at most {_MAX_BYTES}")
    try:
        text = data.decode()
    except UnicodeDecodeError as fault:
        raise error.error(error.ENCODING, (), fault.start) from None
    return _scan_from(text, 1 if text.startswith("\ufeff") else 0, depth)


def scan_text(text: str, depth: int) -> Any:
    """Read `text`, where a byte order mark is a fault: Python's json module refuses it in a `str`."""
    return _scan_from(text, 0, depth)


def _scan_from(text: str, start: int, depth: int) -> Any:
    scanner = Scanner(text, start, depth)
    try:
        return scanner.run()
    except StopError as stop:
        raise error.error(stop.fault, scanner.path(), len(text[: stop.at].encode())) from None


class Open:
    """A container whose end is yet to come, or the top."""

    __slots__ = ("append", "commas", "flags", "key", "keys", "start", "value")

    def __init__(self, value: Any, start: int) -> None:
        self.value = value
        self.start = start
        self.flags = 0
        self.append = value.append if isinstance(value, list) else None
        self.commas = 0
        self.key = ""  # the last one, if `keys` says that there was one
        self.keys = 0

    def step(self) -> error.Step | None:
        """The step to the value that is being read in it; None before the first key."""
        return self.commas if self.append else (self.key if self.keys else None)


class Scanner:
    """One pass over one text.

    Colons, commas and brackets are matched together with the white space around them, and small steps are written out:
    a call for each would take twice the time.
    """

    __slots__ = ("around", "at", "here", "limit", "names", "text", "top")

    def __init__(self, text: str, at: int, limit: int) -> None:
        self.text = text
        self.at = at
        self.limit = limit
        self.top: list[Any] = []
        self.here = Open(self.top, at)
        self.around: list[Open] = []
        self.names: dict[str, str] = {}

    def run(self) -> Any:
        """Read the text to its end."""
        self.at = _space_end(self.text, self.at)
        while not (self.value() and self.is_last()):
            pass
        self.at = _space_end(self.text, self.at)
        if self.at < len(self.text):
            raise StopError(error.TRAILING, self.at)
        return self.top[0]

    def value(self) -> bool:
        """Read a value, or the start of one. True if it is whole, False if its first item or entry is next."""
        text = self.text
        start = self.at
        first = text[start : start + 1]
        value: Any
        if first == '"':
            said, end, flags = string_end(text, start)
            value = JsonString(said)
            value.data = text
            value.start = start
            value.end = end
            value.flags = flags
        elif first in {"{", "["}:
            return self.open_container(first)
        elif first in _NUMBER_STARTS:
            end, flags = number_end(text, start)
            value = JsonNumber(text, start, end, flags)
        else:
            value, end, flags = self.word(first)
        here = self.here
        if here.append:
            here.append(value)
        else:
            here.value[here.key] = value
        here.flags |= flags
        self.at = end
        return True

    def word(self, first: str) -> tuple[bool | None, int, int]:
        """One of the words that are values, its end and its flags."""
        word, value = _WORDS.get(first, ("", None))
        if not word or not self.text.startswith(word, self.at):
            is_constant = self.text.startswith(("NaN", "Infinity"), self.at)
            raise StopError(error.CONSTANT if is_constant else error.VALUE, self.at)
        return value, self.at + len(word), 0

    def open_container(self, bracket: str) -> bool:
        """Go into an array or object and, if it is not empty, to its first item or value."""
        if len(self.around) >= self.limit:
            raise StopError(error.deep(self.limit), self.at)
        is_object = bracket == "{"
        value: Any = JsonObject() if is_object else JsonArray()
        here = self.here
        if here.append:
            here.append(value)
        else:
            here.value[here.key] = value
        self.around.append(here)
        self.here = Open(value, self.at)
        self.at = _space_end(self.text, self.at + 1)
        if self.text.startswith("}" if is_object else "]", self.at):
            self.at += 1
            self.close()
            return True
        if is_object:
            self.read_key()
        return False

    def read_key(self) -> None:
        """Read a key and its colon."""
        text = self.text
        if not text.startswith('"', self.at):
            raise StopError(error.KEY, self.at)
        said, end, flags = string_end(text, self.at)
        here = self.here
        here.key = self.names.setdefault(said, said)
        here.keys += 1
        here.flags |= flags | (PRIVATE_KEY if said[:1] == "_" else 0)
        colon = _colon(text, end)
        if colon is None:
            raise StopError(error.COLON, _space_end(text, end))
        self.at = colon.end()

    def is_last(self) -> bool:
        """Close all containers that end here. True if the root is among them, False if another value follows."""
        while self.around:
            here = self.here
            found = _behind(self.text, self.at)
            mark = found[1] if found else ""
            if mark == "," and found:
                self.at = found.end()
                if here.append:
                    here.commas += 1
                else:
                    self.read_key()
                return False
            if not found or mark != ("]" if here.append else "}"):
                raise StopError(error.COMMA, _space_end(self.text, self.at))
            self.at = found.end(1)
            self.close()
        return True

    def close(self) -> None:
        """Close the innermost container, which ends at `at`."""
        here = self.here
        value = here.value
        if here.keys > len(value):
            here.flags |= DUPLICATE_KEY
        value.data = self.text
        value.start = here.start
        value.end = self.at
        value.flags = here.flags
        self.here = self.around.pop()
        self.here.flags |= here.flags

    def path(self) -> list[error.Step]:
        """The way to the value that was being read."""
        steps = [container.step() for container in (*self.around, self.here)[1:]]
        return [step for step in steps if step is not None]
