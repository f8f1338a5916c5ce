"""Rule 6, record: what the results overtook on their way. Mirrors `rust/core/src/rules/overtaken.rs`."""

from __future__ import annotations

from apus.kinds import RepairKind

from ..outline import BlockKind, Role
from ..plan import Piece, Plan, Slot
from ..request import Request


def report_moves(plan: Plan, start: int, wanted: list[Piece], request: Request) -> None:
    """Record what a result overtakes inside its frame, and each result that comes from elsewhere."""
    _report_overtaken(plan, start, wanted)
    home = next((p.message for p in wanted if p.block is not None and not p.moved), None)
    for piece in wanted:
        call_id = piece.call.id if piece.call is not None else None
        if piece.moved:
            plan.moved_prefix["late_result"] = None
            plan.repair(RepairKind.RESULT_MOVED, piece.message, piece.block, call_id)
        elif request.same and request.results_in_user and piece.block is not None and piece.message is not home:
            plan.repair(RepairKind.TURNS_MERGED, piece.message, piece.block, call_id)


def _report_overtaken(plan: Plan, start: int, wanted: list[Piece]) -> None:
    own = {id(p) for p in wanted}
    between: list[tuple[Slot, Piece]] = []
    last = 0
    for number in range(start, len(plan.slots)):
        slot = plan.slots[number]
        if slot.role == Role.ASSISTANT and slot.has(BlockKind.CALL):
            break
        for piece in slot.pieces:
            if id(piece) in own:
                last = len(between)
            elif piece.kind != BlockKind.RESULT:
                between.append((slot, piece))
    seen: set[int] = set()
    for slot, piece in between[:last]:
        if slot.role == Role.ASSISTANT:
            # It answered a request in which this result was missing.
            plan.moved_prefix["late_result"] = None
        whole = not any(id(p) in own for p in slot.pieces)
        if not (whole and id(slot) in seen):
            plan.repair(RepairKind.MESSAGE_DISPLACED_BY_RESULT, piece.message, None if whole else piece.block)
        seen.add(id(slot))
