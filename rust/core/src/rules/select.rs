//! Rule 1: select what takes part. Mirrored by `apus._pure.rules.select`.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::names::trimmed;
use crate::outline::{BlockKind, Role, Summary};
use crate::plan::{Plan, SlotId};
use crate::repairs::RepairKind;
use crate::request::Request;
use crate::source::Source;

/// Leave out what never was model input; what only a runner can read is introduced for the model.
pub(crate) fn select<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    render(plan, request);
    if !request.full || !plan.outline.messages.iter().any(|m| m.excluded || m.mirror) {
        return;
    }
    let order = std::mem::take(&mut plan.order);
    let mut kept = Vec::with_capacity(order.len());
    let mut said = HashSet::new();
    // Looked through only when a mirror follows: most turns have none.
    let mut turn = None;
    for slot in order {
        let message = plan.message_of(slot);
        let (excluded, mirror) = message.map_or((false, false), |m| (m.excluded, m.mirror));
        let number = plan.slot(slot).message;
        if excluded {
            plan.repair(RepairKind::TranscriptOnlyDropped, number, None, None, Some("excluded"));
            continue;
        }
        if mirror {
            if let Some(turn) = turn.take() {
                said = words(plan, turn);
                said.extend(sent(plan, turn));
            }
            let spoken = words(plan, slot);
            if spoken.is_subset(&said) {
                plan.repair(RepairKind::TranscriptOnlyDropped, number, None, None, Some("mirror"));
                continue;
            }
            said.extend(spoken);
        } else if plan.slot(slot).role == Role::Assistant {
            turn = Some(slot);
        } else if plan.slot(slot).role == Role::User {
            turn = None;
            said.clear();
        }
        kept.push(slot);
    }
    plan.order = kept;
}

/// A summary says that it is one, a command that the user ran it.
fn render<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    if plan.outline.messages.iter().all(|m| m.summary.is_none()) {
        return;
    }
    for number in 0..plan.order.len() {
        let slot = plan.order[number];
        let Some(message) = plan.message_of(slot) else { continue };
        let Some(summary) = message.summary.filter(|_| !request.same || message.stored.is_none()) else { continue };
        let note = match summary {
            Summary::Summary => &request.texts.note.summary,
            Summary::Branch => &request.texts.note.branch,
            Summary::Command => &request.texts.note.command,
        };
        let first = plan.pieces(slot).find(|id| plan.piece(*id).kind == BlockKind::Text);
        if let Some(first) = first {
            plan.piece_mut(first).edit_mut().prefix = Some(format!("{note}\n"));
            plan.touch(slot, first);
        }
    }
}

/// The texts of an assistant turn.
fn words<'s, S: Source>(plan: &Plan<'_, 's, S>, slot: SlotId) -> HashSet<Cow<'s, str>> {
    let texts = plan.pieces(slot).filter(|id| plan.piece(*id).kind == BlockKind::Text && !plan.is_blank(*id));
    let nodes = texts.filter_map(|id| plan.block_of(id).and_then(|b| b.text));
    nodes.filter_map(|node| plan.outline.source.text(node)).map(stripped).filter(|word| !word.is_empty()).collect()
}

/// The text values in the arguments of its calls: what a message tool was told to send.
fn sent<'s, S: Source>(plan: &Plan<'_, 's, S>, slot: SlotId) -> Vec<Cow<'s, str>> {
    let source = plan.outline.source;
    let calls = plan.pieces(slot).filter(|id| plan.piece(*id).kind == BlockKind::Call);
    let arguments = calls.filter_map(|id| plan.block_of(id).and_then(|b| b.text));
    arguments.flat_map(|node| source.entries(node)).filter_map(|(_, value)| source.text(value)).map(stripped).collect()
}

fn stripped(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(trimmed(text)),
        Cow::Owned(text) => Cow::Owned(trimmed(&text).to_owned()),
    }
}
