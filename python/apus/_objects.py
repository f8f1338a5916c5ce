"""SDK objects: messages and blocks that are no dicts become dicts, before a core sees them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from .errors import TranscriptError

_PLAIN = (str, int, float, bool, type(None))
# Deep enough for every SDK; what nests deeper is left to the core, which refuses it by name.
_DEPTH = 100


def plain(value: Any) -> Any:
    """The value with every `Mapping`, SDK object and dataclass in it as a dict; the same object if there was none.

    Raises `TranscriptError` (`not_json`) with the place of an object that is none of these.
    """
    return _plain(value, "", 0)


def _plain(value: Any, pointer: str, depth: int) -> Any:
    if isinstance(value, _PLAIN) or depth > _DEPTH:
        return value
    if isinstance(value, (list, tuple)):
        made = [_plain(item, f"{pointer}/{number}", depth + 1) for number, item in enumerate(value)]
        return made if any(a is not b for a, b in zip(made, value, strict=True)) else value
    if isinstance(value, dict):
        entries = {key: _plain(item, f"{pointer}/{key}", depth + 1) for key, item in value.items()}
        return entries if any(entries[k] is not value[k] for k in entries) else value
    return _plain(_fields(value, pointer), pointer, depth + 1)


def _fields(value: Any, pointer: str) -> dict[str, Any]:
    if isinstance(value, Mapping):
        return dict(value)
    for name in ("model_dump", "to_dict"):
        method = getattr(value, name, None)
        if callable(method) and not isinstance(value, type):
            try:
                made = method(exclude_none=True) if name == "model_dump" else method()
            except TypeError:
                made = method()
            if isinstance(made, Mapping):
                return dict(made)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
        return {k: v for k, v in fields.items() if v is not None}
    first = pointer.split("/")[1] if pointer else ""
    loc = (int(first), None) if first.isdigit() else None
    sentence = (
        f"found a value of type {type(value).__name__} at {pointer or '/'}, expected json values or message objects"
    )
    raise TranscriptError(sentence, kind="not_json", loc=loc, pointer=pointer)
