"""What apus promises, as checks of one projection: each returns what is wrong, or None."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from apus.errors import ApusError
from apus.policy import Target
from apus.projection import Projection
from apus.projector import Projector
from damage import SYNTHETIC, damage
from histories import Teller, entries, valid
from wire import faults

MARK = re.compile(r"mk\d+q")
OWN = ("(session bootstrap)", "(continue)", "(continuing)", "[empty content omitted]")

# (target, who the wire is for the checks)
TARGETS: dict[str, tuple[Target | str, ...]] = {
    "anthropic-messages": (
        "anthropic",
        "anthropic/claude-sonnet-4-5",
        "anthropic/claude-opus-4-6",
        "anthropic/claude-opus-4-8",
        "anthropic/claude-fable-5-1",
        Target("amazon-bedrock", "anthropic.claude-opus-4-6-v1:0", api="anthropic-messages"),
        "minimax/MiniMax-M2",
        Target("deepseek", "deepseek-chat", api="anthropic-messages"),
        Target("glm", "glm-5", api="anthropic-messages"),
        Target("modelscope", "qwen", api="anthropic-messages"),
        Target("moonshot", "kimi-k2.5", api="anthropic-messages"),
        Target("somebody", "model-x", api="anthropic-messages"),
    ),
    "openai-chat": (
        "openai/gpt-5",
        "mistral/mistral-large",
        "deepseek/deepseek-chat",
        "deepseek",
        "moonshot/kimi-k2.5",
        "groq/llama-4",
        "xai/grok-4",
        "vllm/some-model",
        "vllm/llama-3.1-8b",
        "ollama/llama4",
        "openrouter/anthropic/claude-opus-4.6",
        "openrouter/anthropic/claude-sonnet-4.5",
        "openrouter/google/gemini-3-pro",
        "openrouter/deepseek/deepseek-r1",
        "perplexity/sonar",
        "cohere/command-a",
        "glm/glm-5",
        "dashscope/qwen3-max",
        "github-copilot/gpt-5",
        Target("somebody", "model-x", api="openai-chat"),
    ),
    "apus": ("apus",),
}
ALL = tuple((api, target) for api, targets in TARGETS.items() for target in targets)


@dataclass
class Example:
    """One transcript, and all that it is projected with."""

    dialect: str
    messages: list[Any]
    api: str  # the dialect of the target
    target: Target | str
    options: dict[str, Any] = field(default_factory=dict)  # of the projector
    facts: dict[str, Any] = field(default_factory=dict)  # of the request
    core: Any = None

    def projector(self, **changed: Any) -> Projector:
        options = {"source": self.dialect, **self.options, **changed}
        return Projector(self.target, **options, _core=self.core)

    def project(self, messages: Any = None, **facts: Any) -> Projection[Any]:
        return self.projector().project(self.messages if messages is None else messages, **{**self.facts, **facts})

    @property
    def written(self) -> str:
        """The dialect of the answer."""
        write = self.options.get("write")
        return self.dialect if write == "source" else self.api


def example(random: Random, dialect: str, *, core: Any = None, hits: int | None = None) -> Example:
    """A damaged history, a target and options."""
    teller = Teller(random, dialect)
    messages: list[Any] = valid(
        teller, random.choice((0, 1, 1, 2, 3)), reasoning=random.random() < 0.3, images=random.random() < 0.2
    )
    damage(messages, teller, random.choice((0, 1, 2, 3, 5, 9)) if hits is None else hits)
    if dialect == "apus" and random.random() < 0.3:
        messages = entries(random, [m for m in messages if isinstance(m, dict)])
    api, target = random.choice(ALL)
    options: dict[str, Any] = {}
    facts: dict[str, Any] = {}
    chances: tuple[tuple[float, dict[str, Any], str, tuple[Any, ...]], ...] = (
        (0.3, options, "hygiene", ("wire", "full")),
        (0.15, options, "strict", (True,)),
        (0.2, options, "trailing", ("continue", "strip")),
        (0.3, options, "orphans", ("note",)),
        (0.1, options, "write", ("source",)),
        (0.4, facts, "thinking", (True, False)),
        (0.25, facts, "open_calls", ("keep", "trim")),
        (0.2, facts, "tools", ([], ["bash", "read_file"])),
        (0.15, facts, "system", (teller.words(), [teller.text()])),
        (0.1, facts, "origin", ("openai/gpt-5", "anthropic/claude-opus-4-6")),
    )
    for chance, home, key, values in chances:
        if random.random() < chance:
            home[key] = random.choice(values)
    return Example(dialect, messages, api, target, options, facts, core)


Check = Callable[[Example, Projection[Any]], "str | None"]


def valid_on_the_wire(given: Example, made: Projection[Any]) -> str | None:
    """1: the answer obeys the wire, or a requirement says what the caller must change."""
    if given.options.get("write") == "source":
        return None
    open_end = given.facts.get("open_calls") == "keep" and not given.options.get("strict")
    found = faults(made.payload, given.api, open_end=open_end)
    return found[0] if found else None


def nothing_in_silence(given: Example, made: Projection[Any]) -> str | None:
    """2: each marked text of a message is in the answer, or a repair stands at that message."""
    said = set(MARK.findall(json.dumps(made.payload, ensure_ascii=False)))
    places = {r.loc[0] for r in made.repairs if r.loc is not None}
    for number, message in enumerate(given.messages):
        lost = marks_of(message) - said
        if lost and number not in places:
            return f"message {number}: {sorted(lost)} vanished without a repair"
    return None


def marks_of(value: Any) -> set[str]:
    return set(MARK.findall(json.dumps(value, ensure_ascii=False)))


def real_beats_synthetic(given: Example, made: Projection[Any]) -> str | None:
    """3: where one call and one later result share an id that no other has, they stay together."""
    known = _calls_and_results(given)
    for call, answers in known.items():
        if answers is None:
            continue
        kept = [r for r in made.repairs if r.kind == "result_synthesized" and r.id == call]
        if kept:
            return f"the call {call!r} got a placeholder although {answers!r} was recorded"
    return None


def _calls_and_results(given: Example) -> dict[str, set[str] | None]:
    from damage import calls, results

    messages = [m for m in given.messages if isinstance(m, dict)]
    where: dict[str, list[int]] = {}
    for place in calls(messages):
        id = place.node.get("id")
        if isinstance(id, str) and id.strip() and messages[place.message].get("role") == "assistant":
            where.setdefault(id.strip(), []).append(place.message)
    found: dict[str, set[str] | None] = {}
    told: dict[str, list[tuple[int, Any]]] = {}
    for place in results(messages):
        id = place.node.get(place.id_key)
        if isinstance(id, str):
            told.setdefault(id.strip(), []).append((place.message, place.node))
    for id, calling in where.items():
        answers = told.get(id, [])
        if len(calling) == 1 and len(answers) == 1 and answers[0][0] > calling[0]:
            marks = marks_of(answers[0][1])
            if marks and SYNTHETIC not in json.dumps(answers[0][1]):
                found[id] = marks
    return found


def deterministic(given: Example, made: Projection[Any]) -> str | None:
    """4: the same answer again, from a projector of its own."""
    return _differ(made, given.project(copy.deepcopy(given.messages)), "a second run")


def _differ(a: Projection[Any], b: Projection[Any], what: str) -> str | None:
    for name in ("payload", "repairs", "id_map", "moved_prefix", "first_change", "changed", "tokens"):
        one, two = getattr(a, name), getattr(b, name)
        if canonical(one) != canonical(two):
            return f"{name} of {what} differs: {canonical(one)[:300]} != {canonical(two)[:300]}"
    return None


def canonical(value: Any) -> str:
    return json.dumps(value, default=repr)


def idempotent(given: Example, made: Projection[Any]) -> str | None:
    """5: projecting the answer changes nothing and reports nothing but requirements."""
    facts = {k: v for k, v in given.facts.items() if k not in ("system", "origin")}
    options = {**given.options, "source": given.written}
    if given.written == "apus" and given.dialect != "apus":
        options.setdefault("hygiene", "wire")  # a stored transcript would be cleaned in full
    again = Projector(given.target, **options, _core=given.core).project(
        copy.deepcopy(made.messages), system=made.payload.get("system"), **facts
    )
    extra = [r for r in again.repairs if r.severity != "requirement"]
    if extra:
        return f"projecting the answer again reports {extra[0]}"
    if canonical(again.payload) != canonical(made.payload):
        was, now = canonical(made.payload)[:300], canonical(again.payload)[:300]
        return f"projecting the answer again changes it: {was} -> {now}"
    return "projecting the answer again says that it changed" if again.first_change is not None else None


def untouched(given: Example, _: Projection[Any]) -> str | None:
    """6: the input is as it was, and what the projection says about change is true."""
    before = given.messages
    kept = copy.deepcopy(before)
    again = given.project(before)
    if canonical(kept) != canonical(before):
        return "the input was changed"
    same_dialect = given.written == given.dialect
    if same_dialect and not again.changed and again.messages is not before:
        return "an unchanged list is another object"
    if not again.changed and any(r.severity != "requirement" for r in again.repairs):
        return f"unchanged, but {again.repairs[0]}"
    return None


def stable_prefix(given: Example, made: Projection[Any]) -> str | None:
    """7: what was sent before an assistant message stays the head of what is sent later."""
    if made.moved_prefix or given.facts.get("open_calls") or given.facts.get("tools") is not None:
        return None
    origin = given.facts.get("origin")
    if origin is not None and not isinstance(origin, str):
        return None
    out = made.messages
    for number, message in enumerate(given.messages):
        before = given.messages[number - 1] if number else None
        is_entry = isinstance(message, dict) and "parentId" in message and isinstance(before, dict)
        if is_entry and message["parentId"] != before.get("id"):
            continue  # another branch
        if not number or (isinstance(before, dict) and before.get("message", before).get("role") == "assistant"):
            continue  # the two may have become one
        at = _sent_before(given, out, message)
        if at is None:
            continue
        part = given.project(given.messages[:number])
        if canonical(part.messages) != canonical(out[: len(part.messages)]):
            place = next(
                (i for i, (a, b) in enumerate(zip(part.messages, out, strict=False)) if canonical(a) != canonical(b)),
                len(out),
            )
            was = canonical(part.messages[place])[:300]
            now = canonical(out[place])[:300] if place < len(out) else "nothing"
            return f"cut before message {number}: message {place} was {was}, is {now}"
    return None


def _sent_before(given: Example, out: list[Any], message: Any) -> int | None:
    """Place of an assistant message in the answer, if it is kept there behind a user message or a result."""
    inner = message.get("message", message) if isinstance(message, dict) else None
    if not isinstance(inner, dict) or inner.get("role") != "assistant":
        return None
    marks = marks_of(inner)
    marks -= marks_of([m for m in given.messages if m is not message])
    for place, sent in enumerate(out):
        first = MARK.search(json.dumps(sent))
        if place and sent.get("role") == "assistant" and first is not None and first[0] in marks:
            before = out[place - 1]
            own = any(word in canonical(before.get("content")) for word in OWN)
            return place if before.get("role") in ("user", "tool", "toolResult") and not own else None
    return None


def lanes_equal(given: Example, made: Projection[Any]) -> str | None:
    """8: objects and bytes give the same answer."""
    return _differ(made, given.project(json.dumps(given.messages).encode()), "the json lane")


CHECKS: tuple[Check, ...] = (
    valid_on_the_wire,
    nothing_in_silence,
    real_beats_synthetic,
    deterministic,
    idempotent,
    untouched,
    stable_prefix,
    lanes_equal,
)


def broken(given: Example) -> list[str]:
    """The promises that an example breaks."""
    try:
        made = given.project()
    except ApusError as error:
        return [f"{type(error).__name__}: {error}"]
    return [f"{check.__name__}: {fault}" for check in CHECKS if (fault := check(given, made)) is not None]
