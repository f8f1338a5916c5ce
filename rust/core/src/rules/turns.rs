//! Rule 10: turns. Mirrored by `apus._pure.rules.turns`.

use rustc_hash::FxHashMap;

use super::reasoning::drop_reasoning;
use super::speakers::{label, settle_speakers};
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
        merge(plan, request);
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

/// What joining asks of a message; kept beside the one that grows, so that a long run of neighbours is read once.
#[derive(Clone, Copy, Default)]
struct Held {
    kinds: u32,
    signed: bool,
}

impl Held {
    fn of<S: Source>(plan: &Plan<'_, '_, S>, slot: SlotId) -> Self {
        plan.pieces(slot).fold(Self::default(), |held, id| Self {
            kinds: held.kinds | Self::bit(plan.piece(id).kind),
            signed: held.signed || plan.is_signed(id),
        })
    }

    const fn bit(kind: BlockKind) -> u32 {
        1 << kind as u32
    }

    fn has(self, kind: BlockKind) -> bool {
        self.kinds & Self::bit(kind) != 0
    }

    fn and(self, other: Self) -> Self {
        Self { kinds: self.kinds | other.kinds, signed: self.signed || other.signed }
    }
}

/// Join neighbours of one role where the target takes only turns that alternate.
fn merge<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    if !plan.order.windows(2).any(|pair| plan.slot(pair[0]).role == plan.slot(pair[1]).role) {
        return;
    }
    let order = std::mem::take(&mut plan.order);
    let mut slots: Vec<SlotId> = Vec::with_capacity(order.len());
    let mut held = Held::default();
    for slot in order {
        let (role, message, more) = (plan.slot(slot).role, plan.slot(slot).message, Held::of(plan, slot));
        let before = slots.last().copied().filter(|before| plan.slot(*before).role == role);
        match before.filter(|_| may_join(role, held, more, request)) {
            None => {
                slots.push(slot);
                held = more;
            }
            Some(_) if role == Role::Assistant && held.signed && more.signed => {
                slots.push(plan.user_note(request.texts.note.between_signed.as_str()));
                slots.push(slot);
                held = more;
                plan.repair(RepairKind::NoteInserted, message, None, None, None);
            }
            Some(before) => {
                join(plan, before, slot);
                held = held.and(more);
                plan.repair(RepairKind::TurnsMerged, message, None, None, None);
            }
        }
    }
    plan.order = slots;
}

fn may_join<N>(role: Role, before: Held, after: Held, request: &Request<'_, N>) -> bool {
    let policy = request.policy;
    if role == Role::User {
        let both = before.and(after);
        let mixed = both.has(BlockKind::Result) && both.kinds.count_ones() > 1;
        // Results come first, so a message that says more than results absorbs none.
        let behind = after.has(BlockKind::Result) && before.kinds & !Held::bit(BlockKind::Result) != 0;
        return policy.merge_users && (policy.text_beside_result || !mixed) && !behind;
    }
    // A call without its result stays the last of its turn.
    role == Role::Assistant && policy.merge_assistants && !before.has(BlockKind::Call)
}

fn join<S: Source>(plan: &mut Plan<'_, '_, S>, before: SlotId, slot: SlotId) {
    if plan.slot(before).name != plan.slot(slot).name {
        for part in [before, slot] {
            if let Some(name) = plan.slot(part).name.clone() {
                label(plan, part, &name);
            }
        }
        plan.slot_mut(before).name = None;
    }
    plan.slot_mut(before).scrub |= plan.slot(slot).scrub;
    plan.extend(before, plan.listed(slot));
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
