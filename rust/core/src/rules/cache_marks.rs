//! Rule 8, cache marks: they stay on their block, or move to the one before. Mirrored by `apus._pure.rules.cache_marks`.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::outline::{BlockId, BlockKind, Mark, MessageId};
use crate::plan::{PieceId, Plan, SlotId};
use crate::repairs::RepairKind;
use crate::request::Request;
use crate::source::Source;

/// Move the marks of blocks that are gone, hold the limit, and keep a long-lived mark before the short-lived ones.
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

fn stored_marks<S: Source>(plan: &Plan<'_, '_, S>) -> Vec<(MessageId, BlockId)> {
    let outline = plan.outline;
    let mut found = Vec::new();
    for (id, message) in (0..).zip(&outline.messages) {
        let blocks = message.blocks.clone().map(BlockId);
        found.extend(blocks.filter(|block| outline.block(*block).mark.is_some()).map(|block| (id, block)));
    }
    found
}

/// A wire without marks: within one dialect they are left alone.
fn drop_all<S: Source>(plan: &mut Plan<'_, '_, S>, stored: &[(MessageId, BlockId)], request: &Request<'_, S::Node>) {
    if request.same {
        return;
    }
    for (message, block) in stored {
        plan.repair(RepairKind::CacheMarkDropped, Some(*message), Some(*block), None, None);
    }
}

fn move_lost<S: Source>(plan: &mut Plan<'_, '_, S>, stored: &[(MessageId, BlockId)]) {
    let mut there: FxHashSet<BlockId> = FxHashSet::default();
    let mut noted: FxHashSet<(MessageId, Mark)> = FxHashSet::default();
    for (_, piece) in marked(plan) {
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
    let mut homes: Option<Homes> = None;
    for (message, block) in lost {
        let found = homes.get_or_insert_with(|| Homes::new(plan)).home(plan, *message, *block);
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

/// A piece that may carry a mark: the number of its block in its message, and where it stands.
type Place = (u32, SlotId, PieceId);

/// The pieces of one stored message that may carry a mark, in the order of the message, parted at the last lost block.
#[derive(Default)]
struct Places {
    before: Vec<Place>,
    behind: VecDeque<Place>,
}

/// By place in the stored list.
struct Homes(FxHashMap<u32, Places>);

impl Homes {
    fn new<S: Source>(plan: &Plan<'_, '_, S>) -> Self {
        let mut found: FxHashMap<u32, Places> = FxHashMap::default();
        for slot in plan.order.iter().copied() {
            for piece in plan.pieces(slot).filter(|piece| may_carry(plan, *piece)) {
                if let Some(message) = plan.piece(piece).message {
                    let order = plan.block_of(piece).map_or(0, |block| block.order);
                    found.entry(index_of(plan, message)).or_default().behind.push_back((order, slot, piece));
                }
            }
        }
        for places in found.values_mut() {
            places.behind.make_contiguous().sort_by_key(|(order, _, _)| *order);
        }
        Self(found)
    }

    /// The nearest earlier block of the message, else the last of the one before: each carries one mark.
    ///
    /// Lost blocks come in order, so each place crosses from `behind` to `before` once, however many marks are lost.
    fn home<S: Source>(
        &mut self,
        plan: &Plan<'_, '_, S>,
        message: MessageId,
        block: BlockId,
    ) -> Option<(SlotId, PieceId)> {
        let (index, order) = (index_of(plan, message), plan.outline.block(block).order);
        let own = self.0.get_mut(&index).and_then(|own| {
            while own.behind.front().is_some_and(|(home, _, _)| *home < order) {
                own.before.extend(own.behind.pop_front());
            }
            own.before.pop()
        });
        let earlier = || {
            let places = self.0.get_mut(&index.checked_sub(1)?)?;
            places.behind.pop_back().or_else(|| places.before.pop())
        };
        own.or_else(earlier).map(|(_, slot, piece)| (slot, piece))
    }
}

fn index_of<S: Source>(plan: &Plan<'_, '_, S>, message: MessageId) -> u32 {
    plan.outline.messages[message as usize].index
}

fn may_carry<S: Source>(plan: &Plan<'_, '_, S>, id: PieceId) -> bool {
    let piece = plan.piece(id);
    let blank = piece.kind == BlockKind::Text && plan.is_blank(id);
    piece.kind != BlockKind::Reasoning && !blank && piece.mark.is_none()
}

fn marked<S: Source>(plan: &Plan<'_, '_, S>) -> Vec<(SlotId, PieceId)> {
    let places = plan.order.iter().flat_map(|slot| plan.pieces(*slot).map(|piece| (*slot, piece)));
    places.filter(|(_, piece)| plan.piece(*piece).mark.is_some()).collect()
}

/// The system's marks and the newest stay; the oldest of the messages go first.
fn hold_limit<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>, limit: usize) {
    let marked = marked(plan);
    let system = plan.system.iter().filter(|id| plan.piece(**id).mark.is_some()).count();
    let over = (marked.len() + request.facts.marks_beside + system).saturating_sub(limit);
    if over > 0 {
        plan.move_prefix("cache_marks");
    }
    for (slot, piece) in marked.into_iter().take(over) {
        edit(plan, slot, piece, None);
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
    for (slot, piece) in marked(plan) {
        if plan.piece(piece).mark == Some(Mark::Long) && short {
            edit(plan, slot, piece, Some(Mark::Short));
            plan.repair_block(RepairKind::CacheMarkShortened, piece, None);
        }
        short |= plan.piece(piece).mark == Some(Mark::Short);
    }
}

fn edit<S: Source>(plan: &mut Plan<'_, '_, S>, slot: SlotId, piece: PieceId, mark: Option<Mark>) {
    plan.piece_mut(piece).mark = mark;
    plan.touch(slot, piece);
}
