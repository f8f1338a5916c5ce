//! What several rules need. Mirrored by `apus._pure.rules.shared`.

use crate::outline::{BlockKind, Role};
use crate::plan::{Fate, PieceId, Plan, SlotId};
use crate::policy::{LateSystem, SystemPlacement};
use crate::repairs::RepairKind;
use crate::request::Request;
use crate::source::Source;

/// Take the result that was matched to a call out of the history; the caller takes out the call, with all that go.
pub(crate) fn drop_call<S: Source>(plan: &mut Plan<'_, '_, S>, call: PieceId, kind: RepairKind, detail: &str) {
    if let Some(result) = plan.piece(call).result {
        plan.piece_mut(result).fate = Fate::CallDropped;
    }
    plan.repair_piece(kind, call, Some(detail));
}

/// Take pieces out of a slot, all at once: one by one is a copy of the slot for each. `gone` is in the slot's order.
pub(crate) fn take_out<S: Source>(plan: &mut Plan<'_, '_, S>, slot: SlotId, gone: &[PieceId]) {
    if gone.is_empty() {
        return;
    }
    let mut gone = gone.iter().peekable();
    let kept = plan.pieces(slot).filter(|id| gone.next_if_eq(&id).is_none()).collect();
    plan.set(slot, kept);
}

/// Whether a late system message stays what it is, and does not become a user's.
pub(crate) fn systems_stay<N>(request: &Request<'_, N>) -> bool {
    let policy = request.policy;
    let alternates = policy.merge_users && policy.merge_assistants;
    let any_place = policy.late_system == LateSystem::Keep && policy.system_placement == SystemPlacement::Any;
    any_place && !alternates
}

/// Number of the first slot behind the last user message that is not apus's own; results open no turn.
pub(crate) fn current_turn<S: Source>(plan: &Plan<'_, '_, S>, request: &Request<'_, S::Node>) -> usize {
    let stay = systems_stay(request);
    let opens = |slot: &SlotId| match plan.slot(*slot).role {
        Role::User => has_more(plan, *slot) && !plan.is_own(*slot),
        // These become a user's, with a text of their own.
        Role::Other => true,
        Role::System | Role::Developer => !stay,
        Role::Assistant | Role::Result => false,
    };
    plan.order.iter().rposition(opens).map_or(0, |number| number + 1)
}

/// Number of the first slot of the running tool loop: behind the last user message with more than results.
pub(crate) fn running_loop<S: Source>(plan: &Plan<'_, '_, S>) -> usize {
    let ends = |slot: &SlotId| {
        let only_results = plan.len_of(*slot) > 0 && !has_more(plan, *slot);
        !matches!(plan.slot(*slot).role, Role::Assistant | Role::Result) && !only_results
    };
    plan.order.iter().rposition(ends).map_or(0, |number| number + 1)
}

/// Whether a slot holds anything but results.
pub(crate) fn has_more<S: Source>(plan: &Plan<'_, '_, S>, slot: SlotId) -> bool {
    plan.pieces(slot).any(|id| plan.piece(id).kind != BlockKind::Result)
}

/// The last slot that is not a system message.
pub(crate) fn last_spoken<S: Source>(plan: &Plan<'_, '_, S>) -> Option<SlotId> {
    plan.order.iter().rev().copied().find(|slot| !plan.slot(*slot).role.is_system())
}

/// Drop the messages of a role that a rule left without a block.
pub(crate) fn drop_emptied<S: Source>(plan: &mut Plan<'_, '_, S>, role: Role) {
    let mut order = std::mem::take(&mut plan.order);
    order.retain(|&id| {
        let slot = plan.slot(id);
        let emptied = slot.role == role && slot.touched && plan.len_of(id) == 0;
        if emptied {
            let message = slot.message;
            plan.repair(RepairKind::EmptyTurnDropped, message, None, None, None);
        }
        !emptied
    });
    plan.order = order;
}
