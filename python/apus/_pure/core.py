"""The pure core as the API calls it; `apus._native` has the same functions with the same answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from apus.errors import LimitExceeded
from apus.kinds import RepairKind

from .applying import Outcome
from .dialects import DIALECTS
from .dialects.detect import detect
from .error import located
from .estimate import message_tokens, system_tokens, tool_tokens
from .json.scan import scan
from .json.values import JsonArray, JsonObject, JsonString
from .json.write import dumps
from .policy import CallIds, ImageLimits, Policy, ToolNames
from .project import project
from .reading import list_of
from .request import Config, Facts, Limits
from .rules import RULES
from .source import flags
from .texts import bundled, texts_of
from .tokens import text_tokens as _text_tokens
from .tree import build

NAME = "pure"


class Answer(NamedTuple):
    """What one projection gives back; `messages`, `system` and `body` are Python values or bytes, as the input was."""

    changed: bool
    messages: Any
    system: Any
    body: Any
    repairs: tuple[tuple[str, tuple[int, int | None] | None, str | None, str | None, str | None], ...]
    id_map: dict[str, str | None]
    moved_prefix: tuple[str, ...]
    first_change: int | None
    source: str
    dialect: str


def compile(config: str) -> Config:  # noqa: A001 - the native core has a function of this name
    """A projector's configuration from its JSON text."""
    given: dict[str, Any] = json.loads(config)
    given["limits"] = Limits(**given["limits"])
    given["texts"] = texts_of(given["texts"]) if given["texts"] is not None else None
    for key in ("policy", "full_policy"):
        given[key] = _policy(given[key])
    return Config(**given)


_PARTS: dict[str, type] = {
    "call_id": CallIds,
    "tool_name": ToolNames,
    "speaker_name": ToolNames,
    "image_limits": ImageLimits,
}


def _policy(fields: dict[str, Any]) -> Policy:
    made: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in fields.items()}
    for key, kind in _PARTS.items():
        if made[key] is not None:
            made[key] = kind(**made[key])
    return Policy(**made)


def project_objects(value: Any, config: Config, facts: Mapping[str, Any]) -> Answer:
    """Project dicts and lists."""
    depth = config.limits.depth
    with located():
        found = flags(value, depth)
    known = _facts(facts)
    found |= flags(known.system, depth, ("system",))
    outcome = project(value, config, known, clean=not found)
    messages = [build(t) for t in outcome.messages] if outcome.changed else _same(outcome, value)
    system = build(outcome.system) if outcome.system is not None else None
    body: Any = None
    if outcome.body is not None:
        body = _objects_body(outcome, messages, system)
    return _answer(outcome, messages, system, body)


def project_bytes(data: bytes, config: Config, facts: Mapping[str, Any]) -> Answer:
    """Project JSON bytes of an array or of a whole request body."""
    depth = config.limits.depth
    known = _facts(facts)
    flags(known.system, depth, ("system",))
    if len(data) > config.limits.input_bytes:
        sentence = (
            f"found an input of {len(data)} bytes, expected at most {config.limits.input_bytes} (limits.input_bytes)"
        )
        raise LimitExceeded(sentence)
    with located():
        value = scan(data, depth)
    outcome = project(value, config, known)
    if outcome.changed or outcome.body is not None:
        messages = dumps(outcome.messages if outcome.changed else _same(outcome, value))
    else:
        messages = data
    system = dumps(outcome.system) if outcome.system is not None else None
    body: Any = None
    if outcome.body is not None:
        body = _bytes_body(outcome, data, messages, system)
    return _answer(outcome, messages, system, body)


def _same(outcome: Outcome, value: Any) -> Any:
    return value if outcome.body is None else value[outcome.source_key]


def _objects_body(outcome: Outcome, messages: Any, system: Any) -> dict[str, Any]:
    body = outcome.body
    assert body is not None  # noqa: S101 - the caller has looked
    if not outcome.same:
        return outcome.payload(messages, system)
    if not outcome.changed and not outcome.system_changed:
        return body  # type: ignore[return-value]
    made = {k: messages if k == outcome.source_key else v for k, v in body.items()}
    return _with_system(outcome, made, system)


def _with_system(outcome: Outcome, made: dict[str, Any], system: Any) -> dict[str, Any]:
    key = outcome.dialect.system_key
    if key is None or not outcome.system_changed:
        return made
    if system is None:
        made.pop(key, None)
    elif key in made:
        made[key] = system
    else:
        made = {key: system, **made}
    return made


