"""Write: a tree to JSON. What was stored as JSON and is untouched is copied; everything else is compact.

Mirrors `rust/core/src/json/write.rs`.
"""

from __future__ import annotations

from typing import Any

from apus._pure.tree import Style, built

from .compact import emit
from .values import DUPLICATE_KEY, JsonArray, JsonNumber, JsonObject, JsonString, raw


def dumps(tree: Any) -> bytes:
    """The bytes of `tree`."""
    out: list[str] = []
    emit(built(tree, Style(as_json=True)), out, _stored)
    # Only strings can hold a lone surrogate, and there its escape in Python is the one of JSON.
    return "".join(out).encode("utf-8", "backslashreplace")


def _stored(value: Any) -> str | None:
    """The text of a value as it was stored, unless a key stands there twice."""
    if isinstance(value, JsonString | JsonNumber | JsonArray | JsonObject) and not value.flags & DUPLICATE_KEY:
        return raw(value)
    return None
