"""Lexemes of a JSON text: where a string or number ends, and what is wrong with it.

Mirrors `rust/core/src/json/lexeme.rs`.
"""

from __future__ import annotations

import re
from json.decoder import scanstring  # type: ignore[attr-defined] # not in the stubs
from math import isinf

from apus._pure import error

from .values import BIG, DOUBLE_DIGITS, string_flags

_number = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?").fullmatch
_digits = re.compile(r"-?[0-9]*(?:\.[0-9]*)?(?:[eE][+-]?[0-9]*)?").match
_run = re.compile(r'[^"\\\x00-\x1f]*').match
_escape = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})').match


class StopError(Exception):
    """A fault and the character it stands at."""

    def __init__(self, fault: error.Fault, at: int) -> None:
        super().__init__(fault, at)
        self.fault = fault
        self.at = at


def string_end(text: str, start: int) -> tuple[str, int, int]:
    """What the string says whose opening quote stands at `start`, where it ends, and its flags."""
    try:
        said, end = scanstring(text, start + 1, True)
    except ValueError:
        raise _string_fault(text, start) from None
    if end - start - 2 == len(said):
        return said, end, 0
    return said, end, string_flags(said)


def _string_fault(text: str, start: int) -> StopError:
    """What is wrong with a string. The library that decodes it stops at the same place, but says it in other ways."""
    at = start + 1
    while True:
        run = _run(text, at)
        at = run.end() if run else at
        if text[at : at + 1] != "\\":
            break
        escape = _escape(text, at)
        if escape is None:
            return StopError(error.ESCAPE, at)
        at = escape.end()
    return StopError(error.CONTROL, at) if at < len(text) else StopError(error.QUOTE, start)


def number_end(text: str, start: int) -> tuple[int, int]:
    """Where the number ends that starts at `start` with a minus sign or a digit, and its flags."""
    if text.startswith("-Infinity", start):
        raise StopError(error.CONSTANT, start)
    digits = _digits(text, start)
    lexeme = digits.group() if digits else ""
    if not _number(lexeme):
        raise StopError(error.NUMBER, start)
    # It takes more digits or an exponent to leave a double, so ordinary numbers are not parsed.
    is_big = (len(lexeme) > DOUBLE_DIGITS or "e" in lexeme or "E" in lexeme) and isinf(float(lexeme))
    return start + len(lexeme), BIG if is_big else 0
