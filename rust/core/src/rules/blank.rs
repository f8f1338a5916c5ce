//! Rule 8: blank content. Mirrored by `apus._pure.rules.blank`.

use crate::outline::{BlockKind, Content, Message, Role};
use crate::plan::{CallOnly, PieceId, Plan, SlotId};
use crate::policy::{BlankResult, BlankText, EmptyAssistant};
use crate::repairs::RepairKind;
use crate::request::Request;
use crate::source::Source;

/// Drop blank texts where the target refuses them; what is left empty is dropped or gets a placeholder.
pub(crate) fn settle_blank<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    let drop = request.full || request.policy.blank_text == BlankText::Drop;
    let mut kept = 0;
    for place in 0..plan.order.len() {
        let slot = plan.order[place];
        if drop {
            drop_blank(plan, slot, request);
        }
        for at in 0..plan.len_of(slot) {
            let piece = plan.at(slot, at);
            if plan.piece(piece).kind == BlockKind::Result {
                settle_result(plan, slot, piece, request, drop);
            }
        }
        if plan.slot(slot).role == Role::Assistant && plan.has(slot, BlockKind::Call) {
            if request.beside_content {
                settle_call_only(plan, slot, request);
            }
        } else if is_empty(plan, slot, request, drop) && !fill(plan, slot, request) {
            let message = plan.slot(slot).message;
            plan.repair(RepairKind::EmptyTurnDropped, message, None, None, None);
            continue;
        }
        plan.order[kept] = slot;
        kept += 1;
    }
    plan.order.truncate(kept);
    if drop && plan.system.iter().any(|id| is_blank_text(plan, *id)) {
        let spoken = plan.system.iter().copied().filter(|id| !is_blank_text(plan, *id)).collect();
        plan.system = spoken;
        plan.system_touched = true;
        plan.repair(RepairKind::BlankTextDropped, None, None, None, Some("system"));
    }
}

fn is_blank_text<S: Source>(plan: &Plan<'_, '_, S>, piece: PieceId) -> bool {
    plan.piece(piece).kind == BlockKind::Text && plan.is_blank(piece)
}

fn drop_blank<S: Source>(plan: &mut Plan<'_, '_, S>, slot: SlotId, request: &Request<'_, S::Node>) {
    if !plan.pieces(slot).any(|id| is_blank_text(plan, id)) {
        return;
    }
    let pieces = plan.listed(slot);
    let signed = signed_behind(plan, &pieces);
    let mut kept: Vec<PieceId> = Vec::with_capacity(pieces.len());
    for (piece, signed) in pieces.into_iter().zip(signed) {
        if !is_blank_text(plan, piece) {
            kept.push(piece);
        } else if signed && kept.last().is_some_and(|last| plan.is_signed(*last)) {
            let edited = plan.piece_mut(piece);
            edited.edit_mut().text = Some(request.texts.note.separator.clone());
            edited.touched = true;
            plan.repair_block(RepairKind::SeparatorReplaced, piece, None);
            kept.push(piece);
        } else {
            plan.repair_block(RepairKind::BlankTextDropped, piece, None);
        }
    }
    plan.set(slot, kept);
}

/// For each piece, whether the next one that stays is signed: a blank text between two such keeps them apart.
fn signed_behind<S: Source>(plan: &Plan<'_, '_, S>, pieces: &[PieceId]) -> Vec<bool> {
    let mut signed = false;
    let mut found: Vec<bool> = Vec::with_capacity(pieces.len());
    for piece in pieces.iter().rev() {
        found.push(signed);
        if !is_blank_text(plan, *piece) {
            signed = plan.is_signed(*piece);
        }
    }
    found.reverse();
    found
}

fn settle_result<S: Source>(
    plan: &mut Plan<'_, '_, S>,
    slot: SlotId,
    piece: PieceId,
    request: &Request<'_, S::Node>,
    drop: bool,
) {
    let Some(id) = plan.piece(piece).block else { return };
    let outline = plan.outline;
    let stored = outline.inner_blocks(id);
    if drop && stored.iter().any(|b| b.kind == BlockKind::Text && b.blank && b.index.is_some()) {
        // A bare string may be empty; a text block may not.
        let mut kept = plan.open(piece);
        let before = kept.len();
        kept.retain(|part| !is_blank_text(plan, *part));
        if kept.len() != before {
            plan.set_inner(piece, kept);
            plan.touch(slot, piece);
            plan.repair_block(RepairKind::BlankTextDropped, piece, None);
        }
    }
    if request.policy.blank_result == BlankResult::Placeholder && is_blank_result(plan, piece) {
        let message = plan.piece(piece).message;
        let note = plan.note(request.texts.note.empty_result.as_str(), message);
        plan.set_inner(piece, vec![note]);
        plan.touch(slot, piece);
        plan.repair_block(RepairKind::PlaceholderInserted, piece, None);
    }
}

