//! Outline: all that a rule may see of a transcript. Mirrored by `apus._pure.outline`.
//!
//! The outline holds kinds, ids, names, flags and places; contents stay where they are. Dialects write it, rules read it.
//! Blocks of all messages stand in one vector and those inside results in another, so that a clean transcript costs no
//! allocation per message.

mod block;
mod kinds;
mod message;

use std::fmt::Write;
use std::ops::Range;

pub use block::{Block, Rare};
pub use kinds::{Arguments, BlockKind, Content, Mark, Role, Stop};
pub use message::{Maker, Message, Summary};

use crate::source::Source;

/// Number of a block in its outline; blocks inside results have the high bit set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockId(pub(crate) u32);

/// Number of a message in its outline.
pub type MessageId = u32;

const INNER: u32 = 1 << 31;

/// The messages of a transcript, the system blocks beside it, and what was dropped while reading.
pub struct Outline<'s, S: Source> {
    /// Where contents are looked up.
    pub source: &'s S,
    /// The messages.
    pub messages: Vec<Message<'s, S::Node>>,
    /// The blocks of all messages, and behind them those of the system field.
    pub blocks: Vec<Block<'s, S::Node>>,
    /// The blocks inside results.
    pub inner: Vec<Block<'s, S::Node>>,
    /// The blocks of the system field.
    pub system: Range<u32>,
    /// List index of each element that is no message, and what it was.
    pub dropped: Vec<(u32, &'static str)>,
    /// JSON pointer of the list in the stored document.
    pub pointer: String,
    /// Source and written dialect are one.
    pub same: bool,
}

impl<'s, S: Source> Outline<'s, S> {
    /// An empty outline.
    pub fn new(source: &'s S, pointer: String) -> Self {
        Self {
            source,
            messages: Vec::new(),
            blocks: Vec::new(),
            inner: Vec::new(),
            system: 0..0,
            dropped: Vec::new(),
            pointer,
            same: true,
        }
    }

    /// The block of a number.
    pub fn block(&self, id: BlockId) -> &Block<'s, S::Node> {
        if id.0 & INNER == 0 { &self.blocks[id.0 as usize] } else { &self.inner[(id.0 & !INNER) as usize] }
    }

    /// Numbers of the blocks inside a result.
    pub fn inner_ids(&self, id: BlockId) -> impl Iterator<Item = BlockId> + use<S> {
        self.block(id).inner.clone().map(|number| BlockId(number | INNER))
    }

    /// The blocks inside a result.
    pub fn inner_blocks(&self, id: BlockId) -> &[Block<'s, S::Node>] {
        let range = &self.block(id).inner;
        &self.inner[range.start as usize..range.end as usize]
    }

    /// The blocks of a message.
    pub fn blocks_of(&self, message: &Message<'s, S::Node>) -> &[Block<'s, S::Node>] {
        &self.blocks[message.blocks.start as usize..message.blocks.end as usize]
    }

    /// JSON pointer of a message or block in the stored document.
    pub fn pointer_of(&self, message: MessageId, block: Option<BlockId>) -> String {
        let message = &self.messages[message as usize];
        let mut made = format!("{}/{}{}", self.pointer, message.index, message.path);
        if let Some(id) = block {
            let block = self.block(id);
            made.push('/');
            made.push_str(block.key);
            if let Some(index) = block.index {
                let _ = write!(made, "/{index}");
            }
        }
        made
    }
}
