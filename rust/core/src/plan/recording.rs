//! Results opened for editing, and the record of what was done.

use super::piece::Piece;
use super::{PieceId, Plan};
use crate::outline::{BlockId, MessageId};
use crate::repairs::{Repair, RepairKind};
use crate::source::Source;

impl<S: Source> Plan<'_, '_, S> {
    /// The pieces of a result, opened for editing.
    pub fn open(&mut self, result: PieceId) -> Vec<PieceId> {
        if let Some(inner) = self.piece(result).edit.as_ref().and_then(|e| e.inner.as_ref()) {
            return inner.clone();
        }
        let outline = self.outline;
        let message = self.piece(result).message;
        let mut made = Vec::new();
        if let Some(id) = self.piece(result).block {
            for inner in outline.inner_ids(id) {
                let block = outline.block(inner);
                made.push(self.push_piece(Piece::new(block.kind, Some((inner, block)), message)));
            }
        }
        self.piece_mut(result).edit_mut().inner = Some(made.clone());
        made
    }

    /// The pieces of a result that was opened.
    pub fn opened(&self, result: PieceId) -> Option<&[PieceId]> {
        self.piece(result).edit.as_ref().and_then(|e| e.inner.as_deref())
    }

    /// Replace the pieces of a result.
    pub fn set_inner(&mut self, result: PieceId, inner: Vec<PieceId>) {
        let piece = self.piece_mut(result);
        piece.edit_mut().inner = Some(inner);
        piece.touched = true;
    }

    /// Record one change at its stored place.
    pub fn repair(
        &mut self,
        kind: RepairKind,
        message: Option<MessageId>,
        block: Option<BlockId>,
        id: Option<&str>,
        detail: Option<&str>,
    ) {
        let loc = message.map(|number| {
            let index = self.outline.messages[number as usize].index;
            (index, block.and_then(|b| self.outline.block(b).index))
        });
        let pointer = message.map(|number| self.outline.pointer_of(number, block));
        let (id, detail) = (id.map(Into::into), detail.map(Into::into));
        self.repairs.push(Repair { kind, loc, pointer, id, detail });
    }

    /// Record one change of a piece, with the id as it goes out.
    pub fn repair_piece(&mut self, kind: RepairKind, piece: PieceId, detail: Option<&str>) {
        let id = self.id_of(piece).map(str::to_owned);
        let (message, block) = (self.piece(piece).message, self.piece(piece).block);
        self.repair(kind, message, block, id.as_deref(), detail);
    }

    /// Record one change of a piece, without an id.
    pub fn repair_block(&mut self, kind: RepairKind, piece: PieceId, detail: Option<&str>) {
        let (message, block) = (self.piece(piece).message, self.piece(piece).block);
        self.repair(kind, message, block, None, detail);
    }

    /// Remember why an earlier part may project differently.
    pub fn move_prefix(&mut self, why: &'static str) {
        if !self.moved_prefix.contains(&why) {
            self.moved_prefix.push(why);
        }
    }
}
