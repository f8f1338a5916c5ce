"""Reading: a value to an outline, whatever holds it. Mirrors `rust/core/src/reading.rs`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from apus.errors import TranscriptError

from .dialects import Dialect
from .dialects.apus_session import active_path, is_session
from .dialects.reading import Reader, text_block
from .models import normalise
from .outline import Block, Message, Outline, Role
from .plan import Piece, Plan, Slot
from .policy import Policy
from .request import Maker, Request
from .source import text

LIST_KEYS = ("messages",)


def list_of(value: Any) -> tuple[Mapping[str, Any] | None, Sequence[Any], str]:
    """The body if there is one, the list of messages, and the key it stands under."""
    if isinstance(value, (list, tuple)):
        return None, value, "messages"
    if isinstance(value, dict):
        key = next((k for k in LIST_KEYS if isinstance(value.get(k), (list, tuple))), None)
        if key is not None:
            return value, value[key], key
        raise TranscriptError(
            f"found an object without a list of messages, expected one of the keys {', '.join(LIST_KEYS)}",
            kind="not_a_transcript",
        )
    raise TranscriptError(
        f"found {_what(value)}, expected a list of messages or a request body", kind="not_a_transcript"
    )


def _what(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    return "a string" if isinstance(value, str) else "a number"


def read(
    items: Sequence[Any], body: Mapping[str, Any] | None, key: str, dialect: Dialect, request: Request, reader: Reader
) -> Outline:
    outline = Outline()
    outline.same = request.same
    outline.pointer = f"/{key}" if body is not None else ""
    origin = request.facts.origin
    if dialect.name == "apus" and is_session(items):
        _read_entries(outline, items, dialect, reader)
    else:
        for index, item in enumerate(items):
            if not isinstance(item, dict):
                outline.dropped.append((index, _kind_name(item)))
                continue
            message = dialect.read_message(item, index, reader)
            if origin is not None and message.maker is None:
                message.maker = _maker_of(origin, index)
            outline.messages.append(message)
        _void(outline.messages)
    for message in outline.messages:
        message.own = _is_own(message, request, dialect)
    return outline


def _maker_of(origin: tuple[Maker | None, ...], index: int) -> Maker | None:
    """Who made a message: one for all, or one per message."""
    if len(origin) == 1:
        return origin[0]
    return origin[index] if index < len(origin) else None


def _kind_name(item: Any) -> str:
    if isinstance(item, (list, tuple)):
        return "an array"
    return _what(item)


def _read_entries(outline: Outline, items: Sequence[Any], dialect: Dialect, reader: Reader) -> None:
    for index, item in enumerate(items):
        if not isinstance(item, dict):
            outline.dropped.append((index, _kind_name(item)))
    for entry in active_path(items):
        node = entry.node
        message = dialect.read_message(
            node if entry.role is None else {**node, "role": entry.role}, entry.index, reader
        )
        message.path = entry.path
        message.void = entry.void
        if entry.role is not None:
            message.stored = None
        outline.messages.append(message)


def _void(messages: list[Message]) -> None:
    """In a plain list nothing tells what a summary covers: all that stands before the last one is older."""
    last = max((n for n, m in enumerate(messages) if m.role_text == "compactionSummary"), default=0)
    for message in messages[:last]:
        message.void = True


def _is_own(message: Message, request: Request, dialect: Dialect) -> bool:
    """Whether the target made an assistant message; who is not named is taken to be the target."""
    if message.role != Role.ASSISTANT:
        return True
    if message.maker is None:
        return request.same or dialect.stored
    return is_maker(message.maker, request.policy)


def is_maker(maker: Maker, policy: Policy) -> bool:
    """Whether a named maker is the target: a provider whose signatures it takes, and the same model."""
    provider, _, model = maker
    if provider is not None and policy.makers and provider.lower() not in policy.makers:
        return False
    return policy.model is None or model is None or normalise(model) == policy.model


def put_system(plan: Plan, request: Request, body: Mapping[str, Any] | None, written: Dialect, reader: Reader) -> None:
    """The system prompt beside the transcript: the caller's, else the body's own field."""
    given = request.facts.system
    # A dialect without such a field leaves a key of that name alone.
    has_field = body is not None and not (request.same and written.read_system is None)
    node = given if given is not None or body is None or not has_field else body.get("system")
    if node is None or (isinstance(node, (list, tuple, str)) and not node):
        return
    blocks = _system_blocks(node, reader, written)
    if written.read_system is not None:
        plan.outline.system = blocks
        plan.system = [Piece(b.kind, b, None) for b in blocks]
        plan.system_touched = not (request.same or isinstance(node, str))
        return
    if _says_so_already(plan, blocks):
        return
    plan.slots.insert(0, Slot(Role.SYSTEM, None, [Piece(b.kind, b, None) for b in blocks]))


def _system_blocks(node: Any, reader: Reader, written: Dialect) -> list[Block]:
    if written.read_system is not None:
        return written.read_system(node, reader)
    if isinstance(node, str):
        return [text_block(node, node, "system", None, 0, reader)]
    items = node if isinstance(node, (list, tuple)) else [node]
    return [
        text_block(item, item["text"], "system", number, number, reader)
        for number, item in enumerate(items)
        if isinstance(item, dict) and isinstance(item.get("text"), str)
    ]


def _says_so_already(plan: Plan, blocks: list[Block]) -> bool:
    first = plan.slots[0] if plan.slots else None
    if first is None or first.role not in (Role.SYSTEM, Role.DEVELOPER):
        return False
    return "\n\n".join(text(b.text) or "" for b in blocks) == "\n\n".join(
        text(p.block.text) or "" for p in first.pieces if p.block is not None and p.block.text is not None
    )
