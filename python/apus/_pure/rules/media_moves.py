"""Rule 9, places: media that a result can't hold. Mirrors `rust/core/src/rules/media_moves.rs`."""

from __future__ import annotations

from apus.kinds import RepairKind

from ..outline import MEDIA, BlockKind, Role
from ..plan import Piece, Plan, Slot
from ..request import Request


def move_media(plan: Plan, request: Request) -> None:
    """Media that results can't hold follow in a user message, behind all results of their frame."""
    slots: list[Slot] = []
    waiting: list[Piece] = []
    for slot in plan.slots:
        if waiting and slot.role != Role.RESULT:
            slots.append(Slot(Role.USER, None, waiting))
            waiting = []
        slots.append(slot)
        moved = [
            p for piece in slot.pieces if piece.kind == BlockKind.RESULT for p in _taken_out(plan, slot, piece, request)
        ]
        if moved and request.results_in_user:
            last = max(n for n, p in enumerate(slot.pieces) if p.kind == BlockKind.RESULT) + 1
            slot.set([*slot.pieces[:last], *moved, *slot.pieces[last:]])
        else:
            waiting += moved
    if waiting:
        slots.append(Slot(Role.USER, None, waiting))
    plan.slots = slots


def _taken_out(plan: Plan, slot: Slot, piece: Piece, request: Request) -> list[Piece]:
    """The media of a result, introduced by the name of its call; the result keeps the rest."""
    if request.policy.images_in_results and not (piece.error and request.policy.error_results_text_only):
        return []
    stored = (
        piece.inner
        if piece.inner is not None
        else piece.content
        if any(b.kind in MEDIA for b in (piece.block.inner if piece.block is not None else ()))
        else []
    )
    media = [p for p in stored if p.kind in MEDIA]
    if not media:
        return []
    piece.inner = [p for p in stored if p.kind not in MEDIA]
    piece.touched = slot.touched = True
    if request.policy.blank_result == "placeholder" and all(p.kind == BlockKind.TEXT and p.blank for p in piece.inner):
        piece.inner = [plan.note(request.texts.note["empty_result"], piece.message)]
        plan.repair(RepairKind.PLACEHOLDER_INSERTED, piece.message, piece.block)
    for part in media:
        plan.repair(RepairKind.MEDIA_MOVED, part.message, piece.block, piece.id)
    head = request.texts.fill(
        "media_of_result", name=piece.call.name if piece.call is not None else None, id=_call_id(piece)
    )
    return [plan.note(head, piece.message), *media]


def _call_id(piece: Piece) -> str | None:
    return piece.call.id if piece.call is not None else piece.id
