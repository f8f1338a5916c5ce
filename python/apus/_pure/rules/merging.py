"""Rule 10, merging: neighbours of one role become one message. Mirrors `rust/core/src/rules/merging.rs`."""

from __future__ import annotations

from apus.kinds import RepairKind

from ..outline import BlockKind, Role
from ..plan import Plan, Slot
from ..request import Request
from .speakers import label


class _Turn:
    """A message that its neighbours may join, and what is known of its blocks, so that none is looked at twice."""

    def __init__(self, slot: Slot) -> None:
        self.slot = slot
        self.kinds = {p.kind for p in slot.pieces}
        self.signed = any(p.kind == BlockKind.REASONING and p.block is not None and p.block.signed for p in slot.pieces)

    def may_take(self, other: _Turn, request: Request) -> bool:
        """Whether `other` may become a part of this one."""
        if self.slot.role != other.slot.role:
            return False
        if self.slot.role == Role.USER:
            both = self.kinds | other.kinds
            mixed = BlockKind.RESULT in both and len(both) > 1
            # Results come first, so a message that says more than results absorbs none.
            behind = BlockKind.RESULT in other.kinds and bool(self.kinds - {BlockKind.RESULT})
            return request.policy.merge_users and (request.policy.text_beside_result or not mixed) and not behind
        # A call without its result stays the last of its turn.
        return self.slot.role == Role.ASSISTANT and request.policy.merge_assistants and BlockKind.CALL not in self.kinds

    def take(self, other: _Turn) -> None:
        """Join `other`; speakers of different names are told apart."""
        slot, part = self.slot, other.slot
        if slot.name != part.name:
            for named in (slot, part):
                if named.name is not None:
                    label(named, named.name)
            slot.name = None
        slot.scrub = slot.scrub or part.scrub
        slot.pieces.extend(part.pieces)
        slot.touched = True
        self.kinds |= other.kinds
        self.signed = self.signed or other.signed


def merge_turns(plan: Plan, request: Request) -> None:
    """Join neighbours of one role where the target takes only turns that alternate."""
    slots: list[Slot] = []
    before: _Turn | None = None
    for slot in plan.slots:
        turn = _Turn(slot)
        if before is None or not before.may_take(turn, request):
            slots.append(slot)
        elif slot.role == Role.ASSISTANT and before.signed and turn.signed:
            slots += [plan.user_note(request.texts.note["between_signed"]), slot]
            plan.repair(RepairKind.NOTE_INSERTED, slot.message)
        else:
            before.take(turn)
            plan.repair(RepairKind.TURNS_MERGED, slot.message)
            continue
        before = turn
    plan.slots = slots
