//! Rule 10: turns. Mirrored by `apus._pure.rules.turns`.

use rustc_hash::FxHashMap;

use super::merging::merge_turns;
use super::reasoning::drop_reasoning;
use super::speakers::settle_speakers;
use super::systems::{settle_late_systems, settle_roles};
use crate::outline::{BlockKind, Role};
use crate::plan::{PieceId, Plan, SlotId};
use crate::policy::FirstRole;
use crate::repairs::RepairKind;
use crate::request::Request;
use crate::source::Source;

/// Bring roles and their order into what the target takes.
pub(crate) fn settle_turns<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    settle_roles(plan, request);
    settle_speakers(plan, request);
    open_with_user(plan, request);
    if request.policy.calls_last {
        calls_last(plan, request);
    }
    if request.policy.single_pairs {
        split_batches(plan);
    }
    if !request.policy.text_beside_result {
        split_results(plan);
    }
    settle_late_systems(plan, request);
    if request.policy.merge_users || request.policy.merge_assistants {
        merge_turns(plan, request);
    }
    if request.policy.bridge_after_result {
        bridge(plan, request);
    }
}

/// Put a tiny user message first where the history may not start with the assistant.
pub(crate) fn open_with_user<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    let Some(place) = plan.order.iter().position(|slot| !plan.slot(*slot).role.is_system()) else { return };
    let first = plan.order[place];
    if plan.slot(first).role != Role::Assistant {
        return;
    }
    let wanted = request.policy.first_role;
    let refuses_call = wanted == FirstRole::NotCall && plan.has(first, BlockKind::Call);
    if wanted == FirstRole::User || request.strict || refuses_call {
        let slot = plan.user_note(request.texts.note.bootstrap.as_str());
        plan.order.insert(place, slot);
        let message = plan.slot(first).message;
        plan.repair(RepairKind::BootstrapInserted, message, None, None, None);
    }
}

/// Client calls move, in order, behind all other blocks of their message: text behind a call hides its result.
fn calls_last<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    for place in 0..plan.order.len() {
        let slot = plan.order[place];
        let behind_call = |kind| {
            let from_call = plan.pieces(slot).skip_while(|id| plan.piece(*id).kind != BlockKind::Call);
            from_call.map(|id| plan.piece(id).kind).any(|found| found == kind)
        };
        if plan.slot(slot).role != Role::Assistant || !behind_call(BlockKind::Text) {
            continue;
        }
        if behind_call(BlockKind::Reasoning) {
            drop_reasoning(plan, slot, request, None);
        }
        let (calls, mut pieces) = divided(plan, slot, BlockKind::Call);
        pieces.extend(calls);
        plan.set(slot, pieces);
        let message = plan.slot(slot).message;
        plan.repair(RepairKind::BlocksReordered, message, None, None, None);
    }
}

/// The pieces of a kind, and the others.
fn divided<S: Source>(plan: &Plan<'_, '_, S>, slot: SlotId, kind: BlockKind) -> (Vec<PieceId>, Vec<PieceId>) {
    plan.pieces(slot).partition(|id| plan.piece(*id).kind == kind)
}

/// Whether a slot is an assistant message with several calls.
fn is_batch<S: Source>(plan: &Plan<'_, '_, S>, slot: SlotId) -> bool {
    let calls = plan.pieces(slot).filter(|id| plan.piece(*id).kind == BlockKind::Call);
    plan.slot(slot).role == Role::Assistant && calls.take(2).count() == 2
}

