"""Small chats and targets that several tests use."""

from __future__ import annotations

import json
from typing import Any

CLAUDE = "anthropic/claude-opus-4-6"
GPT = "openai/gpt-5"
CHAT: list[dict[str, Any]] = [
    {"role": "user", "content": "go"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "f", "arguments": '{"n":1.50}'}}],
    },
]
ANSWERED = [*CHAT, {"role": "tool", "tool_call_id": "call_1", "content": "ok"}]


def user(content: Any) -> dict[str, Any]:
    return {"role": "user", "content": content}


def dumped(value: Any) -> bytes:
    return json.dumps(value).encode()
