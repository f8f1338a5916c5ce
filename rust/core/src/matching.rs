//! Matching: which result answers which call. Mirrored by `apus._pure.matching`.
//!
//! Calls and results are matched once, by occurrence and never by a global set of ids: providers restart their ids on each
//! turn. Rules 3 to 6 and 10 read this matching; none of them matches again.
//!
//! Each id of a call gets a number once, so that a frame costs no map of its own; what is known of an id stands in a
//! table by that number.

use std::collections::HashMap;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::outline::{Block, BlockKind, Role};
use crate::plan::{Fate, Frame, PieceId, Plan};
use crate::source::Source;

/// Number of the missing id: `null`, `""` and no key are one.
const MISSING: usize = 0;

/// A repeated result is looked for among the first calls of its id: a turn that repeats one id more often is a loop.
const COMPARED: usize = 8;

/// Match every result of the plan to a call, or say why none owns it.
pub(crate) fn match_all<S: Source>(plan: &mut Plan<'_, '_, S>, strict: bool, server_state: bool) {
    if !plan.may_have(BlockKind::Call) && !plan.may_have(BlockKind::Result) {
        return;
    }
    plan.framed.clone_from(&plan.order);
    let (preface, groups) = groups(plan);
    let mut matcher = Matcher::new(plan, &groups, strict);
    if !server_state {
        let orphans: Vec<PieceId> = plan.pieces_in(&plan.framed[..preface], BlockKind::Result).collect();
        for result in orphans {
            plan.piece_mut(result).fate = Fate::Orphan;
        }
    }
    let mut frames = Vec::with_capacity(groups.len());
    let mut first = 0;
    for group in groups {
        frames_of(plan, &mut matcher, group, first, &mut frames);
        first = frames.last().map_or(first, |(_, calls): &(Frame, Range<usize>)| calls.end);
    }
    for (frame, calls) in &frames {
        matcher.match_frame(plan, frame, calls.clone(), server_state);
    }
    plan.frames = frames.into_iter().map(|(frame, _)| frame).collect();
}

/// How many slots stand before the first call, then each run of neighbouring assistants with calls and what follows it.
fn groups<S: Source>(plan: &Plan<'_, '_, S>) -> (usize, Vec<Frame>) {
    let mut groups: Vec<Frame> = Vec::new();
    for (place, &slot) in plan.framed.iter().enumerate() {
        let calls = plan.slot(slot).role == Role::Assistant && plan.has(slot, BlockKind::Call);
        match groups.last_mut() {
            Some(group) if calls && group.zone.is_empty() => {
                group.members.end = place + 1;
                group.zone = place + 1..place + 1;
            }
            _ if calls => groups.push(Frame { members: place..place + 1, zone: place + 1..place + 1 }),
            Some(group) => group.zone.end = place + 1,
            None => {}
        }
    }
    (groups.first().map_or(plan.framed.len(), |group| group.members.start), groups)
}

/// A run counts as one frame if each of its calls is answered behind the last of them. Each frame comes with the numbers of
/// its calls, `first` being that of the first one.
fn frames_of<S: Source>(
    plan: &Plan<'_, '_, S>,
    matcher: &mut Matcher<'_>,
    group: Frame,
    first: usize,
    frames: &mut Vec<(Frame, Range<usize>)>,
) {
    let all = first..first + plan.calls(&group).count();
    if group.members.len() == 1 || matcher.answered(plan, &group, all.clone()) {
        frames.push((group, all));
        return;
    }
    let mut first = first;
    let last = group.members.end - 1;
    for place in group.members {
        let zone = if place == last { group.zone.clone() } else { place + 1..place + 1 };
        let frame = Frame { members: place..place + 1, zone };
        let calls = first..first + plan.calls(&frame).count();
        first = calls.end;
        frames.push((frame, calls));
    }
}

/// A call and the number of its id.
#[derive(Clone, Copy)]
struct Call {
    piece: PieceId,
    id: usize,
}

