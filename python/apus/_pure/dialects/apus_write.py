"""The dialect `apus`, writing. Mirrors `rust/core/src/dialects/apus_write.rs`."""

from __future__ import annotations

from typing import Any

from ..outline import BlockKind, Role
from ..plan import Piece, Slot
from .writing import ABSENT, Writer, call_id, call_name, media_payload, rewrite

ROLE_TEXTS = {Role.ASSISTANT: "assistant", Role.SYSTEM: "system", Role.DEVELOPER: "system"}
RENDERED = frozenset(["custom", "compactionSummary", "branchSummary", "bashExecution"])


def write_message(slot: Slot, writer: Writer) -> Any:
    """One message of the transcript."""
    message = slot.message
    if slot.role == Role.RESULT:
        return _write_result(slot, writer)
    edits: dict[str, Any] = {"role": ROLE_TEXTS.get(slot.role, "user"), "content": _content(slot, writer)}
    if slot.role == Role.ASSISTANT and (not writer.same or message is None):
        edits["stopReason"] = "toolUse" if slot.has(BlockKind.CALL) else "stop"
    if not writer.same or message is None or message.role_text in RENDERED or message.role == Role.RESULT:
        return edits
    return rewrite(message.node, edits, message.private, writer, scrub=slot.scrub)


def _content(slot: Slot, writer: Writer) -> Any:
    pieces = slot.pieces
    if slot.role != Role.ASSISTANT and len(pieces) == 1 and _is_bare(pieces[0]):
        return writer.text(pieces[0])
    return [write_piece(p, writer) for p in pieces]


def _is_bare(piece: Piece) -> bool:
    return piece.kind == BlockKind.TEXT and (piece.block is None or piece.block.index is None)


def write_piece(piece: Piece, writer: Writer) -> Any:
    """One content block."""
    block = piece.block
    stored = writer.same and block is not None and isinstance(block.node, dict) and "type" not in block.shape
    if block is not None and stored and not piece.touched:
        return block.node
    made = _WRITE.get(piece.kind, _write_other)(piece, writer)
    if block is None or not stored:
        return {k: v for k, v in made.items() if v is not ABSENT}
    return rewrite(block.node, made, block.private, writer, scrub=piece.scrub)


def _write_text(piece: Piece, writer: Writer) -> dict[str, Any]:
    return {"type": "text", "text": writer.text(piece)}


def _write_call(piece: Piece, writer: Writer) -> dict[str, Any]:
    block = piece.block
    field = block.field if block is not None and writer.same and block.field is not None else "arguments"
    edits = {"id": call_id(piece), "name": call_name(piece), field: writer.arguments_object(piece)}
    return edits if block is not None and writer.same else {"type": "toolCall", **edits}


def _write_reasoning(piece: Piece, writer: Writer) -> dict[str, Any]:
    block = piece.block
    if block is None or writer.same:
        return {}
    if block.redacted:
        return {"type": "thinking", "thinking": "", "thinkingSignature": block.signature, "redacted": True}
    signature = block.signature if block.signed else block.field or (block.key if block.index is None else None)
    thinking = writer.copy(block.text, scrub=piece.scrub) if block.text is not None else ""
    return {"type": "thinking", "thinking": thinking, "thinkingSignature": ABSENT if signature is None else signature}


def _write_image(piece: Piece, writer: Writer) -> dict[str, Any]:
    block = piece.block
    if block is None or writer.same:
        return {}
    data = media_payload(block, writer, scrub=piece.scrub)
    return {"type": "image", "data": data, "mimeType": block.media_type or "image/png"}


def _write_other(piece: Piece, writer: Writer) -> dict[str, Any]:
    return {}


_WRITE = {
    BlockKind.TEXT: _write_text,
    BlockKind.CALL: _write_call,
    BlockKind.REASONING: _write_reasoning,
    BlockKind.IMAGE: _write_image,
}


def _write_result(slot: Slot, writer: Writer) -> Any:
    piece = slot.pieces[0]
    block = piece.block
    stored = writer.same and block is not None and slot.message is not None
    key = block.field if block is not None and writer.same and block.field is not None else "toolCallId"
    edits: dict[str, Any] = {"role": "toolResult", key: call_id(piece), "toolName": call_name(piece)}
    edits |= {"content": _result_content(piece, writer), "isError": piece.error}
    if block is None or not stored:
        return edits
    if "isError" not in block.node and not piece.error:
        edits["isError"] = ABSENT
    if block.name is None and "toolName" not in block.node:
        edits["toolName"] = ABSENT
    private = slot.message.private if slot.message is not None else ()
    return rewrite(block.node, edits, private, writer, scrub=piece.scrub or slot.scrub)


def _result_content(piece: Piece, writer: Writer) -> Any:
    block = piece.block
    if block is None:
        return [{"type": "text", "text": piece.text or ""}]
    if writer.same and piece.inner is None and not block.shape:
        return writer.copy(block.text, scrub=piece.scrub)
    inner = piece.content
    if len(inner) == 1 and _is_bare(inner[0]) and inner[0].blank:
        # A blank text may be a whole answer, but no block.
        return writer.text(inner[0])
    return [write_piece(p, writer) for p in inner]
