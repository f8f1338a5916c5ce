"""Rule 3: failed and silent turns. Mirrors `rust/core/src/rules/failed_turns.rs`."""

from __future__ import annotations

from apus.kinds import RepairKind

from ..outline import BlockKind, Role, Stop
from ..plan import Plan, Slot
from ..request import Request
from .shared import answered, drop_call, take_out

QUIET = (BlockKind.TEXT, BlockKind.REASONING)


def drop_failed_turns(plan: Plan, request: Request) -> None:
    """Drop turns that say nothing, and the half-streamed calls of turns that failed."""
    if not request.full:
        return
    plan.slots = [
        slot for slot in plan.slots if slot.role != Role.ASSISTANT or slot.message is None or _keep(plan, slot)
    ]


def _keep(plan: Plan, slot: Slot) -> bool:
    message = slot.message
    if message is None:
        return True
    if message.stop in (Stop.ERROR, Stop.ABORTED):
        _drop_open_calls(plan, slot)
    quiet = all(p.kind in QUIET for p in slot.pieces)
    spoken = any(p.kind == BlockKind.TEXT and not p.blank for p in slot.pieces)
    thought = any(p.kind == BlockKind.REASONING for p in slot.pieces)
    if (quiet and message.failed) or (quiet and not spoken and message.stop in (Stop.ERROR, Stop.ABORTED)):
        plan.repair(RepairKind.FAILED_TURN_DROPPED, message)
        return False
    if quiet and thought and not spoken and message.stop == Stop.LENGTH:
        plan.repair(RepairKind.INCOMPLETE_TURN_DROPPED, message)
        return False
    if quiet and message.silent:
        plan.repair(RepairKind.SILENT_TURN_DROPPED, message)
        return False
    return True


def _drop_open_calls(plan: Plan, slot: Slot) -> None:
    gone = [p for p in slot.pieces if p.kind == BlockKind.CALL and not answered(p)]
    for call in gone:
        drop_call(plan, call, RepairKind.INCOMPLETE_CALL_DROPPED, "failed turn")
    take_out(slot, gone)
