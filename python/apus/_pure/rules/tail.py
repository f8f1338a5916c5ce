"""Rule 11: the end of the history. Mirrors `rust/core/src/rules/tail.rs`."""

from __future__ import annotations

from apus.kinds import RepairKind

from ..outline import SERVER, BlockKind, Role, Stop
from ..plan import Plan, Slot
from ..request import Request
from ..source import text
from .shared import last_spoken, running_loop
from .systems import SYSTEMS


def settle_tail(plan: Plan, request: Request) -> None:
    """End the history as the target wants it, and report what only the caller can change."""
    last = last_spoken(plan)
    if last is not None and last.role == Role.ASSISTANT and not last.has(BlockKind.CALL):
        _settle_prefill(plan, last, request)
    last = plan.slots[-1] if plan.slots else None
    empty = last_spoken(plan) is None and not request.facts.server_state
    # A trailing assistant message is settled above.
    wants_user = request.policy.last_role == "user-or-result" and last is not None and last.role in SYSTEMS
    if empty or wants_user:
        _continue(plan, request)
    _require(plan, request)


def _continue(plan: Plan, request: Request) -> None:
    last = plan.slots[-1].message if plan.slots else None
    plan.slots.append(plan.user_note(request.texts.note["continuation"]))
    plan.repair(RepairKind.CONTINUATION_INSERTED, last)


def _settle_prefill(plan: Plan, last: Slot, request: Request) -> None:
    policy = request.policy
    paused = last.message is not None and last.message.stop == Stop.PAUSE
    if paused or (last.pieces and last.pieces[-1].kind in SERVER):
        return
    never = policy.prefill == "never" or (request.facts.thinking is True and not policy.prefill_with_thinking)
    if never or _too_many(plan, request):
        if request.trailing == "strip":
            _strip(plan)
        else:
            _continue(plan, request)
    elif policy.prefill == "flag" and plan.slots[-1] is last:
        if not last.prefix:
            last.prefix = last.touched = True
            plan.repair(RepairKind.PREFILL_MARKED, last.message)
    elif policy.trim_prefill:
        _trim(plan, last)


def _too_many(plan: Plan, request: Request) -> bool:
    limit = request.policy.max_trailing_assistants
    if limit is None:
        return False
    return len(plan.slots) > limit and all(s.role == Role.ASSISTANT for s in plan.slots[-limit - 1 :])


def _strip(plan: Plan) -> None:
    while True:
        last = last_spoken(plan)
        if last is None or last.role != Role.ASSISTANT or last.has(BlockKind.CALL):
            return
        plan.slots.remove(last)
        plan.repair(RepairKind.PREFILL_STRIPPED, last.message)


def _trim(plan: Plan, last: Slot) -> None:
    piece = last.pieces[-1] if last.pieces else None
    if piece is None or piece.kind != BlockKind.TEXT:
        return
    said = piece.text if piece.text is not None else text(piece.block.text) or "" if piece.block is not None else ""
    if said != said.rstrip():
        piece.text = said.rstrip()
        piece.touched = last.touched = True
        plan.repair(RepairKind.TEXT_TRIMMED, piece.message, piece.block)


def _require(plan: Plan, request: Request) -> None:
    """Requirements change nothing: the caller must change something outside the history."""
    if _lacks_reasoning(plan, request):
        plan.repair(RepairKind.THINKING_MUST_BE_OFF, None)
    if request.policy.tools_required_with_calls and request.facts.tools is not None and not request.facts.tools:
        names = sorted({p.name or "" for s in plan.slots for p in s.pieces if p.kind == BlockKind.CALL})
        if names:
            plan.repair(RepairKind.TOOL_CONFIG_REQUIRED, None, detail=" ".join(names))


def _lacks_reasoning(plan: Plan, request: Request) -> bool:
    policy, facts = request.policy, request.facts
    if policy.reasoning_with_calls and facts.thinking is not False:
        return any(s.has(BlockKind.CALL) and not s.has(BlockKind.REASONING) for s in plan.slots)
    if not policy.thinking_starts_loop or facts.thinking is not True or facts.adaptive:
        return False
    loop = [s for s in plan.slots[running_loop(plan) :] if s.role == Role.ASSISTANT]
    return bool(loop) and not any(s.pieces and s.pieces[0].kind == BlockKind.REASONING for s in loop)
