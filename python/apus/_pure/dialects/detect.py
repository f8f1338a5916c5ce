"""Detection: which dialect a transcript speaks. Mirrors `rust/core/src/dialects/detect.rs`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from apus.errors import TranscriptError

from ..source import text
from .apus_session import is_session

# Signs of a message decide; those of a block count where no message says anything.
STORED_ROLES = frozenset(["toolResult", "custom", "compactionSummary", "branchSummary", "bashExecution"])
CHAT_ROLES = frozenset(["tool", "function", "developer"])
BLOCK_TYPES = {
    "toolCall": "apus",
    "tool_use": "anthropic-messages",
    "tool_result": "anthropic-messages",
    "server_tool_use": "anthropic-messages",
    "redacted_thinking": "anthropic-messages",
    "image_url": "openai-chat",
    "input_audio": "openai-chat",
    "file": "openai-chat",
    "refusal": "openai-chat",
}
LOOKED_AT = 64  # messages read for a second opinion once one has spoken


def detect(items: Sequence[Any], body: Mapping[str, Any] | None, own: str) -> str:
    """The dialect of a list of messages; `own` is the target's, taken where only plain texts stand."""
    if is_session(items):
        return "apus"
    spoken: str | None = None
    hinted: str | None = None
    left = LOOKED_AT
    plain = True
    for number, item in enumerate(items):
        if not isinstance(item, dict):
            continue
        said = _message_sign(item)
        if said is not None and spoken is not None and said != spoken:
            sentence = f"found messages of {spoken} and of {said} in one transcript, expected one dialect or source="
            raise TranscriptError(sentence, kind="mixed_dialects", loc=(number, None))
        spoken = spoken or said
        hinted = hinted or _block_sign(item)
        plain = plain and text(item.get("role")) in ("user", "assistant")
        left -= spoken is not None or hinted is not None
        if left <= 0:
            break
    if spoken is not None or hinted is not None:
        return spoken or hinted or own
    if body is not None and "system" in body:
        return "anthropic-messages"
    return own if plain or own == "openai-chat" else "openai-chat"


def _message_sign(item: Mapping[str, Any]) -> str | None:
    role = text(item.get("role"))
    if role in STORED_ROLES or "stopReason" in item:
        return "apus"
    if role in CHAT_ROLES or "tool_calls" in item or "tool_call_id" in item or "reasoning_content" in item:
        return "openai-chat"
    return None


def _block_sign(item: Mapping[str, Any]) -> str | None:
    content = item.get("content")
    for block in content if isinstance(content, (list, tuple)) else ():
        if not isinstance(block, dict):
            continue
        label = text(block.get("type")) or ""
        if label in BLOCK_TYPES:
            return BLOCK_TYPES[label]
        if label in ("image", "document"):
            return "apus" if "mimeType" in block else "anthropic-messages"
        if label == "thinking":
            return "apus" if "thinkingSignature" in block else "anthropic-messages"
    return None
