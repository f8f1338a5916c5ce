"""Rule 6, first part: results that no call keeps. Mirrors `rust/core/src/rules/orphans.rs`."""

from __future__ import annotations

from apus.kinds import RepairKind

from ..outline import BlockKind, Role
from ..plan import Fate, Piece, Plan, Slot
from ..request import Request
from ..traces import trace_of

DROPPED = {
    Fate.ORPHAN: RepairKind.ORPHAN_RESULT_DROPPED,
    Fate.AMBIGUOUS: RepairKind.AMBIGUOUS_RESULT_DROPPED,
    Fate.DUPLICATE: RepairKind.DUPLICATE_RESULT_DROPPED,
    Fate.CALL_DROPPED: RepairKind.ORPHAN_RESULT_DROPPED,
}


def settle_results(plan: Plan, request: Request) -> None:
    """Drop or note each result that is not the one of a call; a replaced synthetic one goes without a word."""
    slots: list[Slot] = []
    for slot in plan.slots:
        if not any(p.kind == BlockKind.RESULT and p.fate != Fate.KEPT for p in slot.pieces):
            slots.append(slot)
            continue
        kept: list[Piece] = []
        for piece in slot.pieces:
            if piece.kind != BlockKind.RESULT or piece.fate == Fate.KEPT:
                kept.append(piece)
            else:
                kept += _settled(plan, piece, request)
        # A user message that held results alone is gone with them; one note of a result is a user message.
        if kept:
            slot.set(kept)
            slot.role = Role.USER if slot.role == Role.RESULT else slot.role
            slots.append(slot)
    plan.slots = slots


def _settled(plan: Plan, result: Piece, request: Request) -> list[Piece]:
    """What stands in the place of a result: nothing, or a note with its content."""
    call_id = result.block.id if result.block is not None else None
    if result.fate == Fate.LATE:
        plan.repair(RepairKind.LATE_RESULT_NOTED, result.message, result.block, call_id)
        return _note(plan, result, "late_result", request)
    noted = request.orphans == "note" and result.fate in (Fate.ORPHAN, Fate.AMBIGUOUS) and not result.synthetic
    if noted:
        plan.repair(RepairKind.ORPHAN_RESULT_NOTED, result.message, result.block, call_id)
        return _note(plan, result, "orphan_result", request)
    if result.fate != Fate.REPLACED:
        plan.repair(DROPPED[result.fate], result.message, result.block, call_id, _trace(result))
    return []


def _note(plan: Plan, result: Piece, name: str, request: Request) -> list[Piece]:
    call = result.call
    tool = call.name if call is not None else result.block.name if result.block is not None else None
    head = plan.note(request.texts.fill(name, name=tool, id=result.block.id if result.block is not None else None))
    head.message = result.message
    return [head, *result.content]


def _trace(result: Piece) -> str:
    """Tool name, size and digest of a result that is not sent."""
    if result.block is None:
        return ""
    call = result.call
    name = result.block.name or (call.name if call is not None else None) or "unknown"
    return f"{name} {trace_of(result.block.text)}"
