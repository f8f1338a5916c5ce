"""The dialects: one row each. Mirrors `rust/core/src/dialects/mod.rs`; nothing else knows a dialect's keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..outline import Block, BlockKind, Message
from ..plan import Piece, Slot
from . import anthropic_messages, anthropic_write, apus, apus_write, openai_chat, openai_write
from .reading import Reader
from .writing import Writer


@dataclass(frozen=True, slots=True)
class Dialect:
    """The shape of a transcript: where the list stands, how results are placed, how messages are read and written."""

    name: str
    list_key: str
    system_key: str | None
    results_in_user: bool
    beside_content: bool
    stored: bool  # a stored transcript: it names its makers, and `full` is its default hygiene
    writable: frozenset[BlockKind]  # media that it can express for a foreign source
    urls: bool
    arguments: str  # object | string
    read_message: Callable[[Any, int, Reader], Message]
    write_message: Callable[[Slot, Writer], Any]
    read_system: Callable[[Any, Reader], list[Block]] | None = None
    write_system: Callable[[list[Piece], Writer], Any] | None = None


_IMAGE = frozenset([BlockKind.IMAGE])

DIALECTS: dict[str, Dialect] = {
    d.name: d
    for d in (
        Dialect(
            "apus",
            "messages",
            None,
            False,
            False,
            True,
            _IMAGE,
            False,
            "object",
            apus.read_message,
            apus_write.write_message,
        ),
        Dialect(
            "openai-chat",
            "messages",
            None,
            False,
            True,
            False,
            _IMAGE,
            True,
            "string",
            openai_chat.read_message,
            openai_write.write_message,
        ),
        Dialect(
            "anthropic-messages",
            "messages",
            "system",
            True,
            False,
            False,
            _IMAGE,
            True,
            "object",
            anthropic_messages.read_message,
            anthropic_write.write_message,
            anthropic_messages.read_system,
            anthropic_write.write_system,
        ),
    )
}
