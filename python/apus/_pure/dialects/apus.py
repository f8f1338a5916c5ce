"""The dialect `apus`, reading: the stored transcript of the runner. Mirrors `rust/core/src/dialects/apus.rs`."""

from __future__ import annotations

from typing import Any

from ..outline import Block, BlockKind, Message, Role, Stop
from ..source import is_blank, kind, text
from . import reading

ROLES = {
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "toolResult": Role.RESULT,
    "system": Role.SYSTEM,
    "custom": Role.USER,
    "compactionSummary": Role.USER,
    "branchSummary": Role.USER,
    "bashExecution": Role.USER,
}
STOPS = {
    "stop": Stop.NORMAL,
    "toolUse": Stop.NORMAL,
    "length": Stop.LENGTH,
    "error": Stop.ERROR,
    "aborted": Stop.ABORTED,
}
CALLS = frozenset(["toolCall", "toolUse", "functionCall", "tool_use", "tool_call", "function_call"])
CALL_IDS = ("toolCallId", "toolUseId", "tool_call_id", "tool_use_id", "callId", "call_id")
MIRRORS = frozenset(["delivery-mirror", "gateway-injected"])
RUNNERS = frozenset(["apus", "openclaw"])
LONGEST_SILENCE = 64  # a reply that says nothing is short
REASONING_FIELDS = frozenset(["reasoning_content", "reasoning"])
# How a message that no model takes is rendered: its text fields, and the note that introduces them.
RENDERED = {
    "compactionSummary": (("summary",), "summary"),
    "branchSummary": (("summary",), "branch"),
    "bashExecution": (("command", "output"), "command"),
}
PROVENANCE = (("sourceSession", "sourceSessionKey"), ("sourceChannel",), ("sourceTool",))


def read_message(node: Any, index: int, reader: reading.Reader) -> Message:
    """One message; `node` is an object."""
    said = text(node.get("role"))
    role = ROLES.get(said or "", Role.OTHER)
    message = Message(role, node, index)
    message.role_text = said
    message.flags = reader.flags(node)
    message.private = tuple(k for k in node if k.startswith("_"))
    message.excluded = node.get("excludeFromContext") is True or node.get("partial") is True
    if said in RENDERED:
        fields, message.summary = RENDERED[said]
        _read_fields(message, node, fields, reader)
    elif role == Role.RESULT:
        message.blocks.append(_read_result(node, reader))
        message.content = "list"
    else:
        _read_content(message, node, reader)
    if role == Role.ASSISTANT:
        _read_turn(message, node, reader)
    elif role == Role.USER:
        message.provenance = _provenance(node.get("provenance"))
    return message


def _read_fields(message: Message, node: dict[str, Any], fields: tuple[str, ...], reader: reading.Reader) -> None:
    message.content = "string"
    for key in fields:
        value = node.get(key)
        if isinstance(value, str):
            message.blocks.append(reading.text_block(value, value, key, None, len(message.blocks), reader))


def _read_content(message: Message, node: dict[str, Any], reader: reading.Reader) -> None:
    content = node.get("content")
    if isinstance(content, str):
        message.content = "string"
        message.blocks.append(reading.text_block(content, content, "content", None, 0, reader))
    elif isinstance(content, (list, tuple)):
        message.content = "list"
        for number, item in enumerate(content):
            message.blocks.append(read_block(item, "content", number, len(message.blocks), reader))
    elif isinstance(content, dict):
        message.content = "object"
        message.shape = ("content",)
        message.blocks.append(read_block(content, "content", None, 0, reader))
    else:
        message.content = "null" if content is None and "content" in node else "absent" if content is None else "other"


def read_block(node: Any, key: str, index: int | None, order: int, reader: reading.Reader) -> Block:
    """One content block; a bare string counts as a text."""
    if isinstance(node, str):
        block = reading.text_block(node, node, key, index, order, reader)
        block.shape = ("content",)
        return block
    label = text(node.get("type")) if isinstance(node, dict) else None
    said = node.get("text") if label == "text" else reading.untyped(node)
    if kind(said) == "string":
        block = reading.text_block(node, said, key, index, order, reader)
        block.label = block.label or label
        block.shape = () if label == "text" else ("type",)
    else:
        block = Block(_kind_of(label), node, key, index, order)
        block.flags = reader.flags(node)
        block.label = label
        _fill(block, node)
    if isinstance(node, dict):
        block.private = tuple(k for k in node if k.startswith("_"))
    return block


