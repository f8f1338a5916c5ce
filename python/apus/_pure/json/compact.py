"""Compact JSON text of a value: no spaces, non-ASCII as itself, numbers as they are.

The walks keep their own stack: a value may nest as deep as its limit allows, wherever the caller's stack stands.
Mirrors `rust/core/src/json/compact.rs`.
"""

from __future__ import annotations

import json
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, Any

from .values import (
    LONE_SURROGATE,
    NUL,
    JsonArray,
    JsonNumber,
    JsonObject,
    JsonString,
    cleaned,
    has_lone_surrogate,
    number_text,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_dumps = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":")).encode
_JSON_CLASSES = (JsonString, JsonNumber, JsonArray, JsonObject)


def compact(value: Any) -> str:
    """The compact JSON text of a value, with U+FFFD for each lone surrogate."""
    text = exact(value)
    return exact(scrubbed(value, nul=False)) if has_lone_surrogate(text) else text


def exact(value: Any) -> str:
    """The compact JSON text of a value; a lone surrogate stays one."""
    if not isinstance(value, _JSON_CLASSES):
        try:
            return _dumps(value)  # twenty times as fast as the walk
        except (RecursionError, TypeError, ValueError):
            pass  # too little stack is left, a value of the json lane is inside, or a very long integer
    out: list[str] = []
    emit(value, out, lambda _: None)
    return "".join(out)


def emit(root: Any, out: list[str], copied: Callable[[Any], str | None]) -> None:
    """Append the text of a value in pieces. What `copied` gives for a value is taken as it is."""
    stack: list[tuple[str, Iterator[Any]]] = []
    values: Iterator[Any] = iter((root,))
    bracket = ""
    while True:
        for item in values:
            # A piece that is nothing but an opening bracket is the last one only right behind it.
            if bracket and out[-1] not in ("[", "{"):
                out.append(",")
            value = item
            if bracket == "}":
                key, value = item
                out.append(encode_basestring(key) + ":")
            text = copied(value)
            if text is None:
                text = _scalar(value)
            if text is None:
                stack.append((bracket, values))
                bracket, values = _open(value, out)
                break
            out.append(text)
        else:
            out.append(bracket)
            if not stack:
                return
            bracket, values = stack.pop()


def _open(value: Any, out: list[str]) -> tuple[str, Iterator[Any]]:
    """Append the opening bracket; give the closing one and what stands between."""
    if isinstance(value, dict):
        out.append("{")
        return "}", iter(value.items())
    out.append("[")
    return "]", iter(value)


def _scalar(value: Any) -> str | None:
    """The text of a scalar; None for an array or object."""
    if isinstance(value, str):
        return encode_basestring(value)
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    return None if isinstance(value, dict | list | tuple) else number_text(value)


def scrubbed(root: Any, *, nul: bool) -> Any:
    """The value with U+FFFD for each lone surrogate, and for each NUL if `nul`. What has none stays the same object."""
    wanted = LONE_SURROGATE | (NUL if nul else 0)
    top: list[Any] = [root]
    pending: list[tuple[Any, Any, Any]] = [(top, 0, root)]
    while pending:
        target, place, value = pending.pop()
        if isinstance(value, _JSON_CLASSES) and not value.flags & wanted:
            continue
        if isinstance(value, str):
            target[place] = cleaned(value, nul=nul)
        elif isinstance(value, dict):
            made: dict[str, Any] = {}
            for key, inner in value.items():
                made[cleaned(key, nul=nul)] = inner
            target[place] = made
            pending.extend((made, key, inner) for key, inner in made.items())
        elif isinstance(value, list | tuple):
            target[place] = copy = list(value)
            pending.extend((copy, index, inner) for index, inner in enumerate(copy))
    return top[0]
