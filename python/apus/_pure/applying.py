"""Applying: a plan to the answer. Mirrors `rust/core/src/applying.rs`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from apus.errors import LimitExceeded
from apus.kinds import RepairKind

from .dialects import Dialect
from .dialects.writing import Writer
from .plan import Piece, Plan, Repair
from .request import Request
from .source import DUPLICATE_KEY, flags, same


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


def apply(
    plan: Plan,
    request: Request,
    dialect: Dialect,
    written: Dialect,
    items: Sequence[Any],
    body: Mapping[str, Any] | None,
    key: str,
    growth: int,
) -> Outcome:
    """Write the messages and the system field; `growth` is how many bytes of texts of its own apus may insert.

    Raises `LimitExceeded`.
    """
    inserted = sum(map(_made_bytes, [*plan.system, *(p for slot in plan.slots for p in slot.pieces)]))
    if inserted > growth:
        raise LimitExceeded(f"found {inserted} bytes of inserted texts, expected at most {growth} (limits.growth)")
    writer = Writer(request)
    trees, first_change = _messages(plan, request, written, items, writer)
    system, system_changed = _system(plan, request, written, body, writer)
    if body is not None and not request.same:
        _drop_fields(plan, body, key)
    return Outcome(
        source=dialect.name,
        dialect=written,
        changed=first_change is not None,
        messages=trees,
        system=system,
        system_changed=system_changed,
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


def _made_bytes(piece: Piece) -> int:
    """Bytes of the texts that apus put into a piece."""
    made = piece.prefix or ""
    if piece.block is None:
        made += piece.text or ""
    return len(made.encode()) + (sum(map(_made_bytes, piece.inner)) if piece.inner is not None else 0)


def _messages(
    plan: Plan, request: Request, written: Dialect, items: Sequence[Any], writer: Writer
) -> tuple[list[Any], int | None]:
    """The messages, stored ones as they are, and the index of the first that is no longer what stood there."""
    trees: list[Any] = []
    first_change: int | None = None
    for number, slot in enumerate(plan.slots):
        message = slot.message
        if message is None or message.stored is None or slot.touched or not request.same:
            trees.append(written.write_message(slot, writer))
            first_change = number if first_change is None else first_change
            continue
        trees.append(message.stored)
        if first_change is None and (message.index != number or message.stored is not items[number]):
            first_change = number
    if first_change is None and len(trees) != len(items):
        first_change = len(trees)
    return trees, first_change


def _system(
    plan: Plan, request: Request, written: Dialect, body: Mapping[str, Any] | None, writer: Writer
) -> tuple[Any, bool]:
    """The system field of a dialect that has one, and whether it is another than the body's."""
    if written.write_system is None:
        return None, False
    if plan.system_touched:
        return written.write_system(plan.system, writer), True
    stored = body.get("system") if body is not None else None
    given = request.facts.system
    if given is None:
        return (stored if plan.system else None), False
    return (given if plan.system else None), body is not None and not same(given, stored)


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
