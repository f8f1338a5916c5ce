//! Plan: what to keep, edit, insert, move, merge and drop. Mirrored by `apus._pure.plan`.
//!
//! A plan is a list of slots, one per message of the answer; a slot is a list of pieces, one per block. Both point back
//! into the outline, so a slot that no rule touched is the stored message itself. Slots and pieces are numbers into two
//! vectors of the plan; the pieces of an untouched slot are a range, so a clean transcript costs no allocation per message.

mod asking;
mod lay_out;
mod piece;
mod recording;

pub use lay_out::{excess_of, lay_out};
use piece::Pieces;
pub use piece::{ArgumentsEdit, CallOnly, Edit, Fate, Frame, Piece, PieceId, Slot, SlotId};

use crate::outline::{BlockKind, MessageId, Outline, Role};
use crate::repairs::Repair;
use crate::source::Source;
use crate::texts::Texts;

/// The slots, the system pieces, and the record of what was done.
pub struct Plan<'o, 's, S: Source> {
    /// What the plan is about.
    pub outline: &'o Outline<'s, S>,
    /// The texts to insert.
    pub texts: &'o Texts,
    /// Every slot that ever was; `order` says which are left.
    slots: Vec<Slot<'s>>,
    /// Every piece that ever was.
    pieces: Vec<Piece>,
    /// The slots of the answer, in order.
    pub order: Vec<SlotId>,
    /// The pieces of the system field.
    pub system: Vec<PieceId>,
    /// The system field is not written as it stands.
    pub system_touched: bool,
    /// What was done.
    pub repairs: Vec<Repair>,
    /// New call id and stored one.
    pub id_map: Vec<(String, Option<String>)>,
    /// Why an earlier part may project differently.
    pub moved_prefix: Vec<&'static str>,
    /// Set by the matching, once.
    pub frames: Vec<Frame>,
    /// The slots that frames name: those of the answer when they were matched, so that no frame needs a list of its own.
    pub framed: Vec<SlotId>,
    /// One bit per kind of block that stands or stood anywhere in the plan.
    kinds: u16,
    /// The count limit of images, and how many of the oldest went.
    pub image_cut: Option<(usize, usize)>,
}

