//! Rule 5: reasoning. Mirrored by `apus._pure.rules.reasoning`.

use crate::outline::{Block, BlockKind, Role};
use crate::plan::{PieceId, Plan, SlotId};
use crate::policy::{ReasoningField, Thinking};
use crate::repairs::RepairKind;
use crate::request::Request;
use crate::rules::shared::{current_turn, drop_emptied};
use crate::source::{Kind, Source};

/// Keep the reasoning that the target made and takes, drop the rest; it never becomes visible text.
pub(crate) fn settle_reasoning<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    let kind = request.policy.thinking;
    if plan.may_have(BlockKind::Reasoning) || kind == Thinking::KeepField {
        let start = if kind == Thinking::CurrentTurn { current_turn(plan, request) } else { 0 };
        for number in 0..plan.order.len() {
            settle_turn(plan, plan.order[number], request, number < start);
        }
    }
    drop_emptied(plan, Role::Assistant);
}

fn settle_turn<S: Source>(plan: &mut Plan<'_, '_, S>, slot: SlotId, request: &Request<'_, S::Node>, before: bool) {
    let kind = request.policy.thinking;
    let thoughts = plan.pieces(slot).filter(|id| plan.piece(*id).kind == BlockKind::Reasoning).count();
    let refused = if thoughts > 0 { refused(plan, slot, request, before) } else { Vec::new() };
    if !refused.is_empty() {
        if kind == Thinking::CurrentTurn && plan.is_own_turn(slot) {
            plan.move_prefix("current_turn_reasoning");
        }
        if kind == Thinking::Signed && plan.message_of(slot).is_some_and(|message| message.void) {
            plan.move_prefix("compaction");
        }
        drop_reasoning(plan, slot, request, Some(&refused));
    }
    if kind == Thinking::KeepField && refused.len() == thoughts && needs_field(plan, slot, request) {
        let message = plan.slot(slot).message;
        let piece = plan.make(BlockKind::Reasoning, message);
        plan.piece_mut(piece).edit_mut().text = Some(String::new());
        let mut pieces = vec![piece];
        pieces.extend(plan.pieces(slot));
        plan.set(slot, pieces);
        plan.repair(RepairKind::ReasoningFieldAdded, message, None, None, None);
    }
}

/// Take reasoning out of a turn: all of it, or the pieces in `going`, which are in the slot's order.
pub(crate) fn drop_reasoning<S: Source>(
    plan: &mut Plan<'_, '_, S>,
    slot: SlotId,
    request: &Request<'_, S::Node>,
    going: Option<&[PieceId]>,
) {
    let mut named = going.map(|going| going.iter().peekable());
    let mut rest = Vec::with_capacity(plan.len_of(slot));
    for place in 0..plan.len_of(slot) {
        let piece = plan.at(slot, place);
        let is_named = named.as_mut().is_none_or(|named| named.next_if_eq(&&piece).is_some());
        if plan.piece(piece).kind == BlockKind::Reasoning && is_named {
            let (message, block) = (plan.piece(piece).message, plan.piece(piece).block);
            plan.repair(RepairKind::ThinkingDropped, message, block, None, None);
        } else {
            rest.push(piece);
        }
    }
    if rest.is_empty() && request.policy.keep_turn_shape && plan.slot(slot).role == Role::Assistant {
        let message = plan.slot(slot).message;
        rest.push(plan.note(request.texts.note.reasoning_omitted.as_str(), message));
    }
    plan.set(slot, rest);
}

/// The reasoning that goes; only an assistant reasons.
fn refused<S: Source>(
    plan: &Plan<'_, '_, S>,
    slot: SlotId,
    request: &Request<'_, S::Node>,
    before: bool,
) -> Vec<PieceId> {
    let thoughts = plan.pieces(slot).filter(|id| plan.piece(*id).kind == BlockKind::Reasoning);
    if plan.slot(slot).role != Role::Assistant {
        return thoughts.collect();
    }
    if request.policy.thinking == Thinking::RefuseField && plan.is_own_turn(slot) {
        return thoughts.filter(|id| !has_key(plan, *id, request)).collect();
    }
    if goes(plan, slot, request, before) {
        return thoughts.collect();
    }
    let misplaced = |id| is_part(plan, id, request) && !has_key(plan, id, request);
    thoughts.filter(|id| misplaced(*id) || has_no_form(plan, *id, request)).collect()
}

/// Whether it stands under a key that the target takes reasoning under.
fn has_key<S: Source>(plan: &Plan<'_, '_, S>, piece: PieceId, request: &Request<'_, S::Node>) -> bool {
    plan.block_of(piece).is_some_and(|block| {
        request.same && !block.foreign && request.policy.reasoning_keys.iter().any(|key| key == block.key)
    })
}

/// Whether it stands in the content, on a wire that has fields for reasoning.
fn is_part<S: Source>(plan: &Plan<'_, '_, S>, piece: PieceId, request: &Request<'_, S::Node>) -> bool {
    request.same && request.beside_content && plan.block_of(piece).is_some_and(|block| block.key == "content")
}

/// Whether a field can't hold it: it is no text, or a text that is not to be read.
fn has_no_form<S: Source>(plan: &Plan<'_, '_, S>, piece: PieceId, request: &Request<'_, S::Node>) -> bool {
    let needed = !request.same || request.policy.thinking == Thinking::KeepField;
    let is_text = |node| plan.outline.source.kind(node) == Kind::String;
    let holds = |block: &Block<'_, S::Node>| !block.redacted && block.text.is_some_and(is_text);
    request.beside_content && needed && plan.block_of(piece).is_some_and(|block| !holds(block))
}

/// Whether the reasoning of a turn goes; under `signed` a turn is all or nothing.
fn goes<S: Source>(plan: &Plan<'_, '_, S>, slot: SlotId, request: &Request<'_, S::Node>, before: bool) -> bool {
    let kind = request.policy.thinking;
    if !plan.is_own_turn(slot) || matches!(kind, Thinking::Drop | Thinking::RefuseField) {
        return true;
    }
    if kind != Thinking::Signed {
        return before;
    }
    let void = plan.message_of(slot).is_some_and(|message| message.void);
    let thoughts = plan.pieces(slot).filter(|id| plan.piece(*id).kind == BlockKind::Reasoning);
    let unsigned = thoughts.filter_map(|id| plan.block_of(id)).any(|block| !block.signed);
    void || unsigned || request.facts.thinking == Some(false)
}

fn needs_field<S: Source>(plan: &Plan<'_, '_, S>, slot: SlotId, request: &Request<'_, S::Node>) -> bool {
    let thinking = request.facts.thinking;
    let has_fields = request.beside_content && plan.slot(slot).role == Role::Assistant;
    if !has_fields || !thinking.unwrap_or(request.policy.model.is_some()) {
        return false;
    }
    let on_all = request.policy.reasoning_field == ReasoningField::All && thinking == Some(true);
    on_all || plan.has(slot, BlockKind::Call)
}
