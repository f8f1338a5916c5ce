"""The essential wire rules, written a second time and apart from the product: what is wrong with a payload."""

from __future__ import annotations

import json
import re
from typing import Any

ID = {"anthropic-messages": r"[A-Za-z0-9_-]+", "openai-chat": r"[^\0]{1,64}", "apus": r"(?s).+"}
NAME = r"[A-Za-z0-9_.:-]{1,200}"
ROLES = {
    "anthropic-messages": {"user", "assistant", "system"},
    "openai-chat": {"system", "developer", "user", "assistant", "tool"},
    "apus": {
        "system",
        "user",
        "assistant",
        "toolResult",
        "custom",
        "compactionSummary",
        "branchSummary",
        "bashExecution",
    },
}
KEYS = {
    "text": {"text", "citations", "cache_control"},
    "image": {"source", "cache_control"},
    "thinking": {"thinking", "signature"},
    "redacted_thinking": {"data"},
    "tool_use": {"id", "name", "input", "cache_control", "caller"},
    "tool_result": {"tool_use_id", "content", "is_error", "cache_control"},
}


def faults(payload: dict[str, Any], api: str, *, open_end: bool = False) -> list[str]:
    """What the wire of `api` would refuse; `open_end`: calls at the very end may lack their results."""
    messages = payload.get("messages")
    if not isinstance(messages, list) or not messages:
        return ["no messages"]
    found = [f"message {n} is no object" for n, m in enumerate(messages) if not isinstance(m, dict)]
    if found:
        return found
    found += _strings(payload) + _roles(messages, api)
    if api == "anthropic-messages":
        found += _anthropic(payload, messages)
        steps = [
            (_ids(m, "tool_use", "id"), _ids(m, "tool_result", "tool_use_id"), m["role"]) for m in _joined(messages)
        ]
    elif api == "openai-chat":
        found += _chat(messages)
        steps = [_chat_step(m) for m in messages]
    else:
        steps = [_stored_step(m) for m in messages]
    return found + _pairs(steps, api, open_end=open_end)


def _strings(payload: Any) -> list[str]:
    stack = [payload]
    while stack:
        node = stack.pop()
        if isinstance(node, str) and re.search("[\ud800-\udfff]", node):
            return ["a lone surrogate"]
        if isinstance(node, dict):
            stack += [*node, *node.values()]
        elif isinstance(node, list):
            stack += node
    return []


def _roles(messages: list[Any], api: str) -> list[str]:
    return [
        f"message {n} has the role {m.get('role')!r}" for n, m in enumerate(messages) if m.get("role") not in ROLES[api]
    ]


def _blocks(message: Any) -> list[Any]:
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return content if isinstance(content, list) else []


def _ids(message: Any, label: str, key: str) -> list[Any]:
    return [b.get(key) for b in _blocks(message) if b.get("type") == label]


def _joined(messages: list[Any]) -> list[Any]:
    """Neighbours of one role count as one turn at the first party; single messages are a special case of it."""
    turns: list[Any] = []
    for message in messages:
        if turns and turns[-1]["role"] == message["role"]:
            turns[-1] = {"role": message["role"], "content": _blocks(turns[-1]) + _blocks(message)}
        else:
            turns.append(message)
    return turns


def _chat_step(message: Any) -> tuple[list[Any], list[Any], Any]:
    calls = [c.get("id") for c in message.get("tool_calls") or []]
    return calls, [message.get("tool_call_id")] if message.get("role") == "tool" else [], message.get("role")


def _stored_step(message: Any) -> tuple[list[Any], list[Any], Any]:
    labels = ("toolCall", "toolUse", "functionCall", "tool_use", "tool_call", "function_call")
    calls = [b.get("id") for b in _blocks(message) if isinstance(b, dict) and b.get("type") in labels]
    role = message.get("role")
    keys = ("toolCallId", "toolUseId", "tool_call_id", "tool_use_id", "callId", "call_id")
    answered = next((message[k] for k in keys if message.get(k)), None)
    return calls if role == "assistant" else [], [answered] if role == "toolResult" else [], role


