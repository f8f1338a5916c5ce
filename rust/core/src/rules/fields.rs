//! Last: keys that no rule names. Mirrored by `apus._pure.rules.fields`.

use crate::outline::Message;
use crate::plan::{PieceId, Plan, SlotId};
use crate::policy::UnknownFields;
use crate::repairs::RepairKind;
use crate::request::Request;
use crate::source::{Flags, Source};

/// Drop the keys that the wire refuses or that never leave the store; bring the rest into the schema's form.
pub(crate) fn settle_fields<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    if !request.same {
        return;
    }
    let strip = request.policy.unknown_fields == UnknownFields::Strip;
    for place in 0..plan.order.len() {
        let slot = plan.order[place];
        settle_message(plan, slot, request, strip);
        for at in 0..plan.len_of(slot) {
            let piece = plan.at(slot, at);
            if settle_piece(plan, piece, strip) {
                plan.slot_mut(slot).touched = true;
            }
        }
    }
    for at in 0..plan.system.len() {
        let piece = plan.system[at];
        if settle_piece(plan, piece, strip) {
            plan.system_touched = true;
        }
    }
}

fn settle_message<S: Source>(plan: &mut Plan<'_, '_, S>, slot: SlotId, request: &Request<'_, S::Node>, strip: bool) {
    let Some(message) = plan.message_of(slot) else { return };
    let id = plan.slot(slot).message;
    let extra = if strip { extra_of(message, request) } else { Vec::new() };
    let twice = message.flags.has(Flags::DUPLICATE_KEY);
    if message.private.is_empty() && extra.is_empty() && message.shape.is_empty() && !twice {
        return;
    }
    for key in message.private.iter().chain(&extra) {
        plan.repair(RepairKind::UnknownFieldDropped, id, None, None, Some(key));
    }
    for field in message.shape.iter().copied().chain(twice.then_some("duplicate key")) {
        plan.repair(RepairKind::ShapeFixed, id, None, None, Some(field));
    }
    let slot = plan.slot_mut(slot);
    slot.strip = extra;
    slot.touched = true;
}

/// The keys that the wire does not know: the dialect's table lists more than some servers take.
fn extra_of<N>(message: &Message<'_, N>, request: &Request<'_, N>) -> Vec<String> {
    let Some(listed) = &request.policy.message_keys else { return message.extra.clone() };
    let keys = message.extra.iter().map(String::as_str).chain(message.beside.iter().copied());
    keys.filter(|key| !listed.iter().any(|known| known == key)).map(str::to_owned).collect()
}

fn settle_piece<S: Source>(plan: &mut Plan<'_, '_, S>, piece: PieceId, strip: bool) -> bool {
    let Some(block) = plan.block_of(piece) else { return false };
    let extra = if strip { block.extra() } else { &[] };
    for key in block.private().iter().chain(extra) {
        plan.repair_block(RepairKind::UnknownFieldDropped, piece, Some(key));
    }
    for field in block.shape() {
        plan.repair_block(RepairKind::ShapeFixed, piece, Some(field));
    }
    let goes = !block.private().is_empty() || !extra.is_empty();
    let reshapes = !block.shape().is_empty();
    // Every piece in it counts, so all are settled.
    let changes = opened_if_odd(plan, piece).into_iter().fold(false, |any, part| settle_piece(plan, part, strip) | any);
    if !changes && !goes && !reshapes {
        return false;
    }
    let piece = plan.piece_mut(piece);
    piece.strip |= goes;
    piece.shape |= reshapes;
    piece.touched = true;
    true
}

/// The pieces in a result that is open, or has to be; of any other none.
fn opened_if_odd<S: Source>(plan: &mut Plan<'_, '_, S>, piece: PieceId) -> Vec<PieceId> {
    let is_odd = plan.piece(piece).block.is_some_and(|id| {
        let inner = plan.outline.inner_blocks(id);
        inner.iter().any(|b| !b.private().is_empty() || !b.extra().is_empty() || !b.shape().is_empty())
    });
    if is_odd || plan.opened(piece).is_some() { plan.open(piece) } else { Vec::new() }
}
