//! Rule 8, cache marks: the block that a lost mark moves to. Mirrored by `apus._pure.rules.mark_homes`.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::outline::BlockKind;
use crate::plan::{PieceId, Plan, SlotId};
use crate::source::Source;

/// A piece that may carry a mark: the number of its block in its message, and where it stands.
type Place = (u32, SlotId, PieceId);

/// The pieces of one stored message that may carry a mark, in its order; each is handed out once.
#[derive(Default)]
pub(super) struct Row {
    pieces: VecDeque<Place>,
    passed: Vec<Place>,
}

impl Row {
    /// The nearest piece in front of a block; asked with rising `order`.
    fn before(&mut self, order: u32) -> Option<Place> {
        while self.pieces.front().is_some_and(|(found, _, _)| *found < order) {
            self.passed.extend(self.pieces.pop_front());
        }
        self.passed.pop()
    }

    /// The last piece of the message.
    fn last(&mut self) -> Option<Place> {
        self.pieces.pop_back().or_else(|| self.passed.pop())
    }
}

/// By place in the stored list.
pub(super) type Rows = FxHashMap<u32, Row>;

/// The pieces that may carry a mark.
pub(super) fn rows_of<S: Source>(plan: &Plan<'_, '_, S>) -> Rows {
    let mut rows = Rows::default();
    for slot in plan.order.iter().copied() {
        for piece in plan.pieces(slot).filter(|piece| may_carry(plan, *piece)) {
            if let Some(message) = plan.piece(piece).message {
                let order = plan.block_of(piece).map_or(0, |block| block.order);
                let index = plan.outline.messages[message as usize].index;
                rows.entry(index).or_default().pieces.push_back((order, slot, piece));
            }
        }
    }
    for row in rows.values_mut() {
        row.pieces.make_contiguous().sort_by_key(|(order, _, _)| *order);
    }
    rows
}

/// The nearest earlier block of the message, else the last of the one before.
pub(super) fn home_of(rows: &mut Rows, index: u32, order: u32) -> Option<(SlotId, PieceId)> {
    let own = rows.get_mut(&index).and_then(|row| row.before(order));
    let found = own.or_else(|| rows.get_mut(&index.checked_sub(1)?).and_then(Row::last));
    found.map(|(_, slot, piece)| (slot, piece))
}

fn may_carry<S: Source>(plan: &Plan<'_, '_, S>, id: PieceId) -> bool {
    let piece = plan.piece(id);
    let blank = piece.kind == BlockKind::Text && plan.is_blank(id);
    piece.kind != BlockKind::Reasoning && !blank && piece.mark.is_none()
}
