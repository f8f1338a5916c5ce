//! Message: one stored message and what is known of it.

use std::borrow::Cow;
use std::ops::Range;

use super::{Content, Role, Stop};
use crate::source::Flags;

/// Who made a message: provider, api, model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Maker<'s> {
    pub provider: Option<Cow<'s, str>>,
    pub api: Option<Cow<'s, str>>,
    pub model: Option<Cow<'s, str>>,
}

/// One stored message.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "flags that dialects read and rules ask for")]
#[expect(missing_docs, reason = "documented once, in the outline module of the Python package")]
pub struct Message<'s, N> {
    pub role: Role,
    pub role_text: Option<Cow<'s, str>>,
    pub node: N,
    /// What stands for it in a list of messages; `None`: it has to be rendered.
    pub stored: Option<N>,
    /// Place in the stored list.
    pub index: u32,
    /// JSON pointer of the message inside its list element.
    pub path: &'static str,
    /// Its blocks, in the outline's vector.
    pub blocks: Range<u32>,
    pub content: Content,
    pub flags: Flags,
    pub maker: Option<Maker<'s>>,
    /// Made by the target.
    pub own: bool,
    pub stop: Stop,
    /// The speaker.
    pub name: Option<Cow<'s, str>>,
    /// Marked as the start of the answer.
    pub prefix: bool,
    /// Keys that the dialect's table does not list.
    pub extra: Vec<String>,
    /// Listed keys that hold neither blocks nor ids: not every server knows them.
    pub beside: Vec<&'static str>,
    pub private: Vec<String>,
    pub shape: Vec<&'static str>,
    // Facts that only stored transcripts carry.
    pub excluded: bool,
    pub mirror: bool,
    /// Which note introduces a rendered message.
    pub summary: Option<Summary>,
    /// Older than the last compaction: what is bound to the prefix no longer holds.
    pub void: bool,
    pub failed: bool,
    pub silent: bool,
    /// The known parts of a message of another session.
    pub provenance: Option<[Cow<'s, str>; 3]>,
}

/// What a rendered message is introduced as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Summary {
    Summary,
    Branch,
    Command,
}

impl<N: Copy> Message<'_, N> {
    /// A message of a role.
    pub fn new(role: Role, node: N, index: u32, first_block: u32) -> Self {
        Self {
            role,
            role_text: None,
            node,
            stored: Some(node),
            index,
            path: "",
            blocks: first_block..first_block,
            content: Content::Absent,
            flags: Flags::NONE,
            maker: None,
            own: true,
            stop: Stop::Unknown,
            name: None,
            prefix: false,
            extra: Vec::new(),
            beside: Vec::new(),
            private: Vec::new(),
            shape: Vec::new(),
            excluded: false,
            mirror: false,
            summary: None,
            void: false,
            failed: false,
            silent: false,
            provenance: None,
        }
    }
}
