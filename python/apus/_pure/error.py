"""Errors of the readers: every sentence says what was found, where, what was expected.

Mirrors `rust/core/src/error.rs`.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apus.errors import TranscriptError

from .json.values import cleaned

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Step = int | str
"""One step of the way from the root to a value: an index or a key."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What can be wrong with a value, in either lane."""

    found: str
    expected: str
    kind: str = "not_json"


ENCODING = Fault("bytes that are not utf-8", "json in utf-8")
VALUE = Fault("malformed json", "a value")
KEY = Fault("malformed json", "a key in double quotes")
COLON = Fault("malformed json", "a colon behind the key")
COMMA = Fault("malformed json", "a comma or a closing bracket")
CONTROL = Fault("a raw control character in a string", "an escape")
ESCAPE = Fault("an unknown escape in a string", "one that json defines")
QUOTE = Fault("a string without an end", "a closing quote")
NUMBER = Fault("a malformed number", "one that json defines")
CONSTANT = Fault("nan or infinity", "a finite number")
TRAILING = Fault("text behind the json value", "its end")
FOREIGN_KEY = Fault("a key that is not a string", "a string")
HUGE_INTEGER = Fault("an integer of more than 4300 digits", "a shorter one")

LISTS = ("messages", "input", "contents")
"""Keys of a body that the list of messages stands under."""
BLOCK = 3
"""The step of a pointer into a body that names the block: /messages/2/content/1."""

SHOWN_STEPS = 4
"""Steps of a path that a sentence shows: message, field, block, field."""

_is_plain = re.compile(r"[A-Za-z0-9_.:@-]{1,64}").fullmatch


def deep(limit: int) -> Fault:
    """More levels than `limit`."""
    return Fault(f"nesting deeper than {limit} levels", f"at most {limit}", "too_deep")


def foreign_type(name: str) -> Fault:
    """A value of a type that JSON does not know."""
    return Fault(f"a value of type {name if _is_plain(name) else 'another kind'}", "a json value")


def error(fault: Fault, path: Sequence[Step] = (), offset: int | None = None) -> TranscriptError:
    """The error for `fault` at the end of `path`."""
    return TranscriptError(
        f"found {fault.found} {_place(path)}, expected {fault.expected}",
        kind=fault.kind,
        loc=_loc(path),
        pointer=_pointer(path),
        offset=offset,
    )


def _place(path: Sequence[Step]) -> str:
    """The place in words. A key that is not plain ends it: a sentence never repeats foreign text."""
    shown = ""
    for step in path[:SHOWN_STEPS]:
        if not _is_plain(str(step)):
            break
        shown += f"/{step}"
    return f"at {shown}" if shown else "in the transcript"


def _pointer(path: Sequence[Step]) -> str:
    """The path as a JSON pointer."""
    text = "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)
    return cleaned(text, nul=False)


def _loc(path: Sequence[Step]) -> tuple[int, int | None] | None:
    """Message and block, where the root is the list of messages. In a body the reader knows which list it is."""
    match path:
        case [int(message), _, int(block), *_]:
            return message, block
        case [int(message), *_]:
            return message, None
    return None


@contextmanager
def located() -> Iterator[None]:
    """Give an error inside a body the place that it has in the list of messages there."""
    try:
        yield
    except TranscriptError as fault:
        steps = (fault.pointer or "").split("/")[1:]
        if fault.loc is None and len(steps) > 1 and steps[0] in LISTS and steps[1].isdigit():
            inner = len(steps) > BLOCK and steps[BLOCK].isdigit()
            fault.loc = (int(steps[1]), int(steps[BLOCK]) if inner else None)
        raise
