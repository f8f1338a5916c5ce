"""Rule 10, roles: system messages and roles the wire does not know. Mirrors `rust/core/src/rules/systems.rs`."""

from __future__ import annotations

from apus.kinds import RepairKind

from ..outline import BlockKind, Role
from ..plan import Plan, Slot
from ..request import Request

SYSTEMS = (Role.SYSTEM, Role.DEVELOPER)


def settle_roles(plan: Plan, request: Request) -> None:
    """Leading system messages go to their slot, late ones stay or become user notes; so do unknown roles."""
    slots: list[Slot] = []
    lead = 0
    leading = True
    for slot in plan.slots:
        if slot.role == Role.OTHER or _is_refused(slot, request):
            _to_user(plan, slot, RepairKind.ROLE_REWRITTEN, request)
        if slot.role not in SYSTEMS:
            leading = False
            slots.append(slot)
            continue
        if slot.role == Role.DEVELOPER and (
            request.policy.developer_role == "system" or request.policy.system_slot != "messages"
        ):
            slot.role = Role.SYSTEM
            slot.touched = True
            if request.policy.system_slot == "messages":
                plan.repair(RepairKind.ROLE_REWRITTEN, slot.message, detail="developer -> system")
        if leading and request.policy.system_slot != "messages":
            _to_slot(plan, slot, request)
            continue
        lead += leading
        if _becomes_note(request, leading=leading, lead=lead):
            _to_user(plan, slot, RepairKind.SYSTEM_MOVED, request)
        slots.append(slot)
    plan.slots = slots


def _is_refused(slot: Slot, request: Request) -> bool:
    """A role that the wire knows and this target does not take; results and turns have no other form."""
    roles = request.policy.roles
    return bool(roles) and slot.role in SYSTEMS and slot.role.name.lower() not in roles and not _has_slot(slot, request)


def _has_slot(slot: Slot, request: Request) -> bool:
    as_system = (
        slot.role == Role.DEVELOPER and request.policy.developer_role == "system" and "system" in request.policy.roles
    )
    return request.policy.system_slot != "messages" or as_system


def _becomes_note(request: Request, *, leading: bool, lead: int) -> bool:
    policy = request.policy
    alternates = policy.merge_users and policy.merge_assistants
    if policy.late_system == "user-note" or (alternates and policy.system_slot == "messages"):
        return not leading or lead > 1
    return False


def _to_slot(plan: Plan, slot: Slot, request: Request) -> None:
    """The text of a system message goes to the request's own field."""
    plan.system += [p for p in slot.pieces if p.kind == BlockKind.TEXT]
    plan.system_touched = True
    if request.same:
        plan.repair(RepairKind.SYSTEM_MOVED, slot.message, detail="top")


def _to_user(plan: Plan, slot: Slot, kind: RepairKind, request: Request) -> None:
    """A message without a place of its own becomes a user's, and says what it was."""
    role = slot.message.role_text if slot.message is not None else None
    name = "system" if kind == RepairKind.SYSTEM_MOVED else "role"
    head = request.texts.fill(name, role=role)
    first = next((p for p in slot.pieces if p.kind == BlockKind.TEXT), None)
    if first is not None:
        first.prefix = f"{head}\n{first.prefix or ''}"
        first.touched = True
    else:
        slot.pieces = [plan.note(head, slot.message), *slot.pieces]
    slot.role = Role.USER
    slot.touched = True
    plan.repair(kind, slot.message, detail=None if name == "system" else role)


def settle_late_systems(plan: Plan, request: Request) -> None:
    """A system message that may stand only behind a user's turn becomes a note where it stands elsewhere."""
    placement = request.policy.system_placement
    if placement == "any":
        return
    slots = plan.slots
    for number, slot in enumerate(slots):
        if slot.role != Role.SYSTEM:
            continue
        before = slots[number - 1].role if number else None
        after = slots[number + 1].role if number + 1 < len(slots) else None
        if placement == "after-input":
            fine = before is None or before in (Role.USER, *SYSTEMS)
        else:
            fine = before == Role.USER and after in (None, Role.ASSISTANT)
        if not fine:
            _to_user(plan, slot, RepairKind.SYSTEM_MOVED, request)
