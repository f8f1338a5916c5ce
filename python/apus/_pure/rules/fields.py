"""Last: keys that no rule names. Mirrors `rust/core/src/rules/fields.rs`."""

from __future__ import annotations

from apus.kinds import RepairKind

from ..outline import Message
from ..plan import Piece, Plan, Slot
from ..request import Request
from ..source import DUPLICATE_KEY, text


def settle_fields(plan: Plan, request: Request) -> None:
    """Drop the keys that the wire refuses or that never leave the store; bring the rest into the schema's form."""
    if not request.same:
        return
    strip = request.policy.unknown_fields == "strip"
    for slot in plan.slots:
        _settle_message(plan, slot, request, strip=strip)
        for piece in slot.pieces:
            if _settle_piece(plan, piece, strip=strip):
                slot.touched = True
    for piece in plan.system:
        if _settle_piece(plan, piece, strip=strip):
            plan.system_touched = True


def _settle_message(plan: Plan, slot: Slot, request: Request, *, strip: bool) -> None:
    message = slot.message
    if message is None:
        return
    extra = _extra(message, request) if strip else ()
    for key in (*message.private, *extra):
        plan.repair(RepairKind.UNKNOWN_FIELD_DROPPED, message, detail=text(key))
    twice = message.flags & DUPLICATE_KEY
    for field in (*message.shape, *(("duplicate key",) if twice else ())):
        plan.repair(RepairKind.SHAPE_FIXED, message, detail=field)
    if message.private or extra or message.shape or twice:
        slot.strip = extra
        slot.touched = True


def _extra(message: Message, request: Request) -> tuple[str, ...]:
    """The keys that the wire does not know: the dialect's table lists more than some servers take."""
    listed = request.policy.message_keys
    return message.extra if listed is None else tuple(k for k in (*message.extra, *message.beside) if k not in listed)


def _settle_piece(plan: Plan, piece: Piece, *, strip: bool) -> bool:
    block = piece.block
    if block is None:
        return False
    gone = (*block.private, *(block.extra if strip else ()))
    for key in gone:
        plan.repair(RepairKind.UNKNOWN_FIELD_DROPPED, piece.message, block, detail=text(key))
    for field in block.shape:
        plan.repair(RepairKind.SHAPE_FIXED, piece.message, block, detail=field)
    inner = piece.inner if piece.inner is not None else []
    if piece.inner is None and any(b.private or b.extra or b.shape for b in block.inner):
        inner = piece.content
    if any([_settle_piece(plan, p, strip=strip) for p in inner]) or gone or block.shape:  # noqa: C419 - every piece counts
        piece.strip = piece.strip or bool(gone)
        piece.shape = piece.shape or bool(block.shape)
        piece.touched = True
        return True
    return False
