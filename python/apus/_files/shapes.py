"""Shapes: what one JSON value of a file looks like, and which tool writes files that apus can't read yet."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class Shape(StrEnum):
    """What a record is, as far as its keys tell."""

    ENTRY = "a session entry"
    MESSAGE = "a message"
    BODY = "a request body"
    RECORDED = "a recorded request"
    LIST = "a list"
    CLAUDE_CODE = "a Claude Code record"
    CODEX = "a Codex rollout"
    COPILOT = "a Copilot event log"
    KIMI_WIRE = "a Kimi Code wire log"
    OPENHANDS = "an OpenHands event log"
    GEMINI_CLI = "a Gemini CLI chat"
    SWE_AGENT = "a SWE-agent trajectory"
    TAU2 = "a tau2 results file"
    INSPECT = "an Inspect log"
    OTHER = "something else"


HISTORY_FIELDS = ("messages", "input", "contents")

# The `kind` that recorders write beside a request, and the dialect it means.
RECORDED_KINDS = {
    "openai-chat": "openai-chat",
    "openai-responses": "openai-responses",
    "anthropic": "anthropic-messages",
    "anthropic-messages": "anthropic-messages",
    "gemini": "google-generative-ai",
    "google-generative-ai": "google-generative-ai",
    "bedrock-converse": "bedrock-converse",
}

ENTRY_TYPES = {
    *("model_change", "thinking_level_change", "compaction", "branch_summary"),
    *("custom", "custom_message", "label", "session_info"),
}
_ITEM_TYPES = {
    *("message", "reasoning", "compaction", "item_reference", "function_call", "function_call_output"),
    *("custom_tool_call", "custom_tool_call_output", "web_search_call", "local_shell_call", "local_shell_call_output"),
}


def shape_of(value: Any) -> Shape:
    """Tell a record's shape from its keys; a few of them decide, whatever else it holds."""
    if isinstance(value, dict):
        return next((shape for shape, fits in _SIGNS if fits(value)), Shape.OTHER)
    return Shape.LIST if isinstance(value, list) else Shape.OTHER


def _is_entry(value: dict[str, Any]) -> bool:
    kind = value.get("type")
    if kind == "message":
        return isinstance(value.get("message"), dict)
    # `compaction` is an item of the Responses api too; an entry has a time or a place in the tree.
    return kind == "session" or (_one_of(kind, ENTRY_TYPES) and ("timestamp" in value or "parentId" in value))


def _is_body(value: dict[str, Any]) -> bool:
    return any(isinstance(value.get(field), list) for field in HISTORY_FIELDS)


def _is_recorded(value: dict[str, Any]) -> bool:
    request = value.get("request")
    return isinstance(request, dict) and _is_body(request)


def _is_message(value: dict[str, Any]) -> bool:
    return (
        isinstance(value.get("role"), str)
        or isinstance(value.get("parts"), list)
        or _one_of(value.get("type"), _ITEM_TYPES)
    )


def _is_claude_code(value: dict[str, Any]) -> bool:
    kind = value.get("type")
    return (
        "isSidechain" in value
        or _one_of(kind, {"file-history-snapshot", "queue-operation"})
        or (kind == "summary" and "leafUuid" in value)
    )


def _is_codex(value: dict[str, Any]) -> bool:
    return isinstance(value.get("payload"), dict) and "type" in value and "timestamp" in value


def _is_copilot(value: dict[str, Any]) -> bool:
    return "." in str(value.get("type")) and "parentId" in value and isinstance(value.get("data"), dict)


def _is_kimi_wire(value: dict[str, Any]) -> bool:
    message = value.get("message")
    legacy = isinstance(message, dict) and "payload" in message and "type" in message
    return legacy or (value.get("type") == "metadata" and "protocol_version" in value)


def _is_openhands(value: dict[str, Any]) -> bool:
    return str(value.get("kind")).endswith("Event") and "source" in value


def _has(*keys: str) -> Callable[[dict[str, Any]], bool]:
    return lambda value: all(key in value for key in keys)


def _one_of(kind: object, kinds: set[str]) -> bool:
    return isinstance(kind, str) and kind in kinds


_TOOLS: tuple[tuple[Shape, Callable[[dict[str, Any]], bool]], ...] = (
    (Shape.CODEX, _is_codex),
    (Shape.COPILOT, _is_copilot),
    (Shape.KIMI_WIRE, _is_kimi_wire),
    (Shape.OPENHANDS, _is_openhands),
    (Shape.GEMINI_CLI, _has("sessionId", "projectHash", "messages")),
    (Shape.SWE_AGENT, _has("trajectory", "history")),
    (Shape.TAU2, _has("simulations", "tasks")),
    (Shape.INSPECT, _has("samples", "eval")),
)
FOREIGN = frozenset(shape for shape, _ in _TOOLS)

# The first that fits counts: a tool's own file is told before the wider shapes that it happens to hold.
_SIGNS: tuple[tuple[Shape, Callable[[dict[str, Any]], bool]], ...] = (
    (Shape.ENTRY, _is_entry),
    (Shape.CLAUDE_CODE, _is_claude_code),
    *_TOOLS,
    (Shape.BODY, _is_body),
    (Shape.RECORDED, _is_recorded),
    (Shape.MESSAGE, _is_message),
)
