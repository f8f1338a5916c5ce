"""Rule 10: turns. Mirrors `rust/core/src/rules/turns.rs`."""

from __future__ import annotations

from apus.kinds import RepairKind

from ..outline import BlockKind, Role
from ..plan import Piece, Plan, Slot
from ..request import Request
from .merging import merge_turns
from .reasoning import drop_reasoning
from .speakers import settle_speakers
from .systems import SYSTEMS, settle_late_systems, settle_roles


def settle_turns(plan: Plan, request: Request) -> None:
    """Bring roles and their order into what the target takes."""
    settle_roles(plan, request)
    settle_speakers(plan, request)
    open_with_user(plan, request)
    if request.policy.calls_last:
        _calls_last(plan, request)
    if request.policy.single_pairs:
        _split_batches(plan)
    if not request.policy.text_beside_result:
        _split_results(plan)
    settle_late_systems(plan, request)
    if request.policy.merge_users or request.policy.merge_assistants:
        merge_turns(plan, request)
    if request.policy.bridge_after_result:
        _bridge(plan, request)


def open_with_user(plan: Plan, request: Request) -> None:
    """Put a tiny user message first where the history may not start with the assistant."""
    number = next((n for n, s in enumerate(plan.slots) if s.role not in SYSTEMS), None)
    if number is None or plan.slots[number].role != Role.ASSISTANT:
        return
    first = plan.slots[number]
    wanted = request.policy.first_role
    if wanted == "user" or request.strict or (wanted == "not-call" and first.has(BlockKind.CALL)):
        plan.slots.insert(number, plan.user_note(request.texts.note["bootstrap"]))
        plan.repair(RepairKind.BOOTSTRAP_INSERTED, first.message)


def _calls_last(plan: Plan, request: Request) -> None:
    """Client calls move, in order, behind all other blocks of their message: text behind a call hides its result."""
    for slot in plan.slots:
        kinds = [p.kind for p in slot.pieces]
        if slot.role != Role.ASSISTANT or BlockKind.CALL not in kinds:
            continue
        first = kinds.index(BlockKind.CALL)
        if BlockKind.TEXT not in kinds[first:]:
            continue
        if BlockKind.REASONING in kinds[first:]:
            drop_reasoning(plan, slot, request)
        calls = [p for p in slot.pieces if p.kind == BlockKind.CALL]
        slot.set([*(p for p in slot.pieces if p.kind != BlockKind.CALL), *calls])
        plan.repair(RepairKind.BLOCKS_REORDERED, slot.message)


def _split_batches(plan: Plan) -> None:
    """One call and its result at a time."""
    slots: list[Slot] = []
    number = 0
    while number < len(plan.slots):
        slot = plan.slots[number]
        number += 1
        calls = [p for p in slot.pieces if p.kind == BlockKind.CALL]
        if slot.role != Role.ASSISTANT or not calls[1:]:
            slots.append(slot)
            continue
        answers: dict[int, Slot] = {}
        rest: list[Piece] = []
        while number < len(plan.slots) and plan.slots[number].has(BlockKind.RESULT):
            held = plan.slots[number]
            number += 1
            for piece in held.pieces:
                if piece.kind != BlockKind.RESULT:
                    rest.append(piece)
                else:
                    answers[id(piece.call)] = held if held.role == Role.RESULT else Slot(Role.USER, None, [piece])
        slots += _pairs(slot, calls, answers)
        if rest:
            slots.append(Slot(Role.USER, None, rest))
        plan.repair(RepairKind.BATCH_SPLIT, slot.message)
    plan.slots = slots


def _pairs(batch: Slot, calls: list[Piece], answers: dict[int, Slot]) -> list[Slot]:
    batch.set([p for p in batch.pieces if p.kind != BlockKind.CALL or p is calls[0]])
    slots: list[Slot] = []
    for number, call in enumerate(calls):
        slots.append(Slot(Role.ASSISTANT, None, [call]) if number else batch)
        if id(call) in answers:
            slots.append(answers[id(call)])
    return slots


def _split_results(plan: Plan) -> None:
    """What stands beside results becomes a message of its own."""
    slots: list[Slot] = []
    for slot in plan.slots:
        slots.append(slot)
        rest = [p for p in slot.pieces if p.kind != BlockKind.RESULT]
        if rest and len(rest) < len(slot.pieces):
            slot.set([p for p in slot.pieces if p.kind == BlockKind.RESULT])
            slots.append(Slot(Role.USER, None, rest))
            plan.repair(RepairKind.BATCH_SPLIT, slot.message)
    plan.slots = slots


def _bridge(plan: Plan, request: Request) -> None:
    """A short assistant text between a result and the user message behind it."""
    slots: list[Slot] = []
    for slot in plan.slots:
        if slots and slots[-1].role == Role.RESULT and slot.role == Role.USER:
            bridge: Piece = plan.note(request.texts.note["bridge"])
            slots.append(Slot(Role.ASSISTANT, None, [bridge]))
            plan.repair(RepairKind.BRIDGE_INSERTED, slot.message)
        slots.append(slot)
    plan.slots = slots
