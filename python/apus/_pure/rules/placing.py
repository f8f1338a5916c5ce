"""Rule 6, last part: results stand directly behind their call's message. Mirrors `rust/core/src/rules/placing.rs`."""

from __future__ import annotations

from apus.kinds import RepairKind

from ..outline import BlockKind, Role
from ..plan import Frame, Piece, Plan, Slot
from ..request import Request
from .overtaken import report_moves


def place(plan: Plan, request: Request) -> None:
    """Put each result behind its call; a history that the target accepts is not reordered."""
    arrivals = _arrivals(plan)
    stored = {id(s.pieces[0]): s for s in plan.slots if s.role == Role.RESULT and s.pieces}
    heads = {id(f.members[0]): f for f in plan.frames}
    slots: list[Slot] = []
    number = 0
    while number < len(plan.slots):
        slot = plan.slots[number]
        frame = heads.get(id(slot))
        if frame is None:
            _keep_rest(slots, slot)
            number += 1
            continue
        number += len(frame.members)
        frame.members = _members(plan, frame, request)
        slots += frame.members
        wanted = _wanted(frame, arrivals, request)
        taken = _in_place(plan.slots, number, wanted, request)
        if taken is None:
            report_moves(plan, number, wanted, request)
            made, taken = _place_frame(plan, number, wanted, stored, request)
            slots += made
        else:
            slots += plan.slots[number : number + taken]
        number += taken
    plan.slots = slots


def _arrivals(plan: Plan) -> dict[int, int]:
    """Number of each stored result in the order in which the results arrived."""
    found = [p for slot in plan.slots for p in slot.pieces if p.kind == BlockKind.RESULT]
    return {id(p): n for n, p in enumerate(found)}


def _keep_rest(slots: list[Slot], slot: Slot) -> None:
    """A slot without the results that already stand behind their calls; one that held nothing else is gone."""
    if any(p.placed for p in slot.pieces):
        rest = [p for p in slot.pieces if not p.placed]
        if not rest:
            return
        slot.set(rest)
    slots.append(slot)


def _wanted(frame: Frame, arrivals: dict[int, int], request: Request) -> list[Piece]:
    """The results of a frame: real ones as they arrived, then synthetic ones in the order of the calls."""
    results = [c.result for c in frame.calls() if c.result is not None]
    if not request.policy.results_in_call_order:
        results.sort(key=lambda p: arrivals.get(id(p), len(arrivals)))
    return results


def _members(plan: Plan, frame: Frame, request: Request) -> list[Slot]:
    """The assistant messages of a frame; a run is joined where the wire wants results directly behind their message."""
    members = frame.members
    if len(members) == 1 or not _must_join(members, request):
        return members
    first = members[0]
    for other in members[1:]:
        plan.repair(RepairKind.TURNS_MERGED, other.message)
    first.set([p for slot in members for p in slot.pieces])
    return [first]


def _must_join(members: list[Slot], request: Request) -> bool:
    if request.policy.merge_assistants or not request.policy.joins_neighbours:
        return True
    # The server joins them itself, but text behind a call would then hide the results.
    return any(p.kind == BlockKind.TEXT for slot in members[1:] for p in slot.pieces)


def _in_place(slots: list[Slot], start: int, wanted: list[Piece], request: Request) -> int | None:
    """Number of slots that hold just the wanted results where the target looks for them, or None."""
    left = {id(p) for p in wanted}
    number = start
    while left:
        if number >= len(slots) or not slots[number].pieces:
            return None
        slot = slots[number]
        if slot.role != (Role.USER if request.results_in_user else Role.RESULT):
            return None
        for piece in slot.pieces:
            if left and (piece.kind != BlockKind.RESULT or id(piece) not in left):
                return None
            if not left and piece.kind == BlockKind.RESULT:
                return None
            left.discard(id(piece))
        number += 1
        if left and request.results_in_user and not request.policy.joins_neighbours:
            return None
    order = [p for slot in slots[start:number] for p in slot.pieces if p.kind == BlockKind.RESULT]
    if request.policy.results_in_call_order and order != wanted:
        return None
    return number - start


def _place_frame(
    plan: Plan, start: int, wanted: list[Piece], stored: dict[int, Slot], request: Request
) -> tuple[list[Slot], int]:
    """The slots of the results and how many of the plan's they stand for; old places lose what is marked as placed."""
    if not wanted:
        return [], 0
    next_slot = plan.slots[start] if start < len(plan.slots) else None
    own = {id(p) for p in wanted}
    for piece in wanted:
        piece.placed = True
    if not request.results_in_user:
        # A stored one moves as it stands.
        return [stored[id(p)] if id(p) in stored else Slot(Role.RESULT, None, [p]) for p in wanted], 0
    if next_slot is not None and next_slot.role == Role.USER and any(id(p) in own for p in next_slot.pieces):
        # The message that held the results keeps what else stands in it, behind them.
        next_slot.set([*wanted, *(p for p in next_slot.pieces if not p.placed)])
        return [next_slot], 1
    return [Slot(Role.USER, None, list(wanted))], 0
