//! Rule 6, last part: results stand directly behind their call's message. Mirrored by `apus._pure.rules.placing`.

use super::overtaken::report_moves;
use crate::outline::{BlockKind, Role};
use crate::plan::{Frame, PieceId, Plan, SlotId};
use crate::repairs::RepairKind;
use crate::request::Request;
use crate::source::Source;

/// Put each result behind its call; a history that the target accepts is not reordered.
pub(crate) fn place<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    if plan.frames.is_empty() {
        return;
    }
    let mut wanted = Wanted::new(plan, request);
    let heads = heads(plan);
    let mut slots = Vec::with_capacity(plan.order.len());
    let mut number = 0;
    while let Some(&slot) = plan.order.get(number) {
        let Some(frame) = heads[slot.0 as usize] else {
            keep_rest(plan, &mut slots, slot);
            number += 1;
            continue;
        };
        number += plan.frames[frame].members.len();
        join(plan, frame, request);
        slots.extend_from_slice(plan.members(&plan.frames[frame]));
        wanted.open(plan, frame, request);
        if let Some(taken) = in_place(plan, number, &mut wanted, request) {
            slots.extend_from_slice(&plan.order[number..number + taken]);
            number += taken;
        } else {
            report_moves(plan, number, &wanted, request);
            number += place_frame(plan, number, &wanted, request, &mut slots);
        }
    }
    plan.order = slots;
}

/// Number of the frame that each slot is the first message of.
fn heads<S: Source>(plan: &Plan<'_, '_, S>) -> Vec<Option<usize>> {
    let mut heads = vec![None; plan.slot_count()];
    for (number, frame) in plan.frames.iter().enumerate() {
        if let Some(slot) = plan.members(frame).first() {
            heads[slot.0 as usize] = Some(number);
        }
    }
    heads
}

/// The results of the present frame. Tables by piece serve all frames, so that a frame costs no list of its own.
pub(super) struct Wanted {
    pub(super) results: Vec<PieceId>,
    /// Number of each stored result in the order in which the results arrived.
    arrivals: Vec<usize>,
    /// Number of the last frame that wanted a piece, and whether it was seen in its place.
    marks: Vec<(usize, bool)>,
    /// The message of a result that has one of its own.
    stored: Vec<Option<SlotId>>,
    frame: usize,
}

impl Wanted {
    fn new<S: Source>(plan: &Plan<'_, '_, S>, request: &Request<'_, S::Node>) -> Self {
        let mut arrivals = vec![usize::MAX; plan.piece_count()];
        for (number, piece) in plan.pieces_in(&plan.order, BlockKind::Result).enumerate() {
            arrivals[piece.0 as usize] = number;
        }
        let mut stored = Vec::new();
        if !request.results_in_user {
            stored.resize(plan.piece_count(), None);
            for slot in plan.order.iter().filter(|slot| plan.slot(**slot).role == Role::Result) {
                if let Some(first) = plan.pieces(*slot).next() {
                    stored[first.0 as usize] = Some(*slot);
                }
            }
        }
        Self { results: Vec::new(), arrivals, marks: vec![(0, false); plan.piece_count()], stored, frame: 0 }
    }

    /// The results of a frame: real ones as they arrived, then synthetic ones in the order of the calls.
    fn open<S: Source>(&mut self, plan: &Plan<'_, '_, S>, frame: usize, request: &Request<'_, S::Node>) {
        self.frame += 1;
        self.results.clear();
        self.results.extend(plan.calls(&plan.frames[frame]).filter_map(|call| plan.piece(call).result));
        if !request.policy.results_in_call_order {
            self.results.sort_by_key(|result| self.arrivals[result.0 as usize]);
        }
        for result in &self.results {
            self.marks[result.0 as usize] = (self.frame, false);
        }
    }

    /// Whether the frame wants a piece.
    pub(super) fn has(&self, piece: PieceId) -> bool {
        self.marks.get(piece.0 as usize).is_some_and(|(frame, _)| *frame == self.frame)
    }

    /// Whether the frame wants a piece that was not yet seen.
    fn take(&mut self, piece: PieceId) -> bool {
        match self.marks.get_mut(piece.0 as usize) {
            Some((frame, seen)) if *frame == self.frame => !std::mem::replace(seen, true),
            _ => false,
        }
    }
}

