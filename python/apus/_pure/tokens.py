"""Tokens: the heuristic estimate, `ceil(ascii / 4) + non_ascii` in code points. Mirrors `rust/core/src/tokens.rs`."""

from __future__ import annotations

from typing import Any

from .json.compact import compact


def text_tokens(text: str) -> int:
    """The estimate for a text."""
    ascii_count = len(text) if text.isascii() else len(text.encode("ascii", "ignore"))
    return -(-ascii_count // 4) + len(text) - ascii_count


def compact_tokens(value: Any) -> int:
    """The estimate for the compact JSON text of a value."""
    return text_tokens(compact(value))
