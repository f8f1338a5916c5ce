"""Plan: what to keep, edit, insert, move, merge and drop. Mirrors `rust/core/src/plan.rs`.

A plan is a list of slots, one per message of the answer; a slot is a list of pieces, one per block. Both point back
into the outline, so a slot that no rule touched is the stored message itself.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from apus.kinds import RepairKind

from .outline import Block, BlockKind, Loc, Message, Outline, Role
from .texts import Texts


class Repair(NamedTuple):
    """One change; `loc` and `pointer` are places in the stored transcript."""

    kind: RepairKind
    loc: Loc | None
    pointer: str | None
    id: str | None
    detail: str | None


class Fate(IntEnum):
    """What becomes of a result."""

    KEPT = 0
    ORPHAN = 1  # no call can own it
    AMBIGUOUS = 2  # several calls could
    DUPLICATE = 3  # says what the call's result says
    LATE = 4  # a second, different answer
    REPLACED = 5  # a synthetic result that a real one replaces
    CALL_DROPPED = 6  # its call is gone


class Piece:
    """One block of the answer: a stored block with its edits, or one that apus made (`block` is None)."""

    __slots__ = (
        "adopted", "args", "block", "call", "error", "fate", "inner", "kind", "mark", "message", "moved", "new_id",
        "new_name", "placed", "prefix", "replaced", "result", "scrub", "shape", "strip", "text", "touched",
    )  # fmt: skip

    def __init__(self, kind: BlockKind, block: Block | None, message: Message | None) -> None:
        self.kind = kind
        self.block = block
        self.message = message  # where the block stands in the stored transcript
        self.touched = block is None
        self.text: str | None = None  # replaces the text
        self.prefix: str | None = None  # put in front of the text
        self.new_id: str | None = None
        self.new_name: str | None = None
        self.args: str | None = None  # None: as they stand | empty | wrap
        self.scrub = False
        self.strip = False
        self.shape = False
        self.mark: str | None = block.mark if block is not None else None
        self.error = block.error if block is not None else False
        self.inner: list[Piece] | None = None  # of results; None: as it stands
        # Pairing: a call knows the result it ends with, a result the call that owns it.
        self.call: Piece | None = None
        self.result: Piece | None = None
        self.replaced: Piece | None = None  # the synthetic result that a real one replaces
        self.fate = Fate.KEPT
        self.adopted = False  # matched by place, not by id
        self.moved = False  # matched to a call of an earlier frame
        self.placed = False  # already put behind its call

    @property
    def id(self) -> str | None:
        """The id as it goes out."""
        return self.new_id if self.new_id is not None else self.block.id if self.block is not None else None

    @property
    def name(self) -> str | None:
        """The name as it goes out."""
        return self.new_name if self.new_name is not None else self.block.name if self.block is not None else None

    @property
    def blank(self) -> bool:
        """Whether a text has nothing to read in it."""
        if self.prefix is not None:
            return False
        if self.text is not None:
            return not self.text.strip()
        return self.block.blank if self.block is not None else True

    @property
    def synthetic(self) -> bool:
        """Whether a result was inserted by apus or by another system."""
        return self.block is None or self.block.synthetic

    @property
    def content(self) -> list[Piece]:
        """The blocks of a result, opened for editing."""
        if self.inner is None:
            stored = self.block.inner if self.block is not None else []
            self.inner = [Piece(b.kind, b, self.message) for b in stored]
        return self.inner


class Slot:
    """One message of the answer."""

    __slots__ = ("call_only", "message", "name", "pieces", "prefix", "role", "scrub", "strip", "touched")

    def __init__(self, role: Role, message: Message | None, pieces: list[Piece]) -> None:
        self.role = role
        self.message = message
        self.pieces = pieces
        self.touched = message is None
        self.name: str | None = message.name if message is not None else None
        self.prefix = message.prefix if message is not None else False
        self.strip: tuple[str, ...] = ()  # keys to leave out: the wire does not know them
        self.scrub = False  # clean the strings that stand beside the blocks
        self.call_only: str | None = None  # how the content of a call-only message is written, if edited

    @property
    def own(self) -> bool:
        """Whether the target made this assistant message."""
        return self.message is None or self.message.own

    def has(self, kind: BlockKind) -> bool:
        """Whether a piece of that kind stands in it."""
        return any(p.kind == kind for p in self.pieces)

    def set(self, pieces: list[Piece]) -> None:
        """Replace the pieces."""
        self.pieces = pieces
        self.touched = True


class Frame:
    """Assistant messages with calls that count as one, and the slots up to the next such message."""

    __slots__ = ("members", "zone")

    def __init__(self, members: list[Slot], zone: list[Slot]) -> None:
        self.members = members
        self.zone = zone

    def calls(self) -> list[Piece]:
        """The calls of the frame, in order."""
        return [p for slot in self.members for p in slot.pieces if p.kind == BlockKind.CALL]


class Plan:
    """The slots, the system pieces, and the record of what was done."""

    __slots__ = (
        "frames",
        "id_map",
        "image_cut",
        "moved_prefix",
        "outline",
        "repairs",
        "requirements",
        "slots",
        "system",
        "system_touched",
        "texts",
    )

    def __init__(self, outline: Outline, slots: list[Slot], texts: Texts) -> None:
        self.outline = outline
        self.slots = slots
        self.system = [Piece(b.kind, b, None) for b in outline.system]
        self.system_touched = False
        self.texts = texts
        self.repairs: list[Repair] = []
        self.id_map: dict[str, str | None] = {}  # new id -> stored id
        self.moved_prefix: dict[str, None] = {}
        self.frames: list[Frame] = []  # set by the matching, once
        self.image_cut: tuple[int, int] | None = None  # the count limit, and how many of the oldest images went

    def repair(
        self,
        kind: RepairKind,
        message: Message | None,
        block: Block | None = None,
        id: str | None = None,
        detail: str | None = None,
    ) -> None:
        """Record one change at its stored place."""
        if message is None:
            self.repairs.append(Repair(kind, None, None, id, detail))
            return
        loc = (message.index, block.index if block is not None else None)
        self.repairs.append(Repair(kind, loc, self.outline.pointer_of(message, block), id, detail))

    def cut_differs(self, images: int) -> bool:
        """Whether a request that held the first `images` images had others of them cut than this one."""
        if self.image_cut is None:
            return False
        limit, cut = self.image_cut
        before = excess_of(images, limit)
        return cut > before and images > before

    def note(self, text: str, message: Message | None = None) -> Piece:
        """A text that apus makes."""
        piece = Piece(BlockKind.TEXT, None, message)
        piece.text = text
        return piece

    def user_note(self, text: str, message: Message | None = None) -> Slot:
        """A user message that apus makes."""
        return Slot(Role.USER, None, [self.note(text, message)])

    def is_own(self, slot: Slot) -> bool:
        """Whether a user message holds nothing but texts of apus's own: it opens no turn."""
        own = self.texts.own
        return bool(slot.pieces) and all(
            p.kind == BlockKind.TEXT and (p.block is None or p.block.label == "own" or p.text in own)
            for p in slot.pieces
        )


