"""Rule 2: mark where input came from. Mirrors `rust/core/src/rules/provenance.rs`."""

from __future__ import annotations

from apus.kinds import RepairKind

from ..outline import BlockKind, Role
from ..plan import Plan
from ..request import Request
from ..source import text

PARTS = ("sourceSession", "sourceChannel", "sourceTool")


def mark_provenance(plan: Plan, request: Request) -> None:
    """Put the marker in front of the first text of each user message that another session or tool sent."""
    if not request.full:
        return
    for slot in plan.slots:
        message = slot.message
        if message is None or message.provenance is None or slot.role != Role.USER:
            continue
        marker = marker_of(message.provenance, request.texts.note["inter_session"])
        first = next((p for p in slot.pieces if p.kind == BlockKind.TEXT and not p.blank), None)
        if first is None:
            slot.set([plan.note(marker, message), *slot.pieces])
        else:
            said = text(first.block.text) if first.block is not None else None
            if said is not None and said.startswith(marker):
                continue
            first.prefix = marker + "\n"
            first.touched = slot.touched = True
        plan.repair(RepairKind.PROVENANCE_MARKED, message)


def marker_of(parts: tuple[str, ...], sentence: str) -> str:
    """The two marker lines; `parts` are the known values of `PARTS` in order, empty where unknown."""
    known = "".join(f" {key}={_line(value)}" for key, value in zip(PARTS, parts, strict=True) if value)
    return f"[Inter-session message]{known} isUser=false\n{sentence}"


def _line(value: str) -> str:
    """One line of at most 200 characters."""
    return " ".join(value.split())[:200]
