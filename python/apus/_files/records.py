"""Framing: the JSON records of a file as the bytes they stand there, and a note for each line that is damaged.

A file that a process died on holds half a record, two records on one line (a newline was lost), or half of one with a
whole one behind it (the next process went on writing). Each whole record is kept, byte for byte.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from apus.errors import TranscriptError

from .shapes import ENTRY_TYPES, Shape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


# A record behind a torn one is found by how the other records of the file begin; more attempts per line than this would
# let a hostile line cost more than linear time.
_ATTEMPTS = 16
_PREFIX = 14
_SPACE = re.compile(r"[ \t\r\n]*")


class Record(NamedTuple):
    """One JSON value: the line it begins on (from 1), its bytes, and what it looks like."""

    line: int
    data: bytes
    shape: Shape


class Frames(NamedTuple):
    """The records of a file in order, one note per damaged line, and how many lines are damaged."""

    records: list[Record]
    notes: list[str]
    damaged: int


class _Torn(NamedTuple):
    """A line that is not JSON all through: the records before the damage stand at `at` - `kept` to `at` in the list."""

    line: int
    text: str
    kept: int
    at: int


def _refuse(name: str) -> None:
    raise ValueError(name)  # NaN and Infinity are no JSON


# Numbers stay text: a float would be made for nothing, and CPython refuses integers of more than 4300 digits.
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=_refuse)


def decode(text: str, start: int, name: str) -> tuple[Any, int] | None:
    """Decode the JSON value at `start` and say where it ends; None if there is none."""
    try:
        return _DECODER.raw_decode(text, start)
    except ValueError:
        return None
    except RecursionError:
        message = f"{name} nests too deep to be read; expected at most 500 levels"
        raise TranscriptError(message, kind="too_deep") from None


def skip_space(text: str, start: int) -> int:
    """Find the first character from `start` on that is no white space."""
    found = _SPACE.match(text, start)
    return found.end() if found is not None else start


def members(text: str, start: int, name: str) -> Iterator[tuple[str, int, int]]:
    """Walk (key, value start, value end) of the object at `start`, which is known to be JSON."""
    at = skip_space(text, start + 1)
    while text[at] != "}":
        key, at = _value(text, at, name)
        start = skip_space(text, skip_space(text, at) + 1)
        _, at = _value(text, start, name)
        yield key, start, at
        at = _next(text, at)


def items(text: str, start: int, name: str) -> Iterator[tuple[int, int]]:
    """Walk (start, end) of each value of the list at `start`, which is known to be JSON."""
    at = skip_space(text, start + 1)
    while text[at] != "]":
        start = at
        _, at = _value(text, start, name)
        yield start, at
        at = _next(text, at)


def _value(text: str, start: int, name: str) -> tuple[Any, int]:
    found = decode(text, start, name)
    if found is None:  # pragma: no cover - the caller has decoded the whole of it
        raise TranscriptError(f"{name} holds text that is not JSON", kind="not_json")
    return found


def _next(text: str, at: int) -> int:
    at = skip_space(text, at)
    return skip_space(text, at + 1) if text[at] == "," else at


def frame(data: bytes, name: str, shape_of: Callable[[Any], Shape]) -> Frames:
    """Find the records of a file with one JSON value a line; linear in its size.

    Raises `TranscriptError("too_deep")` for a record that no reader takes.
    """
    framing = _Framing(name, shape_of)
    for number, line in enumerate(data.split(b"\n"), 1):
        stripped = line.strip(b" \t\r")
        if stripped:
            framing.add_line(number, stripped)
    return framing.finish()


class _Framing:
    """The state of `frame`: records in order, and the torn lines, which wait until all prefixes are known."""

    def __init__(self, name: str, shape_of: Callable[[Any], Shape]) -> None:
        self.name = name
        self.shape_of = shape_of
        self.records: list[Record] = []
        self.torn: list[_Torn] = []
        self.notes: dict[int, list[str]] = {}
        self.last = 0

    def add_line(self, number: int, line: bytes) -> None:
        self.last = number
        try:
            text = line.decode()
        except UnicodeDecodeError:
            self.note(number, f"bytes that are not UTF-8 became U+FFFD ({len(line)} bytes)")
            text = line.decode(errors="replace")
            line = text.encode()
        found = decode(text, 0, self.name)
        if found is not None and found[1] == len(text):  # nearly every line of nearly every file
            self.records.append(Record(number, line, self.shape_of(found[0])))
            return
        records, rest = self.whole_records(number, text, 0)
        self.records += records
        if rest < len(text):
            self.torn.append(_Torn(number, text[rest:], len(records), len(self.records)))
        else:
            self.note(number, f"{len(records)} records on one line were told apart ({len(line)} bytes)")

    def whole_records(self, number: int, text: str, start: int) -> tuple[list[Record], int]:
        """Take the records from `start` on that stand one behind the other; say where they end."""
        records: list[Record] = []
        while start < len(text):
            found = decode(text, start, self.name)
            if found is None:
                break
            end = skip_space(text, found[1])
            # A value inside a torn record has a comma or a bracket behind it; a record has the next record.
            if start and end < len(text) and text[end] != "{":
                break
            records.append(Record(number, text[start : found[1]].encode(), self.shape_of(found[0])))
            start = end
        return records, start

    def finish(self) -> Frames:
        common = Counter(record.data[:_PREFIX].decode(errors="ignore") for record in self.records)
        prefixes = [prefix for prefix, _ in common.most_common(_ATTEMPTS) if prefix.startswith("{")]
        # The only compaction of a session begins like no other record of it.
        prefixes += [f'{{"type":"{kind}"' for kind in sorted(ENTRY_TYPES)]
        records: list[Record] = []
        done = 0
        for torn in self.torn:
            records += self.records[done : torn.at]
            records += self.rescue(torn, prefixes)
            done = torn.at
        records += self.records[done:]
        lines = sorted(self.notes.items())
        notes = [f"line {number}: {note}" for number, said in lines for note in said]
        return Frames(records, notes, len(lines))

    def rescue(self, torn: _Torn, prefixes: list[str]) -> list[Record]:
        """Find the whole records behind the torn one by how they begin."""
        places = sorted({place for prefix in prefixes for place in _places(torn.text, prefix)})[:_ATTEMPTS]
        records: list[Record] = []
        lost, end = 0, 0
        for place in places:
            if place < end:
                continue
            found, after = self.whole_records(torn.line, torn.text, place)
            if found:
                lost += len(torn.text[end:place].encode())
                records += found
                end = after
        lost += len(torn.text[end:].encode())
        kept = torn.kept + len(records)
        beside = f"; {_records(kept)} on that line kept" if kept else ""
        half = "half a record at the end" if torn.line == self.last and not records else "a torn record"
        self.note(torn.line, f"{half} was dropped ({lost} bytes){beside}")
        return records

    def note(self, number: int, text: str) -> None:
        self.notes.setdefault(number, []).append(text)


def _records(count: int) -> str:
    return "1 record" if count == 1 else f"{count} records"


def _places(text: str, prefix: str) -> Iterator[int]:
    place = 0
    for _ in range(_ATTEMPTS):
        place = text.find(prefix, place + 1)
        if place < 0:
            return
        yield place