impl<'s, S: Source> Plan<'_, 's, S> {
    /// The slot of a number.
    pub fn slot(&self, id: SlotId) -> &Slot<'s> {
        &self.slots[id.0 as usize]
    }

    /// The slot of a number, for writing.
    pub fn slot_mut(&mut self, id: SlotId) -> &mut Slot<'s> {
        &mut self.slots[id.0 as usize]
    }

    /// The piece of a number.
    pub fn piece(&self, id: PieceId) -> &Piece {
        &self.pieces[id.0 as usize]
    }

    /// The piece of a number, for writing.
    pub fn piece_mut(&mut self, id: PieceId) -> &mut Piece {
        &mut self.pieces[id.0 as usize]
    }

    /// How many pieces there are in all: the length of a table by piece.
    pub fn piece_count(&self) -> usize {
        self.pieces.len()
    }

    /// How many slots there ever were: the length of a table by slot.
    pub fn slot_count(&self) -> usize {
        self.slots.len()
    }

    /// Number of the pieces in a slot.
    pub fn len_of(&self, slot: SlotId) -> usize {
        match &self.slot(slot).pieces {
            Pieces::Run { start, end } => (end - start) as usize,
            Pieces::List(list) => list.len(),
        }
    }

    /// The piece at a place in a slot.
    pub fn at(&self, slot: SlotId, place: usize) -> PieceId {
        match &self.slot(slot).pieces {
            Pieces::Run { start, .. } => PieceId(start + u32::try_from(place).unwrap_or(u32::MAX)),
            Pieces::List(list) => list[place],
        }
    }

    /// The pieces of a slot, in order.
    pub fn pieces(&self, slot: SlotId) -> impl DoubleEndedIterator<Item = PieceId> + ExactSizeIterator + '_ {
        (0..self.len_of(slot)).map(move |place| self.at(slot, place))
    }

    /// The pieces of a slot as a list of their own.
    pub fn listed(&self, slot: SlotId) -> Vec<PieceId> {
        self.pieces(slot).collect()
    }

    /// Whether a piece of that kind stands in a slot.
    pub fn has(&self, slot: SlotId, kind: BlockKind) -> bool {
        self.pieces(slot).any(|id| self.piece(id).kind == kind)
    }

    /// Whether a block of that kind may stand anywhere, inside results too: one look, for rules that have nothing to do.
    pub fn may_have(&self, kind: BlockKind) -> bool {
        self.kinds & bit(kind) != 0
    }

    /// The assistant messages of a frame.
    pub fn members(&self, frame: &Frame) -> &[SlotId] {
        self.framed.get(frame.members.clone()).unwrap_or_default()
    }

    /// The calls of a frame, in order.
    pub fn calls(&self, frame: &Frame) -> impl Iterator<Item = PieceId> + '_ {
        self.pieces_in(self.members(frame), BlockKind::Call)
    }

    /// The pieces of a kind in some slots, in order.
    pub fn pieces_in<'p>(&'p self, slots: &'p [SlotId], kind: BlockKind) -> impl Iterator<Item = PieceId> + 'p {
        slots.iter().flat_map(|slot| self.pieces(*slot)).filter(move |id| self.piece(*id).kind == kind)
    }

    /// Replace the pieces of a slot.
    pub fn set(&mut self, slot: SlotId, pieces: Vec<PieceId>) {
        let slot = self.slot_mut(slot);
        slot.pieces = Pieces::List(pieces);
        slot.touched = true;
    }

    /// Put pieces behind those of a slot; the cost is theirs alone.
    pub fn extend(&mut self, slot: SlotId, pieces: Vec<PieceId>) {
        self.own_list(slot).extend(pieces);
    }

    /// Put a piece in the place of another.
    pub fn replace(&mut self, slot: SlotId, place: usize, piece: PieceId) {
        if let Some(old) = self.own_list(slot).get_mut(place) {
            *old = piece;
        }
    }

    /// The pieces of a slot, which is edited, as a list of its own.
    fn own_list(&mut self, slot: SlotId) -> &mut Vec<PieceId> {
        let slot = self.slot_mut(slot);
        slot.touched = true;
        if let Pieces::Run { start, end } = slot.pieces {
            slot.pieces = Pieces::List((start..end).map(PieceId).collect());
        }
        match &mut slot.pieces {
            Pieces::List(list) => list,
            Pieces::Run { .. } => unreachable!("made a list above"),
        }
    }

    /// Mark a piece and its slot as edited.
    pub fn touch(&mut self, slot: SlotId, piece: PieceId) {
        self.piece_mut(piece).touched = true;
        self.slot_mut(slot).touched = true;
    }

    /// A new piece that apus makes.
    pub fn make(&mut self, kind: BlockKind, message: Option<MessageId>) -> PieceId {
        self.push_piece(Piece::new::<S::Node>(kind, None, message))
    }

    /// A text that apus makes.
    pub fn note(&mut self, text: impl Into<String>, message: Option<MessageId>) -> PieceId {
        let id = self.make(BlockKind::Text, message);
        self.piece_mut(id).edit_mut().text = Some(text.into());
        id
    }

    /// A new slot; without a stored message it is one that apus makes. It stands nowhere until `order` has it.
    pub fn new_slot(&mut self, role: Role, message: Option<MessageId>, pieces: Vec<PieceId>) -> SlotId {
        self.push_slot(role, message, Pieces::List(pieces))
    }

    /// A user message that apus makes.
    pub fn user_note(&mut self, text: impl Into<String>) -> SlotId {
        let note = self.note(text, None);
        self.new_slot(Role::User, None, vec![note])
    }

    fn push_piece(&mut self, piece: Piece) -> PieceId {
        self.kinds |= bit(piece.kind);
        self.pieces.push(piece);
        PieceId(number(self.pieces.len()) - 1)
    }

    fn push_slot(&mut self, role: Role, message: Option<MessageId>, pieces: Pieces) -> SlotId {
        let stored = message.map(|id| &self.outline.messages[id as usize]);
        self.slots.push(Slot {
            role,
            message,
            pieces,
            touched: message.is_none(),
            name: stored.and_then(|m| m.name.clone()),
            prefix: stored.is_some_and(|m| m.prefix),
            strip: Vec::new(),
            scrub: false,
            call_only: None,
        });
        SlotId(number(self.slots.len()) - 1)
    }
}

pub(super) fn bit(kind: BlockKind) -> u16 {
    1 << kind as u16
}

pub(super) fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
