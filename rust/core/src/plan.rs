//! Plan: what to keep, edit, insert, move, merge and drop. Mirrored by `apus._pure.plan`.
//!
//! A plan is a list of slots, one per message of the answer; a slot is a list of pieces, one per block. Both point back
//! into the outline, so a slot that no rule touched is the stored message itself. Slots and pieces are numbers into two
//! vectors of the plan; the pieces of an untouched slot are a range, so a clean transcript costs no allocation per message.

use std::borrow::Cow;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::outline::{Block, BlockId, BlockKind, Mark, Message, MessageId, Outline, Role};
use crate::repairs::{Repair, RepairKind};
use crate::source::Source;
use crate::texts::Texts;

/// Number of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PieceId(pub(crate) u32);

/// Number of a slot; `plan.order` says where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SlotId(pub(crate) u32);

/// What becomes of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is the result of its call.
    Kept,
    /// No call can own it.
    Orphan,
    /// Several calls could.
    Ambiguous,
    /// It says what the call's result says.
    Duplicate,
    /// A second, different answer.
    Late,
    /// A synthetic result that a real one replaces.
    Replaced,
    /// Its call is gone.
    CallDropped,
}

/// How the arguments of a call are edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentsEdit {
    /// `{}`
    Empty,
    /// `{"_raw_arguments": …}`
    Wrap,
}

/// How the content of a call-only message is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum CallOnly {
    Null,
    Empty,
    Omit,
}

/// New texts of a piece: few pieces have any.
#[derive(Debug, Default)]
pub struct Edit {
    /// Replaces the text.
    pub text: Option<String>,
    /// Put in front of the text.
    pub prefix: Option<String>,
    /// The new id.
    pub id: Option<String>,
    /// The new name.
    pub name: Option<String>,
    /// Of results: the pieces in it, once opened for editing.
    pub inner: Option<Vec<PieceId>>,
}

/// One block of the answer: a stored block with its edits, or one that apus made (`block` is `None`).
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "flags of one block")]
pub struct Piece {
    /// What it is.
    pub kind: BlockKind,
    /// The stored block.
    pub block: Option<BlockId>,
    /// Where the block stands in the stored transcript.
    pub message: Option<MessageId>,
    /// It is not written as it stands.
    pub touched: bool,
    /// Its broken strings are cleaned.
    pub scrub: bool,
    /// Its unknown keys go.
    pub strip: bool,
    /// It is brought into the schema's form.
    pub shape: bool,
    /// Of results: it reports an error.
    pub error: bool,
    /// Of results: matched by place, not by id.
    pub adopted: bool,
    /// Of results: matched to a call of an earlier frame.
    pub moved: bool,
    /// Of results: already put behind its call.
    pub placed: bool,
    /// Of results.
    pub fate: Fate,
    /// Of calls.
    pub args: Option<ArgumentsEdit>,
    /// Its cache mark.
    pub mark: Option<Mark>,
    /// Of results: the call that owns it.
    pub call: Option<PieceId>,
    /// Of calls: the result it ends with.
    pub result: Option<PieceId>,
    /// Of results: the synthetic one that it replaces.
    pub replaced: Option<PieceId>,
    /// New texts.
    pub edit: Option<Box<Edit>>,
}

impl Piece {
    /// A piece for a stored block, or a made one.
    fn new<N: Copy>(kind: BlockKind, block: Option<(BlockId, &Block<'_, N>)>, message: Option<MessageId>) -> Self {
        Self {
            kind,
            block: block.map(|(id, _)| id),
            message,
            touched: block.is_none(),
            scrub: false,
            strip: false,
            shape: false,
            error: block.is_some_and(|(_, b)| b.error),
            adopted: false,
            moved: false,
            placed: false,
            fate: Fate::Kept,
            args: None,
            mark: block.and_then(|(_, b)| b.mark),
            call: None,
            result: None,
            replaced: None,
            edit: None,
        }
    }

    /// The new texts, for writing.
    pub fn edit_mut(&mut self) -> &mut Edit {
        self.edit.get_or_insert_default()
    }

    /// The text that replaces the stored one.
    pub fn text(&self) -> Option<&str> {
        self.edit.as_ref().and_then(|e| e.text.as_deref())
    }

    /// What is put in front of the text.
    pub fn prefix(&self) -> Option<&str> {
        self.edit.as_ref().and_then(|e| e.prefix.as_deref())
    }
}

/// The pieces of a slot: as they were laid out, or a list of its own.
#[derive(Debug)]
enum Pieces {
    Run { start: u32, end: u32 },
    List(Vec<PieceId>),
}

/// One message of the answer.
#[derive(Debug)]
pub struct Slot<'s> {
    /// Who speaks.
    pub role: Role,
    /// The stored message that it is built on.
    pub message: Option<MessageId>,
    pieces: Pieces,
    /// It is not written as it stands.
    pub touched: bool,
    /// The speaker's name as it goes out.
    pub name: Option<Cow<'s, str>>,
    /// Marked as the start of the answer.
    pub prefix: bool,
    /// Keys to leave out: the wire does not know them.
    pub strip: Vec<String>,
    /// Clean the strings that stand beside the blocks.
    pub scrub: bool,
    /// How the content of a call-only message is written, if edited.
    pub call_only: Option<CallOnly>,
}