def excess_of(images: int, limit: int) -> int:
    """How many of the oldest images go: batches of a quarter of the limit, so that the prefix moves rarely."""
    batch = max(1, limit // 4)
    return -(-(images - limit) // batch) * batch if images > limit else 0


def lay_out(outline: Outline, texts: Texts, *, results_in_user: bool) -> Plan:
    """One slot per message, in the shape of the written dialect: results in user messages, or on their own."""
    slots: list[Slot] = []
    split: list[Message] = []
    for message in outline.messages:
        pieces = [Piece(b.kind, b, message) for b in message.blocks]
        home = Role.USER if results_in_user else Role.RESULT
        if results_in_user and message.role == Role.RESULT:
            _join_results(slots, message, pieces)
        elif message.role not in (home, Role.RESULT) and any(p.kind == BlockKind.RESULT for p in pieces):
            _split_results(slots, message, pieces, home)
            split.append(message)
        else:
            slots.append(Slot(message.role, message, pieces))
    plan = Plan(outline, slots, texts)
    if outline.same:
        for message in split:
            plan.repair(RepairKind.BATCH_SPLIT, message)
    return plan


def _join_results(slots: list[Slot], message: Message, pieces: list[Piece]) -> None:
    """Neighbouring result messages become one user message."""
    before = slots[-1] if slots else None
    if (
        before is not None
        and before.role == Role.USER
        and before.message is not None
        and before.message.role == Role.RESULT
    ):
        before.pieces.extend(pieces)
        return
    slot = Slot(Role.USER, message, pieces)
    slot.touched = True
    slots.append(slot)


def _split_results(slots: list[Slot], message: Message, pieces: list[Piece], home: Role) -> None:
    """Each result becomes a message of its own, in the role that may hold it; the rest keeps its order."""
    rest: list[Piece] = []
    for piece in pieces:
        if piece.kind != BlockKind.RESULT:
            rest.append(piece)
            continue
        if rest:
            slots.append(Slot(message.role, message, rest))
            slots[-1].touched = True
            rest = []
        slots.append(Slot(home, message, [piece]))
        slots[-1].touched = True
    if rest:
        slots.append(Slot(message.role, message, rest))
        slots[-1].touched = True
