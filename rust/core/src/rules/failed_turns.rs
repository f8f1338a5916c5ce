//! Rule 3: failed and silent turns. Mirrored by `apus._pure.rules.failed_turns`.

use crate::outline::{BlockKind, Message, Role, Stop};
use crate::plan::{PieceId, Plan, SlotId};
use crate::repairs::RepairKind;
use crate::request::Request;
use crate::rules::shared::{drop_call, take_out};
use crate::source::Source;

/// Drop turns that say nothing, and the half-streamed calls of turns that failed.
pub(crate) fn drop_failed_turns<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    if !request.full || !plan.outline.messages.iter().any(concerns) {
        return;
    }
    let mut order = std::mem::take(&mut plan.order);
    order.retain(|slot| plan.slot(*slot).role != Role::Assistant || keep(plan, *slot));
    plan.order = order;
}

/// Whether the rule has anything to say of a message.
fn concerns<N>(message: &Message<'_, N>) -> bool {
    let stopped = matches!(message.stop, Stop::Error | Stop::Aborted | Stop::Length);
    stopped || message.failed || message.silent
}

fn keep<S: Source>(plan: &mut Plan<'_, '_, S>, slot: SlotId) -> bool {
    let Some(message) = plan.message_of(slot).filter(|message| concerns(message)) else { return true };
    let broke_off = matches!(message.stop, Stop::Error | Stop::Aborted);
    if broke_off {
        drop_open_calls(plan, slot);
    }
    let kinds = || plan.pieces(slot).map(|id| plan.piece(id).kind);
    let quiet = kinds().all(|kind| matches!(kind, BlockKind::Text | BlockKind::Reasoning));
    let spoken = plan.pieces(slot).any(|id| plan.piece(id).kind == BlockKind::Text && !plan.is_blank(id));
    let thought = kinds().any(|kind| kind == BlockKind::Reasoning);
    let kind = if quiet && (message.failed || (!spoken && broke_off)) {
        RepairKind::FailedTurnDropped
    } else if quiet && thought && !spoken && message.stop == Stop::Length {
        RepairKind::IncompleteTurnDropped
    } else if quiet && message.silent {
        RepairKind::SilentTurnDropped
    } else {
        return true;
    };
    plan.repair(kind, plan.slot(slot).message, None, None, None);
    false
}

fn drop_open_calls<S: Source>(plan: &mut Plan<'_, '_, S>, slot: SlotId) {
    let open = |id: &PieceId| plan.piece(*id).kind == BlockKind::Call && !plan.is_answered(*id);
    let gone: Vec<PieceId> = plan.pieces(slot).filter(open).collect();
    for call in &gone {
        drop_call(plan, *call, RepairKind::IncompleteCallDropped, "failed turn");
    }
    take_out(plan, slot, &gone);
}