/// What is known of an id.
#[derive(Clone, Default)]
struct Known {
    /// The last frame so far that has a call of this id; 0: none.
    frame: usize,
    /// Its calls in that frame, as a range of `Matcher::owners`; the first `taken` of them were given a result.
    owners: Range<usize>,
    taken: usize,
    /// Once all have a result, none of the first `weak` of them has a synthetic one.
    weak: usize,
    /// How many calls of earlier frames lack a real result, and the first of them.
    unresolved: usize,
    waiting: Option<PieceId>,
    /// The last call of an earlier frame that has one.
    resolved: Option<PieceId>,
}

/// What is known of the frames before the present one.
struct Matcher<'o> {
    strict: bool,
    numbers: HashMap<&'o str, usize>,
    calls: Vec<Call>,
    known: Vec<Known>,
    /// Number of the present frame, and its calls by id, in order.
    frame: usize,
    owners: Vec<Call>,
}

impl<'o> Matcher<'o> {
    fn new<S: Source>(plan: &Plan<'o, '_, S>, groups: &[Frame], strict: bool) -> Self {
        let mut numbers = HashMap::new();
        let mut calls = Vec::new();
        for piece in groups.iter().flat_map(|group| plan.calls(group)) {
            let next = numbers.len() + 1;
            let id = plan.block_of(piece).and_then(|b| b.id.as_deref());
            let id = id.map_or(MISSING, |id| *numbers.entry(id).or_insert(next));
            calls.push(Call { piece, id });
        }
        let known = vec![Known::default(); numbers.len() + 1];
        Self { strict, numbers, calls, known, frame: 0, owners: Vec::new() }
    }

    /// The number of the id of a result; `None`: no call has it.
    fn key<S: Source>(&self, plan: &Plan<'_, '_, S>, result: PieceId) -> Option<usize> {
        match plan.block_of(result).and_then(|b| b.id.as_deref()) {
            Some(id) => self.numbers.get(id).copied(),
            None => Some(MISSING),
        }
    }

