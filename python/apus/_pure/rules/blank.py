"""Rule 8: blank content. Mirrors `rust/core/src/rules/blank.rs`."""

from __future__ import annotations

from apus.kinds import RepairKind

from ..outline import BlockKind, Message, Role
from ..plan import Piece, Plan, Slot
from ..request import Request

STYLES = {None: "null", "": "empty"}


def settle_blank(plan: Plan, request: Request) -> None:
    """Drop blank texts where the target refuses them; what is left empty is dropped or gets a placeholder."""
    drop = request.full or request.policy.blank_text == "drop"
    kept: list[Slot] = []
    for slot in plan.slots:
        if drop:
            _drop_blank(plan, slot, request)
        for piece in slot.pieces:
            if piece.kind == BlockKind.RESULT:
                _settle_result(plan, slot, piece, request, drop=drop)
        if slot.role == Role.ASSISTANT and slot.has(BlockKind.CALL):
            if request.beside_content:
                _settle_call_only(plan, slot, request)
        elif _is_empty(slot, request, drop=drop) and not _fill(plan, slot, request):
            plan.repair(RepairKind.EMPTY_TURN_DROPPED, slot.message)
            continue
        kept.append(slot)
    plan.slots = kept
    if drop and any(p.kind == BlockKind.TEXT and p.blank for p in plan.system):
        plan.system = [p for p in plan.system if p.kind != BlockKind.TEXT or not p.blank]
        plan.system_touched = True
        plan.repair(RepairKind.BLANK_TEXT_DROPPED, None, detail="system")


def _drop_blank(plan: Plan, slot: Slot, request: Request) -> None:
    if not any(p.kind == BlockKind.TEXT and p.blank for p in slot.pieces):
        return
    kept: list[Piece] = []
    signed = _signed_behind(slot)
    for number, piece in enumerate(slot.pieces):
        if piece.kind != BlockKind.TEXT or not piece.blank:
            kept.append(piece)
        elif kept and _is_signed(kept[-1]) and signed[number]:
            piece.text = request.texts.note["separator"]
            piece.touched = True
            plan.repair(RepairKind.SEPARATOR_REPLACED, piece.message, piece.block)
            kept.append(piece)
        else:
            plan.repair(RepairKind.BLANK_TEXT_DROPPED, piece.message, piece.block)
    slot.set(kept)


def _signed_behind(slot: Slot) -> list[bool]:
    """For each piece, whether the next one that stays is signed: a blank text between two such keeps them apart."""
    found: list[bool] = []
    signed = False
    for piece in reversed(slot.pieces):
        found.append(signed)
        if piece.kind != BlockKind.TEXT or not piece.blank:
            signed = _is_signed(piece)
    return found[::-1]


def _is_signed(piece: Piece) -> bool:
    return piece.kind == BlockKind.REASONING and piece.block is not None and piece.block.signed


def _settle_result(plan: Plan, slot: Slot, piece: Piece, request: Request, *, drop: bool) -> None:
    if piece.block is None:
        return
    if drop and any(b.kind == BlockKind.TEXT and b.blank and b.index is not None for b in piece.block.inner):
        # A bare string may be empty; a text block may not.
        kept = [p for p in piece.content if p.kind != BlockKind.TEXT or not p.blank]
        if len(kept) != len(piece.content):
            piece.inner = kept
            piece.touched = slot.touched = True
            plan.repair(RepairKind.BLANK_TEXT_DROPPED, piece.message, piece.block)
    if request.policy.blank_result == "placeholder" and _is_blank_result(piece):
        piece.inner = [plan.note(request.texts.note["empty_result"], piece.message)]
        piece.touched = slot.touched = True
        plan.repair(RepairKind.PLACEHOLDER_INSERTED, piece.message, piece.block)


def _is_blank_result(piece: Piece) -> bool:
    """Whether a result says nothing at all; a look that opens nothing, so that the result stays as it is stored."""
    parts = piece.inner if piece.inner is not None else piece.block.inner if piece.block is not None else []
    return all(p.kind == BlockKind.TEXT and p.blank for p in parts)


def _settle_call_only(plan: Plan, slot: Slot, request: Request) -> None:
    """Write the content of a message that holds calls alone as the target wants it."""
    if any(p.kind not in (BlockKind.CALL, BlockKind.REASONING) and not p.blank for p in slot.pieces):
        return
    wanted = request.policy.call_only_content
    style = STYLES.get(wanted, wanted)
    message = slot.message
    if style == "any":
        return
    if style == "keep":
        # Most servers refuse an empty array.
        if not request.same or message is None or message.content != "list" or not slot_is_bare(slot):
            return
        style = "null"
    if request.same and message is not None and _style_of(message) == style and not slot.touched:
        return
    slot.call_only = style
    if request.same and message is not None and _style_of(message) != style:
        slot.touched = True
        plan.repair(RepairKind.SHAPE_FIXED, message, detail="content")


def slot_is_bare(slot: Slot) -> bool:
    """Whether no text stands beside the calls, not even a blank one."""
    return not any(p.kind == BlockKind.TEXT for p in slot.pieces)


def _style_of(message: Message) -> str:
    return {"null": "null", "absent": "omit", "string": "empty"}.get(message.content, "list")


def _is_empty(slot: Slot, request: Request, *, drop: bool) -> bool:
    """Whether a message has nothing that the target counts as content."""
    spoken = [p for p in slot.pieces if p.kind != BlockKind.REASONING or not request.beside_content]
    if slot.role == Role.RESULT or slot.prefix:
        return False
    if not slot.pieces or (not spoken and (slot.touched or request.beside_content)):
        bare = slot.message is None or slot.message.content != "string"
        return bare or slot.touched or request.policy.empty_assistant == "drop"
    refused = drop or (slot.role == Role.ASSISTANT and request.policy.empty_assistant == "drop")
    return refused and all(p.kind == BlockKind.TEXT and p.blank for p in spoken)


def _fill(plan: Plan, slot: Slot, request: Request) -> bool:
    """A placeholder for a user; an assistant gets none, models imitate them."""
    if slot.role not in (Role.USER, Role.OTHER):
        return False
    slot.set([plan.note(request.texts.note["empty_user"], slot.message)])
    plan.repair(RepairKind.PLACEHOLDER_INSERTED, slot.message)
    return True