def _kind_of(label: str | None) -> BlockKind:
    if label in CALLS:
        return BlockKind.CALL
    return {
        "thinking": BlockKind.REASONING,
        "redacted_thinking": BlockKind.REASONING,
        "image": BlockKind.IMAGE,
    }.get(label or "", BlockKind.UNKNOWN)


def _fill(block: Block, node: Any) -> None:
    if block.kind == BlockKind.CALL:
        key = "arguments" if "arguments" in node else "input"
        reading.read_id(block, node.get("id"))
        reading.read_name(block, node.get("name"))
        block.text = node.get(key)
        block.args = reading.arguments_kind(block.text, present=key in node)
        block.partial = "partialJson" in node
        block.field = key
    elif block.kind == BlockKind.REASONING:
        _fill_reasoning(block, node)
    elif block.kind == BlockKind.IMAGE:
        block.data = node.get("data")
        block.media_type = text(node.get("mimeType"))
        if is_blank(text(block.data) or ""):
            block.kind = BlockKind.UNKNOWN
            block.note = ""
    else:
        block.note = ""


def _fill_reasoning(block: Block, node: dict[str, Any]) -> None:
    block.redacted = block.label == "redacted_thinking" or node.get("redacted") is True
    if block.label == "redacted_thinking":
        block.signature = node.get("data")
        said: str | None = ""
    else:
        block.text = node.get("thinking")
        block.signature = node.get("thinkingSignature")
        said = text(block.text)
    signature = text(block.signature) or ""
    if signature in REASONING_FIELDS:
        block.field = signature
    block.blank = said is None or is_blank(said)
    block.signed = said is not None and not is_blank(signature) and block.field is None


def _read_result(node: dict[str, Any], reader: reading.Reader) -> Block:
    block = Block(BlockKind.RESULT, node, "content", None, 0)
    block.flags = reader.flags(node)
    found = [v for key in CALL_IDS if not is_blank(text(v := node.get(key)) or "")]
    reading.read_id(block, found[0] if found else None)
    block.field = next((key for key in CALL_IDS if key in node), None)
    reading.read_name(block, node.get("toolName"))
    block.error = node.get("isError") is True
    content = node.get("content")
    block.text = content
    if isinstance(content, str):
        block.inner.append(reading.text_block(content, content, "content", None, 0, reader))
    elif isinstance(content, (list, tuple)):
        block.inner = [reading.as_inner(read_block(item, "content", n, n, reader)) for n, item in enumerate(content)]
    elif isinstance(content, dict):
        block.inner.append(reading.as_inner(read_block(content, "content", 0, 0, reader)))
        block.shape = ("content",)
    block.synthetic = reading.is_synthetic(block, reader, flagged=True)
    return block


def _read_turn(message: Message, node: dict[str, Any], reader: reading.Reader) -> None:
    provider, api, model = (text(node.get(key)) for key in ("provider", "api", "model"))
    message.maker = (provider, api, model) if provider or model else None
    message.stop = STOPS.get(text(node.get("stopReason")) or "", Stop.UNKNOWN)
    message.mirror = node.get("deliveryMirror") is not None or (provider in RUNNERS and model in MIRRORS)
    said = [b for b in message.blocks if b.kind == BlockKind.TEXT and not b.blank]
    if len(said) == 1:
        words = (text(said[0].text) or "").strip()
        message.failed = words == reader.texts.note["failed_turn"]
        message.silent = is_silent(words, reader.texts.silent)


def is_silent(words: str, token: str) -> bool:
    """Whether a reply says that nothing is to be sent: the token alone, or an object whose action it is."""
    if len(words) > LONGEST_SILENCE:
        return False
    if "".join(c for c in words if c.isascii() and (c.isalnum() or c == "_")).upper() == token:
        return words.isascii() and not any(c.isalnum() for c in words.upper().replace(token, "", 1))
    return "".join(words.split()).upper() == f'{{"ACTION":"{token}"}}'


def _provenance(value: Any) -> tuple[str, ...] | None:
    if not isinstance(value, dict) or text(value.get("kind")) != "inter_session":
        return None
    return tuple(next((said for key in keys if (said := text(value.get(key)))), "") for keys in PROVENANCE)