    fn answered<S: Source>(&mut self, plan: &Plan<'_, '_, S>, group: &Frame, calls: Range<usize>) -> bool {
        let mut given: FxHashMap<usize, usize> = FxHashMap::default();
        for result in plan.pieces_in(&plan.framed[group.zone.clone()], BlockKind::Result) {
            if let Some(key) = self.key(plan, result) {
                *given.entry(key).or_default() += 1;
            }
        }
        self.calls[calls].iter().all(|call| match given.get_mut(&call.id) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        })
    }

    fn match_frame<S: Source>(
        &mut self,
        plan: &mut Plan<'_, '_, S>,
        frame: &Frame,
        calls: Range<usize>,
        keep_orphans: bool,
    ) {
        self.open(calls.clone());
        let mut left = Vec::new();
        for place in frame.zone.clone() {
            let slot = plan.framed[place];
            for place in 0..plan.len_of(slot) {
                let result = plan.at(slot, place);
                if plan.piece(result).kind == BlockKind::Result {
                    let key = self.key(plan, result);
                    if !self.serve(plan, key, result) {
                        left.push((result, key));
                    }
                }
            }
        }
        self.adopt(plan, frame, calls.clone(), &mut left);
        for (result, key) in left {
            self.displaced(plan, result, key, keep_orphans);
        }
        for Call { piece, id } in &self.calls[calls] {
            let known = &mut self.known[*id];
            if *id == MISSING {
                continue;
            }
            if plan.is_answered(*piece) {
                known.resolved = Some(*piece);
            } else {
                known.unresolved += 1;
                known.waiting = if known.unresolved == 1 { Some(*piece) } else { known.waiting };
            }
        }
    }

    /// Begin a frame: its calls by id.
    fn open(&mut self, calls: Range<usize>) {
        self.frame += 1;
        self.owners.clear();
        self.owners.extend_from_slice(&self.calls[calls]);
        self.owners.sort_by_key(|call| call.id);
        let mut start = 0;
        for same in self.owners.chunk_by(|a, b| a.id == b.id) {
            let known = &mut self.known[same[0].id];
            known.frame = self.frame;
            known.owners = start..start + same.len();
            (known.taken, known.weak) = (0, 0);
            start += same.len();
        }
    }

    /// First come first served per id; whether a call of the frame owns the result.
    fn serve<S: Source>(&mut self, plan: &mut Plan<'_, '_, S>, key: Option<usize>, result: PieceId) -> bool {
        let Some(id) = key.filter(|id| self.known[*id].frame == self.frame) else { return false };
        let known = &mut self.known[id];
        let owners = &self.owners[known.owners.clone()];
        if let Some(call) = owners.get(known.taken) {
            known.taken += 1;
            bind(plan, call.piece, result);
        } else {
            self.second(plan, id, result);
        }
        true
    }

    /// Results without an id of this transcript so far answer the open calls in order, if nothing speaks against it.
    /// What comes later does not count, so that nothing sent changes later.
    fn adopt<S: Source>(
        &mut self,
        plan: &mut Plan<'_, '_, S>,
        frame: &Frame,
        calls: Range<usize>,
        left: &mut Vec<(PieceId, Option<usize>)>,
    ) {
        if left.is_empty() {
            return;
        }
        let calls = self.calls[calls].iter().map(|call| call.piece);
        let open: Vec<PieceId> = calls.filter(|call| plan.piece(*call).result.is_none()).collect();
        let is_known = |key: &Option<usize>| key.is_some_and(|key| key != MISSING && self.known[key].frame > 0);
        let foreign: Vec<PieceId> = left.iter().filter(|(_, key)| !is_known(key)).map(|(result, _)| *result).collect();
        if !open.is_empty() && foreign.last().is_some_and(|last| is_late(plan, frame, *last)) {
            // Before it arrived, the others may have been told apart in another way.
            plan.move_prefix("late_result");
        }
        let pairs = || open.iter().copied().zip(foreign.iter().copied());
        if open.len() != foreign.len() || !pairs().all(|(call, result)| agree(plan, call, result)) {
            return;
        }
        for (call, result) in pairs() {
            bind(plan, call, result);
            plan.piece_mut(result).adopted = true;
        }
        left.retain(|(result, _)| plan.piece(*result).call.is_none());
    }

    /// A result that no call of its frame can own moves back to the one earlier occurrence that lacks a real one.
    fn displaced<S: Source>(
        &mut self,
        plan: &mut Plan<'_, '_, S>,
        result: PieceId,
        key: Option<usize>,
        keep_orphans: bool,
    ) {
        let known = key.filter(|key| *key != MISSING).map(|key| &mut self.known[key]);
        let (unresolved, waiting, resolved) =
            known.as_ref().map_or((0, None, None), |k| (k.unresolved, k.waiting, k.resolved));
        match (unresolved, waiting, resolved) {
            (1, Some(call), _) if plan.is_synthetic(result) && plan.piece(call).result.is_some() => {
                let piece = plan.piece_mut(result);
                piece.fate = Fate::Duplicate;
                piece.call = Some(call);
            }
            (1, Some(call), _) => {
                replace(plan, call, result);
                plan.piece_mut(result).moved = true;
                if let Some(known) = known.filter(|_| !plan.is_synthetic(result)) {
                    (known.unresolved, known.waiting, known.resolved) = (0, None, Some(call));
                }
            }
            (1.., ..) => plan.piece_mut(result).fate = Fate::Ambiguous,
            (0, _, Some(call)) => {
                self.second_of(plan, call, result);
                let piece = plan.piece_mut(result);
                piece.moved = piece.fate == Fate::Kept;
            }
            (0, _, None) if !keep_orphans => plan.piece_mut(result).fate = Fate::Orphan,
            (0, _, None) => {}
        }
    }

    /// A further result for an id whose calls in this frame all have one; a real one replaces a synthetic one.
    fn second<S: Source>(&mut self, plan: &mut Plan<'_, '_, S>, id: usize, result: PieceId) {
        let known = &mut self.known[id];
        let owners = &self.owners[known.owners.clone()];
        // Calls only ever lose their synthetic results here, so nobody looks at one twice.
        let weak = owners.iter().skip(known.weak).position(|call| !plan.is_answered(call.piece));
        known.weak = weak.map_or(owners.len(), |ahead| known.weak + ahead);
        match owners.get(known.weak).filter(|_| !plan.is_synthetic(result)) {
            Some(weak) => replace(plan, weak.piece, result),
            None => further(plan, owners, result, self.strict),
        }
    }

    /// A further result for a call of an earlier frame, which has a real one.
    fn second_of<S: Source>(&self, plan: &mut Plan<'_, '_, S>, call: PieceId, result: PieceId) {
        further(plan, &[Call { piece: call, id: MISSING }], result, self.strict);
    }
}

