//! Rule 10, roles: system messages and roles the wire does not know. Mirrored by `apus._pure.rules.systems`.

use crate::outline::{BlockKind, Role};
use crate::plan::{Plan, Slot, SlotId};
use crate::policy::{DeveloperRole, LateSystem, SystemPlacement, SystemSlot};
use crate::repairs::RepairKind;
use crate::request::Request;
use crate::source::Source;
use crate::texts;

/// Leading system messages go to their slot, late ones stay or become user notes; so do unknown roles.
pub(crate) fn settle_roles<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    let in_messages = request.policy.system_slot == SystemSlot::Messages;
    let (mut lead, mut leading) = (0, true);
    let mut kept = 0;
    for place in 0..plan.order.len() {
        let slot = plan.order[place];
        if plan.slot(slot).role == Role::Other || is_refused(plan.slot(slot), request) {
            to_user(plan, slot, RepairKind::RoleRewritten, request);
        }
        if plan.slot(slot).role.is_system() {
            settle_developer(plan, slot, request);
            if leading && !in_messages {
                to_slot(plan, slot, request);
                continue;
            }
            lead += usize::from(leading);
            if becomes_note(request, leading, lead) {
                to_user(plan, slot, RepairKind::SystemMoved, request);
            }
        } else {
            leading = false;
        }
        plan.order[kept] = slot;
        kept += 1;
    }
    plan.order.truncate(kept);
}

/// A developer's message becomes a system message where the wire has no such role.
fn settle_developer<S: Source>(plan: &mut Plan<'_, '_, S>, slot: SlotId, request: &Request<'_, S::Node>) {
    let in_messages = request.policy.system_slot == SystemSlot::Messages;
    let state = plan.slot_mut(slot);
    if state.role != Role::Developer || (in_messages && request.policy.developer_role == DeveloperRole::Keep) {
        return;
    }
    state.role = Role::System;
    state.touched = true;
    if in_messages {
        let message = state.message;
        plan.repair(RepairKind::RoleRewritten, message, None, None, Some("developer -> system"));
    }
}

/// A role that the wire knows and this target does not take; results and turns have no other form.
fn is_refused<N>(slot: &Slot<'_>, request: &Request<'_, N>) -> bool {
    let roles = &request.policy.roles;
    let takes = |role: Role| roles.iter().any(|known| known == role.name());
    let as_system =
        slot.role == Role::Developer && request.policy.developer_role == DeveloperRole::System && takes(Role::System);
    let has_slot = request.policy.system_slot != SystemSlot::Messages || as_system;
    !roles.is_empty() && slot.role.is_system() && !takes(slot.role) && !has_slot
}

fn becomes_note<N>(request: &Request<'_, N>, leading: bool, lead: usize) -> bool {
    let policy = request.policy;
    let alternates = policy.merge_users && policy.merge_assistants;
    if policy.late_system == LateSystem::UserNote || (alternates && policy.system_slot == SystemSlot::Messages) {
        return !leading || lead > 1;
    }
    false
}

/// The text of a system message goes to the request's own field.
fn to_slot<S: Source>(plan: &mut Plan<'_, '_, S>, slot: SlotId, request: &Request<'_, S::Node>) {
    for at in 0..plan.len_of(slot) {
        let piece = plan.at(slot, at);
        if plan.piece(piece).kind == BlockKind::Text {
            plan.system.push(piece);
        }
    }
    plan.system_touched = true;
    if request.same {
        let message = plan.slot(slot).message;
        plan.repair(RepairKind::SystemMoved, message, None, None, Some("top"));
    }
}

/// A message without a place of its own becomes a user's, and says what it was.
fn to_user<S: Source>(plan: &mut Plan<'_, '_, S>, slot: SlotId, kind: RepairKind, request: &Request<'_, S::Node>) {
    let role = plan.message_of(slot).and_then(|message| message.role_text.as_deref());
    let is_system = kind == RepairKind::SystemMoved;
    let notes = &request.texts.note;
    let head = texts::fill(if is_system { &notes.system } else { &notes.role }, &[("role", role)]);
    let message = plan.slot(slot).message;
    let first = plan.pieces(slot).find(|id| plan.piece(*id).kind == BlockKind::Text);
    if let Some(first) = first {
        let prefix = format!("{head}\n{}", plan.piece(first).prefix().unwrap_or_default());
        plan.piece_mut(first).edit_mut().prefix = Some(prefix);
        plan.touch(slot, first);
    } else {
        let mut pieces = plan.listed(slot);
        pieces.insert(0, plan.note(head, message));
        plan.set(slot, pieces);
    }
    plan.slot_mut(slot).role = Role::User;
    plan.repair(kind, message, None, None, if is_system { None } else { role });
}

/// A system message that may stand only behind a user's turn becomes a note where it stands elsewhere.
pub(crate) fn settle_late_systems<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    let placement = request.policy.system_placement;
    if placement == SystemPlacement::Any {
        return;
    }
    let mut before = None;
    for place in 0..plan.order.len() {
        let slot = plan.order[place];
        if plan.slot(slot).role == Role::System {
            let after = plan.order.get(place + 1).map(|next| plan.slot(*next).role);
            let fine = if placement == SystemPlacement::AfterInput {
                before.is_none_or(|role: Role| role == Role::User || role.is_system())
            } else {
                before == Some(Role::User) && after.is_none_or(|role| role == Role::Assistant)
            };
            if !fine {
                to_user(plan, slot, RepairKind::SystemMoved, request);
            }
        }
        before = Some(plan.slot(slot).role);
    }
}
