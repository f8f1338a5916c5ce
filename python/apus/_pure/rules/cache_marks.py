"""Rule 8, cache marks: they stay on their block, or move to the one before. Mirrors `rust/core/src/rules/cache_marks.rs`."""

from __future__ import annotations

from apus.kinds import RepairKind

from ..outline import Block, BlockKind, Message
from ..plan import Piece, Plan, Slot
from ..request import Request


def settle_marks(plan: Plan, request: Request) -> None:
    """Move the marks of blocks that are gone, hold the limit, and keep a long-lived mark before the short-lived ones."""
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
    rows = _rows(plan)
    for message, block in lost:
        home = _home(rows, message, block)
        if home is None:
            plan.repair(RepairKind.CACHE_MARK_DROPPED, message, block)
            continue
        slot, piece = home
        piece.mark = block.mark
        piece.touched = slot.touched = True
        plan.repair(RepairKind.CACHE_MARK_MOVED, message, block)


class _Row:
    """The pieces of one stored message that may carry a mark, in its order; each is handed out once."""

    def __init__(self) -> None:
        self.pieces: list[tuple[Slot, Piece]] = []
        self.passed: list[tuple[Slot, Piece]] = []
        self.next = 0

    def before(self, order: int) -> tuple[Slot, Piece] | None:
        """The nearest piece in front of a block; asked with rising `order`."""
        while self.next < len(self.pieces) and _order_of(self.pieces[self.next][1]) < order:
            self.passed.append(self.pieces[self.next])
            self.next += 1
        return self.passed.pop() if self.passed else None

    def last(self) -> tuple[Slot, Piece] | None:
        """The last piece of the message."""
        if self.next < len(self.pieces):
            return self.pieces.pop()
        return self.passed.pop() if self.passed else None


def _rows(plan: Plan) -> dict[int, _Row]:
    rows: dict[int, _Row] = {}
    for slot in plan.slots:
        for piece in slot.pieces:
            if piece.message is not None and _may_carry(piece):
                rows.setdefault(piece.message.index, _Row()).pieces.append((slot, piece))
    for row in rows.values():
        row.pieces.sort(key=lambda place: _order_of(place[1]))
    return rows


def _order_of(piece: Piece) -> int:
    return piece.block.order if piece.block is not None else 0


def _home(rows: dict[int, _Row], message: Message, block: Block) -> tuple[Slot, Piece] | None:
    """The nearest earlier block of the message, else the last of the one before."""
    own, before = rows.get(message.index), rows.get(message.index - 1)
    found = own.before(block.order) if own is not None else None
    return before.last() if found is None and before is not None else found


def _may_carry(piece: Piece) -> bool:
    blank = piece.kind == BlockKind.TEXT and piece.blank
    return piece.kind != BlockKind.REASONING and not blank and piece.mark is None


Marked = tuple[Slot, Piece | None, Piece]  # the message, the result it stands in, the piece


def _marked(plan: Plan) -> list[Marked]:
    """The marked pieces, those inside of results too."""
    found: list[Marked] = []
    for slot in plan.slots:
        for piece in slot.pieces:
            if piece.inner is not None or (piece.block is not None and any(b.mark is not None for b in piece.block.inner)):
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