/// A further result that replaces no synthetic one.
fn further<S: Source>(plan: &mut Plan<'_, '_, S>, owners: &[Call], result: PieceId, strict: bool) {
    let Some(last) = owners.last().map(|call| call.piece) else { return };
    plan.piece_mut(result).call = Some(last);
    let mut compared = owners.iter().take(COMPARED).filter_map(|call| plan.piece(call.piece).result);
    if plan.is_synthetic(result) || compared.any(|known| says_the_same(plan, known, result)) {
        plan.piece_mut(result).fate = Fate::Duplicate;
    } else if strict {
        replace(plan, last, result);
    } else {
        plan.piece_mut(result).fate = Fate::Late;
    }
}

/// Whether an assistant message stands between a frame and a result.
fn is_late<S: Source>(plan: &Plan<'_, '_, S>, frame: &Frame, result: PieceId) -> bool {
    let zone = plan.framed.get(frame.zone.clone()).unwrap_or_default();
    let mut until = zone.iter().map(|slot| {
        let assistant = plan.slot(*slot).role == Role::Assistant;
        (assistant, assistant || plan.pieces(*slot).any(|id| id == result))
    });
    until.find(|(_, ends)| *ends).is_some_and(|(assistant, _)| assistant)
}

fn bind<S: Source>(plan: &mut Plan<'_, '_, S>, call: PieceId, result: PieceId) {
    plan.piece_mut(call).result = Some(result);
    plan.piece_mut(result).call = Some(call);
}

/// `result` becomes the result of `call`; the one it had goes.
fn replace<S: Source>(plan: &mut Plan<'_, '_, S>, call: PieceId, result: PieceId) {
    if let Some(old) = plan.piece(call).result {
        let synthetic = plan.is_synthetic(old);
        plan.piece_mut(old).fate = if synthetic { Fate::Replaced } else { Fate::Duplicate };
        plan.piece_mut(result).replaced = synthetic.then_some(old);
    }
    bind(plan, call, result);
}

/// The recorded names agree; a result with a foreign id needs one.
fn agree<S: Source>(plan: &Plan<'_, '_, S>, call: PieceId, result: PieceId) -> bool {
    let name = plan.name_of(result);
    if name.is_some() { name == plan.name_of(call) } else { plan.id_of(result).is_none() }
}

/// Two results say the same if their error flags, the kinds of their blocks and what stands in these are the same.
fn says_the_same<S: Source>(plan: &Plan<'_, '_, S>, a: PieceId, b: PieceId) -> bool {
    let outline = plan.outline;
    let (Some(a), Some(b)) = (plan.piece(a).block, plan.piece(b).block) else { return false };
    let (inner, other) = (outline.inner_blocks(a), outline.inner_blocks(b));
    let said = |block: &Block<'_, S::Node>| block.text.unwrap_or(block.node);
    inner.len() == other.len()
        && outline.block(a).error == outline.block(b).error
        && inner.iter().zip(other).all(|(x, y)| x.kind == y.kind && outline.source.same(said(x), said(y)))
}
