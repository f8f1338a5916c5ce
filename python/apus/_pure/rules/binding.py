"""Rule 5, last part: reasoning that is bound to everything before it. Mirrors `rust/core/src/rules/binding.rs`."""

from __future__ import annotations

from bisect import bisect_left

from apus.kinds import RepairKind

from ..outline import BlockKind, Role
from ..plan import Plan, Slot
from ..request import Request


def unbind(plan: Plan, request: Request) -> None:
    """Drop the reasoning that was made against another projection than this one.

    A repair that was there when the reasoning was made changes nothing, since apus is deterministic. What differs is
    what came to light later: a real result that arrived behind the turn, images that crossed the count since. This runs
    last, and an emptied turn keeps its place, so that no earlier rule has to run again.
    """
    if not request.policy.thinking_binds_prefix or request.policy.thinking_binding == "drop_block":
        return
    late = _late_results(plan)
    images = 0
    for slot in plan.slots:
        if slot.role == Role.ASSISTANT and slot.has(BlockKind.REASONING) and slot.message is not None:
            index = slot.message.index
            if _inside(late, index) or plan.cut_differs(images):
                plan.moved_prefix["bound_reasoning"] = None
                _drop(plan, slot, request)
        images += sum(
            b.kind == BlockKind.IMAGE for p in slot.pieces if p.block is not None for b in (p.block, *p.block.inner)
        )


def _late_results(plan: Plan) -> list[tuple[int, int]]:
    """Each stretch of stored messages that was sent without a result that stands in front of it now."""
    found: list[tuple[int, int]] = []
    for frame in plan.frames:
        calls = frame.calls()
        start = max((c.message.index for c in calls if c.message is not None), default=0)
        for call in calls:
            result = call.result
            if result is not None and result.block is not None and result.message is not None:
                found.append((start, result.message.index))
    found.sort()
    joined: list[tuple[int, int]] = []
    for start, end in found:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _inside(stretches: list[tuple[int, int]], index: int) -> bool:
    at = bisect_left(stretches, (index, 0)) - 1
    return at >= 0 and stretches[at][0] < index < stretches[at][1]


def _drop(plan: Plan, slot: Slot, request: Request) -> None:
    for piece in slot.pieces:
        if piece.kind == BlockKind.REASONING:
            plan.repair(RepairKind.THINKING_DROPPED, piece.message, piece.block, detail="bound to another prefix")
    rest = [p for p in slot.pieces if p.kind != BlockKind.REASONING]
    slot.set(rest or [plan.note(request.texts.note["reasoning_omitted"], slot.message)])
