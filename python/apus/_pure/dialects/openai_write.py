"""The dialect `openai-chat`, writing. Mirrors `rust/core/src/dialects/openai_write.rs`."""

from __future__ import annotations

from typing import Any

from ..outline import MEDIA, BlockKind, Role
from ..plan import Piece, Slot
from .writing import ABSENT, Writer, call_id, call_name, data_url, mark_value, rewrite, texts_of

ROLE_TEXTS = {Role.SYSTEM: "system", Role.DEVELOPER: "developer", Role.ASSISTANT: "assistant"}
REASONING_FIELD = "reasoning_content"
NO_CALLS = {"tool_calls": ABSENT, "function_call": ABSENT}


def write_message(slot: Slot, writer: Writer) -> Any:
    """One message of the wire."""
    if slot.role == Role.RESULT:
        return _write_result(slot, writer)
    edits: dict[str, Any] = {"role": ROLE_TEXTS.get(slot.role, "user"), "content": _content(slot, writer)}
    if slot.name is not None:
        edits["name"] = slot.name
    if slot.role == Role.ASSISTANT:
        edits |= _reasoning(slot, writer)
        edits |= _calls(slot, writer)
        if slot.prefix and "prefix" not in slot.strip:
            edits["prefix"] = True
    else:
        edits |= NO_CALLS
    message = slot.message
    if not writer.same or message is None or message.role == Role.RESULT:
        return {k: v for k, v in edits.items() if v is not ABSENT}
    gone = (*slot.strip, *message.private)
    if slot.name is None:
        gone = (*gone, "name")
    return rewrite(message.node, edits, gone, writer, scrub=slot.scrub)


def _content(slot: Slot, writer: Writer) -> Any:
    pieces = [p for p in slot.pieces if p.kind in MEDIA or p.kind == BlockKind.TEXT or _is_part(p, writer)]
    if slot.has(BlockKind.CALL) and not any(not p.blank for p in pieces):
        style = slot.call_only or _stored_style(slot, writer)
        if style is not None:
            return {"null": None, "empty": "", "omit": ABSENT}[style]
    if not pieces:
        return None if slot.has(BlockKind.CALL) else ""
    if _is_one_string(slot, pieces, writer):
        return writer.joined(pieces)
    return [write_part(p, writer) for p in pieces]


def _is_one_string(slot: Slot, pieces: list[Piece], writer: Writer) -> bool:
    """Whether the content is written as one string."""
    if any(p.kind != BlockKind.TEXT or p.mark for p in pieces):
        return False
    if len(pieces) == 1:
        return _is_bare(pieces[0]) or not writer.same
    return slot.role != Role.USER or _strings(pieces)


def _is_part(piece: Piece, writer: Writer) -> bool:
    """Whether any other piece stands as a content part: reasoning of some servers does, what only its dialect knows."""
    block = piece.block
    beside = (BlockKind.CALL, BlockKind.RESULT)
    return writer.same and block is not None and piece.kind not in beside and block.key == "content"


def _strings(pieces: list[Piece]) -> bool:
    return all(_is_bare(p) for p in pieces)


def _is_bare(piece: Piece) -> bool:
    return piece.block is None or piece.block.index is None


def _stored_style(slot: Slot, writer: Writer) -> str | None:
    """The content of a call-only message as it was stored, if no text was taken out of it."""
    if not writer.same or slot.message is None:
        return "null"
    return {"null": "null", "absent": "omit", "string": "empty"}.get(
        slot.message.content, "null" if not texts_of(slot) else None
    )


def write_part(piece: Piece, writer: Writer) -> Any:
    """One content part."""
    block = piece.block
    stored = writer.same and block is not None and isinstance(block.node, dict) and "type" not in block.shape
    if block is not None and stored and not piece.touched:
        return block.node
    made = _part(piece, writer)
    if piece.mark != (block.mark if block is not None and stored else None):
        made["cache_control"] = mark_value(piece.mark)
    if block is None or not stored:
        return made
    return rewrite(block.node, made, block.private, writer, scrub=piece.scrub)


def _part(piece: Piece, writer: Writer) -> dict[str, Any]:
    block = piece.block
    if piece.kind == BlockKind.TEXT:
        refusal = block is not None and writer.same and block.label == "refusal"
        return (
            {"type": "refusal", "refusal": writer.text(piece)}
            if refusal
            else {"type": "text", "text": writer.text(piece)}
        )
    if block is None or (writer.same and not block.foreign):
        return {}
    return {"type": "image_url", "image_url": {"url": data_url(block, writer, scrub=piece.scrub)}}


