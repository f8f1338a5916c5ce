"""The dialect `anthropic-messages`, reading. Mirrors `rust/core/src/dialects/anthropic_messages.rs`."""

from __future__ import annotations

from typing import Any

from ..outline import Arguments, Block, BlockKind, Message, Role, Stop
from ..source import compact, is_blank, kind, text
from . import reading

ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}
STOPS = {"max_tokens": Stop.LENGTH, "pause_turn": Stop.PAUSE, "end_turn": Stop.NORMAL, "tool_use": Stop.NORMAL}
MESSAGE_KEYS = frozenset(["role", "content"])
# Block type -> kind and the keys beside `type` that the wire lists.
BLOCKS: dict[str, tuple[BlockKind, frozenset[str]]] = {
    "text": (BlockKind.TEXT, frozenset(["text", "citations", "cache_control"])),
    "image": (BlockKind.IMAGE, frozenset(["source", "cache_control"])),
    "document": (BlockKind.DOCUMENT, frozenset(["source", "title", "context", "citations", "cache_control"])),
    "search_result": (BlockKind.OPAQUE, frozenset(["source", "title", "content", "citations", "cache_control"])),
    "thinking": (BlockKind.REASONING, frozenset(["thinking", "signature"])),
    "redacted_thinking": (BlockKind.REASONING, frozenset(["data"])),
    "tool_use": (BlockKind.CALL, frozenset(["id", "name", "input", "cache_control", "caller"])),
    "tool_result": (BlockKind.RESULT, frozenset(["tool_use_id", "content", "is_error", "cache_control"])),
    "server_tool_use": (BlockKind.SERVER_CALL, frozenset(["id", "name", "input", "cache_control", "caller"])),
    "mcp_tool_use": (BlockKind.SERVER_CALL, frozenset(["id", "name", "input", "server_name", "cache_control"])),
    "tool_reference": (BlockKind.REFERENCE, frozenset(["tool_name", "cache_control"])),
    "container_upload": (BlockKind.REFERENCE, frozenset(["file_id", "cache_control"])),
    "compaction": (BlockKind.REFERENCE, frozenset(["content", "encrypted_content", "cache_control"])),
}
SERVER_RESULT_KEYS = frozenset(["tool_use_id", "content", "is_error", "cache_control", "caller"])
# Changes of the tool list inside a conversation; their keys are the provider's own.
OPEN_TYPES = frozenset(["tool_addition", "tool_removal"])
IN_RESULT = frozenset(["text", "image", "document", "search_result", "tool_reference"])
NOTED = ("query", "tool_name", "title", "url", "text", "file_id", "content")
MOST_NOTED = 64  # texts in one note


def read_message(node: Any, index: int, reader: reading.Reader) -> Message:
    """One message; `node` is an object."""
    said = text(node.get("role"))
    role = ROLES.get(said or "", Role.OTHER)
    message = Message(role, node, index)
    message.role_text = said
    message.flags = reader.flags(node)
    message.name = text(node.get("name"))
    message.stop = STOPS.get(text(node.get("stop_reason")) or "", Stop.UNKNOWN)
    message.extra, message.private = reading.unknown_keys(node, MESSAGE_KEYS)
    read_content(message, node.get("content") if "content" in node else None, present="content" in node, reader=reader)
    return message


def read_content(message: Message, content: Any, *, present: bool, reader: reading.Reader) -> None:
    """The blocks of a message: `content` is a string, a list, one block, or nothing."""
    if isinstance(content, str):
        message.content = "string"
        message.blocks.append(reading.text_block(content, content, "content", None, 0, reader))
    elif isinstance(content, (list, tuple)):
        message.content = "list"
        for number, item in enumerate(content):
            message.blocks.append(read_block(item, "content", number, len(message.blocks), reader))
            if message.blocks[-1].label == "tool_reference":
                message.blocks[-1].kind = BlockKind.UNKNOWN  # its place is in a result
    elif isinstance(content, dict):
        message.content = "object"
        message.shape = ("content",)
        message.blocks.append(read_block(content, "content", None, 0, reader))
    else:
        message.content = "null" if content is None and present else "absent" if not present else "other"


def read_block(
    node: Any, key: str, index: int | None, order: int, reader: reading.Reader, *, inside: bool = False
) -> Block:
    """One content block; a bare string counts as a text. A result `inside` another one is not opened."""
    if isinstance(node, str):
        block = reading.text_block(node, node, key, index, order, reader)
        block.shape = ("content",)
        return block
    said = reading.untyped(node)
    if said is not None:
        block = reading.text_block(node, said, key, index, order, reader)
        block.shape = ("type",)
        block.mark = mark_of(node)
        return block
    label = text(node.get("type")) if isinstance(node, dict) else None
    block_kind, keys = BLOCKS.get(label or "", (BlockKind.UNKNOWN, frozenset()))
    if label is not None and label.endswith("_tool_result") and label != "tool_result":
        block_kind, keys = BlockKind.SERVER_RESULT, SERVER_RESULT_KEYS
    if block_kind == BlockKind.TEXT and kind(node.get("text")) != "string":
        block_kind = BlockKind.UNKNOWN
    if block_kind == BlockKind.TEXT:
        block = reading.text_block(node, node.get("text"), key, index, order, reader)
    else:
        block = Block(block_kind, node, key, index, order)
        block.flags = reader.flags(node)
    block.label = block.label or label
    if label in OPEN_TYPES:
        block.kind = BlockKind.OPAQUE
    elif isinstance(node, dict) and block.kind != BlockKind.UNKNOWN:
        block.extra, block.private = reading.unknown_keys(node, keys | {"type"})
        block.mark = mark_of(node) if "cache_control" in keys else None
    _FILL.get(block.kind, _fill_nothing)(block, node, reader)
    if block.kind == BlockKind.RESULT and not inside:
        _read_inner(block, reader)
    return block


