"""Arguments: what the text of a call's arguments is, for a target that needs an object or valid JSON.

Mirrors `rust/core/src/arguments.rs`.
"""

from __future__ import annotations

import json
from enum import Enum, auto
from math import isinf
from typing import Any, NoReturn

from apus.errors import TranscriptError

from .json.scan import scan_text
from .json.values import BIG, DOUBLE_DIGITS, JsonNumber, JsonObject, JsonString
from .source import depth, flags, is_blank

DEPTH = 200
"""How deep an arguments text may nest."""


class Text(Enum):
    """What an arguments text is."""

    EMPTY = auto()  # blank, or `null`
    OBJECT = auto()  # a strict JSON object
    TOO_DEEP = auto()  # JSON that nests deeper than `DEPTH`
    BIG_NUMBER = auto()  # a strict JSON object that holds a number beyond a double
    NOT_OBJECT = auto()  # JSON, but no object
    MALFORMED = auto()  # no strict JSON


def arguments_of(text: str) -> Text:
    """What `text` is."""
    found = object_of(text, as_json=False)
    return found if isinstance(found, Text) else Text.OBJECT


def arguments_flags(text: str) -> int:
    """What stands in the object that `text` spells out; nothing for any other text."""
    found = object_of(text, as_json=True)
    return 0 if isinstance(found, Text) else flags(found)


def object_of(text: str, *, as_json: bool) -> dict[str, Any] | Text:
    """The object that `text` spells out, or what the text is instead. `as_json` keeps its spelling."""
    if is_blank(text):
        return Text.EMPTY
    if not as_json:
        found = _quickly(text)
        if found is not None:
            return found
    try:
        value = scan_text(text, DEPTH)
    except TranscriptError as fault:
        return Text.TOO_DEEP if fault.kind == "too_deep" else Text.MALFORMED
    if value is None:
        return Text.EMPTY
    if not isinstance(value, JsonObject):
        return Text.NOT_OBJECT
    if value.flags & BIG:
        return Text.BIG_NUMBER
    return value if as_json else _plain(value)


class _UnusualError(Exception):
    """A value that the quick way leaves to the scan."""


def _int(digits: str) -> int:
    if len(digits) > DOUBLE_DIGITS:
        raise _UnusualError
    return int(digits)


def _float(lexeme: str) -> float:
    value = float(lexeme)
    if isinf(value):
        raise _UnusualError
    return value


def _constant(_: str) -> NoReturn:
    raise _UnusualError


_decode = json.JSONDecoder(parse_int=_int, parse_float=_float, parse_constant=_constant).decode


def _quickly(text: str) -> dict[str, Any] | None:
    """The object, by the library's decoder, which is ten times as fast as the scan; None if there may be none."""
    try:
        value = _decode(text)
    except (RecursionError, ValueError, _UnusualError):
        return None
    if not isinstance(value, dict):
        return None
    brackets = text.count("{") + text.count("[")
    return value if brackets <= DEPTH or depth(value) <= DEPTH else None


def _plain(root: JsonObject) -> dict[str, Any]:
    """The value in Python's own classes."""
    top: dict[str, Any] = {}
    pending: list[tuple[Any, Any, Any]] = [(top, "", root)]
    while pending:
        target, place, value = pending.pop()
        if isinstance(value, JsonNumber):
            target[place] = float(value.raw) if set(value.raw) & set(".eE") else int(value.raw)
        elif isinstance(value, JsonString):
            target[place] = str(value)
        elif isinstance(value, dict):
            target[place] = made = dict.fromkeys(value)
            pending.extend((made, key, inner) for key, inner in value.items())
        elif isinstance(value, list):
            target[place] = copy = list(value)
            pending.extend((copy, index, inner) for index, inner in enumerate(copy))
        else:
            target[place] = value
    found: dict[str, Any] = top[""]
    return found
