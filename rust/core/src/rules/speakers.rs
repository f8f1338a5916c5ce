//! Rule 10, names: who speaks inside a role. Mirrored by `apus._pure.rules.speakers`.

use crate::names::{fits, fitted};
use crate::outline::{BlockKind, Role};
use crate::plan::{Plan, SlotId};
use crate::repairs::RepairKind;
use crate::request::Request;
use crate::source::Source;

/// Fit each speaker's name to the target's pattern; where the wire has none, it stands in front of the text.
pub(crate) fn settle_speakers<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    let rule = request.policy.speaker_name.as_ref();
    for place in 0..plan.order.len() {
        let slot = plan.order[place];
        let state = plan.slot_mut(slot);
        if state.role == Role::Result {
            continue;
        }
        let Some(old) = state.name.take_if(|name| !rule.is_some_and(|rule| fits(name, rule))) else { continue };
        state.name = rule.map(|rule| fitted(&old, rule, "")).filter(|name| !name.is_empty()).map(Into::into);
        state.touched = true;
        let message = state.message;
        if rule.is_none() {
            label(plan, slot, &old);
        }
        plan.repair(RepairKind::SpeakerNameRewritten, message, None, None, Some(&old));
    }
}

/// Put a name in front of the first text of a user's message.
pub(crate) fn label<S: Source>(plan: &mut Plan<'_, '_, S>, slot: SlotId, name: &str) {
    if plan.slot(slot).role != Role::User {
        return;
    }
    let first = plan.pieces(slot).find(|id| plan.piece(*id).kind == BlockKind::Text && !plan.is_blank(*id));
    if let Some(first) = first {
        let prefix = format!("{name}: {}", plan.piece(first).prefix().unwrap_or_default());
        plan.piece_mut(first).edit_mut().prefix = Some(prefix);
        plan.touch(slot, first);
    }
}