def mark_of(node: dict[str, Any]) -> str | None:
    control = node.get("cache_control")
    if not isinstance(control, dict):
        return None
    return "1h" if text(control.get("ttl")) == "1h" else "5m"


def _fill_nothing(block: Block, node: Any, reader: reading.Reader) -> None:
    if block.kind == BlockKind.UNKNOWN:
        block.note = ""


def _fill_reasoning(block: Block, node: Any, reader: reading.Reader) -> None:
    if block.label == "redacted_thinking":
        block.redacted = True
        block.signature = node.get("data")
        block.signed = not is_blank(text(block.signature) or "")
        return
    block.text = node.get("thinking")
    said = text(block.text)
    block.blank = said is None or is_blank(said)
    block.signature = node.get("signature")
    block.signed = said is not None and not is_blank(text(block.signature) or "")


def _fill_call(block: Block, node: Any, reader: reading.Reader) -> None:
    reading.read_id(block, node.get("id"))
    reading.read_name(block, node.get("name"))
    block.text = node.get("input")
    block.args = reading.arguments_kind(block.text, present="input" in node)
    block.partial = "partialJson" in node


def _fill_result(block: Block, node: Any, reader: reading.Reader) -> None:
    reading.read_id(block, node.get("tool_use_id"))
    block.error = node.get("is_error") is True
    block.text = node.get("content")


def _read_inner(block: Block, reader: reading.Reader) -> None:
    """The blocks of a result; what can't stand there is unknown."""
    content = block.text
    if isinstance(content, str):
        block.inner.append(reading.text_block(content, content, "content", None, 0, reader))
    elif content is not None:
        items = content if isinstance(content, (list, tuple)) else [content] if isinstance(content, dict) else []
        if items is not content:
            block.shape = (*block.shape, "content")
        for number, item in enumerate(items):
            inner = read_block(item, "content", number, number, reader, inside=True)
            if inner.kind != BlockKind.TEXT and inner.label not in IN_RESULT:
                inner.kind = BlockKind.UNKNOWN
            block.inner.append(inner)
    block.synthetic = reading.is_synthetic(block, reader, flagged=True)


def _fill_image(block: Block, node: Any, reader: reading.Reader) -> None:
    source = node.get("source")
    source = source if isinstance(source, dict) else {}
    label = text(source.get("type"))
    if label == "url":
        block.url = text(source.get("url")) or ""
        block.data = source.get("url")
    elif label in ("base64", None):
        block.data = source.get("data")
        block.shape = ("source",) if label is None and source and block.kind == BlockKind.IMAGE else ()
    elif label == "file":
        block.kind = BlockKind.REFERENCE
        block.note = text(source.get("file_id")) or ""
    block.media_type = text(source.get("media_type"))
    if not source or (label in ("base64", None) and is_blank(text(block.data) or "")):
        block.kind = BlockKind.UNKNOWN
        block.note = ""


def _fill_server(block: Block, node: Any, reader: reading.Reader) -> None:
    block.id = text(node.get("id") if block.kind == BlockKind.SERVER_CALL else node.get("tool_use_id"))
    block.name = text(node.get("name"))
    block.args = Arguments.FREE
    asked = node.get("input")
    block.note = (
        compact(asked)
        if block.kind == BlockKind.SERVER_CALL and isinstance(asked, dict)
        else "\n".join(_noted(node.get("content")))
    )


def _fill_private(block: Block, node: Any, reader: reading.Reader) -> None:
    block.note = "\n".join(_noted(node))


def _noted(value: Any) -> list[str]:
    """What can be read in a block of the provider's own: titles, places and texts, never a ciphertext."""
    found: list[str] = []
    stack = [value]
    while stack and len(found) < MOST_NOTED:
        node = stack.pop()
        if isinstance(node, (list, tuple)):
            stack.extend(reversed(node))
        elif isinstance(node, dict):
            stack.extend(v for k in reversed(NOTED) if (v := node.get(k)) is not None)
        elif (said := text(node)) is not None and said:
            found.append(said)
    return found


_FILL = {
    BlockKind.REASONING: _fill_reasoning,
    BlockKind.CALL: _fill_call,
    BlockKind.RESULT: _fill_result,
    BlockKind.IMAGE: _fill_image,
    BlockKind.DOCUMENT: _fill_image,
    BlockKind.SERVER_CALL: _fill_server,
    BlockKind.SERVER_RESULT: _fill_server,
    BlockKind.REFERENCE: _fill_private,
    BlockKind.OPAQUE: _fill_private,
}


def read_system(node: Any, reader: reading.Reader) -> list[Block]:
    """The blocks of the request's own system field."""
    if isinstance(node, str):
        return [reading.text_block(node, node, "system", None, 0, reader)]
    if isinstance(node, (list, tuple)):
        return [read_block(item, "system", number, number, reader) for number, item in enumerate(node)]
    return []
