"""The projection: native core against pure core on the same objects, json lane against a JSON round trip."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import apus
import histories
import orjson
import pytest
from apus import _backend

NATIVE = _backend.load("native")
PURE = _backend.load("pure")
if apus.info()["build_profile"] == "debug":
    raise RuntimeError("found a debug build of the extension, expected a release build: run make build")

MAKE: dict[str, Callable[[int], list[Any]]] = {
    "chat": histories.chat,
    "anthropic": histories.anthropic,
    "stored": histories.stored,
}
CASES = {
    "chat to chat": ("chat", "openai/gpt-5"),
    "anthropic to anthropic": ("anthropic", "anthropic/claude-opus-4-6"),
    "chat to anthropic": ("chat", "anthropic/claude-opus-4-6"),
    "stored to anthropic": ("stored", "anthropic/claude-sonnet-4-5"),
    "anthropic to chat": ("anthropic", "openai/gpt-5"),
}
SOURCES = {"chat": "openai-chat", "anthropic": "anthropic-messages", "stored": "apus"}
STATES = ("clean", "damaged")
SIZES = (60, 1000)


def history(kind: str, size: int, state: str) -> list[Any]:
    made = MAKE[kind](size)
    return histories.damaged(made) if state == "damaged" else made


def projectors(case: str) -> tuple[apus.Projector, apus.Projector]:
    kind, target = CASES[case]
    native, pure = (apus.Projector(target, source=SOURCES[kind], _core=core) for core in (NATIVE, PURE))
    return native, pure


@pytest.fixture(params=SIZES)
def size(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.mark.parametrize("side", ["apus", "pure"])
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("case", CASES)
def test_objects(timed: Any, case: str, state: str, size: int, side: str) -> None:
    given = history(CASES[case][0], size, state)
    native, pure = projectors(case)
    a, b = native.project(given), pure.project(given)
    assert a.messages == b.messages
    assert a.repairs == b.repairs
    timed(f"objects, {case}, {state}, {size}", side, (native if side == "apus" else pure).project, given)


@pytest.mark.parametrize("side", ["apus", "orjson + pure", "orjson alone"])
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("case", CASES)
def test_bytes(timed: Any, case: str, state: str, size: int, side: str) -> None:
    given = json.dumps(history(CASES[case][0], size, state), ensure_ascii=False).encode()
    native, pure = projectors(case)

    def round_trip() -> bytes:
        return orjson.dumps(pure.project(orjson.loads(given)).messages)

    def alone() -> bytes:
        return orjson.dumps(orjson.loads(given))

    assert orjson.loads(native.project(given).messages) == orjson.loads(round_trip())
    run = {"apus": lambda: native.project(given), "orjson + pure": round_trip, "orjson alone": alone}[side]
    timed(f"bytes, {case}, {state}, {size}", side, run)