/// One call and its result at a time.
fn split_batches<S: Source>(plan: &mut Plan<'_, '_, S>) {
    if !plan.order.iter().any(|slot| is_batch(plan, *slot)) {
        return;
    }
    let order = std::mem::take(&mut plan.order);
    let mut slots: Vec<SlotId> = Vec::with_capacity(order.len());
    let mut order = order.into_iter().peekable();
    while let Some(slot) = order.next() {
        if !is_batch(plan, slot) {
            slots.push(slot);
            continue;
        }
        let mut answers: FxHashMap<PieceId, SlotId> = FxHashMap::default();
        let mut rest = Vec::new();
        while let Some(held) = order.next_if(|next| plan.has(*next, BlockKind::Result)) {
            rest.extend(take_answers(plan, held, &mut answers));
        }
        pair_up(plan, slot, &answers, &mut slots);
        if !rest.is_empty() {
            slots.push(plan.new_slot(Role::User, None, rest));
        }
        let message = plan.slot(slot).message;
        plan.repair(RepairKind::BatchSplit, message, None, None, None);
    }
    plan.order = slots;
}

/// The messages of the results in a slot, by call, go to `answers`; what else stands in the slot comes back.
fn take_answers<S: Source>(
    plan: &mut Plan<'_, '_, S>,
    held: SlotId,
    answers: &mut FxHashMap<PieceId, SlotId>,
) -> Vec<PieceId> {
    let (results, rest) = divided(plan, held, BlockKind::Result);
    for result in results {
        let alone = plan.slot(held).role == Role::Result;
        let slot = if alone { held } else { plan.new_slot(Role::User, None, vec![result]) };
        if let Some(call) = plan.piece(result).call {
            answers.insert(call, slot);
        }
    }
    rest
}

fn pair_up<S: Source>(
    plan: &mut Plan<'_, '_, S>,
    batch: SlotId,
    answers: &FxHashMap<PieceId, SlotId>,
    slots: &mut Vec<SlotId>,
) {
    let (calls, _) = divided(plan, batch, BlockKind::Call);
    let stays = |id: &PieceId| plan.piece(*id).kind != BlockKind::Call || Some(id) == calls.first();
    let kept = plan.pieces(batch).filter(stays).collect();
    plan.set(batch, kept);
    for (number, call) in calls.into_iter().enumerate() {
        slots.push(if number > 0 { plan.new_slot(Role::Assistant, None, vec![call]) } else { batch });
        slots.extend(answers.get(&call));
    }
}

/// What stands beside results becomes a message of its own.
fn split_results<S: Source>(plan: &mut Plan<'_, '_, S>) {
    let is_mixed = |plan: &Plan<'_, '_, S>, slot: SlotId| {
        let is_result = |id| plan.piece(id).kind == BlockKind::Result;
        plan.pieces(slot).any(is_result) && !plan.pieces(slot).all(is_result)
    };
    if !plan.order.iter().any(|slot| is_mixed(plan, *slot)) {
        return;
    }
    let order = std::mem::take(&mut plan.order);
    let mut slots = Vec::with_capacity(order.len());
    for slot in order {
        slots.push(slot);
        if is_mixed(plan, slot) {
            let (results, rest) = divided(plan, slot, BlockKind::Result);
            plan.set(slot, results);
            slots.push(plan.new_slot(Role::User, None, rest));
            let message = plan.slot(slot).message;
            plan.repair(RepairKind::BatchSplit, message, None, None, None);
        }
    }
    plan.order = slots;
}

/// A short assistant text between a result and the user message behind it.
fn bridge<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    let role = |plan: &Plan<'_, '_, S>, slot: SlotId| plan.slot(slot).role;
    let is_gap = |pair: &[SlotId]| role(plan, pair[0]) == Role::Result && role(plan, pair[1]) == Role::User;
    if !plan.order.windows(2).any(is_gap) {
        return;
    }
    let order = std::mem::take(&mut plan.order);
    let mut slots: Vec<SlotId> = Vec::with_capacity(order.len());
    for slot in order {
        let behind_result = slots.last().is_some_and(|before| role(plan, *before) == Role::Result);
        if behind_result && role(plan, slot) == Role::User {
            let bridge = plan.note(request.texts.note.bridge.as_str(), None);
            slots.push(plan.new_slot(Role::Assistant, None, vec![bridge]));
            let message = plan.slot(slot).message;
            plan.repair(RepairKind::BridgeInserted, message, None, None, None);
        }
        slots.push(slot);
    }
    plan.order = slots;
}
