"""The dialect `openai-chat`, reading. Mirrors `rust/core/src/dialects/openai_chat.rs`."""

from __future__ import annotations

from typing import Any

from ..outline import Arguments, Block, BlockKind, Message, Role
from ..source import is_blank, kind, text
from . import anthropic_messages, reading

ROLES = {
    "system": Role.SYSTEM,
    "developer": Role.DEVELOPER,
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "tool": Role.RESULT,
    "function": Role.RESULT,
}
# Calls are read wherever they stand: that they stand in the wrong role is for a rule to say.
KEYS = frozenset(["role", "content", "name", "tool_calls", "function_call"])
MESSAGE_KEYS = {
    Role.ASSISTANT: KEYS | {"refusal", "audio", "reasoning", "reasoning_content", "prefix"},
    Role.RESULT: KEYS | {"tool_call_id"},
}
BESIDE = ("refusal", "audio", "prefix")
REASONING_FIELDS = ("reasoning_content", "reasoning")
PARTS = {
    "text": BlockKind.TEXT,
    "refusal": BlockKind.TEXT,
    "image_url": BlockKind.IMAGE,
    "input_audio": BlockKind.AUDIO,
    "audio_url": BlockKind.AUDIO,
    "video_url": BlockKind.VIDEO,
    "file": BlockKind.DOCUMENT,
    "document_url": BlockKind.DOCUMENT,
    "thinking": BlockKind.REASONING,
    "input_text": BlockKind.TEXT,
    "output_text": BlockKind.TEXT,
}
FIELDS = {"refusal": "refusal"}  # where the text of a part stands, if not in `text`
# Media whose part only some servers know beside the standard one of its kind.
MORE_PARTS = frozenset(["audio_url", "video_url", "document_url"])


def read_message(node: Any, index: int, reader: reading.Reader) -> Message:
    """One message; `node` is an object."""
    said = text(node.get("role"))
    role = ROLES.get(said or "", Role.OTHER)
    message = Message(role, node, index)
    message.role_text = said
    message.flags = reader.flags(node)
    message.name = text(node.get("name")) if role != Role.RESULT else None
    message.prefix = node.get("prefix") is True
    message.extra, message.private = reading.unknown_keys(node, MESSAGE_KEYS.get(role, KEYS))
    message.beside = tuple(key for key in BESIDE if key in node)
    if text(node.get("name")) is None and node.get("name") is not None:
        message.shape = ("name",)
    if role == Role.RESULT:
        message.blocks.append(_read_result(node, said or "", reader))
        message.content = "string"
        if node.get("tool_calls") is not None:
            message.shape = (*message.shape, "tool_calls")
        if said != "tool":
            message.shape = (*message.shape, "role")
        return message
    if role == Role.ASSISTANT:
        _read_reasoning(message, node, reader)
    _read_content(message, node, reader)
    _read_calls(message, node, reader)
    return message


def _read_reasoning(message: Message, node: dict[str, Any], reader: reading.Reader) -> None:
    for key in REASONING_FIELDS:
        value = node.get(key)
        if value is None:
            continue
        block = Block(BlockKind.REASONING, value, key, None, len(message.blocks))
        block.text = value
        block.flags = reader.flags(value)
        block.label = key
        block.blank = is_blank(text(value) or "")
        message.blocks.append(block)


def _read_content(message: Message, node: dict[str, Any], reader: reading.Reader) -> None:
    content = node.get("content")
    if isinstance(content, str):
        message.content = "string"
        if content or message.role != Role.ASSISTANT or not node.get("tool_calls"):
            message.blocks.append(reading.text_block(content, content, "content", None, len(message.blocks), reader))
    elif isinstance(content, (list, tuple)):
        message.content = "list"
        for number, item in enumerate(content):
            message.blocks.append(read_part(item, number, len(message.blocks), reader))
            if message.role != Role.ASSISTANT and message.blocks[-1].label == "refusal":
                # Only an assistant refuses.
                message.blocks[-1].label = None
                message.blocks[-1].shape = ("type",)
    elif isinstance(content, dict):
        message.content = "object"
        message.shape = (*message.shape, "content")
        message.blocks.append(read_part(content, None, len(message.blocks), reader))
    elif content is None:
        message.content = "null" if "content" in node else "absent"
    else:
        message.content = "other"
        message.shape = (*message.shape, "content")


