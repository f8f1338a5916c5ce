"""Rule 8, strings: what no JSON reader or server takes becomes U+FFFD. Mirrors `rust/core/src/rules/scrub.rs`."""

from __future__ import annotations

from apus.kinds import RepairKind

from ..outline import BlockKind, Role
from ..plan import Piece, Plan, Slot
from ..request import Request
from ..source import LONE_SURROGATE, NUL
from .reasoning import drop_reasoning
from .shared import drop_emptied


def scrub_texts(plan: Plan, request: Request) -> None:
    """Mark each string with a lone surrogate, or NUL where the target refuses it; signed reasoning goes instead."""
    bad = LONE_SURROGATE | (NUL if request.policy.refuses_nul else 0)
    for slot in plan.slots:
        message = slot.message
        if not any(p.block is not None and p.block.flags & bad for p in slot.pieces) and not (
            message is not None and message.flags & bad
        ):
            continue
        _scrub_slot(plan, slot, request, bad)
    for piece in plan.system:
        if piece.block is not None and piece.block.flags & bad:
            piece.scrub = piece.touched = plan.system_touched = True
            plan.repair(RepairKind.TEXT_SCRUBBED, None, detail="system")
    drop_emptied(plan, Role.ASSISTANT)


def _scrub_slot(plan: Plan, slot: Slot, request: Request, bad: int) -> None:
    if any(_is_signed(p) and p.block is not None and p.block.flags & bad for p in slot.pieces):
        drop_reasoning(plan, slot, request)
    found = False
    for piece in slot.pieces:
        if piece.block is not None and piece.block.flags & bad:
            piece.scrub = piece.touched = found = True
            if piece.kind == BlockKind.RESULT:
                for part in piece.content:
                    part.scrub = part.touched = True
            plan.repair(RepairKind.TEXT_SCRUBBED, piece.message, piece.block)
    if slot.message is not None and slot.message.flags & bad:
        slot.scrub = True
        slot.touched = True
        if not found and request.same:
            plan.repair(RepairKind.TEXT_SCRUBBED, slot.message)


def _is_signed(piece: Piece) -> bool:
    return piece.kind == BlockKind.REASONING and piece.block is not None and piece.block.signed
