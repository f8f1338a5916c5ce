//! Rule 7: every call id is one the target accepts. Mirrored by `apus._pure.rules.call_ids`.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::names::{accepts, mint};
use crate::outline::{BlockKind, Role};
use crate::plan::{PieceId, Plan, SlotId};
use crate::policy::{CallIds, UniqueIds};
use crate::repairs::RepairKind;
use crate::request::Request;
use crate::source::Source;

/// Rewrite the call ids that the target refuses, and the results that name them.
pub(crate) fn rewrite_ids<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    if !plan.may_have(BlockKind::Call) {
        return;
    }
    let mut minter = Minter { rule: &request.policy.call_id, unique: scope(request), ids: HashMap::new(), frame: 0 };
    let mut before = None;
    for number in 0..plan.order.len() {
        let slot = plan.order[number];
        let role = plan.slot(slot).role;
        // Neighbours may count as one turn.
        if role == Role::Assistant && before != Some(Role::Assistant) {
            minter.frame += 1;
        }
        before = Some(role);
        if role == Role::Assistant && plan.has(slot, BlockKind::Call) {
            for place in 0..plan.len_of(slot) {
                let piece = plan.at(slot, place);
                if plan.piece(piece).kind == BlockKind::Call {
                    rename(plan, slot, piece, &mut minter);
                }
            }
        } else {
            follow(plan, slot);
        }
    }
}

/// Where an id may not come back; what is written anew for another wire has none to preserve, so it repeats none.
fn scope<N>(request: &Request<'_, N>) -> UniqueIds {
    let unique = request.policy.unique_ids;
    if request.strict || (unique == UniqueIds::Frame && !request.same) { UniqueIds::History } else { unique }
}

fn rename<'o, S: Source>(plan: &mut Plan<'o, '_, S>, slot: SlotId, call: PieceId, minter: &mut Minter<'_, 'o>) {
    let block = plan.block_of(call);
    let stored = block.and_then(|b| b.id.as_deref());
    let made_up = plan.piece(call).result.is_some_and(|result| plan.piece(result).block.is_none());
    let new = minter.id_of(stored, made_up);
    if Some(&*new) == stored && block.is_none_or(|b| b.exact) {
        return;
    }
    plan.piece_mut(call).edit_mut().id = Some(new.to_string());
    plan.touch(slot, call);
    let (message, block) = (plan.piece(call).message, plan.piece(call).block);
    if message.is_some() && block.is_some() {
        plan.repair(RepairKind::CallIdRewritten, message, block, stored, Some(&new));
        plan.id_map.push((new.into_owned(), stored.map(str::to_owned)));
    }
}

/// Call and result change together, by occurrence.
fn follow<S: Source>(plan: &mut Plan<'_, '_, S>, slot: SlotId) {
    for place in 0..plan.len_of(slot) {
        let result = plan.at(slot, place);
        let piece = plan.piece(result);
        let (BlockKind::Result, Some(call), Some(block)) = (piece.kind, piece.call, plan.block_of(result)) else {
            continue;
        };
        if block.id.as_deref() != plan.id_of(call) || !block.exact {
            let id = plan.id_of(call).map(str::to_owned);
            plan.piece_mut(result).edit_mut().id = id;
            plan.touch(slot, result);
        }
        if block.name.is_some() && block.name.as_deref() != plan.name_of(call) {
            let name = plan.name_of(call).map(str::to_owned);
            plan.piece_mut(result).edit_mut().name = name;
            plan.touch(slot, result);
        }
    }
}

/// What was taken so far. Only what came earlier counts, so a longer transcript never renames what was sent.
struct Minter<'r, 'o> {
    rule: &'r CallIds,
    unique: UniqueIds,
    ids: HashMap<Cow<'o, str>, Taken>,
    /// Number of the present run of neighbouring assistant messages.
    frame: usize,
}

/// What is known of an id.
#[derive(Default)]
struct Taken {
    /// A call went out with it.
    ever: bool,
    /// The last run with such a call; 0: none.
    frame: usize,
    /// How many calls were stored with it.
    occurrences: u64,
}

impl<'o> Minter<'_, 'o> {
    /// The id that a call goes out with.
    fn id_of(&mut self, stored: Option<&'o str>, made_up: bool) -> Cow<'o, str> {
        let old = stored.unwrap_or_default();
        let (rule, unique, frame) = (self.rule, self.unique, self.frame);
        let once = unique == UniqueIds::History || (unique != UniqueIds::Off && made_up);
        let taken = self.ids.entry(Cow::Borrowed(old)).or_default();
        let occurrence = taken.occurrences;
        taken.occurrences += 1;
        // The whole id is looked up once: most calls keep it.
        if stored.is_some() && accepts(rule, old) && taken.is_free(frame, once) {
            taken.take(frame);
            return Cow::Borrowed(old);
        }
        for half in halves(old).into_iter().flatten().filter(|half| accepts(rule, half)) {
            let taken = self.ids.entry(Cow::Borrowed(half)).or_default();
            if taken.is_free(frame, once) {
                taken.take(frame);
                return Cow::Borrowed(half);
            }
        }
        let mut attempt = 0;
        loop {
            let made = mint(rule, old, occurrence, attempt);
            let taken = self.ids.entry(Cow::Owned(made.clone())).or_default();
            if !taken.ever {
                taken.take(frame);
                return Cow::Owned(made);
            }
            attempt += 1;
        }
    }
}

impl Taken {
    /// Whether an id may stay. A call with a made-up result shares none: its answer must not pass for another's.
    fn is_free(&self, frame: usize, once: bool) -> bool {
        self.frame != frame && !(once && self.ever)
    }

    fn take(&mut self, frame: usize) {
        self.ever = true;
        self.frame = frame;
    }
}

/// Each half of a `call|item` composite.
fn halves(stored: &str) -> Option<[&str; 2]> {
    let (call, item) = stored.split_once('|')?;
    (!item.contains('|')).then_some([call, item])
}
