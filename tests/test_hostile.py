"""Hostile inputs: an answer or a typed error, the same in both cores, in bounded time; never a crash."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from apus import ApusError, InternalError, LimitExceeded, Limits, Projector, TranscriptError, _backend
from apus._pure import core as pure
from chats import ANSWERED, CHAT, CLAUDE, GPT, user
from hostile import DEEP, hostile_bytes, hostile_objects, knot, nested, nested_text

RUNS = 300 if os.environ.get("HYPOTHESIS_PROFILE", "fast") == "fast" else 10_000
TARGETS = (GPT, CLAUDE, "mistral/mistral-large-latest", "groq/llama-4")
SECONDS = 20
"""Far more than any of these takes, and far less than anything that is not linear."""


def outcome(projector: Projector, transcript: Any) -> Any:
    """What came of it, in values that compare across the cores."""
    try:
        made = projector.project(transcript)
        told = (made.repairs, made.id_map, made.moved_prefix, made.first_change, made.changed, made.tokens)
    except InternalError:
        raise
    except ApusError as error:
        place = [getattr(error, name, None) for name in ("kind", "loc", "pointer", "offset")]
        is_sound = sentence(error) and (place[0] or not isinstance(error, TranscriptError))
        return (type(error).__name__, str(error), *place) if is_sound else f"an unsound error: {error!r}"
    return made.payload_json, *told


def sentence(error: ApusError) -> bool:
    said = str(error)
    return said.startswith(("found ", "the history ")) and said.isprintable() and len(said) < 300


def cores() -> list[ModuleType]:
    """The pure core, and the native one where it is installed."""
    try:
        return [pure, _backend.load("native")]
    except ImportError:
        return [pure]


def projectors(random: Random) -> list[Projector]:
    options = random.choice(({}, {}, {"hygiene": "full"}, {"strict": True}, {"write": "source"}, {"orphans": "note"}))
    target = random.choice(TARGETS)
    return [Projector(target, **options, _core=core) for core in cores()]


def equal(random: Random, transcript: Callable[[], Any]) -> Any:
    """The outcome, which both cores agree on."""
    found = [outcome(projector, transcript()) for projector in projectors(random)]
    assert all(other == found[0] for other in found[1:]), f"{str(found[0])[:1500]}\n!=\n{str(found[1])[:1500]}"
    return found[0]


@pytest.mark.parametrize("part", range(10))
def test_hostile_bytes(part: int) -> None:
    for seed in range(part, RUNS, 10):
        data = hostile_bytes(Random(seed))
        equal(Random(seed), lambda data=data: data)


@pytest.mark.parametrize("part", range(10))
def test_hostile_objects(part: int) -> None:
    for seed in range(part, RUNS, 10):
        equal(Random(seed), lambda seed=seed: hostile_objects(Random(seed)))


@pytest.mark.parametrize("part", range(10))
def test_hostile_objects_as_bytes(part: int) -> None:
    """What Python's json module writes of them and reads back the same has one outcome in both lanes."""
    for seed in range(part, RUNS, 10):
        try:
            data = json.dumps(hostile_objects(Random(seed)), ensure_ascii=seed % 2 == 0).encode(errors="strict")
            read = json.loads(data)
        except (TypeError, ValueError, RecursionError):
            continue
        told = [equal(Random(seed), lambda data=data: data), equal(Random(seed), lambda read=read: read)]
        lanes = [_without_spelling(found) for found in told]
        assert lanes[0] == lanes[1], f"seed {seed}: {str(lanes[0])[:1500]}\n!=\n{str(lanes[1])[:1500]}"


def _without_spelling(found: Any) -> Any:
    """The outcome without what only the json lane keeps: spaces, escapes, the offset."""
    if isinstance(found[0], bytes):
        return [json.loads(found[0]), *found[1:]]
    return found[:5]


# ------------------------------------------------------------------------------------------------------- named inputs


