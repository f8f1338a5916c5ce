//! Rule 8, strings: what no JSON reader or server takes becomes U+FFFD. Mirrored by `apus._pure.rules.scrub`.

use crate::outline::{BlockKind, Role};
use crate::plan::{PieceId, Plan, SlotId};
use crate::repairs::RepairKind;
use crate::request::Request;
use crate::rules::reasoning::drop_reasoning;
use crate::rules::shared::drop_emptied;
use crate::source::{Flags, Source};

/// Mark each string with a lone surrogate, or NUL where the target refuses it; signed reasoning goes instead.
pub(crate) fn scrub_texts<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    let nul = if request.policy.refuses_nul { Flags::NUL } else { Flags::NONE };
    let bad = Flags::LONE_SURROGATE | nul;
    for number in 0..plan.order.len() {
        let slot = plan.order[number];
        let beside = plan.message_of(slot).is_some_and(|message| message.flags.has(bad));
        if beside || plan.pieces(slot).any(|id| is_bad(plan, id, bad)) {
            scrub_slot(plan, slot, request, bad);
        }
    }
    for number in 0..plan.system.len() {
        let piece = plan.system[number];
        if is_bad(plan, piece, bad) {
            mark(plan, piece);
            plan.system_touched = true;
            plan.repair(RepairKind::TextScrubbed, None, None, None, Some("system"));
        }
    }
    drop_emptied(plan, Role::Assistant);
}

fn scrub_slot<S: Source>(plan: &mut Plan<'_, '_, S>, slot: SlotId, request: &Request<'_, S::Node>, bad: Flags) {
    if plan.pieces(slot).any(|id| plan.is_signed(id) && is_bad(plan, id, bad)) {
        drop_reasoning(plan, slot, request, None);
    }
    let mut found = false;
    for place in 0..plan.len_of(slot) {
        let piece = plan.at(slot, place);
        if !is_bad(plan, piece, bad) {
            continue;
        }
        found = true;
        mark(plan, piece);
        if plan.piece(piece).kind == BlockKind::Result {
            for part in plan.open(piece) {
                mark(plan, part);
            }
        }
        let (message, block) = (plan.piece(piece).message, plan.piece(piece).block);
        plan.repair(RepairKind::TextScrubbed, message, block, None, None);
    }
    if plan.message_of(slot).is_some_and(|message| message.flags.has(bad)) {
        let edited = plan.slot_mut(slot);
        edited.scrub = true;
        edited.touched = true;
        let message = edited.message;
        if !found && request.same {
            plan.repair(RepairKind::TextScrubbed, message, None, None, None);
        }
    }
}

fn is_bad<S: Source>(plan: &Plan<'_, '_, S>, piece: PieceId, bad: Flags) -> bool {
    plan.block_of(piece).is_some_and(|block| block.flags.has(bad))
}

fn mark<S: Source>(plan: &mut Plan<'_, '_, S>, piece: PieceId) {
    let piece = plan.piece_mut(piece);
    piece.scrub = true;
    piece.touched = true;
}
