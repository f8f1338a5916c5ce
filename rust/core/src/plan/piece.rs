//! Piece and slot: one block and one message of the answer.

use std::borrow::Cow;
use std::ops::Range;

use crate::outline::{Block, BlockId, BlockKind, Mark, MessageId, Role};

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
    pub(super) fn new<N: Copy>(
        kind: BlockKind,
        block: Option<(BlockId, &Block<'_, N>)>,
        message: Option<MessageId>,
    ) -> Self {
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
pub(super) enum Pieces {
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
    pub(super) pieces: Pieces,
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
