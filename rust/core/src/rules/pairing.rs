//! Rule 6: every call has one result, directly behind it. Mirrored by `apus._pure.rules.pairing`.

use crate::outline::{BlockKind, Role, Stop};
use crate::plan::{Frame, PieceId, Plan, SlotId};
use crate::policy::SyntheticText;
use crate::repairs::RepairKind;
use crate::request::{OpenCalls, Request};
use crate::rules::orphans::settle_results;
use crate::rules::placing::place;
use crate::rules::shared::{drop_emptied, has_more, systems_stay, take_out};
use crate::source::Source;

/// Settle the results that no call keeps, answer the calls that have none, put every result behind its call.
pub(crate) fn pair<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    settle_results(plan, request);
    keep_live_frames(plan);
    let frames = std::mem::take(&mut plan.frames);
    for (number, frame) in frames.iter().enumerate() {
        let trailing = number + 1 == frames.len() && trails(plan, frame, request);
        answer(plan, frame, request, trailing);
        for place in frame.members.clone() {
            report_turn(plan, plan.framed[place]);
        }
    }
    plan.frames = frames;
    drop_emptied(plan, Role::Assistant);
    keep_live_frames(plan);
    place(plan, request);
}

/// Record where the results of a turn came from.
fn report_turn<S: Source>(plan: &mut Plan<'_, '_, S>, slot: SlotId) {
    for number in 0..plan.len_of(slot) {
        let call = plan.at(slot, number);
        let Some(result) = plan.piece(call).result.filter(|_| plan.piece(call).kind == BlockKind::Call) else {
            continue;
        };
        let piece = plan.piece(result);
        let (replaced, adopted) = (piece.replaced.is_some() && plan.is_answered(call), piece.adopted);
        let kinds = [(replaced, RepairKind::SyntheticReplaced), (adopted, RepairKind::ResultAdopted)];
        for (_, kind) in kinds.into_iter().filter(|(wanted, _)| *wanted) {
            let id = plan.id_of(call).map(str::to_owned);
            let (message, block) = (plan.piece(result).message, plan.piece(result).block);
            plan.repair(kind, message, block, id.as_deref(), None);
        }
    }
}

/// Only the frames that still hold a call; one in the middle of a run that lost its own stays where it stands.
fn keep_live_frames<S: Source>(plan: &mut Plan<'_, '_, S>) {
    let mut live = vec![false; plan.slot_count()];
    for slot in &plan.order {
        live[slot.0 as usize] = true;
    }
    let mut frames = std::mem::take(&mut plan.frames);
    frames.retain_mut(|frame| {
        let mut end = frame.members.start;
        for place in frame.members.clone() {
            let slot = plan.framed[place];
            if live[slot.0 as usize] {
                plan.framed[end] = slot;
                end += 1;
            }
        }
        let holds = |place: &usize| plan.has(plan.framed[*place], BlockKind::Call);
        let mut members = frame.members.start..end;
        let first = members.clone().find(holds);
        let last = members.rfind(holds);
        frame.members = first.zip(last).map_or(0..0, |(first, last)| first..last + 1);
        !frame.members.is_empty()
    });
    plan.frames = frames;
}

/// Whether no user or assistant message stands behind the frame, nor one that becomes a user's.
fn trails<S: Source>(plan: &Plan<'_, '_, S>, frame: &Frame, request: &Request<'_, S::Node>) -> bool {
    let stay = systems_stay(request);
    let last = plan.members(frame).last();
    for slot in plan.order.iter().rev() {
        if Some(slot) == last {
            return true;
        }
        let role = plan.slot(*slot).role;
        let silent = role == Role::Result || (stay && role.is_system());
        // One without a block gets a placeholder.
        let bare = role == Role::User && plan.len_of(*slot) == 0;
        if bare || matches!(role, Role::Assistant | Role::Other) || (!silent && has_more(plan, *slot)) {
            return false;
        }
    }
    true
}

/// Give each open call of a frame a synthetic result, or do with it what `open_calls` says.
fn answer<S: Source>(plan: &mut Plan<'_, '_, S>, frame: &Frame, request: &Request<'_, S::Node>, trailing: bool) {
    let choice = if trailing { request.facts.open_calls } else { OpenCalls::Synthesize };
    if choice == OpenCalls::Keep && !request.strict {
        return;
    }
    for place in frame.members.clone() {
        let slot = plan.framed[place];
        let mut gone = Vec::new();
        for number in 0..plan.len_of(slot) {
            let call = plan.at(slot, number);
            if plan.piece(call).kind != BlockKind::Call || plan.piece(call).result.is_some() {
                continue;
            }
            if choice == OpenCalls::Trim {
                gone.push(call);
                plan.repair_piece(RepairKind::OpenFrameTrimmed, call, None);
                continue;
            }
            let made = synthetic(plan, call, slot, request);
            plan.piece_mut(call).result = Some(made);
            let detail = if trailing { "trailing" } else { "middle" };
            plan.repair_piece(RepairKind::ResultSynthesized, call, Some(detail));
        }
        take_out(plan, slot, &gone);
    }
}

fn synthetic<S: Source>(
    plan: &mut Plan<'_, '_, S>,
    call: PieceId,
    slot: SlotId,
    request: &Request<'_, S::Node>,
) -> PieceId {
    let texts = &request.texts.synthetic;
    let text = if request.policy.synthetic_text == SyntheticText::Aborted {
        texts.aborted.clone()
    } else if plan.message_of(slot).is_some_and(|message| message.stop == Stop::Length) {
        format!("{}{}", texts.default, texts.cut_off)
    } else {
        texts.default.clone()
    };
    let message = plan.piece(call).message;
    let made = plan.make(BlockKind::Result, message);
    let result = plan.piece_mut(made);
    result.call = Some(call);
    result.error = true;
    result.edit_mut().text = Some(text);
    made
}
