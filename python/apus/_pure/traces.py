"""Traces: what a repair says of content that is not sent. Mirrors `rust/core/src/traces.rs`."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from .source import compact


def trace_of(value: Any) -> str:
    """Size and digest of a value: bytes of its compact JSON text, and the first 16 hex digits of its SHA-256."""
    text = compact(value).encode("utf-8", "replace") if value is not None else b""
    return f"{len(text)} bytes sha256:{sha256(text).hexdigest()[:16]}"
