//! Rule 10, merging: neighbours of one role become one message. Mirrored by `apus._pure.rules.merging`.

use super::speakers::label;
use crate::outline::{BlockKind, Role};
use crate::plan::{Plan, SlotId};
use crate::repairs::RepairKind;
use crate::request::Request;
use crate::source::Source;

/// A message that its neighbours may join, and what is known of its blocks, so that none is looked at twice.
#[derive(Clone, Copy)]
struct Turn {
    slot: SlotId,
    role: Role,
    /// One bit per kind of block.
    kinds: u32,
    signed: bool,
}

impl Turn {
    fn new<S: Source>(plan: &Plan<'_, '_, S>, slot: SlotId) -> Self {
        Self {
            slot,
            role: plan.slot(slot).role,
            kinds: plan.pieces(slot).fold(0, |kinds, id| kinds | bit(plan.piece(id).kind)),
            signed: plan.pieces(slot).any(|id| plan.is_signed(id)),
        }
    }

    fn has(self, kind: BlockKind) -> bool {
        self.kinds & bit(kind) != 0
    }

    /// Whether `other` may become a part of this one.
    fn may_take<N>(self, other: Self, request: &Request<'_, N>) -> bool {
        let policy = request.policy;
        if self.role != other.role {
            return false;
        }
        if self.role == Role::User {
            let both = self.kinds | other.kinds;
            let mixed = both & bit(BlockKind::Result) != 0 && both.count_ones() > 1;
            // Results come first, so a message that says more than results absorbs none.
            let behind = other.has(BlockKind::Result) && self.kinds & !bit(BlockKind::Result) != 0;
            return policy.merge_users && (policy.text_beside_result || !mixed) && !behind;
        }
        // A call without its result stays the last of its turn.
        self.role == Role::Assistant && policy.merge_assistants && !self.has(BlockKind::Call)
    }

    /// Join `other`; speakers of different names are told apart.
    fn take<S: Source>(&mut self, plan: &mut Plan<'_, '_, S>, other: Self) {
        if plan.slot(self.slot).name != plan.slot(other.slot).name {
            for named in [self.slot, other.slot] {
                if let Some(name) = plan.slot(named).name.clone() {
                    label(plan, named, &name);
                }
            }
            plan.slot_mut(self.slot).name = None;
        }
        plan.slot_mut(self.slot).scrub |= plan.slot(other.slot).scrub;
        plan.extend(self.slot, plan.listed(other.slot));
        self.kinds |= other.kinds;
        self.signed |= other.signed;
    }
}

/// Join neighbours of one role where the target takes only turns that alternate.
pub(super) fn merge_turns<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    if !plan.order.windows(2).any(|pair| plan.slot(pair[0]).role == plan.slot(pair[1]).role) {
        return;
    }
    let order = std::mem::take(&mut plan.order);
    let mut slots: Vec<SlotId> = Vec::with_capacity(order.len());
    let mut before: Option<Turn> = None;
    for slot in order {
        let (turn, message) = (Turn::new(plan, slot), plan.slot(slot).message);
        match before.as_mut().filter(|before| before.may_take(turn, request)) {
            None => slots.push(slot),
            Some(before) if turn.role == Role::Assistant && before.signed && turn.signed => {
                slots.extend([plan.user_note(request.texts.note.between_signed.as_str()), slot]);
                plan.repair(RepairKind::NoteInserted, message, None, None, None);
            }
            Some(before) => {
                before.take(plan, turn);
                plan.repair(RepairKind::TurnsMerged, message, None, None, None);
                continue;
            }
        }
        before = Some(turn);
    }
    plan.order = slots;
}

const fn bit(kind: BlockKind) -> u32 {
    1 << kind as u32
}
