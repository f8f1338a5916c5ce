"""The promises of apus, over random transcripts: valid ones, and ones with every kind of damage."""

from __future__ import annotations

import json
import math
import os
from random import Random
from types import ModuleType
from typing import Any

import pytest
from apus import Projector, _backend
from apus.errors import ApusError
from damage import KINDS
from histories import DIALECTS, Teller, valid
from hypothesis import given, settings
from hypothesis import strategies as st
from promises import ALL, CHECKS, TARGETS, Check, Example, _differ, canonical, example
from strategies import examples

CORES = (_backend.load("pure"), _backend.load("native"))
SEEDS = 40 if os.environ.get("HYPOTHESIS_PROFILE", "fast") == "fast" else 1500


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_promise(check: Check, dialect: str, core: ModuleType) -> None:
    @settings(print_blob=True)
    @given(examples(dialect, core))
    def holds(case: Example) -> None:
        try:
            made = case.project()
        except ApusError as error:
            assert str(error)[0].islower()  # noqa: PT017 - a refusal is an answer
            return
        fault = check(case, made)
        assert fault is None, f"{case.target} {case.options} {case.facts}: {fault}"

    holds()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_each_kind_of_damage_is_survived(kind: Any, core: ModuleType) -> None:
    for seed in range(SEEDS):
        random = Random(seed)
        dialect = DIALECTS[seed % 3]
        case = example(random, dialect, core=core, hits=0)
        case.messages = valid(Teller(random, dialect), 2, reasoning=seed % 2 == 0, images=seed % 5 == 0)
        kind(case.messages, Teller(random, dialect))
        made = case.project()
        faults = [fault for check in CHECKS if (fault := check(case, made)) is not None]
        assert not faults, f"seed {seed}: {case.target} {case.options} {case.facts}: {faults}"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_both_cores_give_the_same_answer(dialect: str) -> None:
    for seed in range(SEEDS * 5):
        case = example(Random(seed), dialect)
        answers = []
        for core in CORES:
            case.core = core
            try:
                answers.append(case.project())
            except ApusError as error:
                answers.append(f"{type(error).__name__}: {error}")
        one, two = answers
        if isinstance(one, str) or isinstance(two, str):
            assert one == two, f"seed {seed}: {one} {two}"
        else:
            fault = _differ(one, two, "the native core")
            assert fault is None, f"seed {seed}: {case.target} {case.options} {case.facts}: {fault}"


# 0: what the target takes comes back as it is.


@pytest.mark.parametrize(("api", "target"), ALL, ids=lambda value: str(value)[:60])
def test_accepted_stays_untouched(api: str, target: Any, core: ModuleType) -> None:
    for seed in range(SEEDS):
        reasons = "fable" not in str(target) and seed % 3 == 0
        # Only servers that ask for reasoning get some: others refuse its field.
        asks = any(name in str(target) for name in ("deepseek", "moonshot", "anthropic/claude"))
        reasoning = (reasons and api == "anthropic-messages" and "modelscope" not in str(target)) or (
            asks and api == "openai-chat" and "openrouter" not in str(target)
        )
        reasoning = reasoning or (api == "anthropic-messages" and "provider='deepseek'" in str(target))
        random = Random(seed)
        messages = valid(Teller(random, api), random.choice((0, 1, 2, 4)), reasoning=reasoning)
        messages = one_call_at_a_time(messages) if "MiniMax" in str(target) or "3.1-8b" in str(target) else messages
        messages = said_beside_calls(messages) if "xai" in str(target) or "ollama" in str(target) else messages
        made = Projector(target, source=api, hygiene="wire", _core=core).project(messages)
        found = [r for r in made.repairs if r.severity != "requirement"]
        assert not found, f"seed {seed}: {found[0]}"
        assert made.messages is messages


def said_beside_calls(messages: list[Any]) -> list[Any]:
    return [{**m, "content": m["content"] or ""} if m["role"] == "assistant" else m for m in messages]


