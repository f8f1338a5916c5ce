"""Rule 9, texts: a long data URL in the assistant's words. Mirrors `rust/core/src/rules/text_media.rs`."""

from __future__ import annotations

import re

from apus.kinds import RepairKind

from ..outline import BlockKind, Role
from ..plan import Plan
from ..request import Request
from ..source import text

LONGEST = 16 * 1024
_DATA_URL = re.compile(r"data:([A-Za-z0-9.+-]+/[A-Za-z0-9.+-]+);base64,[A-Za-z0-9+/=_-]*")


def omit_text_media(plan: Plan, request: Request) -> None:
    """Replace each data URL over 16 KiB inside assistant text by a note."""
    if not request.full:
        return
    for slot in plan.slots:
        for piece in slot.pieces if slot.role == Role.ASSISTANT else ():
            if piece.kind != BlockKind.TEXT or piece.block is None or piece.text is not None:
                continue
            said = text(piece.block.text) or ""
            if len(said) <= LONGEST or "data:" not in said:
                continue
            made = _DATA_URL.sub(lambda m: m[0] if len(m[0]) <= LONGEST else _note(m[1], request), said)
            if made != said:
                piece.text = made
                piece.touched = slot.touched = True
                plan.repair(RepairKind.TEXT_MEDIA_OMITTED, piece.message, piece.block)


def _note(media_type: str, request: Request) -> str:
    return (
        request.texts.note["media"]
        .replace("{label}", media_type)
        .replace("{kind}", "media")
        .replace("{reason}", "data URL in text")
    )
