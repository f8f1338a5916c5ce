"""Histories to time: deterministic, in the proportions that were measured over real coding sessions.

One call a step; results log-normal with a median of 400 bytes and a long tail; a quarter of the texts with characters
beyond ASCII; newlines and quotes as source code has them.
"""

from __future__ import annotations

import json
import random
from typing import Any

WORDS = [
    "the",
    "file",
    "holds",
    "a",
    "parser",
    "for",
    "headers",
    "and",
    "returns",
    "an",
    "error",
    "when",
    "it",
    "is",
    "wrong",
]
WIDE = ["größer", "Zeichen", "検索", "結果", "naïve", "café", "—", "done"]


def chat(messages: int, seed: int = 7) -> list[Any]:
    """`messages` chat messages: a prompt, then calls, results and answers."""
    rng = random.Random(seed)
    made: list[Any] = [{"role": "system", "content": text(rng, 2000)}]
    while len(made) < messages:
        made.append({"role": "user", "content": text(rng, 120)})
        for _ in range(rng.randint(2, 9)):
            call = f"call_{rng.getrandbits(96):024x}"
            function = {
                "name": rng.choice(["read_file", "run", "edit", "search"]),
                "arguments": json.dumps(arguments(rng)),
            }
            made.append(
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [{"id": call, "type": "function", "function": function}],
                }
            )
            made.append({"role": "tool", "tool_call_id": call, "content": text(rng, size(rng))})
        made.append({"role": "assistant", "content": text(rng, 300)})
    return cut(made[:messages])


def anthropic(messages: int, seed: int = 7) -> list[Any]:
    """The same for the wire where results stand inside user messages, with signed reasoning."""
    rng = random.Random(seed)
    made: list[Any] = []
    while len(made) < messages:
        made.append({"role": "user", "content": [{"type": "text", "text": text(rng, 120)}]})
        for _ in range(rng.randint(2, 9)):
            call = f"toolu_{rng.getrandbits(96):024x}"
            thought = {"type": "thinking", "thinking": text(rng, 200), "signature": f"{rng.getrandbits(1600):0400x}"}
            use = {"type": "tool_use", "id": call, "name": "read_file", "input": arguments(rng)}
            made.append({"role": "assistant", "content": [thought, {"type": "text", "text": text(rng, 80)}, use]})
            result = {"type": "tool_result", "tool_use_id": call, "content": text(rng, size(rng))}
            made.append({"role": "user", "content": [result]})
        made.append({"role": "assistant", "content": [{"type": "text", "text": text(rng, 300)}]})
    return cut(made[:messages])


def stored(messages: int, seed: int = 7) -> list[Any]:
    """The same as a runner stores it."""
    rng = random.Random(seed)
    maker = {"api": "anthropic-messages", "provider": "anthropic", "model": "claude-sonnet-4-5"}
    made: list[Any] = []
    while len(made) < messages:
        made.append(
            {"role": "user", "content": [{"type": "text", "text": text(rng, 120)}], "timestamp": 1_760_000_000_000}
        )
        for _ in range(rng.randint(2, 9)):
            call = f"toolu_{rng.getrandbits(96):024x}"
            blocks = [
                {"type": "text", "text": text(rng, 80)},
                {"type": "toolCall", "id": call, "name": "run", "arguments": arguments(rng)},
            ]
            made.append(
                {
                    "role": "assistant",
                    "content": blocks,
                    **maker,
                    "usage": {"input": 1, "output": 2},
                    "stopReason": "toolUse",
                }
            )
            content = [{"type": "text", "text": text(rng, size(rng))}]
            made.append(
                {"role": "toolResult", "toolCallId": call, "toolName": "run", "content": content, "isError": False}
            )
        made.append(
            {"role": "assistant", "content": [{"type": "text", "text": text(rng, 300)}], **maker, "stopReason": "stop"}
        )
    return cut(made[:messages])


def damaged(history: list[Any], seed: int = 11) -> list[Any]:
    """One message in twelve lost, one in forty twice, one in forty out of its place."""
    rng = random.Random(seed)
    made: list[Any] = []
    for message in history:
        roll = rng.random()
        if roll < 1 / 12:
            continue
        made.append(message)
        if roll > 1 - 1 / 40:
            made.append(message)
        if roll > 1 - 1 / 20 and len(made) > 3:
            made.insert(-3, made.pop())
    return made


def cut(history: list[Any]) -> list[Any]:
    """The history up to its last user message: what a request ends with."""
    last = max(n for n, m in enumerate(history) if m["role"] == "user")
    return history[: last + 1]


def size(rng: random.Random) -> int:
    """Bytes of a result."""
    return min(int(rng.lognormvariate(6.0, 1.6)), 400_000)


def text(rng: random.Random, length: int) -> str:
    """About `length` characters."""
    words = WORDS + WIDE if rng.random() < 0.25 else WORDS
    made: list[str] = []
    left = length
    while left > 0:
        line = " ".join(rng.choices(words, k=9))
        made.append(f'    if name == "{line}":' if rng.random() < 0.2 else line)
        left -= len(line) + 1
    return "\n".join(made)


def arguments(rng: random.Random) -> dict[str, Any]:
    """One to four arguments."""
    keys = ["path", "command", "limit", "pattern"][: rng.randint(1, 4)]
    return {key: rng.randint(1, 400) if key == "limit" else text(rng, 60) for key in keys}