/// A slot without the results that already stand behind their calls; one that held nothing else is gone.
fn keep_rest<S: Source>(plan: &mut Plan<'_, '_, S>, slots: &mut Vec<SlotId>, slot: SlotId) {
    if plan.pieces(slot).any(|id| plan.piece(id).placed) {
        let rest: Vec<PieceId> = plan.pieces(slot).filter(|id| !plan.piece(*id).placed).collect();
        if rest.is_empty() {
            return;
        }
        plan.set(slot, rest);
    }
    slots.push(slot);
}

/// The assistant messages of a frame become one where the wire wants results directly behind their message.
fn join<S: Source>(plan: &mut Plan<'_, '_, S>, number: usize, request: &Request<'_, S::Node>) {
    let frame = plan.frames[number].clone();
    if frame.members.len() == 1 || !must_join(plan, &frame, request) {
        return;
    }
    let first = plan.framed[frame.members.start];
    for place in frame.members.clone().skip(1) {
        let message = plan.slot(plan.framed[place]).message;
        plan.repair(RepairKind::TurnsMerged, message, None, None, None);
    }
    let pieces = plan.members(&frame).iter().flat_map(|slot| plan.pieces(*slot)).collect();
    plan.set(first, pieces);
    plan.frames[number].members.end = frame.members.start + 1;
}

fn must_join<S: Source>(plan: &Plan<'_, '_, S>, frame: &Frame, request: &Request<'_, S::Node>) -> bool {
    if request.policy.merge_assistants || !request.policy.joins_neighbours {
        return true;
    }
    // The server joins them itself, but text behind a call would then hide the results.
    plan.members(frame).iter().skip(1).any(|slot| plan.has(*slot, BlockKind::Text))
}

/// Number of slots that hold just the wanted results where the target looks for them, or none.
fn in_place<S: Source>(
    plan: &Plan<'_, '_, S>,
    start: usize,
    wanted: &mut Wanted,
    request: &Request<'_, S::Node>,
) -> Option<usize> {
    let role = if request.results_in_user { Role::User } else { Role::Result };
    let mut left = wanted.results.len();
    let mut number = start;
    while left > 0 {
        let slot = *plan.order.get(number)?;
        if plan.slot(slot).role != role || plan.len_of(slot) == 0 {
            return None;
        }
        for piece in plan.pieces(slot) {
            if left > 0 && wanted.take(piece) {
                left -= 1;
            } else if left > 0 || plan.piece(piece).kind == BlockKind::Result {
                return None;
            }
        }
        number += 1;
        if left > 0 && request.results_in_user && !request.policy.joins_neighbours {
            return None;
        }
    }
    let order = plan.pieces_in(&plan.order[start..number], BlockKind::Result);
    if request.policy.results_in_call_order && !order.eq(wanted.results.iter().copied()) {
        return None;
    }
    Some(number - start)
}

/// Append the slots of the results, and say how many of the plan's they stand for; old places lose what is marked as placed.
fn place_frame<S: Source>(
    plan: &mut Plan<'_, '_, S>,
    start: usize,
    wanted: &Wanted,
    request: &Request<'_, S::Node>,
    slots: &mut Vec<SlotId>,
) -> usize {
    for result in &wanted.results {
        plan.piece_mut(*result).placed = true;
    }
    if !request.results_in_user {
        for &result in &wanted.results {
            // A stored one moves as it stands.
            let stored = wanted.stored.get(result.0 as usize).copied().flatten();
            slots.push(stored.unwrap_or_else(|| plan.new_slot(Role::Result, None, vec![result])));
        }
        return 0;
    }
    if wanted.results.is_empty() {
        return 0;
    }
    let next = plan.order.get(start).copied().filter(|slot| plan.slot(*slot).role == Role::User);
    if let Some(slot) = next.filter(|slot| plan.pieces(*slot).any(|id| wanted.has(id))) {
        // The message that held the results keeps what else stands in it, behind them.
        let mut pieces = wanted.results.clone();
        pieces.extend(plan.pieces(slot).filter(|id| !plan.piece(*id).placed));
        plan.set(slot, pieces);
        slots.push(slot);
        return 1;
    }
    slots.push(plan.new_slot(Role::User, None, wanted.results.clone()));
    0
}
