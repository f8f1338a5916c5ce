"""Rule 8, cache marks: they stay, or move to an earlier block. Mirrors `rust/core/src/rules/cache_marks.rs`."""

from __future__ import annotations

from apus.kinds import RepairKind

from ..outline import Block, Message
from ..plan import Piece, Plan, Slot
from ..request import Request
from .mark_homes import home_of, rows_of


def settle_marks(plan: Plan, request: Request) -> None:
    """Move the marks of blocks that are gone, hold the limit, keep a long-lived mark before short-lived ones."""
    stored = [(m, b) for m in plan.outline.messages for block in m.blocks for b in _marks(block)]
    if not stored and not any(p.mark for p in plan.system):
        return
    if request.policy.max_cache_marks is None:
        _drop_all(plan, stored, request)
        return
    _move_lost(plan, stored)
    _hold_limit(plan, request, request.policy.max_cache_marks)
    _order(plan, request)


def _marks(block: Block) -> list[Block]:
    """A block and those inside it, if they are marked."""
    inner = [b for b in block.inner if b.mark is not None]
    return [block, *inner] if block.mark is not None else inner


def _drop_all(plan: Plan, stored: list[tuple[Message, Block]], request: Request) -> None:
    """A wire without marks: within one dialect they are left alone."""
    if request.same:
        return
    for slot, owner, piece in _marked(plan):
        _edit(slot, owner, piece, None)
    for message, block in stored:
        plan.repair(RepairKind.CACHE_MARK_DROPPED, message, block)


def _move_lost(plan: Plan, stored: list[tuple[Message, Block]]) -> None:
    marked = _marked(plan)
    there = {id(p.block) for _, _, p in marked if p.block is not None}
    noted = {(p.message.index, p.mark) for _, _, p in marked if p.block is None and p.message is not None}
    lost = [(m, b) for m, b in stored if id(b) not in there and (m.index, b.mark) not in noted]
    if not lost:
        return
    rows = rows_of(plan)
    for message, block in lost:
        home = home_of(rows, message, block)
        if home is None:
            plan.repair(RepairKind.CACHE_MARK_DROPPED, message, block)
            continue
        slot, piece = home
        piece.mark = block.mark
        piece.touched = slot.touched = True
        plan.repair(RepairKind.CACHE_MARK_MOVED, message, block)


Marked = tuple[Slot, Piece | None, Piece]  # the message, the result it stands in, the piece


def _marked(plan: Plan) -> list[Marked]:
    """The marked pieces, those inside of results too."""
    found: list[Marked] = []
    for slot in plan.slots:
        for piece in slot.pieces:
            stored = piece.block.inner if piece.block is not None else []
            if piece.inner is not None or any(b.mark is not None for b in stored):
                found += [(slot, piece, p) for p in piece.content if p.mark is not None]
            if piece.mark is not None:
                found.append((slot, None, piece))
    return found


def _hold_limit(plan: Plan, request: Request, limit: int) -> None:
    """The system's marks and the newest stay; the oldest of the messages go first."""
    marked = _marked(plan)
    fixed = request.facts.marks_beside + sum(p.mark is not None for p in plan.system)
    over = len(marked) + fixed - limit
    if over > 0:
        plan.moved_prefix["cache_marks"] = None
    for slot, owner, piece in marked[: max(over, 0)]:
        _edit(slot, owner, piece, None)
        plan.repair(RepairKind.CACHE_MARK_DROPPED, piece.message, piece.block)


def _order(plan: Plan, request: Request) -> None:
    """A one-hour mark never stands behind a five-minute one."""
    short = request.facts.short_mark_beside
    for piece in plan.system:
        if piece.mark == "1h" and short:
            piece.mark = "5m"
            piece.touched = plan.system_touched = True
            plan.repair(RepairKind.CACHE_MARK_SHORTENED, None, detail="system")
        short = short or piece.mark == "5m"
    for slot, owner, piece in _marked(plan):
        if piece.mark == "1h" and short:
            _edit(slot, owner, piece, "5m")
            plan.repair(RepairKind.CACHE_MARK_SHORTENED, piece.message, piece.block)
        short = short or piece.mark == "5m"


def _edit(slot: Slot, owner: Piece | None, piece: Piece, mark: str | None) -> None:
    piece.mark = mark
    piece.touched = slot.touched = True
    if owner is not None:
        owner.touched = True
