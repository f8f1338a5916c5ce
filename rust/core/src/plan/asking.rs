//! What rules ask of a plan.

use rustc_hash::FxHashMap;

use super::lay_out::excess_of;
use super::{PieceId, Plan, SlotId};
use crate::outline::{Block, BlockKind, Message};
use crate::source::Source;

impl<'o, 's, S: Source> Plan<'o, 's, S> {
    /// The stored message of a slot.
    pub fn message_of(&self, slot: SlotId) -> Option<&'o Message<'s, S::Node>> {
        self.slot(slot).message.map(|id| &self.outline.messages[id as usize])
    }

    /// The stored block of a piece.
    pub fn block_of(&self, piece: PieceId) -> Option<&'o Block<'s, S::Node>> {
        self.piece(piece).block.map(|id| self.outline.block(id))
    }

    /// Whether the target made the assistant message of a slot.
    pub fn is_own_turn(&self, slot: SlotId) -> bool {
        self.message_of(slot).is_none_or(|message| message.own)
    }

    /// The id of a call or result as it goes out.
    pub fn id_of(&self, piece: PieceId) -> Option<&str> {
        let new = self.piece(piece).edit.as_ref().and_then(|e| e.id.as_deref());
        new.or_else(|| self.block_of(piece).and_then(|b| b.id.as_deref()))
    }

    /// The name of a call or result as it goes out.
    pub fn name_of(&self, piece: PieceId) -> Option<&str> {
        let new = self.piece(piece).edit.as_ref().and_then(|e| e.name.as_deref());
        new.or_else(|| self.block_of(piece).and_then(|b| b.name.as_deref()))
    }

    /// Whether a text has nothing to read in it.
    pub fn is_blank(&self, piece: PieceId) -> bool {
        let edited = self.piece(piece);
        if edited.prefix().is_some() {
            return false;
        }
        match edited.text() {
            Some(text) => crate::names::trimmed(text).is_empty(),
            None => self.block_of(piece).is_none_or(|b| b.blank),
        }
    }

    /// Whether a result was inserted by apus or by another system.
    pub fn is_synthetic(&self, result: PieceId) -> bool {
        self.block_of(result).is_none_or(|b| b.synthetic)
    }

    /// Whether a call is completed: it has a real result.
    pub fn is_answered(&self, call: PieceId) -> bool {
        self.piece(call).result.is_some_and(|result| !self.is_synthetic(result))
    }

    /// Whether a piece is signed reasoning.
    pub fn is_signed(&self, piece: PieceId) -> bool {
        self.piece(piece).kind == BlockKind::Reasoning && self.block_of(piece).is_some_and(|b| b.signed)
    }

    /// Whether a user message holds nothing but texts of apus's own: it opens no turn.
    pub fn is_own(&self, slot: SlotId) -> bool {
        let own = |id: PieceId| {
            let piece = self.piece(id);
            let stored = self.block_of(id).is_none_or(|b| b.own);
            piece.kind == BlockKind::Text && (stored || piece.text().is_some_and(|t| self.texts.own.contains(t)))
        };
        self.len_of(slot) > 0 && self.pieces(slot).all(own)
    }

    /// Whether a request that held the first `images` images had others of them cut than this one.
    pub fn cut_differs(&self, images: usize) -> bool {
        self.image_cut.is_some_and(|(limit, cut)| {
            let before = excess_of(images, limit);
            cut > before && images > before
        })
    }

    /// The new call ids by stored id, last one first named.
    pub fn new_ids(&self) -> FxHashMap<&str, Option<&str>> {
        self.id_map.iter().map(|(new, old)| (new.as_str(), old.as_deref())).collect()
    }
}
