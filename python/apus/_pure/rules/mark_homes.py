"""Rule 8, cache marks: the block that a lost mark moves to. Mirrors `rust/core/src/rules/mark_homes.rs`."""

from __future__ import annotations

from ..outline import Block, BlockKind, Message
from ..plan import Piece, Plan, Slot


class Row:
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


def rows_of(plan: Plan) -> dict[int, Row]:
    rows: dict[int, Row] = {}
    for slot in plan.slots:
        for piece in slot.pieces:
            if piece.message is not None and _may_carry(piece):
                rows.setdefault(piece.message.index, Row()).pieces.append((slot, piece))
    for row in rows.values():
        row.pieces.sort(key=lambda place: _order_of(place[1]))
    return rows


def _order_of(piece: Piece) -> int:
    return piece.block.order if piece.block is not None else 0


def home_of(rows: dict[int, Row], message: Message, block: Block) -> tuple[Slot, Piece] | None:
    """The nearest earlier block of the message, else the last of the one before."""
    own, before = rows.get(message.index), rows.get(message.index - 1)
    found = own.before(block.order) if own is not None else None
    return before.last() if found is None and before is not None else found


def _may_carry(piece: Piece) -> bool:
    blank = piece.kind == BlockKind.TEXT and piece.blank
    return piece.kind != BlockKind.REASONING and not blank and piece.mark is None
