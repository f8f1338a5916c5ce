"""Time per message at 50,000 messages against that at 1,000: clean, and at the worst damage of each kind."""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable
from typing import Any

import apus
import pytest
from apus import _backend

SIZES = (1_000, 50_000)
TARGET = "anthropic/claude-sonnet-4-5"


def call(number: int, id: str) -> dict[str, Any]:
    function = {"name": "run", "arguments": json.dumps({"n": number})}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": id, "type": "function", "function": function}]}


def result(number: int, id: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": f"result {number}"}


def clean(size: int) -> list[Any]:
    return [m for n in range(size // 2) for m in (call(n, f"call_{n}"), result(n, f"call_{n}"))]


def unanswered(size: int) -> list[Any]:
    return [call(n, f"call_{n}") for n in range(size)]


def equal_ids(size: int) -> list[Any]:
    return [m for n in range(size // 2) for m in (call(n, "call_0"), result(n, "call_0"))]


def displaced(size: int) -> list[Any]:
    half = size // 2
    return [*(call(n, f"call_{n}") for n in range(half)), *(result(n, f"call_{n}") for n in reversed(range(half)))]


def displaced_far(size: int) -> list[Any]:
    half = size // 2
    calls = [m for n in range(half) for m in (call(n, f"call_{n}"), {"role": "user", "content": f"go on {n}"})]
    return [*calls[:half], *(result(n, f"call_{n}") for n in reversed(range(half)))]


def orphans(size: int) -> list[Any]:
    return [{"role": "user", "content": "hi"}, *(result(n, f"call_{n}") for n in range(size))]


def one_turn(size: int) -> list[Any]:
    half = size // 2
    calls = [call(n, "same")["tool_calls"][0] for n in range(half)]
    return [{"role": "assistant", "content": None, "tool_calls": calls}, *(result(n, "same") for n in range(half))]


def empty(size: int) -> list[Any]:
    return [{"role": ("user", "assistant")[n % 2], "content": ""} for n in range(size)]


def marked(size: int) -> list[Any]:
    mark = {"type": "ephemeral"}
    return [
        {"role": "user", "content": [{"type": "text", "text": " " * (n % 2), "cache_control": mark}]}
        for n in range(size)
    ]


DAMAGE: tuple[Callable[[int], list[Any]], ...] = (
    clean, unanswered, equal_ids, displaced, displaced_far, orphans, one_turn, empty, marked,
)  # fmt: skip


@pytest.mark.parametrize("lane", ["objects", "json"])
@pytest.mark.parametrize("core", ["native", "pure"])
@pytest.mark.parametrize("damage", DAMAGE, ids=lambda f: f.__name__)
def test_time_per_message(damage: Callable[[int], list[Any]], core: str, lane: str, linear: dict[str, float]) -> None:
    projector = apus.Projector(
        TARGET, source="anthropic-messages" if damage is marked else "openai-chat", _core=_backend.load(core)
    )
    per_message: list[float] = []
    for size in SIZES:
        history = damage(size)
        given = history if lane == "objects" else json.dumps(history).encode()
        tries = 1 if core == "pure" and size == SIZES[1] else 5
        per_message.append(best(projector, given, tries) / len(history))
        assert projector.project(given).changed
    linear[f"{damage.__name__}, {core}, {lane}"] = per_message[1] / per_message[0]


def best(projector: apus.Projector, given: Any, tries: int) -> float:
    """The shortest of some runs, without the collector: what it costs depends on what else lives in the process."""
    times: list[float] = []
    gc.disable()
    try:
        for _ in range(tries):
            start = time.perf_counter()
            projector.project(given)
            times.append(time.perf_counter() - start)
    finally:
        gc.enable()
    return min(times)
