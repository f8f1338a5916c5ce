"""Project: read, outline, rules, plan, apply. Mirrors `rust/core/src/project.rs`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from apus.errors import LimitExceeded, TranscriptError
from apus.kinds import RepairKind

from .bodies import facts_of
from .dialects import DIALECTS, Dialect
from .dialects.apus_session import active_path, is_session
from .dialects.detect import detect
from .dialects.reading import Reader, text_block
from .dialects.writing import Writer
from .models import normalise
from .outline import Message, Outline, Role
from .plan import Piece, Plan, Repair, Slot, lay_out
from .policy import Policy, ToolNames
from .request import Config, Facts, Maker, Request
from .rules import run
from .source import DUPLICATE_KEY, flags, text

LIST_KEYS = ("messages",)


@dataclass(slots=True)
class Outcome:
    """What a projection came to; trees are values over the source."""

    source: str
    dialect: Dialect
    changed: bool
    messages: list[Any]  # trees of the written messages
    system: Any  # tree of the system field, or None
    system_changed: bool
    body: Mapping[str, Any] | None
    list_key: str
    first_change: int | None
    repairs: list[Repair] = field(default_factory=list)
    id_map: dict[str, str | None] = field(default_factory=dict)
    moved_prefix: tuple[str, ...] = ()
    source_key: str = "messages"
    same: bool = True
    repeated_keys: bool = False  # the body holds a key twice

    def payload(self, messages: Any, system: Any) -> dict[str, Any]:
        """The history fields of a request."""
        head = {self.dialect.system_key: system} if system is not None and self.dialect.system_key is not None else {}
        return {**head, self.list_key: messages}


def project(value: Any, config: Config, facts: Facts, *, clean: bool = False) -> Outcome:
    """Project a transcript: a list of messages or session entries, or a whole request body."""
    body, items, key = list_of(value)
    if len(items) > config.limits.messages:
        raise LimitExceeded(f"found {len(items)} messages, expected at most {config.limits.messages} (limits.messages)")
    name = config.source or detect(items, body, config.api)
    dialect = DIALECTS[name]
    written = DIALECTS[name if config.write == "source" else config.write or config.api]
    if body is not None:
        facts = facts_of(body, facts)
    request = _request(config, facts, dialect, written)
    reader = Reader(request.texts, clean=clean)
    outline = _read(items, body, key, dialect, request, reader)
    if request.facts.server_state and not request.same:
        sentence = (
            "found a request whose earlier history the provider holds, expected a whole history for another dialect"
        )
        raise TranscriptError(sentence, kind="server_state")
    plan = lay_out(outline, written.results_in_user, request.texts)
    for index, what in outline.dropped:
        plan.repairs.append(
            Repair(RepairKind.INVALID_MESSAGE_DROPPED, (index, None), f"{outline.pointer}/{index}", None, what)
        )
    _put_system(plan, request, body, written, reader)
    run(plan, request, config.fault_in)
    return _apply(plan, request, dialect, written, items, body, key)


def list_of(value: Any) -> tuple[Mapping[str, Any] | None, Sequence[Any], str]:
    """The body if there is one, the list of messages, and the key it stands under."""
    if isinstance(value, (list, tuple)):
        return None, value, "messages"
    if isinstance(value, dict):
        key = next((k for k in LIST_KEYS if isinstance(value.get(k), (list, tuple))), None)
        if key is not None:
            return value, value[key], key
        raise TranscriptError(
            f"found an object without a list of messages, expected one of the keys {', '.join(LIST_KEYS)}",
            kind="not_a_transcript",
        )
    raise TranscriptError(
        f"found {_what(value)}, expected a list of messages or a request body", kind="not_a_transcript"
    )


def _what(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    return "a string" if isinstance(value, str) else "a number"


def _request(config: Config, facts: Facts, dialect: Dialect, written: Dialect) -> Request:
    full = dialect.stored if config.full is None else config.full
    policy = config.full_policy if full and config.full_policy is not None else config.policy
    if config.strict:
        policy = _strict(policy)
    if written.name != DIALECTS[config.api].name:
        policy = _for_runner(policy, written)
    return Request(
        policy=policy,
        full=full,
        strict=config.strict,
        trailing=config.trailing or ("strip" if full else "continue"),
        orphans=config.orphans,
        facts=facts,
        texts=config.wording,
        results_in_user=written.results_in_user,
        stored=dialect.stored,
        same=dialect.name == written.name,
        beside_content=written.beside_content,
        writable=written.writable,
        urls=written.urls,
    )


def _strict(policy: Policy) -> Policy:
    """The tightest flags, whatever the provider is."""
    return replace(
        policy, unique_ids="history", merge_users=True, merge_assistants=True, first_role="user", blank_text="drop"
    )


def _for_runner(policy: Policy, written: Dialect) -> Policy:
    """For a runner that does its own wire conversion: its dialect's shape, and turns as they stand."""
    return replace(
        policy,
        arguments=written.arguments,
        system_slot="messages",
        late_system="keep",
        system_placement="any",
        merge_users=False,
        merge_assistants=False,
        images_in_results=True,
        error_results_text_only=False,
        speaker_name=ToolNames(),
        unknown_fields="keep",
        max_cache_marks=None,
    )


