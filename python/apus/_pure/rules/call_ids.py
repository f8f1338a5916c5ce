"""Rule 7: every call id is one the target accepts. Mirrors `rust/core/src/rules/call_ids.rs`."""

from __future__ import annotations

from apus.kinds import RepairKind

from ..names import accepts, mint
from ..outline import BlockKind, Role
from ..plan import Piece, Plan, Slot
from ..policy import CallIds
from ..request import Request


def rewrite_ids(plan: Plan, request: Request) -> None:
    """Rewrite the call ids that the target refuses, and the results that name them."""
    minter = _Minter(request.policy.call_id, _scope(request))
    before: Role | None = None
    for slot in plan.slots:
        # Neighbours may count as one turn.
        if slot.role == Role.ASSISTANT and before != Role.ASSISTANT:
            minter.open_frame()
        before = slot.role
        if slot.role == Role.ASSISTANT and slot.has(BlockKind.CALL):
            for piece in slot.pieces:
                if piece.kind == BlockKind.CALL:
                    _rename(plan, slot, piece, minter)
        else:
            _follow(slot)


def _scope(request: Request) -> str:
    """Where an id may not come back; what is written anew for another wire has none to preserve, so it repeats none."""
    unique = request.policy.unique_ids
    return "history" if request.strict or (unique == "frame" and not request.same) else unique


def _rename(plan: Plan, slot: Slot, call: Piece, minter: _Minter) -> None:
    stored = call.block.id if call.block is not None else None
    new = minter.id_of(call)
    if new == stored and (call.block is None or call.block.exact):
        return
    call.new_id = new
    call.touched = slot.touched = True
    if call.block is not None and call.message is not None:
        plan.id_map[new] = stored
        plan.repair(RepairKind.CALL_ID_REWRITTEN, call.message, call.block, stored, new)


def _follow(slot: Slot) -> None:
    """Call and result change together, by occurrence."""
    for piece in slot.pieces:
        if piece.kind != BlockKind.RESULT or piece.call is None or piece.block is None:
            continue
        call = piece.call
        if piece.block.id != call.id or not piece.block.exact:
            piece.new_id = call.id
            piece.touched = slot.touched = True
        if piece.block.name is not None and piece.block.name != call.name:
            piece.new_name = call.name
            piece.touched = slot.touched = True


class _Minter:
    """What was taken so far. Only what came earlier counts, so a longer transcript never renames what was sent."""

    def __init__(self, rule: CallIds, unique: str) -> None:
        self.rule = rule
        self.unique = unique
        self.ever: set[str] = set()
        self.frame: set[str] = set()
        self.occurrences: dict[str, int] = {}

    def open_frame(self) -> None:
        """A new assistant message with calls."""
        self.frame = set()

    def id_of(self, call: Piece) -> str:
        """The id that a call goes out with."""
        stored = call.block.id if call.block is not None else None
        occurrence = self.occurrences.get(stored or "", 0)
        self.occurrences[stored or ""] = occurrence + 1
        new = next((c for c in _candidates(stored) if self._free(c, call)), None)
        attempt = 0
        while new is None:
            made = mint(self.rule, stored or "", occurrence, attempt)
            new = made if made not in self.ever else None
            attempt += 1
        self.ever.add(new)
        self.frame.add(new)
        return new

    def _free(self, id: str, call: Piece) -> bool:
        """Whether an id may stay. A call with a made-up result shares none: its answer must not pass for another's."""
        if not accepts(self.rule, id) or id in self.frame:
            return False
        made_up = self.unique != "off" and call.result is not None and call.result.block is None
        return id not in self.ever if self.unique == "history" or made_up else True


def _candidates(stored: str | None) -> list[str]:
    """The stored id, then each half of a `call|item` composite."""
    if stored is None:
        return []
    return [stored, *stored.split("|")] if stored.count("|") == 1 else [stored]
