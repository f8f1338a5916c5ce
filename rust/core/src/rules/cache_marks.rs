//! Rule 8, cache marks: they stay, or move to an earlier block. Mirrored by `apus._pure.rules.cache_marks`.

use rustc_hash::FxHashSet;

use super::mark_homes::{Rows, home_of, rows_of};
use crate::outline::{BlockId, Mark, MessageId};
use crate::plan::{PieceId, Plan, SlotId};
use crate::repairs::RepairKind;
use crate::request::Request;
use crate::source::Source;

/// Move the marks of blocks that are gone, hold the limit, keep a long-lived mark before short-lived ones.
pub(crate) fn settle_marks<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    let stored = stored_marks(plan);
    if stored.is_empty() && !plan.system.iter().any(|id| plan.piece(*id).mark.is_some()) {
        return;
    }
    let Some(limit) = request.policy.max_cache_marks else {
        drop_all(plan, &stored, request);
        return;
    };
    move_lost(plan, &stored);
    hold_limit(plan, request, limit);
    order(plan, request);
}

/// The marked blocks of the transcript, those inside of results too.
fn stored_marks<S: Source>(plan: &Plan<'_, '_, S>) -> Vec<(MessageId, BlockId)> {
    let outline = plan.outline;
    let is_marked = |block: &BlockId| outline.block(*block).mark.is_some();
    let mut found = Vec::new();
    for (id, message) in (0..).zip(&outline.messages) {
        for block in message.blocks.clone().map(BlockId) {
            let blocks = std::iter::once(block).chain(outline.inner_ids(block));
            found.extend(blocks.filter(is_marked).map(|block| (id, block)));
        }
    }
    found
}

/// A wire without marks: within one dialect they are left alone.
fn drop_all<S: Source>(plan: &mut Plan<'_, '_, S>, stored: &[(MessageId, BlockId)], request: &Request<'_, S::Node>) {
    if request.same {
        return;
    }
    for (slot, owner, piece) in marked(plan) {
        edit(plan, slot, owner, piece, None);
    }
    for (message, block) in stored {
        plan.repair(RepairKind::CacheMarkDropped, Some(*message), Some(*block), None, None);
    }
}

fn move_lost<S: Source>(plan: &mut Plan<'_, '_, S>, stored: &[(MessageId, BlockId)]) {
    let mut there: FxHashSet<BlockId> = FxHashSet::default();
    let mut noted: FxHashSet<(MessageId, Mark)> = FxHashSet::default();
    for (_, _, piece) in marked(plan) {
        let piece = plan.piece(piece);
        match (piece.block, piece.message, piece.mark) {
            (Some(block), _, _) => _ = there.insert(block),
            (None, Some(message), Some(mark)) => _ = noted.insert((message, mark)),
            _ => {}
        }
    }
    let outline = plan.outline;
    let is_noted = |id: MessageId, block| outline.block(block).mark.is_some_and(|mark| noted.contains(&(id, mark)));
    let lost = stored.iter().filter(|(id, block)| !there.contains(block) && !is_noted(*id, *block));
    let mut rows: Option<Rows> = None;
    for (message, block) in lost {
        let rows = rows.get_or_insert_with(|| rows_of(plan));
        let found = home_of(rows, outline.messages[*message as usize].index, outline.block(*block).order);
        let kind = if let Some((slot, piece)) = found {
            plan.piece_mut(piece).mark = outline.block(*block).mark;
            plan.touch(slot, piece);
            RepairKind::CacheMarkMoved
        } else {
            RepairKind::CacheMarkDropped
        };
        plan.repair(kind, Some(*message), Some(*block), None, None);
    }
}

/// The message, the result it stands in, the piece.
type Marked = (SlotId, Option<PieceId>, PieceId);

/// The marked pieces, those inside of results too.
fn marked<S: Source>(plan: &mut Plan<'_, '_, S>) -> Vec<Marked> {
    let mut found = Vec::new();
    for place in 0..plan.order.len() {
        let slot = plan.order[place];
        for at in 0..plan.len_of(slot) {
            let piece = plan.at(slot, at);
            if plan.opened(piece).is_some() || holds_marks(plan, piece) {
                let parts = plan.open(piece).into_iter().filter(|part| plan.piece(*part).mark.is_some());
                found.extend(parts.map(|part| (slot, Some(piece), part)));
            }
            if plan.piece(piece).mark.is_some() {
                found.push((slot, None, piece));
            }
        }
    }
    found
}

/// Whether marks are stored inside of a result.
fn holds_marks<S: Source>(plan: &Plan<'_, '_, S>, piece: PieceId) -> bool {
    let block = plan.piece(piece).block;
    block.is_some_and(|id| plan.outline.inner_blocks(id).iter().any(|block| block.mark.is_some()))
}

/// The system's marks and the newest stay; the oldest of the messages go first.
fn hold_limit<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>, limit: usize) {
    let marked = marked(plan);
    let system = plan.system.iter().filter(|id| plan.piece(**id).mark.is_some()).count();
    let over = (marked.len() + request.facts.marks_beside + system).saturating_sub(limit);
    if over > 0 {
        plan.move_prefix("cache_marks");
    }
    for (slot, owner, piece) in marked.into_iter().take(over) {
        edit(plan, slot, owner, piece, None);
        plan.repair_block(RepairKind::CacheMarkDropped, piece, None);
    }
}

/// A one-hour mark never stands behind a five-minute one.
fn order<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    let mut short = request.facts.short_mark_beside;
    for at in 0..plan.system.len() {
        let id = plan.system[at];
        let piece = plan.piece_mut(id);
        if piece.mark == Some(Mark::Long) && short {
            piece.mark = Some(Mark::Short);
            piece.touched = true;
            plan.system_touched = true;
            plan.repair(RepairKind::CacheMarkShortened, None, None, None, Some("system"));
        }
        short |= plan.piece(id).mark == Some(Mark::Short);
    }
    for (slot, owner, piece) in marked(plan) {
        if plan.piece(piece).mark == Some(Mark::Long) && short {
            edit(plan, slot, owner, piece, Some(Mark::Short));
            plan.repair_block(RepairKind::CacheMarkShortened, piece, None);
        }
        short |= plan.piece(piece).mark == Some(Mark::Short);
    }
}

fn edit<S: Source>(
    plan: &mut Plan<'_, '_, S>,
    slot: SlotId,
    owner: Option<PieceId>,
    piece: PieceId,
    mark: Option<Mark>,
) {
    plan.piece_mut(piece).mark = mark;
    plan.touch(slot, piece);
    if let Some(owner) = owner {
        plan.touch(slot, owner);
    }
}
