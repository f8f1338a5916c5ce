"""Rule 1: select what takes part. Mirrors `rust/core/src/rules/select.rs`."""

from __future__ import annotations

from apus.kinds import RepairKind

from ..outline import BlockKind, Role
from ..plan import Piece, Plan, Slot
from ..request import Request
from ..source import text


def select(plan: Plan, request: Request) -> None:
    """Leave out what never was model input; what only a runner can read is introduced for the model."""
    _render(plan, request)
    if not request.full:
        return
    kept: list[Slot] = []
    said: set[str] = set()
    for slot in plan.slots:
        message = slot.message
        if message is not None and message.excluded:
            plan.repair(RepairKind.TRANSCRIPT_ONLY_DROPPED, message, detail="excluded")
            continue
        if message is not None and message.mirror:
            spoken = _words(slot)
            if not spoken or spoken <= said:
                plan.repair(RepairKind.TRANSCRIPT_ONLY_DROPPED, message, detail="mirror")
                continue
            said |= spoken
        elif slot.role == Role.ASSISTANT:
            said = _words(slot) | _sent(slot)
        elif slot.role == Role.USER:
            said = set()
        kept.append(slot)
    plan.slots = kept


def _render(plan: Plan, request: Request) -> None:
    """A summary says that it is one, a command that the user ran it."""
    for slot in plan.slots:
        message = slot.message
        if message is None or message.summary is None or (request.same and message.stored is not None):
            continue
        first = next((p for p in slot.pieces if p.kind == BlockKind.TEXT), None)
        if first is not None:
            first.prefix = request.texts.note[message.summary] + "\n"
            first.touched = slot.touched = True


def _words(slot: Slot) -> set[str]:
    """The texts of an assistant turn."""
    return {word for p in slot.pieces if p.kind == BlockKind.TEXT and not p.blank if (word := _text(p))}


def _sent(slot: Slot) -> set[str]:
    """The text values in the arguments of its calls: what a message tool was told to send."""
    found: set[str] = set()
    for piece in slot.pieces:
        if piece.kind == BlockKind.CALL and piece.block is not None:
            arguments = piece.block.text
            if isinstance(arguments, dict):
                found.update(word.strip() for v in arguments.values() if (word := text(v)))
    return found


def _text(piece: Piece) -> str:
    return (text(piece.block.text) or "").strip() if piece.block is not None else ""