def _bytes_body(outcome: Outcome, data: bytes, messages: bytes, system: bytes | None) -> bytes:
    body: Any = outcome.body
    if not outcome.same:
        return payload_bytes(outcome.dialect.name, messages, system)
    edits: dict[str, Any] = {outcome.source_key: outcome.messages} if outcome.changed else {}
    key = outcome.dialect.system_key
    if key is not None and outcome.system_changed:
        edits[key] = outcome.system
    if outcome.repeated_keys:
        return _rewritten(body, edits)
    return splice_body(body, edits) if edits else data


def payload_bytes(dialect: str, messages: bytes, system: bytes | None) -> bytes:
    """The history fields of a request, as bytes."""
    shape = DIALECTS[dialect]
    head = (
        f'"{shape.system_key}":'.encode() + system + b","
        if system is not None and shape.system_key is not None
        else b""
    )
    return b"{" + head + f'"{shape.list_key}":'.encode() + messages + b"}"


def splice_body(body: Any, edits: Mapping[str, Any]) -> bytes:
    """The body with the values of some keys replaced (None: taken out), everything around them as it stands."""
    ranges: list[tuple[int, int, str]] = []
    for key, made in edits.items():
        value = body.get(key)
        if made is None or (key in body and not isinstance(value, (JsonString, JsonArray, JsonObject))):
            return _rewritten(body, edits)
        text = dumps(made).decode("utf-8", "surrogatepass")
        if key in body:
            ranges.append((value.start, value.end, text))
        else:
            first = body.start + 1
            ranges.append((first, first, f'"{key}":{text},'))
    parts: list[str] = []
    at = 0
    for start, end, text in sorted(ranges):
        parts += [body.data[at:start], text]
        at = end
    return "".join([*parts, body.data[at:]]).encode("utf-8", "backslashreplace")


def _rewritten(body: Mapping[str, Any], edits: Mapping[str, Any]) -> bytes:
    """The body written anew, each key once, with the values of some keys replaced or taken out; new keys come first."""
    new = {k: v for k, v in edits.items() if k not in body and v is not None}
    kept = {k: edits.get(k, v) for k, v in body.items() if k not in edits or edits[k] is not None}
    return dumps({**new, **kept})


def _answer(outcome: Outcome, messages: Any, system: Any, body: Any) -> Answer:
    return Answer(
        outcome.changed or outcome.system_changed or outcome.repeated_keys,
        messages,
        system,
        body,
        tuple((str(r.kind), r.loc, r.pointer, r.id, r.detail) for r in outcome.repairs),
        outcome.id_map,
        outcome.moved_prefix,
        outcome.first_change,
        outcome.source,
        outcome.dialect.name,
    )


def dumps_objects(value: Any) -> bytes:
    """Objects as compact JSON bytes."""
    return dumps(value)


def info() -> dict[str, str]:
    """How this core was built."""
    return {"build_profile": "python", "simd": "none"}


def _facts(given: Mapping[str, Any]) -> Facts:
    facts = dict(given)
    if facts.get("tools") is not None:
        facts["tools"] = frozenset(facts["tools"])
    return Facts(**facts)


def estimate(value: Any, dialect: str | None, system: Any = None, tools: Any = None) -> tuple[list[int], int, int]:
    """Tokens of each message, of the system prompt and of the tools.

    `value` is a text, a message, a list of messages, a body, or the JSON bytes of any of these; a text counts as one
    message without a role. Raises `TranscriptError` for anything else.
    """
    value = scan(value, Limits().depth) if isinstance(value, bytes) else value
    if isinstance(value, str):
        return [_text_tokens(value)], 0, 0
    if isinstance(value, dict) and "role" in value:
        value = [value]
    body, items, _ = list_of(value)
    if body is not None:
        system = body.get("system") if system is None else system
        tools = body.get("tools") if tools is None else tools
    name = dialect or detect(items, body, "openai-chat")
    return message_tokens(items, name, bundled()), system_tokens(system), tool_tokens(tools)


def text_tokens(text: str) -> int:
    """Tokens of a text."""
    return _text_tokens(text)


@lru_cache(maxsize=1)
def listing() -> dict[str, tuple[str, ...]]:
    """What this core knows, for tests that compare the two: rules, repair kinds, dialects."""
    return {
        "rules": tuple(name for name, _ in RULES),
        "repair_kinds": tuple(str(k) for k in RepairKind),
        "dialects": tuple(DIALECTS),
    }
