//! Rule 2: mark where input came from. Mirrored by `apus._pure.rules.provenance`.

use std::borrow::Cow;
use std::fmt::Write;

use crate::names::is_space;
use crate::outline::{BlockKind, Role};
use crate::plan::Plan;
use crate::repairs::RepairKind;
use crate::request::Request;
use crate::source::Source;

const PARTS: [&str; 3] = ["sourceSession", "sourceChannel", "sourceTool"];
/// Characters of one part.
const LONGEST: usize = 200;

/// Put the marker in front of the first text of each user message that another session or tool sent.
pub(crate) fn mark_provenance<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    if !request.full || plan.outline.messages.iter().all(|m| m.provenance.is_none()) {
        return;
    }
    let source = plan.outline.source;
    for number in 0..plan.order.len() {
        let slot = plan.order[number];
        if plan.slot(slot).role != Role::User {
            continue;
        }
        let Some(parts) = plan.message_of(slot).and_then(|m| m.provenance.as_ref()) else { continue };
        let message = plan.slot(slot).message;
        let marker = marker_of(parts, &request.texts.note.inter_session);
        let first = plan.pieces(slot).find(|id| plan.piece(*id).kind == BlockKind::Text && !plan.is_blank(*id));
        if let Some(first) = first {
            let said = plan.block_of(first).and_then(|b| b.text).and_then(|node| source.text(node));
            if said.is_some_and(|said| said.starts_with(&marker)) {
                continue;
            }
            plan.piece_mut(first).edit_mut().prefix = Some(marker + "\n");
            plan.touch(slot, first);
        } else {
            let mut pieces = vec![plan.note(marker, message)];
            pieces.extend(plan.pieces(slot));
            plan.set(slot, pieces);
        }
        plan.repair(RepairKind::ProvenanceMarked, message, None, None, None);
    }
}

/// The two marker lines; `parts` are the known values of `PARTS` in order, empty where unknown.
pub(crate) fn marker_of(parts: &[Cow<'_, str>; 3], sentence: &str) -> String {
    let mut made = "[Inter-session message]".to_owned();
    for (key, value) in PARTS.iter().zip(parts).filter(|(_, value)| !value.is_empty()) {
        let _ = write!(made, " {key}={}", line(value));
    }
    let _ = write!(made, " isUser=false\n{sentence}");
    made
}

/// One line of at most 200 characters.
fn line(value: &str) -> String {
    let words: Vec<&str> = value.split(is_space).filter(|word| !word.is_empty()).collect();
    words.join(" ").chars().take(LONGEST).collect()
}
