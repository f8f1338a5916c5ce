"""Rule 4, beside calls: blocks that only their own provider knows. Mirrors `rust/core/src/rules/private_blocks.rs`."""

from __future__ import annotations

from apus.kinds import RepairKind

from ..outline import SERVER, Block, BlockKind, Role, Stop
from ..plan import Piece, Plan
from ..request import Request
from .shared import last_spoken, running_loop

FOREIGN = SERVER | {BlockKind.REFERENCE, BlockKind.OPAQUE, BlockKind.UNKNOWN}


def note_private_blocks(plan: Plan, request: Request) -> None:
    """Turn each block that the target can't take into a text note in the same place."""
    halves = _half_pairs(plan)
    for slot in plan.slots:
        for number, piece in enumerate(slot.pieces):
            if _goes(piece, request) or id(piece) in halves:
                slot.pieces[number] = _note(plan, piece, request)
                slot.touched = True
            elif any(_refused(b.kind, b, request) for b in (piece.block.inner if piece.block is not None else ())):
                piece.inner = [_note(plan, p, request) if _goes(p, request) else p for p in piece.content]
                piece.touched = slot.touched = True


def _refused(kind: BlockKind, block: Block | None, request: Request) -> bool:
    if kind not in FOREIGN:
        return False
    if not request.same or (block is not None and block.foreign):
        return True
    if kind == BlockKind.UNKNOWN:
        return request.policy.unknown_fields == "strip" or (block is not None and bool(block.shape))
    return request.policy.private_blocks == "note" and kind != BlockKind.OPAQUE


def _goes(piece: Piece, request: Request) -> bool:
    return _refused(piece.kind, piece.block, request)


def _half_pairs(plan: Plan) -> set[int]:
    """Server calls without a result whose tool loop is over, and server results without a call before them."""
    if not any(p.kind in SERVER for slot in plan.slots for p in slot.pieces):
        return set()
    running = len(plan.slots) if _is_over(plan) else running_loop(plan)
    open_calls: dict[str | None, list[tuple[int, Piece]]] = {}
    halves: set[int] = set()
    for number, slot in enumerate(plan.slots):
        for piece in slot.pieces:
            if piece.kind == BlockKind.SERVER_CALL:
                open_calls.setdefault(piece.id, []).append((number, piece))
            elif piece.kind == BlockKind.SERVER_RESULT:
                if slot.role == Role.ASSISTANT and open_calls.get(piece.id):
                    open_calls[piece.id].pop()
                else:
                    halves.add(id(piece))
    halves.update(id(p) for found in open_calls.values() for number, p in found if number < running)
    return halves


def _is_over(plan: Plan) -> bool:
    """Whether the assistant had the last word: no tool of the client is open, and the turn was not paused."""
    last = last_spoken(plan)
    if last is None or last.role != Role.ASSISTANT or last.has(BlockKind.CALL) or not last.pieces:
        return False
    paused = last.message is not None and last.message.stop == Stop.PAUSE
    return not paused and last.pieces[-1].kind not in SERVER


def _note(plan: Plan, piece: Piece, request: Request) -> Piece:
    block = piece.block
    name = "server_call" if piece.kind == BlockKind.SERVER_CALL else "block"
    if piece.kind == BlockKind.REFERENCE:
        name = "reference"
    head = request.texts.fill(
        name, name=block.name if block is not None else None, kind=block.label if block is not None else None
    )
    said = block.note or "" if block is not None else ""
    if request.policy.refuses_nul:
        said = said.replace("\0", "\ufffd")
    note = plan.note(head.replace("{text}", said).strip(), piece.message)
    note.mark = piece.mark
    plan.repair(
        RepairKind.UNSUPPORTED_BLOCK_DROPPED, piece.message, block, piece.id, block.label if block is not None else None
    )
    return note