/// Assistant messages with calls that count as one, and the slots up to the next such message: places in `plan.framed`.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The assistant messages.
    pub members: Range<usize>,
    /// What follows.
    pub zone: Range<usize>,
}

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

impl<'o, 's, S: Source> Plan<'o, 's, S> {
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

/// How many of the oldest images go: batches of a quarter of the limit, so that the prefix moves rarely.
#[must_use]
pub fn excess_of(images: usize, limit: usize) -> usize {
    let batch = (limit / 4).max(1);
    images.saturating_sub(limit).div_ceil(batch) * batch
}

/// One slot per message, in the shape of the written dialect: results in user messages, or on their own.
pub fn lay_out<'o, 's, S: Source>(
    outline: &'o Outline<'s, S>,
    texts: &'o Texts,
    results_in_user: bool,
) -> Plan<'o, 's, S> {
    let mut plan = Plan {
        outline,
        texts,
        slots: Vec::with_capacity(outline.messages.len()),
        pieces: Vec::with_capacity(outline.blocks.len()),
        order: Vec::with_capacity(outline.messages.len()),
        system: Vec::new(),
        system_touched: false,
        repairs: Vec::new(),
        id_map: Vec::new(),
        moved_prefix: Vec::new(),
        frames: Vec::new(),
        framed: Vec::new(),
        kinds: outline.inner.iter().fold(0, |kinds, block| kinds | bit(block.kind)),
        image_cut: None,
    };
    let home = if results_in_user { Role::User } else { Role::Result };
    let mut split = Vec::new();
    for (index, message) in outline.messages.iter().enumerate() {
        let id = number(index);
        let start = number(plan.pieces.len());
        for block in message.blocks.clone() {
            let stored = &outline.blocks[block as usize];
            plan.push_piece(Piece::new(stored.kind, Some((BlockId(block), stored)), Some(id)));
        }
        let end = number(plan.pieces.len());
        let is_home = message.role == home || message.role == Role::Result;
        if results_in_user && message.role == Role::Result {
            join_results(&mut plan, id, start..end);
        } else if !is_home && outline.blocks_of(message).iter().any(|b| b.kind == BlockKind::Result) {
            split_results(&mut plan, id, start..end, home);
            split.push(id);
        } else {
            let slot = plan.push_slot(message.role, Some(id), Pieces::Run { start, end });
            plan.order.push(slot);
        }
    }
    for block in outline.system.clone() {
        let stored = &outline.blocks[block as usize];
        let piece = plan.push_piece(Piece::new(stored.kind, Some((BlockId(block), stored)), None));
        plan.system.push(piece);
    }
    for id in split.into_iter().filter(|_| outline.same) {
        plan.repair(RepairKind::BatchSplit, Some(id), None, None, None);
    }
    plan
}

/// Neighbouring result messages become one user message.
fn join_results<S: Source>(plan: &mut Plan<'_, '_, S>, message: MessageId, pieces: Range<u32>) {
    if let Some(&before) = plan.order.last() {
        let from_result = plan.message_of(before).is_some_and(|m| m.role == Role::Result);
        if plan.slot(before).role == Role::User && from_result {
            plan.extend(before, pieces.map(PieceId).collect());
            return;
        }
    }
    let slot = plan.push_slot(Role::User, Some(message), Pieces::List(pieces.map(PieceId).collect()));
    plan.slot_mut(slot).touched = true;
    plan.order.push(slot);
}

/// Each result becomes a message of its own, in the role that may hold it; the rest keeps its order.
fn split_results<S: Source>(plan: &mut Plan<'_, '_, S>, message: MessageId, pieces: Range<u32>, home: Role) {
    let role = plan.outline.messages[message as usize].role;
    let mut rest = Vec::new();
    let add = |plan: &mut Plan<'_, '_, S>, role, list: Vec<PieceId>| {
        if !list.is_empty() {
            let slot = plan.push_slot(role, Some(message), Pieces::List(list));
            plan.slot_mut(slot).touched = true;
            plan.order.push(slot);
        }
    };
    for id in pieces.map(PieceId) {
        if plan.piece(id).kind == BlockKind::Result {
            add(plan, role, std::mem::take(&mut rest));
            add(plan, home, vec![id]);
        } else {
            rest.push(id);
        }
    }
    add(plan, role, rest);
}

fn bit(kind: BlockKind) -> u16 {
    1 << kind as u16
}

fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
