//! Rule 11: the end of the history. Mirrored by `apus._pure.rules.tail`.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::shared::{last_spoken, running_loop};
use crate::names::is_space;
use crate::outline::{BlockKind, Role, Stop};
use crate::plan::{PieceId, Plan, SlotId};
use crate::policy::{LastRole, Prefill};
use crate::repairs::RepairKind;
use crate::request::{Request, Trailing};
use crate::source::Source;

/// End the history as the target wants it, and report what only the caller can change.
pub(crate) fn settle_tail<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    if let Some(last) = last_spoken(plan).filter(|last| is_prefill(plan, *last)) {
        settle_prefill(plan, last, request);
    }
    let empty = last_spoken(plan).is_none() && !request.facts.server_state;
    // A trailing assistant message is settled above.
    let ends_in_system = plan.order.last().is_some_and(|last| plan.slot(*last).role.is_system());
    if empty || (ends_in_system && request.policy.last_role == LastRole::UserOrResult) {
        continue_history(plan, request);
    }
    require(plan, request);
}

/// Whether a slot is an assistant message that the model could go on with.
fn is_prefill<S: Source>(plan: &Plan<'_, '_, S>, slot: SlotId) -> bool {
    plan.slot(slot).role == Role::Assistant && !plan.has(slot, BlockKind::Call)
}

fn continue_history<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    let last = plan.order.last().and_then(|last| plan.slot(*last).message);
    let slot = plan.user_note(request.texts.note.continuation.as_str());
    plan.order.push(slot);
    plan.repair(RepairKind::ContinuationInserted, last, None, None, None);
}

fn settle_prefill<S: Source>(plan: &mut Plan<'_, '_, S>, last: SlotId, request: &Request<'_, S::Node>) {
    let policy = request.policy;
    let paused = plan.message_of(last).is_some_and(|message| message.stop == Stop::Pause);
    if paused || plan.pieces(last).next_back().is_some_and(|id| plan.piece(id).kind.is_server()) {
        return;
    }
    let thinks = request.facts.thinking == Some(true) && !policy.prefill_with_thinking;
    if policy.prefill == Prefill::Never || thinks || too_many(plan, request) {
        match request.trailing {
            Trailing::Strip => strip(plan),
            Trailing::Continue => continue_history(plan, request),
        }
    } else if policy.prefill == Prefill::Flag && plan.order.last() == Some(&last) {
        let slot = plan.slot_mut(last);
        if !slot.prefix {
            slot.prefix = true;
            slot.touched = true;
            let message = slot.message;
            plan.repair(RepairKind::PrefillMarked, message, None, None, None);
        }
    } else if policy.trim_prefill {
        trim(plan, last);
    }
}

fn too_many<S: Source>(plan: &Plan<'_, '_, S>, request: &Request<'_, S::Node>) -> bool {
    let Some(limit) = request.policy.max_trailing_assistants else { return false };
    let start = plan.order.len().checked_sub(limit.saturating_add(1));
    let tail = start.and_then(|start| plan.order.get(start..));
    tail.is_some_and(|tail| tail.iter().all(|slot| plan.slot(*slot).role == Role::Assistant))
}

fn strip<S: Source>(plan: &mut Plan<'_, '_, S>) {
    let mut end = plan.order.len();
    let mut systems = Vec::new(); // last one first
    while let Some(slot) = end.checked_sub(1).and_then(|place| plan.order.get(place).copied()) {
        if plan.slot(slot).role.is_system() {
            systems.push(slot);
        } else if is_prefill(plan, slot) {
            let message = plan.slot(slot).message;
            plan.repair(RepairKind::PrefillStripped, message, None, None, None);
        } else {
            break;
        }
        end -= 1;
    }
    plan.order.truncate(end);
    plan.order.extend(systems.into_iter().rev());
}

fn trim<S: Source>(plan: &mut Plan<'_, '_, S>, last: SlotId) {
    let Some(piece) = plan.pieces(last).next_back().filter(|id| plan.piece(*id).kind == BlockKind::Text) else {
        return;
    };
    let Some(made) = trimmed(plan, piece) else { return };
    plan.piece_mut(piece).edit_mut().text = Some(made);
    plan.touch(last, piece);
    plan.repair_block(RepairKind::TextTrimmed, piece, None);
}

/// The text of a piece without white space at its end; `None` if it has none there.
fn trimmed<S: Source>(plan: &Plan<'_, '_, S>, piece: PieceId) -> Option<String> {
    let source = plan.outline.source;
    let said = match plan.piece(piece).text() {
        Some(text) => text.into(),
        None => plan.block_of(piece)?.text.and_then(|node| source.text(node))?,
    };
    let kept = said.trim_end_matches(is_space);
    (kept.len() < said.len()).then(|| kept.to_owned())
}

/// Requirements change nothing: the caller must change something outside the history.
fn require<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    if lacks_reasoning(plan, request) {
        plan.repair(RepairKind::ThinkingMustBeOff, None, None, None, None);
    }
    let has_no_tools = request.facts.tools.as_ref().is_some_and(FxHashSet::is_empty);
    if request.policy.tools_required_with_calls && has_no_tools {
        let pieces = plan.order.iter().flat_map(|slot| plan.pieces(*slot));
        let calls = pieces.filter(|id| plan.piece(*id).kind == BlockKind::Call);
        let names: BTreeSet<&str> = calls.map(|id| plan.name_of(id).unwrap_or_default()).collect();
        if !names.is_empty() {
            let detail = names.into_iter().collect::<Vec<_>>().join(" ");
            plan.repair(RepairKind::ToolConfigRequired, None, None, None, Some(&detail));
        }
    }
}

fn lacks_reasoning<S: Source>(plan: &Plan<'_, '_, S>, request: &Request<'_, S::Node>) -> bool {
    let (policy, facts) = (request.policy, &request.facts);
    if policy.reasoning_with_calls && facts.thinking != Some(false) {
        let lacks = |slot: SlotId| plan.has(slot, BlockKind::Call) && !plan.has(slot, BlockKind::Reasoning);
        return plan.order.iter().any(|slot| lacks(*slot));
    }
    if !policy.thinking_starts_loop || facts.thinking != Some(true) || facts.adaptive {
        return false;
    }
    let running = plan.order.get(running_loop(plan)..).unwrap_or_default();
    let mut turns = running.iter().filter(|slot| plan.slot(**slot).role == Role::Assistant).peekable();
    let thinks =
        |slot: &SlotId| plan.pieces(*slot).next().is_some_and(|id| plan.piece(id).kind == BlockKind::Reasoning);
    turns.peek().is_some() && !turns.any(thinks)
}
