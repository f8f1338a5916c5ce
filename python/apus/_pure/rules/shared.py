"""What several rules need. Mirrors `rust/core/src/rules/shared.rs`."""

from __future__ import annotations

from apus.kinds import RepairKind

from ..outline import BlockKind, Role
from ..plan import Fate, Piece, Plan, Slot
from ..request import Request


def answered(call: Piece) -> bool:
    """Whether a call is completed: it has a real result."""
    return call.result is not None and not call.result.synthetic


def take_out(slot: Slot, gone: list[Piece]) -> None:
    """Take pieces out of their message, all at once."""
    if gone:
        named = {id(p) for p in gone}
        slot.set([p for p in slot.pieces if id(p) not in named])


def drop_call(plan: Plan, call: Piece, kind: RepairKind, detail: str) -> None:
    """Record that a call goes, and the result that was matched to it with it; `take_out` does it."""
    if call.result is not None:
        call.result.fate = Fate.CALL_DROPPED
    plan.repair(kind, call.message, call.block, call.id, detail)


def systems_stay(request: Request) -> bool:
    """Whether a late system message stays what it is, and does not become a user's."""
    policy = request.policy
    alternates = policy.merge_users and policy.merge_assistants
    return policy.late_system == "keep" and policy.system_placement == "any" and not alternates


def current_turn(plan: Plan, request: Request) -> int:
    """Number of the first slot behind the last user message that is not apus's own; results open no turn."""
    noted = (Role.OTHER,) if systems_stay(request) else (Role.OTHER, Role.SYSTEM, Role.DEVELOPER)
    for number in range(len(plan.slots) - 1, -1, -1):
        slot = plan.slots[number]
        if slot.role in noted:  # it becomes a user's, with a text of its own
            return number + 1
        if slot.role == Role.USER and any(p.kind != BlockKind.RESULT for p in slot.pieces) and not plan.is_own(slot):
            return number + 1
    return 0


def running_loop(plan: Plan) -> int:
    """Number of the first slot of the running tool loop: behind the last user message with more than results."""
    number = len(plan.slots)
    while number:
        slot = plan.slots[number - 1]
        only_results = bool(slot.pieces) and all(p.kind == BlockKind.RESULT for p in slot.pieces)
        if slot.role not in (Role.ASSISTANT, Role.RESULT) and not only_results:
            break
        number -= 1
    return number


def last_spoken(plan: Plan) -> Slot | None:
    """The last slot that is not a system message."""
    return next((s for s in reversed(plan.slots) if s.role not in (Role.SYSTEM, Role.DEVELOPER)), None)


def drop_emptied(plan: Plan, role: Role) -> None:
    """Drop the messages of a role that a rule left without a block."""
    kept: list[Slot] = []
    for slot in plan.slots:
        if slot.role == role and slot.touched and not slot.pieces:
            plan.repair(RepairKind.EMPTY_TURN_DROPPED, slot.message)
        else:
            kept.append(slot)
    plan.slots = kept