def read_part(node: Any, index: int | None, order: int, reader: reading.Reader, *, inside: bool = False) -> Block:
    """One content part, `inside` a result or not; a block of another dialect is read as such."""
    if isinstance(node, str):
        block = reading.text_block(node, node, "content", index, order, reader)
        block.shape = ("content",)
        return block
    label = text(node.get("type")) if isinstance(node, dict) else None
    said = node.get(FIELDS.get(label, "text")) if label is not None else reading.untyped(node)
    part_kind = PARTS.get(label) if label is not None else BlockKind.TEXT if said is not None else None
    if part_kind is None:
        return _foreign(node, index, order, reader, inside=inside)
    if part_kind == BlockKind.TEXT and kind(said) == "string":
        block = reading.text_block(node, said, "content", index, order, reader)
        block.label = block.label or label
        block.mark = anthropic_messages.mark_of(node)
        block.shape = () if label in ("text", "refusal") else ("type",)
        return block
    block = Block(BlockKind.UNKNOWN if part_kind == BlockKind.TEXT else part_kind, node, "content", index, order)
    block.flags = reader.flags(node)
    block.label = label
    block.mark = anthropic_messages.mark_of(node)
    if part_kind == BlockKind.REASONING:
        block.text = node.get("thinking")
    _fill_media(block, node)
    if block.kind == BlockKind.UNKNOWN:
        block.shape = ("content",)
    return block


def _foreign(node: Any, index: int | None, order: int, reader: reading.Reader, *, inside: bool) -> Block:
    """A block of another dialect, as some editors store inside chat messages: no server of this wire knows its type."""
    block = anthropic_messages.read_block(node, "content", index, order, reader, inside=inside)
    if block.label == "image" and isinstance(node.get("image"), str):
        block = Block(BlockKind.IMAGE, node, "content", index, order)
        block.flags = reader.flags(node)
        block.label = "image"
        _fill_url(block, node["image"])
    for found in (block, *(part for part in block.inner if part.kind != BlockKind.TEXT)):
        found.foreign = True
        found.shape = ("type",)
    return block


def _fill_media(block: Block, node: dict[str, Any]) -> None:
    if block.kind == BlockKind.IMAGE or block.label in MORE_PARTS:
        value = node.get(block.label or "")
        _fill_url(block, value.get("url") if isinstance(value, dict) else value)
    if block.label in MORE_PARTS:
        block.field = block.label


def _fill_url(block: Block, value: Any) -> None:
    said = text(value)
    block.data = value
    block.media_type = reading.media_type_of(said) if said is not None else None
    if said is None:
        block.kind = BlockKind.UNKNOWN
    elif block.media_type is None:
        block.url = said


def _read_calls(message: Message, node: dict[str, Any], reader: reading.Reader) -> None:
    calls = node.get("tool_calls")
    if isinstance(calls, (list, tuple)):
        if not calls:
            message.shape = (*message.shape, "tool_calls")
        for number, call in enumerate(calls):
            message.blocks.append(_read_call(call, number, len(message.blocks), reader))
    elif calls is not None:
        message.shape = (*message.shape, "tool_calls")
    legacy = node.get("function_call")
    if isinstance(legacy, dict):
        block = Block(BlockKind.CALL, legacy, "function_call", None, len(message.blocks))
        block.flags = reader.flags(legacy)
        block.label = "function_call"
        _fill_function(block, legacy)
        message.blocks.append(block)


def _read_call(call: Any, number: int, order: int, reader: reading.Reader) -> Block:
    block = Block(BlockKind.CALL, call, "tool_calls", number, order)
    block.flags = reader.flags(call)
    block.label = "tool_calls"
    if not isinstance(call, dict):
        block.args = Arguments.MISSING
        return block
    reading.read_id(block, call.get("id"))
    custom = call.get("custom")
    function = call.get("function")
    if isinstance(custom, dict):
        block.label = "custom"
        reading.read_name(block, custom.get("name"))
        block.text = custom.get("input")
        block.args = Arguments.FREE
    elif isinstance(function, dict):
        _fill_function(block, function)
        if text(call.get("type")) != "function":
            block.shape = ("type",)
    else:
        # Some stores keep name and arguments on the call itself.
        _fill_function(block, {**call, "name": function} if isinstance(function, str) else call)
        block.label = "flat"
        block.shape = ("function",)
    return block


def _fill_function(block: Block, function: dict[str, Any]) -> None:
    reading.read_name(block, function.get("name"))
    block.text = function.get("arguments")
    block.args = reading.arguments_kind(block.text, present="arguments" in function)


def _read_result(node: dict[str, Any], role: str, reader: reading.Reader) -> Block:
    block = Block(BlockKind.RESULT, node, "content", None, 0)
    block.flags = reader.flags(node)
    block.label = role
    reading.read_id(block, node.get("tool_call_id"))
    reading.read_name(block, node.get("name"))
    content = node.get("content")
    block.text = content
    if isinstance(content, str):
        block.inner.append(reading.text_block(content, content, "content", None, 0, reader))
    elif isinstance(content, (list, tuple)):
        parts = (read_part(item, n, n, reader, inside=True) for n, item in enumerate(content))
        block.inner = [reading.as_inner(part) for part in parts]
        if not content:
            block.shape = ("content",)
    elif isinstance(content, dict):
        block.inner.append(reading.as_inner(read_part(content, 0, 0, reader, inside=True)))
        block.shape = ("content",)
    else:
        block.shape = ("content",)
    block.synthetic = reading.is_synthetic(block, reader, flagged=False)
    return block