/// Whether a result says nothing at all; a look that opens nothing, so that the result stays as it is stored.
fn is_blank_result<S: Source>(plan: &Plan<'_, '_, S>, piece: PieceId) -> bool {
    match (plan.opened(piece), plan.piece(piece).block) {
        (Some(inner), _) => inner.iter().all(|part| is_blank_text(plan, *part)),
        (None, Some(id)) => plan.outline.inner_blocks(id).iter().all(|b| b.kind == BlockKind::Text && b.blank),
        (None, None) => true,
    }
}

/// Write the content of a message that holds calls alone as the target wants it.
fn settle_call_only<S: Source>(plan: &mut Plan<'_, '_, S>, slot: SlotId, request: &Request<'_, S::Node>) {
    let speaks = |id| !matches!(plan.piece(id).kind, BlockKind::Call | BlockKind::Reasoning) && !plan.is_blank(id);
    if plan.pieces(slot).any(speaks) {
        return;
    }
    let stored = plan.message_of(slot).filter(|_| request.same);
    let style = match request.policy.call_only_content.as_deref() {
        None | Some("null") => CallOnly::Null,
        Some("" | "empty") => CallOnly::Empty,
        Some("omit") => CallOnly::Omit,
        Some("any") => return,
        // Most servers refuse an empty array.
        _ if stored.is_some_and(|m| m.content == Content::List) && slot_is_bare(plan, slot) => CallOnly::Null,
        _ => return,
    };
    let differs = stored.map(|message| style_of(message) != Some(style));
    if differs == Some(false) && !plan.slot(slot).touched {
        return;
    }
    plan.slot_mut(slot).call_only = Some(style);
    if differs == Some(true) {
        let edited = plan.slot_mut(slot);
        edited.touched = true;
        let message = edited.message;
        plan.repair(RepairKind::ShapeFixed, message, None, None, Some("content"));
    }
}

/// Whether no text stands beside the calls, not even a blank one.
fn slot_is_bare<S: Source>(plan: &Plan<'_, '_, S>, slot: SlotId) -> bool {
    !plan.has(slot, BlockKind::Text)
}

/// How the content of a call-only message is stored; `None`: as a list, or as nothing known.
fn style_of<N>(message: &Message<'_, N>) -> Option<CallOnly> {
    match message.content {
        Content::Null => Some(CallOnly::Null),
        Content::Absent => Some(CallOnly::Omit),
        Content::Text => Some(CallOnly::Empty),
        Content::List | Content::Object | Content::Other => None,
    }
}

/// Whether a message has nothing that the target counts as content.
fn is_empty<S: Source>(plan: &Plan<'_, '_, S>, slot: SlotId, request: &Request<'_, S::Node>, drop: bool) -> bool {
    let state = plan.slot(slot);
    if state.role == Role::Result || state.prefix {
        return false;
    }
    let spoken = || {
        let counts = |id: &PieceId| !request.beside_content || plan.piece(*id).kind != BlockKind::Reasoning;
        plan.pieces(slot).filter(counts)
    };
    let drops_empty = request.policy.empty_assistant == EmptyAssistant::Drop;
    let is_silent = (state.touched || request.beside_content) && spoken().next().is_none();
    if plan.len_of(slot) == 0 || is_silent {
        let bare = plan.message_of(slot).is_none_or(|message| message.content != Content::Text);
        return bare || state.touched || drops_empty;
    }
    let refused = drop || (state.role == Role::Assistant && drops_empty);
    refused && spoken().all(|id| is_blank_text(plan, id))
}

/// A placeholder for a user; an assistant gets none, models imitate them.
fn fill<S: Source>(plan: &mut Plan<'_, '_, S>, slot: SlotId, request: &Request<'_, S::Node>) -> bool {
    if !matches!(plan.slot(slot).role, Role::User | Role::Other) {
        return false;
    }
    let message = plan.slot(slot).message;
    let note = plan.note(request.texts.note.empty_user.as_str(), message);
    plan.set(slot, vec![note]);
    plan.repair(RepairKind::PlaceholderInserted, message, None, None, None);
    true
}