def named() -> Iterator[tuple[str, Any, str | None]]:
    """A name, a transcript, and the kind of the error or None for an answer."""
    twins = b'[{"role":"user","role":"user","content":"a","content":[{"type":"text","text":"x","text":"y"}]}]'
    yield "keys of a message that stand twice", twins, None
    yield (
        "keys of a body that stand twice",
        b'{"messages":[],"model":1,"messages":[{"role":"user","content":"x"}],"model":2}',
        None,
    )
    yield (
        "a list that stands twice and once is none",
        b'{"messages":[{"role":"user","content":"x"}],"messages":5}',
        "not_a_transcript",
    )
    yield "a number beyond a double", b'[{"role":"user","content":"x","n":1e400}]', None
    yield "an integer of 5000 digits", b'[{"role":"user","content":"x","n":' + b"9" * 5000 + b"}]", None
    yield "an integer object of 5000 digits", [{**user("x"), "n": 10**5000}], "not_json"
    yield "nan in bytes", b'[{"role":"user","content":"x","n":NaN}]', "not_json"
    yield "nan in objects", [{**user("x"), "n": float("nan")}], "not_json"
    yield "infinity in a body", b'{"messages":[],"n":-Infinity}', "not_json"
    yield "a key that is a number", [{**user("x"), 1: 2}], "not_json"
    yield "a key that is a tuple", {"messages": [user("x")], (): 2}, "not_json"
    yield "a list in itself", knot("list"), "too_deep"
    yield "a list in itself as content", [user(knot("list"))], "too_deep"
    yield "a dict in itself", [user([knot("dict")])], "too_deep"
    yield "a body in itself", knot("both"), "too_deep"
    yield "bytes in a message", [user(b"x")], "not_json"
    yield "a generator", (message for message in ANSWERED), "not_json"
    yield "a generator in a message", [user(part for part in "x")], "not_json"
    yield "a set", [{1, 2}], "not_json"
    yield "no utf-8", b'[{"role":"user","content":"\xff"}]', "not_json"
    yield "an encoded surrogate", b'[{"role":"user","content":"\xed\xa0\x80"}]', "not_json"
    yield "half a surrogate pair", b'[{"role":"user","content":"\\ud83d"}]', None
    yield "nothing", b"", "not_json"
    yield "a byte order mark alone", b"\xef\xbb\xbf", "not_json"
    yield "nothing but opening brackets", b"[" * DEEP, "too_deep"
    yield "nothing but opening braces", b'{"messages":' * DEEP, "too_deep"
    yield "deep bytes", b'[{"role":"user","content":' + nested_text(DEEP).encode() + b"}]", "too_deep"
    yield "deep objects", [user(nested(DEEP))], "too_deep"
    yield "deep dicts", [user(nested(DEEP, "dict"))], "too_deep"
    yield "a deep body", {"messages": [user("x")], "extra": nested(DEEP, "both")}, "too_deep"
    for depth in (150, 250, DEEP):
        yield f"arguments {depth} deep", _calling(nested_text(depth, "dict")), None
        yield f"arguments {depth} deep, as bytes", json.dumps(_calling(nested_text(depth))).encode(), None
    yield "arguments that never end", _calling('{"a":' * DEEP), None
    yield "arguments of five megabytes", _calling(json.dumps({"a": "x" * 5_000_000})), None
    yield "a text of five megabytes", [user("x" * 5_000_000)], None
    yield "a text of five million odd characters", [user("\ud800\0" * 2_500_000)], None
    yield "an id of five megabytes", _calling("{}", "i" * 5_000_000), None
    yield "a role of five megabytes", [{"role": "r" * 5_000_000, "content": "x"}], None
    yield "a key of a megabyte", [{**user("x"), "k" * 1_000_000: 1}], None
    yield "backslashes", b'[{"role":"user","content":"' + b"\\\\" * 2_000_000 + b'"}]', None
    yield "a long list of scalars", [user([0] * 100_000)], None
    yield "a list of scalars", [1] * 100_000, None
    yield "many blank messages", [user("")] * 20_000, None
    yield "many results of no call", [{"role": "tool", "tool_call_id": "a", "content": "x"}] * 20_000, None
    yield "many calls with one id", [user("x"), *_calling("{}", "a")[1:2] * 10_000], None
    yield "many open calls in one message", _wide(20_000), None
    yield "an object of many keys", [{**user("x"), **{f"k{n}": n for n in range(100_000)}}], None
    yield "many keys that stand twice", b'[{"role":"user","content":"x"' + b',"a":1,"b":2' * 50_000 + b"}]", None


