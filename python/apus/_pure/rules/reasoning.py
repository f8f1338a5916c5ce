"""Rule 5: reasoning. Mirrors `rust/core/src/rules/reasoning.rs`."""

from __future__ import annotations

from apus.kinds import RepairKind

from ..outline import BlockKind, Role
from ..plan import Piece, Plan, Slot
from ..request import Request
from ..source import text
from .shared import current_turn, drop_emptied


def settle_reasoning(plan: Plan, request: Request) -> None:
    """Keep the reasoning that the target made and takes, drop the rest; it never becomes visible text."""
    kind = request.policy.thinking
    start = current_turn(plan, request) if kind == "current-turn" else 0
    for number, slot in enumerate(plan.slots):
        thoughts = [p for p in slot.pieces if p.kind == BlockKind.REASONING]
        refused = _refused(slot, thoughts, request, before=number < start) if thoughts else []
        if refused:
            if kind == "current-turn" and slot.own:
                plan.moved_prefix["current_turn_reasoning"] = None
            if kind == "signed" and slot.message is not None and slot.message.void:
                plan.moved_prefix["compaction"] = None
            drop_reasoning(plan, slot, request, refused)
        if kind == "keep-field" and len(refused) == len(thoughts) and _needs_field(slot, request):
            piece = Piece(BlockKind.REASONING, None, slot.message)
            piece.text = ""
            slot.set([piece, *slot.pieces])
            plan.repair(RepairKind.REASONING_FIELD_ADDED, slot.message)
    drop_emptied(plan, Role.ASSISTANT)


def drop_reasoning(plan: Plan, slot: Slot, request: Request, going: list[Piece] | None = None) -> None:
    """Take reasoning out of a turn: all of it, or the pieces in `going`."""
    named = {id(p) for p in going} if going is not None else None
    rest: list[Piece] = []
    for piece in slot.pieces:
        if piece.kind != BlockKind.REASONING or (named is not None and id(piece) not in named):
            rest.append(piece)
        else:
            plan.repair(RepairKind.THINKING_DROPPED, piece.message, piece.block)
    if not rest and request.policy.keep_turn_shape and slot.role == Role.ASSISTANT:
        rest = [plan.note(request.texts.note["reasoning_omitted"], slot.message)]
    slot.set(rest)


def _refused(slot: Slot, thoughts: list[Piece], request: Request, *, before: bool) -> list[Piece]:
    """The reasoning that goes; only an assistant reasons."""
    if slot.role != Role.ASSISTANT:
        return thoughts
    if request.policy.thinking == "refuse-field" and slot.own:
        return [p for p in thoughts if not _has_key(p, request)]
    if _goes(slot, thoughts, request, before=before):
        return thoughts
    return [p for p in thoughts if (_is_part(p, request) and not _has_key(p, request)) or _has_no_form(p, request)]


def _has_key(piece: Piece, request: Request) -> bool:
    """Whether it stands under a key that the target takes reasoning under."""
    block = piece.block
    return block is not None and request.same and not block.foreign and block.key in request.policy.reasoning_keys


def _is_part(piece: Piece, request: Request) -> bool:
    """Whether it stands in the content, on a wire that has fields for reasoning."""
    return request.same and request.beside_content and piece.block is not None and piece.block.key == "content"


def _has_no_form(piece: Piece, request: Request) -> bool:
    """Whether a field can't hold it: it is no text, or a text that is not to be read."""
    block = piece.block
    needed = not request.same or request.policy.thinking == "keep-field"
    return request.beside_content and needed and block is not None and (block.redacted or text(block.text) is None)


def _goes(slot: Slot, thoughts: list[Piece], request: Request, *, before: bool) -> bool:
    """Whether the reasoning of a turn goes; under `signed` a turn is all or nothing."""
    kind = request.policy.thinking
    if not slot.own or kind in ("drop", "refuse-field"):
        return True
    if kind == "signed":
        void = slot.message is not None and slot.message.void
        unsigned = any(p.block is not None and not p.block.signed for p in thoughts)
        return void or unsigned or request.facts.thinking is False
    return before


def _needs_field(slot: Slot, request: Request) -> bool:
    if slot.role != Role.ASSISTANT or not request.beside_content:
        return False
    if request.facts.thinking is False or (request.facts.thinking is None and request.policy.model is None):
        return False
    if request.policy.reasoning_field == "all" and request.facts.thinking:
        return True
    return slot.has(BlockKind.CALL)
