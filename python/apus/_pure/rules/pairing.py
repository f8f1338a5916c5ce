"""Rule 6: every call has one result, directly behind it. Mirrors `rust/core/src/rules/pairing.rs`."""

from __future__ import annotations

from apus.kinds import RepairKind

from ..outline import BlockKind, Role, Stop
from ..plan import Fate, Frame, Piece, Plan, Slot
from ..request import Request
from .orphans import settle_results
from .placing import place
from .shared import answered, drop_emptied, systems_stay, take_out


def pair(plan: Plan, request: Request) -> None:
    """Settle the results that no call keeps, answer the calls that have none, put every result behind its call."""
    settle_results(plan, request)
    frames = _live_frames(plan)
    for number, frame in enumerate(frames):
        trailing = number == len(frames) - 1 and _trails(plan, frame, request)
        _answer(plan, frame, request, trailing=trailing)
        for call in frame.calls():
            result = call.result
            if result is not None and result.replaced is not None and answered(call):
                plan.repair(RepairKind.SYNTHETIC_REPLACED, result.message, result.block, call.id)
            if result is not None and result.adopted:
                plan.repair(RepairKind.RESULT_ADOPTED, result.message, result.block, call.id)
    drop_emptied(plan, Role.ASSISTANT)
    _live_frames(plan)
    place(plan, request)


def _live_frames(plan: Plan) -> list[Frame]:
    """The frames that still hold a call; one in the middle of a run that lost its own stays where it stands."""
    live = {id(slot) for slot in plan.slots}
    for frame in plan.frames:
        members = [s for s in frame.members if id(s) in live]
        calls = [n for n, s in enumerate(members) if s.has(BlockKind.CALL)]
        frame.members = members[calls[0] : calls[-1] + 1] if calls else []
    plan.frames = [f for f in plan.frames if f.members]
    return plan.frames


def _trails(plan: Plan, frame: Frame, request: Request) -> bool:
    """Whether no user or assistant message stands behind the frame, nor one that becomes a user's."""
    stay = systems_stay(request)
    last = frame.members[-1]
    for slot in reversed(plan.slots):
        if slot is last:
            return True
        silent = stay and slot.role in (Role.SYSTEM, Role.DEVELOPER)
        if not silent and slot.role != Role.RESULT and any(p.kind != BlockKind.RESULT for p in slot.pieces):
            return False
        # One without a block gets a placeholder.
        if slot.role in (Role.ASSISTANT, Role.OTHER) or (slot.role == Role.USER and not slot.pieces):
            return False
    return True


def _answer(plan: Plan, frame: Frame, request: Request, *, trailing: bool) -> None:
    """Give each open call of a frame a synthetic result, or do with it what `open_calls` says."""
    choice = request.facts.open_calls if trailing else "synthesize"
    for slot in frame.members:
        trimmed: list[Piece] = []
        for call in [p for p in slot.pieces if p.kind == BlockKind.CALL and p.result is None]:
            if choice == "keep" and not request.strict:
                continue
            if choice == "trim":
                trimmed.append(call)
                plan.repair(RepairKind.OPEN_FRAME_TRIMMED, call.message, call.block, call.id)
                continue
            call.result = _synthetic(call, slot, request)
            where = "trailing" if trailing else "middle"
            plan.repair(RepairKind.RESULT_SYNTHESIZED, call.message, call.block, call.id, where)
        take_out(slot, trimmed)


def _synthetic(call: Piece, slot: Slot, request: Request) -> Piece:
    texts = request.texts.synthetic
    result = Piece(BlockKind.RESULT, None, call.message)
    result.call = call
    result.error = True
    result.fate = Fate.KEPT
    if request.policy.synthetic_text == "aborted":
        result.text = texts["aborted"]
    else:
        cut = slot.message is not None and slot.message.stop == Stop.LENGTH
        result.text = texts["default"] + (texts["cut_off"] if cut else "")
    return result
