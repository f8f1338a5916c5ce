//! Rule 9, places: media that a result can't hold. Mirrored by `apus._pure.rules.media_moves`.

use super::media::{holds_media, is_media};
use crate::outline::{BlockKind, Role};
use crate::plan::{PieceId, Plan, SlotId};
use crate::policy::BlankResult;
use crate::repairs::RepairKind;
use crate::request::Request;
use crate::source::Source;
use crate::texts;

/// Media that results can't hold follow in a user message, behind all results of their frame.
pub(super) fn move_media<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    if request.policy.images_in_results && !request.policy.error_results_text_only {
        return;
    }
    let order = std::mem::take(&mut plan.order);
    let mut slots = Vec::with_capacity(order.len());
    let mut waiting = Vec::new();
    for slot in order {
        if !waiting.is_empty() && plan.slot(slot).role != Role::Result {
            slots.push(plan.new_slot(Role::User, None, std::mem::take(&mut waiting)));
        }
        slots.push(slot);
        let mut moved = Vec::new();
        let mut last = 0;
        for at in 0..plan.len_of(slot) {
            let piece = plan.at(slot, at);
            if plan.piece(piece).kind == BlockKind::Result {
                last = at + 1;
                taken_out(plan, slot, piece, request, &mut moved);
            }
        }
        if request.results_in_user && !moved.is_empty() {
            let mut pieces = plan.listed(slot);
            pieces.splice(last..last, moved);
            plan.set(slot, pieces);
        } else {
            waiting.append(&mut moved);
        }
    }
    if !waiting.is_empty() {
        slots.push(plan.new_slot(Role::User, None, waiting));
    }
    plan.order = slots;
}

/// The media of a result, introduced by the name of its call, go to `moved`; the result keeps the rest.
fn taken_out<S: Source>(
    plan: &mut Plan<'_, '_, S>,
    slot: SlotId,
    piece: PieceId,
    request: &Request<'_, S::Node>,
    moved: &mut Vec<PieceId>,
) {
    let is_bare = plan.piece(piece).error && request.policy.error_results_text_only;
    if (request.policy.images_in_results && !is_bare) || (plan.opened(piece).is_none() && !holds_media(plan, piece)) {
        return;
    }
    let (media, rest): (Vec<_>, Vec<_>) = plan.open(piece).into_iter().partition(|part| is_media(plan, *part));
    if media.is_empty() {
        return;
    }
    settle_rest(plan, piece, rest, request);
    plan.touch(slot, piece);
    let (block, id) = (plan.piece(piece).block, plan.id_of(piece).map(str::to_owned));
    for part in &media {
        let message = plan.piece(*part).message;
        plan.repair(RepairKind::MediaMoved, message, block, id.as_deref(), None);
    }
    let call = plan.piece(piece).call;
    let (name, id) = (call.and_then(|call| plan.name_of(call)), plan.id_of(call.unwrap_or(piece)));
    let head = texts::fill(&request.texts.note.media_of_result, &[("name", name), ("id", id)]);
    let note = plan.note(head, plan.piece(piece).message);
    moved.push(note);
    moved.extend(media);
}

/// What a result keeps; a placeholder where that is nothing to read.
fn settle_rest<S: Source>(
    plan: &mut Plan<'_, '_, S>,
    piece: PieceId,
    rest: Vec<PieceId>,
    request: &Request<'_, S::Node>,
) {
    let is_blank = rest.iter().all(|part| plan.piece(*part).kind == BlockKind::Text && plan.is_blank(*part));
    if !is_blank || request.policy.blank_result == BlankResult::Keep {
        plan.set_inner(piece, rest);
        return;
    }
    let note = plan.note(request.texts.note.empty_result.as_str(), plan.piece(piece).message);
    plan.set_inner(piece, vec![note]);
    plan.repair_block(RepairKind::PlaceholderInserted, piece, None);
}
