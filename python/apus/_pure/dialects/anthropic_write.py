"""The dialect `anthropic-messages`, writing. Mirrors `rust/core/src/dialects/anthropic_write.rs`."""

from __future__ import annotations

from typing import Any

from ..outline import BlockKind, Role
from ..plan import Piece, Slot
from .writing import ABSENT, Writer, call_id, call_name, mark_value, media_payload, rewrite

ROLE_TEXTS = {Role.ASSISTANT: "assistant", Role.SYSTEM: "system"}


def write_message(slot: Slot, writer: Writer) -> Any:
    """One message of the wire."""
    edits: dict[str, Any] = {"role": ROLE_TEXTS.get(slot.role, "user"), "content": _content(slot, writer)}
    message = slot.message
    if not writer.same or message is None:
        return edits
    gone = (*slot.strip, *message.private)
    if slot.name is None and message.name is not None:
        gone = (*gone, "name")
    elif slot.name != message.name and "name" not in gone:
        edits["name"] = slot.name
    return rewrite(message.node, edits, gone, writer, scrub=slot.scrub)


def _content(slot: Slot, writer: Writer) -> Any:
    pieces = slot.pieces
    if len(pieces) == 1 and _is_bare(pieces[0]):
        return writer.text(pieces[0])
    return [write_piece(p, writer) for p in pieces]


def _is_bare(piece: Piece) -> bool:
    """A text that stood as the whole content, or that apus made."""
    bare = piece.block is None or piece.block.index is None or not piece.block.key
    return piece.kind == BlockKind.TEXT and bare and piece.mark is None


def write_piece(piece: Piece, writer: Writer) -> Any:
    """One content block."""
    block = piece.block
    stored = writer.same and block is not None and isinstance(block.node, dict) and "type" not in block.shape
    if block is not None and stored and not piece.touched:
        return block.node
    made = _WRITE.get(piece.kind, _write_other)(piece, writer)
    if piece.mark != (block.mark if block is not None and stored else None):
        made["cache_control"] = mark_value(piece.mark)
    if block is None or not stored:
        return made
    gone = (*block.extra, *block.private) if piece.strip else block.private
    return rewrite(block.node, made, gone, writer, scrub=piece.scrub)


def _write_text(piece: Piece, writer: Writer) -> dict[str, Any]:
    return {"type": "text", "text": writer.text(piece)}


def _write_call(piece: Piece, writer: Writer) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id(piece), "name": call_name(piece), "input": writer.arguments_object(piece)}


def _write_result(piece: Piece, writer: Writer) -> dict[str, Any]:
    made: dict[str, Any] = {
        "type": "tool_result",
        "tool_use_id": call_id(piece),
        "content": _result_content(piece, writer),
    }
    block = piece.block
    if block is not None and writer.same and "content" not in block.node and piece.inner is None:
        made["content"] = ABSENT
    if piece.error and not (block is not None and writer.same and block.error):
        made["is_error"] = True
    return made


def _result_content(piece: Piece, writer: Writer) -> Any:
    if piece.block is None or piece.text is not None:
        return piece.text or ""
    if writer.same and piece.inner is None and not piece.block.shape and not piece.scrub:
        return piece.block.text
    inner = piece.content
    if len(inner) == 1 and _is_bare(inner[0]):
        return writer.text(inner[0])
    return [write_piece(p, writer) for p in inner]


def _write_reasoning(piece: Piece, writer: Writer) -> dict[str, Any]:
    block = piece.block
    if block is None:
        return {"type": "text", "text": ""}
    if writer.same:
        return {}
    if block.redacted:
        return {"type": "redacted_thinking", "data": block.signature}
    return {"type": "thinking", "thinking": block.text if block.text is not None else "", "signature": block.signature}


def _write_image(piece: Piece, writer: Writer) -> dict[str, Any]:
    block = piece.block
    if block is None or (writer.same and "source" not in block.shape):
        return {}
    if block.url is not None:
        return {"type": "image", "source": {"type": "url", "url": writer.copy(block.data, scrub=piece.scrub)}}
    return {
        "type": "image",
        "source": {
            "type": "base64",
            "media_type": block.media_type or "image/png",
            "data": media_payload(block, writer, scrub=piece.scrub),
        },
    }


def _write_other(piece: Piece, writer: Writer) -> dict[str, Any]:
    return {}


_WRITE = {
    BlockKind.TEXT: _write_text,
    BlockKind.CALL: _write_call,
    BlockKind.RESULT: _write_result,
    BlockKind.REASONING: _write_reasoning,
    BlockKind.IMAGE: _write_image,
}


def write_system(pieces: list[Piece], writer: Writer) -> Any:
    """The request's own system field: one string for one bare text, else blocks; None for none."""
    if not pieces:
        return None
    if len(pieces) == 1 and _is_bare(pieces[0]):
        return writer.text(pieces[0])
    return [write_piece(p, writer) for p in pieces]