def _calling(arguments: str, id: str = "call_1") -> list[dict[str, Any]]:
    call = {"id": id, "type": "function", "function": {"name": "f", "arguments": arguments}}
    asked = {"role": "assistant", "content": None, "tool_calls": [call]}
    return [user("go"), asked, {"role": "tool", "tool_call_id": id, "content": "ok"}]


def _wide(count: int) -> list[dict[str, Any]]:
    calls = [{"id": f"c{n % 7}", "type": "function", "function": {"name": "f", "arguments": "{"}} for n in range(count)]
    return [user("go"), {"role": "assistant", "content": "", "tool_calls": calls}]


NAMED = [name for name, _, _ in named()]


def case_of(name: str) -> tuple[Any, str | None]:
    return next((transcript, kind) for found, transcript, kind in named() if found == name)


@pytest.mark.parametrize("name", NAMED)
def test_named_inputs(name: str) -> None:
    """In a process of its own: what takes the interpreter down fails one test."""
    script = "import sys; sys.path.insert(0, sys.argv[1]); import test_hostile; test_hostile.run_named(sys.argv[2])"
    here = str(Path(__file__).parent)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    command = [sys.executable, "-c", script, here, name]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    assert not done.stderr


def run_named(name: str) -> None:
    """All targets in both cores; the whole of it in bounded time."""
    for target in (GPT, CLAUDE):
        found = []
        for core in cores():
            transcript, kind = case_of(name)
            start = time.perf_counter()
            found.append(outcome(Projector(target, source="openai-chat", _core=core), transcript))
            taken = time.perf_counter() - start
            assert taken < SECONDS, f"{core.NAME} took {taken:.1f} s for {target}"
            told = found[-1][2] if isinstance(found[-1][0], str) else None
            assert told == kind, str(found[-1])[:500]
        assert all(other == found[0] for other in found), f"{str(found[0])[:900]}\n!=\n{str(found[1])[:900]}"


def test_deep_values_pass_where_the_limit_allows(core: ModuleType, lane: str) -> None:
    """The limit is the caller's: no walk may need the stack of the interpreter."""
    depth = 5_000
    projector = Projector(CLAUDE, limits=Limits(depth=depth + 10), _core=core)
    transcript: Any = [{**user("x"), "extra": nested(depth)}]
    if lane == "json":
        transcript = b'[{"role":"user","content":"x","extra":' + nested_text(depth).encode() + b"}]"
    made = projector.project(transcript)
    assert made.repair_counts.keys() <= {"unknown_field_dropped"}


def test_a_deep_stack_of_the_caller_is_no_matter(core: ModuleType, lane: str) -> None:
    transcript: Any = [user([{"type": "text", "text": "x", "extra": nested(300)}]), *CHAT[1:]]
    given = transcript if lane == "objects" else json.dumps(transcript).encode()
    projector = Projector(CLAUDE, source="openai-chat", _core=core)
    expected = projector.project(given).payload_json

    def call(frames: int) -> bytes:
        return call(frames - 1) if frames else projector.project(given).payload_json

    assert call(sys.getrecursionlimit() - 300) == expected


class Bomb(dict[str, Any]):
    """A dict whose look-ups raise."""

    def items(self) -> Any:
        raise ZeroDivisionError

    __getitem__ = get = __contains__ = keys = values = __iter__ = items  # type: ignore[assignment]


class Fuse(BaseException):
    """Nothing that apus may swallow."""


@pytest.mark.parametrize("transcript", [[Bomb(role="user")], Bomb(role="user"), [user([Bomb(type="text")])]])
def test_what_raises_inside_is_an_internal_error(core: ModuleType, transcript: Any) -> None:
    with pytest.raises(ApusError):
        Projector(GPT, _core=core).project(transcript)


def test_an_interrupt_is_not_swallowed(core: ModuleType) -> None:
    class Message:
        def model_dump(self, **_: Any) -> Any:
            raise Fuse

    with pytest.raises(Fuse):
        Projector(GPT, _core=core, on_error="pass").project([Message()])


def test_limits_are_checked_before_work_is_done(core: ModuleType) -> None:
    limits = Limits(input_bytes=1_000, messages=10)
    for transcript in (b"[" * 2_000, [user("x")] * 11, json.dumps([1] * 11).encode()):
        with pytest.raises(LimitExceeded):
            Projector(GPT, limits=limits, _core=core).project(transcript)
