//! Rule 6, first part: results that no call keeps. Mirrored by `apus._pure.rules.orphans`.

use crate::outline::{BlockKind, Role};
use crate::plan::{Fate, PieceId, Plan, SlotId};
use crate::repairs::RepairKind;
use crate::request::{Orphans, Request};
use crate::source::Source;
use crate::texts::fill;
use crate::traces::trace_of;

/// Drop or note each result that is not the one of a call; a replaced synthetic one goes without a word.
pub(crate) fn settle_results<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    if !plan.may_have(BlockKind::Result) {
        return;
    }
    let mut order = std::mem::take(&mut plan.order);
    order.retain(|slot| settle_slot(plan, *slot, request));
    plan.order = order;
}

/// Settle the results of a slot; whether anything is left of it.
fn settle_slot<S: Source>(plan: &mut Plan<'_, '_, S>, slot: SlotId, request: &Request<'_, S::Node>) -> bool {
    let goes = |plan: &Plan<'_, '_, S>, id: PieceId| {
        plan.piece(id).kind == BlockKind::Result && plan.piece(id).fate != Fate::Kept
    };
    if !plan.pieces(slot).any(|id| goes(plan, id)) {
        return true;
    }
    let mut kept = Vec::with_capacity(plan.len_of(slot));
    for place in 0..plan.len_of(slot) {
        let piece = plan.at(slot, place);
        if goes(plan, piece) {
            kept.extend(settled(plan, piece, request));
        } else {
            kept.push(piece);
        }
    }
    // A user message that held results alone is gone with them; one note of a result is a user message.
    if kept.is_empty() {
        return false;
    }
    plan.set(slot, kept);
    if plan.slot(slot).role == Role::Result {
        plan.slot_mut(slot).role = Role::User;
    }
    true
}

/// What stands in the place of a result: nothing, or a note with its content.
fn settled<S: Source>(plan: &mut Plan<'_, '_, S>, result: PieceId, request: &Request<'_, S::Node>) -> Vec<PieceId> {
    let note = &request.texts.note;
    let fate = plan.piece(result).fate;
    let is_orphan = matches!(fate, Fate::Orphan | Fate::Ambiguous);
    if is_orphan && request.orphans == Orphans::Note && !plan.is_synthetic(result) {
        plan.repair_piece(RepairKind::OrphanResultNoted, result, None);
        return noted(plan, result, &note.orphan_result);
    }
    let kind = match fate {
        Fate::Late => {
            plan.repair_piece(RepairKind::LateResultNoted, result, None);
            return noted(plan, result, &note.late_result);
        }
        Fate::Replaced | Fate::Kept => return Vec::new(),
        Fate::Orphan | Fate::CallDropped => RepairKind::OrphanResultDropped,
        Fate::Ambiguous => RepairKind::AmbiguousResultDropped,
        Fate::Duplicate => RepairKind::DuplicateResultDropped,
    };
    let trace = trace(plan, result);
    plan.repair_piece(kind, result, Some(&trace));
    Vec::new()
}

fn noted<S: Source>(plan: &mut Plan<'_, '_, S>, result: PieceId, text: &str) -> Vec<PieceId> {
    let tool = plan.piece(result).call.map_or_else(|| plan.name_of(result), |call| plan.name_of(call));
    let text = fill(text, &[("name", tool), ("id", plan.id_of(result))]);
    let message = plan.piece(result).message;
    let mut pieces = vec![plan.note(text, message)];
    pieces.extend(plan.open(result));
    pieces
}

/// Tool name, size and digest of a result that is not sent.
fn trace<S: Source>(plan: &Plan<'_, '_, S>, result: PieceId) -> String {
    let Some(block) = plan.block_of(result) else { return String::new() };
    let called = plan.piece(result).call.and_then(|call| plan.name_of(call));
    let recorded = block.name.as_deref().filter(|name| !name.is_empty());
    let name = recorded.or(called).filter(|name| !name.is_empty()).unwrap_or("unknown");
    format!("{name} {}", trace_of(plan.outline.source, block.text))
}