def _read(
    items: Sequence[Any], body: Mapping[str, Any] | None, key: str, dialect: Dialect, request: Request, reader: Reader
) -> Outline:
    outline = Outline()
    outline.same = request.same
    outline.pointer = f"/{key}" if body is not None else ""
    origin = request.facts.origin
    if dialect.name == "apus" and is_session(items):
        _read_entries(outline, items, dialect, reader)
    else:
        for index, item in enumerate(items):
            if not isinstance(item, dict):
                outline.dropped.append((index, _kind_name(item)))
                continue
            message = dialect.read_message(item, index, reader)
            if origin is not None:
                message.maker = origin[index] if len(origin) > 1 and index < len(origin) else origin[0]
            outline.messages.append(message)
        _void(outline.messages)
    for message in outline.messages:
        message.own = _is_own(message, request, dialect)
    return outline


def _kind_name(item: Any) -> str:
    if isinstance(item, (list, tuple)):
        return "an array"
    return _what(item)


def _read_entries(outline: Outline, items: Sequence[Any], dialect: Dialect, reader: Reader) -> None:
    for index, item in enumerate(items):
        if not isinstance(item, dict):
            outline.dropped.append((index, _kind_name(item)))
    for entry in active_path(items):
        node = entry.node
        message = dialect.read_message(
            node if entry.role is None else {**node, "role": entry.role}, entry.index, reader
        )
        message.path = entry.path
        message.void = entry.void
        if entry.role is not None:
            message.stored = None
        outline.messages.append(message)


def _void(messages: list[Message]) -> None:
    """In a plain list nothing tells what a summary covers: all that stands before the last one is older."""
    last = max((n for n, m in enumerate(messages) if m.role_text == "compactionSummary"), default=0)
    for message in messages[:last]:
        message.void = True


def _is_own(message: Message, request: Request, dialect: Dialect) -> bool:
    """Whether the target made an assistant message; who is not named is taken to be the target."""
    if message.role != Role.ASSISTANT:
        return True
    if message.maker is None:
        return request.same or dialect.stored
    return is_maker(message.maker, request.policy)


def is_maker(maker: Maker, policy: Policy) -> bool:
    """Whether a named maker is the target: a provider whose signatures it takes, and the same model."""
    provider, _, model = maker
    if provider is not None and policy.makers and provider.lower() not in policy.makers:
        return False
    return policy.model is None or model is None or normalise(model) == policy.model


