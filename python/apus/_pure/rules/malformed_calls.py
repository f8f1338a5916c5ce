"""Rule 4: malformed tool calls. Mirrors `rust/core/src/rules/malformed_calls.rs`."""

from __future__ import annotations

from apus.kinds import RepairKind

from ..names import fits, fitted, suffixed
from ..outline import Arguments, BlockKind, Role
from ..plan import Piece, Plan, Slot
from ..request import Request
from ..source import same
from .shared import answered, drop_call, drop_emptied, take_out

BROKEN = (Arguments.BROKEN, Arguments.VALUE)


def repair_calls(plan: Plan, request: Request) -> None:
    """Drop calls that never became one; make those that ran fit."""
    _drop_strays(plan)
    names: dict[str, str] = {}
    used: set[str] = set()
    for frame in plan.frames:
        seen: dict[tuple[str, str | None], list[Piece]] = {}
        for slot in frame.members:
            calls = [p for p in slot.pieces if p.kind == BlockKind.CALL]
            gone: list[Piece] = []
            for call in calls:
                reason = _fault(call, request) if not answered(call) else None
                if reason is not None:
                    drop_call(plan, call, RepairKind.MALFORMED_CALL_DROPPED, reason)
                    gone.append(call)
                elif call is calls[-1] and call.result is None and _args(call) == Arguments.BROKEN:
                    # Half a stream: nobody knows what the other half would have said.
                    drop_call(plan, call, RepairKind.INCOMPLETE_CALL_DROPPED, "arguments")
                    gone.append(call)
                elif _is_echo(call, seen, request):
                    drop_call(plan, call, RepairKind.DUPLICATE_CALL_DROPPED, "echo")
                    gone.append(call)
                else:
                    _fit_name(plan, slot, call, request, names, used)
                    _fit_arguments(plan, slot, call, request)
            take_out(slot, gone)
    drop_emptied(plan, Role.ASSISTANT)


def _drop_strays(plan: Plan) -> None:
    """Only an assistant calls: what stands in another role was never one, and no result can answer it there."""
    for slot in plan.slots:
        if slot.role != Role.ASSISTANT:
            strays = [p for p in slot.pieces if p.kind == BlockKind.CALL]
            for call in strays:
                drop_call(plan, call, RepairKind.MALFORMED_CALL_DROPPED, "role")
            take_out(slot, strays)


def _args(call: Piece) -> Arguments:
    return call.block.args if call.block is not None else Arguments.OBJECT


def _fault(call: Piece, request: Request) -> str | None:
    """Why an unanswered call is no call."""
    if call.block is not None and call.block.partial:
        return "partial"
    if _args(call) == Arguments.MISSING:
        return "arguments"
    if call.id is None:
        return "id"
    if not fits(call.name, request.policy.tool_name):
        return "name"
    if request.full and request.facts.tools is not None and call.name not in request.facts.tools:
        return "tool"
    return None


def _is_echo(call: Piece, seen: dict[tuple[str, str | None], list[Piece]], request: Request) -> bool:
    """Equal to an earlier call of its frame in id, name and arguments, and without a result of its own."""
    if call.id is None or call.block is None:
        return False
    earlier = seen.setdefault((call.id, call.name), [])
    node = call.block.text
    alone = call.result is None or (request.strict and not answered(call))
    if alone and any(c.block is not None and same(c.block.text, node) for c in earlier[:8]):
        return True
    earlier.append(call)
    return False


def _fit_name(plan: Plan, slot: Slot, call: Piece, request: Request, names: dict[str, str], used: set[str]) -> None:
    old, rule = call.name or "", request.policy.tool_name
    if fits(old, rule):
        used.add(old)
        return
    new = names.get(old)
    if new is None:
        new = fitted(old, rule, request.texts.note["unknown_tool"])
        if new in used and new != request.texts.note["unknown_tool"]:
            new = suffixed(new, old, rule)
        names[old] = new
        used.add(new)
    call.new_name = new
    call.touched = slot.touched = True
    plan.repair(RepairKind.TOOL_NAME_REWRITTEN, call.message, call.block, call.id, f"{old} -> {new}")


def _fit_arguments(plan: Plan, slot: Slot, call: Piece, request: Request) -> None:
    args, wanted = _args(call), request.policy.arguments
    if args == Arguments.FREE:
        return
    if args in (Arguments.MISSING, Arguments.EMPTY):
        _edit(plan, slot, call, "empty", RepairKind.ARGUMENTS_REWRITTEN)
    elif args in BROKEN or (args == Arguments.BIG and wanted == "object"):
        if wanted == "object" or request.policy.arguments_must_be_json:
            _edit(plan, slot, call, "wrap", RepairKind.ARGUMENTS_WRAPPED)
    elif request.same and (args == Arguments.OBJECT) != (wanted == "object"):
        # The wire wants the other form; the writer changes it, the content stays.
        _edit(plan, slot, call, None, RepairKind.ARGUMENTS_REWRITTEN)


def _edit(plan: Plan, slot: Slot, call: Piece, args: str | None, kind: RepairKind) -> None:
    call.args = args
    call.touched = slot.touched = True
    plan.repair(kind, call.message, call.block, call.id)