def _reasoning(slot: Slot, writer: Writer) -> dict[str, Any]:
    """The reasoning fields: those of the message as they stood, or one with all the texts."""
    pieces = [p for p in slot.pieces if p.kind == BlockKind.REASONING and not _is_part(p, writer)]
    fields: dict[str, Any] = {}
    if writer.same and slot.message is not None:
        fields = {b.key: ABSENT for b in slot.message.blocks if b.kind == BlockKind.REASONING and b.index is None}
    rest: list[Piece] = []
    for piece in pieces:
        key = piece.block.key if piece.block is not None and writer.same and not piece.block.foreign else None
        if key is not None and fields.get(key, ABSENT) is ABSENT:
            fields[key] = writer.text(piece)
        elif piece.block is None or piece.block.text is not None:
            rest.append(piece)
    if rest:
        key = next((p.block.field for p in rest if p.block is not None and p.block.field is not None), REASONING_FIELD)
        if fields.get(key, ABSENT) is ABSENT:
            fields[key] = writer.joined(rest)
    return fields


def _calls(slot: Slot, writer: Writer) -> dict[str, Any]:
    calls = [p for p in slot.pieces if p.kind == BlockKind.CALL]
    legacy = [
        p for p in calls if p.block is not None and p.block.label == "function_call" and writer.same and not p.touched
    ]
    if legacy and len(calls) == 1:
        return {}
    edits: dict[str, Any] = {"tool_calls": [_write_call(p, writer) for p in calls] if calls else ABSENT}
    if writer.same and slot.message is not None and "function_call" in slot.message.node:
        edits["function_call"] = ABSENT
    return edits


def _write_call(piece: Piece, writer: Writer) -> Any:
    block = piece.block
    plain = (
        writer.same and block is not None and block.label in ("tool_calls", "custom") and isinstance(block.node, dict)
    )
    if block is not None and plain and not piece.touched:
        return block.node
    if block is not None and plain and block.label == "custom":
        custom = rewrite(block.node["custom"], {"name": call_name(piece)}, (), writer, scrub=piece.scrub)
        return rewrite(block.node, {"id": call_id(piece), "custom": custom}, block.private, writer, scrub=piece.scrub)
    edits: dict[str, Any] = {"name": call_name(piece), "arguments": writer.arguments_text(piece)}
    if block is None or not plain:
        return {"id": call_id(piece), "type": "function", "function": edits}
    function = rewrite(block.node["function"], edits, (), writer, scrub=piece.scrub)
    made = {"id": call_id(piece), "type": "function", "function": function}
    return rewrite(block.node, made, block.private, writer, scrub=piece.scrub)


def _write_result(slot: Slot, writer: Writer) -> Any:
    piece = slot.pieces[0]
    block = piece.block
    edits: dict[str, Any] = {"role": "tool", "tool_call_id": call_id(piece), "content": _result_content(piece, writer)}
    if block is None or not writer.same or not isinstance(block.node, dict) or block.foreign:
        return edits
    edits |= NO_CALLS
    if block.name is not None:
        edits["name"] = call_name(piece)
    elif slot.message is not None and "name" in slot.message.shape:
        edits["name"] = ABSENT
    gone = block.private
    if slot.message is not None and slot.message.role == Role.RESULT:
        gone = (*slot.strip, *slot.message.private)
    return rewrite(block.node, edits, gone, writer, scrub=piece.scrub or slot.scrub)


def _result_content(piece: Piece, writer: Writer) -> Any:
    block = piece.block
    if block is None:
        return piece.text or ""
    if writer.same and piece.inner is None and not block.shape and not block.foreign:
        return writer.copy(block.text, scrub=piece.scrub)
    inner = piece.content
    if not inner:
        return ""
    # The wire has no flag for an error, so the text says it.
    lead = writer.request.texts.note["error_prefix"] if piece.error and not piece.synthetic and not writer.same else ""
    if all(p.kind == BlockKind.TEXT for p in inner) and (not writer.same or len(inner) == 1):
        return writer.joined(inner, lead)
    return [write_part(p, writer) for p in inner]