def _put_system(plan: Plan, request: Request, body: Mapping[str, Any] | None, written: Dialect, reader: Reader) -> None:
    """The system prompt beside the transcript: the caller's, else the body's own field."""
    given = request.facts.system
    source_key = "system"
    node = given if given is not None else body.get(source_key) if body is not None else None
    if node is None or (isinstance(node, (list, tuple, str)) and not node):
        return
    blocks = _system_blocks(node, reader, written)
    if written.read_system is not None:
        plan.outline.system = blocks
        plan.system = [Piece(b.kind, b, None) for b in blocks]
        plan.system_touched = not (request.same or isinstance(node, str))
        return
    if _says_so_already(plan, blocks):
        return
    plan.slots.insert(0, Slot(Role.SYSTEM, None, [Piece(b.kind, b, None) for b in blocks]))


def _system_blocks(node: Any, reader: Reader, written: Dialect) -> list[Any]:
    if written.read_system is not None:
        return written.read_system(node, reader)
    if isinstance(node, str):
        return [text_block(node, node, "system", None, 0, reader)]
    items = node if isinstance(node, (list, tuple)) else [node]
    return [
        text_block(item, item["text"], "system", number, number, reader)
        for number, item in enumerate(items)
        if isinstance(item, dict) and isinstance(item.get("text"), str)
    ]


def _says_so_already(plan: Plan, blocks: list[Any]) -> bool:
    first = plan.slots[0] if plan.slots else None
    if first is None or first.role not in (Role.SYSTEM, Role.DEVELOPER):
        return False
    return "\n\n".join(text(b.text) or "" for b in blocks) == "\n\n".join(
        text(p.block.text) or "" for p in first.pieces if p.block is not None and p.block.text is not None
    )


def _apply(
    plan: Plan,
    request: Request,
    dialect: Dialect,
    written: Dialect,
    items: Sequence[Any],
    body: Mapping[str, Any] | None,
    key: str,
) -> Outcome:
    writer = Writer(request)
    trees: list[Any] = []
    first_change: int | None = None
    for number, slot in enumerate(plan.slots):
        stored = slot.message.stored if slot.message is not None else None
        kept = request.same and not slot.touched and slot.message is not None and stored is not None
        if first_change is None and not (
            kept and slot.message is not None and slot.message.index == number and stored is items[number]
        ):
            first_change = number
        trees.append(stored if kept else written.write_message(slot, writer))
    if first_change is None and len(trees) != len(items):
        first_change = len(trees)
    system = (
        written.write_system(plan.system, writer) if written.write_system is not None and plan.system_touched else None
    )
    if written.write_system is not None and not plan.system_touched and plan.system:
        system = request.facts.system if request.facts.system is not None else (body or {}).get("system")
    if body is not None and not request.same:
        _drop_fields(plan, body, key)
    return Outcome(
        source=dialect.name,
        dialect=written,
        changed=first_change is not None,
        messages=trees,
        system=system,
        system_changed=plan.system_touched or request.facts.system is not None,
        body=body,
        list_key=written.list_key,
        first_change=first_change,
        repairs=plan.repairs,
        id_map=plan.id_map,
        moved_prefix=tuple(plan.moved_prefix),
        source_key=key,
        same=request.same,
        repeated_keys=_repeated(plan, body),
    )


def _repeated(plan: Plan, body: Mapping[str, Any] | None) -> bool:
    """Whether a key stands twice in the body: no two readers of it may disagree, so the last counts alone."""
    if body is None or not flags(body) & DUPLICATE_KEY:
        return False
    if not any(r.kind == RepairKind.SHAPE_FIXED and r.detail == "duplicate key" for r in plan.repairs):
        plan.repairs.append(Repair(RepairKind.SHAPE_FIXED, None, "", None, "duplicate key"))
    return True


def _drop_fields(plan: Plan, body: Mapping[str, Any], key: str) -> None:
    gone = sorted(k for k in body if k not in (key, "system"))
    if gone:
        plan.repairs.append(Repair(RepairKind.REQUEST_FIELDS_DROPPED, None, None, None, " ".join(gone)))