def one_call_at_a_time(messages: list[Any]) -> list[Any]:
    """Histories without batches: the answers of a batch that is cut down go with its calls."""
    kept: list[Any] = []
    left: set[str] = set()
    for message in messages:
        calls = message.get("tool_calls") or [b for b in blocks(message) if b["type"] == "tool_use"]
        if calls:
            left = {c["id"] for c in calls[1:]}
            key = "tool_calls" if "tool_calls" in message else "content"
            message[key] = [b for b in message[key] if b.get("id") not in left]
        if message.get("tool_call_id") in left:
            continue
        if left and isinstance(message["content"], list):
            message["content"] = [b for b in message["content"] if b.get("tool_use_id") not in left]
        kept.append(message)
    return kept


def blocks(message: Any) -> list[Any]:
    return message["content"] if isinstance(message["content"], list) else []


# 9: hostile input gets an answer or an error with a name.


def nested(levels: int, *, list_: bool) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value] if list_ else {"a": value}
    return value


DEEP = 100_000
HOSTILE: dict[str, Any] = {
    "deep lists": nested(DEEP, list_=True),
    "deep objects": nested(DEEP, list_=False),
    "not a number": math.nan,
    "infinite": [math.inf],
    "a long text": "x" * 5_000_000,
    "a long blank": " " * 5_000_000,
    "deep text": '{"a":' * DEEP,
    "deep text, whole": "[" * DEEP + "]" * DEEP,
    "a huge integer": 10**5000,
    "bytes": b"raw",
    "a set": {1, 2},
    "a foreign key": {1: 2},
    "surrogates": "\ud800" * 100_000,
    "nul": "\0" * 100_000,
}


@pytest.mark.parametrize("where", ["message", "content", "block", "arguments", "id", "name", "role", "extra"])
@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_values(what: str, where: str, core: ModuleType) -> None:
    bad = HOSTILE[what]
    call = {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    messages: list[Any] = [
        {"role": "user", "content": [{"type": "text", "text": "go"}]},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_1", "content": "ok"},
    ]
    if where == "message":
        messages.insert(1, bad)
    elif where in ("content", "role", "extra"):
        messages[0][where] = bad
    elif where == "block":
        messages[0]["content"].append(bad)
    elif where == "arguments":
        call["function"] = {"name": "f", "arguments": bad}
    elif where == "name":
        call["function"] = {"name": bad, "arguments": "{}"}
    else:
        call["id"] = bad
    for target in ("openai/gpt-5", "anthropic/claude-opus-4-6", "mistral/mistral-large"):
        survives(messages, target, core)


def survives(transcript: Any, target: str, core: ModuleType) -> None:
    try:
        made = Projector(target, source="openai-chat", _core=core).project(transcript)
        assert made.payload_json
    except ApusError as error:
        # Whatever else a fault inside would be, it is one: none of these may be wrapped.
        assert type(error).__name__ in ("TranscriptError", "LimitExceeded"), repr(error)  # noqa: PT017


@pytest.mark.parametrize("what", ["truncated", "garbled", "deep"])
def test_hostile_bytes(what: str, core: ModuleType) -> None:
    messages = valid(Teller(Random(1), "openai-chat"), 2)
    data = json.dumps(messages).encode()
    if what == "truncated":
        inputs = [data[:size] for size in range(0, len(data), 97)]
    elif what == "garbled":
        random = Random(2)
        inputs = [bytes(random.choice(data) if random.random() < 0.02 else b for b in data) for _ in range(100)]
    else:
        inputs = [
            b"[" * DEEP,
            b'{"messages":' * DEEP,
            b"[" * DEEP + b"]" * DEEP,
            b"\xff" * 1000,
            b"[" + b"1e999999," * 9,
        ]
    for given_bytes in inputs:
        survives(given_bytes, "openai/gpt-5", core)


@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    for core in CORES:
        survives(data, "openai/gpt-5", core)


def test_the_examples_reach_every_target() -> None:
    drawn = {canonical(str(example(Random(seed), DIALECTS[seed % 3]).target)) for seed in range(600)}
    assert len(drawn) == sum(map(len, TARGETS.values()))
