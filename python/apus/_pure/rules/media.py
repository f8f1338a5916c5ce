"""Rule 9: media. Mirrors `rust/core/src/rules/media.rs`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from apus.kinds import RepairKind

from ..outline import MEDIA, Block, BlockKind, Role
from ..plan import Piece, Plan, Slot, excess_of
from ..request import Request
from ..source import LONE_SURROGATE, NUL
from .media_moves import move_media

ROLE_NAMES = {
    Role.SYSTEM: "system",
    Role.DEVELOPER: "system",
    Role.USER: "user",
    Role.ASSISTANT: "assistant",
    Role.OTHER: "user",
}
# Media types and URLs hold more characters than ids do; both are named only when they are plain.
_PLAIN = re.compile(r"[A-Za-z0-9_.:@/+?&=%#~,;-]{1,300}")


def settle_media(plan: Plan, request: Request) -> None:
    """Replace media that the target refuses by a note; move what a result can't hold behind the results."""
    if not any(True for _ in _each(plan)):
        return
    crowd = _over_count(plan, request)
    for slot in plan.slots:
        for number, piece in enumerate(slot.pieces):
            if piece.kind in MEDIA:
                reason = (
                    "too many"
                    if id(piece.block) in crowd
                    else _refusal(piece.block, ROLE_NAMES.get(slot.role, "user"), request)
                )
                if reason is not None:
                    slot.pieces[number] = _note(plan, piece, request, reason)
                    slot.touched = True
            elif piece.kind == BlockKind.RESULT and any(b.kind in MEDIA for b in _inner(piece)):
                _settle_result(plan, slot, piece, request, crowd)
    move_media(plan, request)


def _each(plan: Plan) -> Iterator[Piece]:
    for slot in plan.slots:
        for piece in slot.pieces:
            if piece.kind in MEDIA:
                yield piece
            elif piece.kind == BlockKind.RESULT and any(b.kind in MEDIA for b in _inner(piece)):
                yield from (p for p in piece.content if p.kind in MEDIA)


def _inner(piece: Piece) -> list[Block]:
    return piece.block.inner if piece.block is not None else []


def _over_count(plan: Plan, request: Request) -> set[int]:
    """The oldest images over the target's count, in batches of a quarter of it, so that the prefix moves rarely."""
    limit = request.policy.image_limits.max_count
    images = [p for p in _each(plan) if p.kind == BlockKind.IMAGE]
    if limit is None or len(images) <= limit:
        return set()
    excess = min(excess_of(len(images), limit), len(images))
    plan.image_cut = (limit, excess)
    plan.moved_prefix["media_limit"] = None
    return {id(p.block) for p in images[:excess]}


def _refusal(block: Block | None, role: str, request: Request) -> str | None:
    """Why the target does not take a medium, or None."""
    policy = request.policy
    if block is None:
        return None
    if block.kind == BlockKind.IMAGE and block.flags & (LONE_SURROGATE | NUL):
        return "the data is broken"
    if not request.same or block.foreign:
        expressible = block.kind in request.writable and block.data is not None and (block.url is None or request.urls)
        if not expressible:
            return "the request format has no place for it"
    if role not in policy.media_roles and role != "result":
        return f"not taken in the role {role}"
    types = policy.media_types
    if types is not None and not types:
        return "the model takes text only"
    if types is not None and block.kind == BlockKind.IMAGE and block.media_type not in (None, *types):
        return "media type not taken"
    if policy.part_types is not None and (block.field or block.kind.name.lower()) not in policy.part_types:
        return "not taken by the target"
    gone = policy.unreachable_urls
    if block.url is not None and (gone is True or (isinstance(gone, tuple) and block.url in gone)):
        return "the URL is unreachable"
    return None


def _note(plan: Plan, piece: Piece, request: Request, reason: str) -> Piece:
    block = piece.block
    kind = piece.kind.name.lower()
    known = (
        [v for v in (block.media_type, block.url) if v is not None and _PLAIN.fullmatch(v)] if block is not None else []
    )
    text = request.texts.note["media"].replace("{label}", ", ".join(known) or kind)
    note = plan.note(text.replace("{kind}", kind).replace("{reason}", reason), piece.message)
    note.mark = piece.mark
    plan.repair(RepairKind.MEDIA_OMITTED, piece.message, block, detail=reason)
    return note


def _settle_result(plan: Plan, slot: Slot, piece: Piece, request: Request, crowd: set[int]) -> None:
    made: list[Piece] = []
    for part in piece.content:
        reason = None
        if part.kind in MEDIA:
            reason = "too many" if id(part.block) in crowd else _refusal(part.block, "result", request)
        made.append(part if reason is None else _note(plan, part, request, reason))
    if any(a is not b for a, b in zip(made, piece.content, strict=True)):
        piece.inner = made
        piece.touched = slot.touched = True
