"""Rule 5: reasoning. Mirrors `rust/core/src/rules/reasoning.rs`."""

from __future__ import annotations

from apus.kinds import RepairKind

from ..outline import BlockKind, Role
from ..plan import Piece, Plan, Slot
from ..request import Request
from .shared import current_turn, drop_emptied


def settle_reasoning(plan: Plan, request: Request) -> None:
    """Keep the reasoning that the target made and takes, drop the rest; it never becomes visible text."""
    kind = request.policy.thinking
    start = current_turn(plan) if kind == "current-turn" else 0
    for number, slot in enumerate(plan.slots):
        if slot.role != Role.ASSISTANT:
            continue
        thoughts = [p for p in slot.pieces if p.kind == BlockKind.REASONING]
        if thoughts and kind == "refuse-field" and slot.own:
            thoughts = [p for p in thoughts if p.block is None or p.block.key not in request.policy.reasoning_keys]
            if thoughts:
                drop_reasoning(plan, slot, request, kept=request.policy.reasoning_keys)
        elif thoughts and _goes(slot, thoughts, request, before=number < start):
            if kind == "current-turn" and slot.own:
                plan.moved_prefix["current_turn_reasoning"] = None
            drop_reasoning(plan, slot, request)
            thoughts = []
        if kind == "keep-field" and not thoughts and _needs_field(slot, request):
            piece = Piece(BlockKind.REASONING, None, slot.message)
            piece.text = ""
            slot.set([piece, *slot.pieces])
            plan.repair(RepairKind.REASONING_FIELD_ADDED, slot.message)
    drop_emptied(plan, Role.ASSISTANT)


def drop_reasoning(plan: Plan, slot: Slot, request: Request, kept: tuple[str, ...] = ()) -> None:
    """Take the reasoning out of a turn, but for what stands under a key in `kept`."""
    rest: list[Piece] = []
    for piece in slot.pieces:
        if piece.kind != BlockKind.REASONING or (piece.block is not None and piece.block.key in kept):
            rest.append(piece)
        else:
            plan.repair(RepairKind.THINKING_DROPPED, piece.message, piece.block)
    if not rest and request.policy.keep_turn_shape:
        rest = [plan.note(request.texts.note["reasoning_omitted"], slot.message)]
    slot.set(rest)


def _goes(slot: Slot, thoughts: list[Piece], request: Request, *, before: bool) -> bool:
    """Whether the reasoning of a turn goes; under `signed` a turn is all or nothing."""
    kind = request.policy.thinking
    if not slot.own or kind in ("drop", "refuse-field"):
        return True
    if kind == "signed":
        void = slot.message is not None and slot.message.void
        unsigned = any(p.block is not None and not p.block.signed for p in thoughts)
        return void or unsigned or request.facts.thinking is False
    return before


def _needs_field(slot: Slot, request: Request) -> bool:
    if request.facts.thinking is False or (request.facts.thinking is None and request.policy.model is None):
        return False
    if request.policy.reasoning_field == "all" and request.facts.thinking:
        return True
    return slot.has(BlockKind.CALL)
