"""Rule 10, names: who speaks inside a role. Mirrors `rust/core/src/rules/speakers.rs`."""

from __future__ import annotations

from apus.kinds import RepairKind

from ..names import fits, fitted
from ..outline import BlockKind, Role
from ..plan import Plan, Slot
from ..request import Request


def settle_speakers(plan: Plan, request: Request) -> None:
    """Fit each speaker's name to the target's pattern; where the wire has none, it stands in front of the text."""
    rule = request.policy.speaker_name
    for slot in plan.slots:
        if slot.name is None or slot.role == Role.RESULT or (rule is not None and fits(slot.name, rule)):
            continue
        old = slot.name
        slot.name = (fitted(old, rule, "") or None) if rule is not None else None
        if rule is None:
            label(slot, old)
        slot.touched = True
        plan.repair(RepairKind.SPEAKER_NAME_REWRITTEN, slot.message, detail=old)


def label(slot: Slot, name: str) -> None:
    """Put a name in front of the first text of a user's message."""
    first = next((p for p in slot.pieces if p.kind == BlockKind.TEXT and not p.blank), None)
    if first is not None and slot.role == Role.USER:
        first.prefix = f"{name}: {first.prefix or ''}"
        first.touched = slot.touched = True