def _pairs(steps: list[tuple[list[Any], list[Any], Any]], api: str, *, open_end: bool) -> list[str]:
    """Each call is answered once, directly behind its message."""
    found: list[str] = []
    waiting: list[Any] = []
    for number, (calls, answers, _) in enumerate(steps):
        refused = [i for i in [*calls, *answers] if not isinstance(i, str) or not re.fullmatch(ID[api], i)]
        found += [f"step {number}: the id {i!r}" for i in refused]
        for id in answers:
            if id in waiting:
                waiting.remove(id)
            else:
                found.append(f"step {number}: the result {id!r} answers no open call")
        is_open = open_end and number == len(steps) - 1
        if waiting and not is_open and (not answers or api == "anthropic-messages"):
            found.append(f"step {number}: no result for {waiting}")
            waiting = []
        if len(set(map(str, calls))) != len(calls):
            found.append(f"step {number}: one id for two calls")
        waiting = waiting + calls
    if waiting and not open_end:
        found.append(f"end: no result for {waiting}")
    return found


def _anthropic(payload: dict[str, Any], messages: list[Any]) -> list[str]:
    found: list[str] = []
    marks = 0
    system = payload.get("system")
    for block in system if isinstance(system, list) else []:
        marks += bool(block.get("cache_control"))
        if not str(block.get("text", "")).strip():
            found.append("a blank system text")
    for number, message in enumerate(messages):
        found += [f"message {number} has the key {k!r}" for k in message.keys() - {"role", "content"}]
        blocks = _blocks(message)
        kinds = [b.get("type") for b in blocks]
        if not blocks:
            found.append(f"message {number} is empty")
        if (
            "tool_result" in kinds
            and kinds.index("tool_result")
            and any(k != "tool_result" for k in kinds[: kinds.index("tool_result")])
        ):
            found.append(f"message {number}: a result is not first")
        if "tool_use" in kinds and "text" in kinds[kinds.index("tool_use") :]:
            found.append(f"message {number}: text behind a call")
        for block in blocks:
            marks += bool(block.get("cache_control"))
            found += [f"message {number}: {fault}" for fault in _block(block, message["role"])]
    if marks > 4:
        found.append(f"{marks} cache marks")
    return found


def _block(block: Any, role: str) -> list[str]:
    label = block.get("type")
    found = [f"a {label} with the key {k!r}" for k in block.keys() - KEYS[label] - {"type"}] if label in KEYS else []
    if label == "text" and not str(block.get("text") or "").strip():
        found.append("a blank text")
    if label == "tool_use" and not isinstance(block.get("input"), dict):
        found.append("an input that is no object")
    if label == "tool_use" and not re.fullmatch(NAME, str(block.get("name"))):
        found.append(f"the name {block.get('name')!r}")
    if label in ("tool_use", "thinking", "redacted_thinking") and role != "assistant":
        found.append(f"a {label} in the role {role}")
    if label == "tool_result" and role != "user":
        found.append(f"a result in the role {role}")
    return found


def _chat(messages: list[Any]) -> list[str]:
    found: list[str] = []
    for number, message in enumerate(messages):
        calls, content = message.get("tool_calls"), message.get("content")
        if calls is not None and (not isinstance(calls, list) or not calls or message["role"] != "assistant"):
            found.append(f"message {number}: tool_calls {calls!r}")
        if content is None and not calls:
            found.append(f"message {number}: no content")
        if not isinstance(content, (str, list, type(None))) or content == []:
            found.append(f"message {number}: the content {content!r}")
        for call in calls if isinstance(calls, list) else []:
            function = call.get("function") or call.get("custom") or {}
            if not re.fullmatch(NAME, str(function.get("name"))):
                found.append(f"message {number}: the name {function.get('name')!r}")
            if "custom" not in call and not _is_object(function.get("arguments")):
                found.append(f"message {number}: the arguments {str(function.get('arguments'))[:60]!r}")
    return found


def _is_object(text: Any) -> bool:
    def refuse(constant: str) -> None:
        raise ValueError(constant)

    try:
        return isinstance(json.loads(text, parse_constant=refuse), dict)
    except (TypeError, ValueError, RecursionError):
        return False
