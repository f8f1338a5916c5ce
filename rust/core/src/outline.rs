//! Outline: all that a rule may see of a transcript. Mirrored by `apus._pure.outline`.
//!
//! The outline holds kinds, ids, names, flags and places; contents stay where they are. Dialects write it, rules read it.
//! Blocks of all messages stand in one vector and those inside results in another, so that a clean transcript costs no
//! allocation per message.

use std::borrow::Cow;
use std::fmt::Write;
use std::ops::Range;

use crate::source::{Flags, Source};

/// Who speaks in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The system prompt.
    System,
    /// The developer's prompt.
    Developer,
    /// The user.
    User,
    /// The model.
    Assistant,
    /// A message of its own that holds one tool result.
    Result,
    /// Anybody else.
    Other,
}

impl Role {
    /// Whether it is one of the prompt's roles.
    #[must_use]
    pub const fn is_system(self) -> bool {
        matches!(self, Self::System | Self::Developer)
    }

    /// The name in policies.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Developer => "developer",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Result => "result",
            Self::Other => "other",
        }
    }
}

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BlockKind {
    Text,
    Reasoning,
    Call,
    Result,
    Image,
    Audio,
    Video,
    Document,
    ServerCall,
    ServerResult,
    /// Names something of the provider's: a tool, a file, an upload.
    Reference,
    /// Known to the dialect, passed as it stands.
    Opaque,
    Unknown,
}

impl BlockKind {
    /// Whether it is a picture, a sound, a film or a document.
    #[must_use]
    pub const fn is_media(self) -> bool {
        matches!(self, Self::Image | Self::Audio | Self::Video | Self::Document)
    }

    /// Whether it belongs to a tool that the provider runs itself.
    #[must_use]
    pub const fn is_server(self) -> bool {
        matches!(self, Self::ServerCall | Self::ServerResult)
    }

    /// The name in policies and notes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Reasoning => "reasoning",
            Self::Call => "call",
            Self::Result => "result",
            Self::Image => "image",
            Self::Audio => "audio",
            Self::Video => "video",
            Self::Document => "document",
            Self::ServerCall => "server_call",
            Self::ServerResult => "server_result",
            Self::Reference => "reference",
            Self::Opaque => "opaque",
            Self::Unknown => "unknown",
        }
    }
}

/// How the arguments of a call stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arguments {
    /// An object.
    Object,
    /// No key at all.
    Missing,
    /// Null, blank text, or the text `null`.
    Empty,
    /// Text of a strict JSON object.
    Text,
    /// Text that is not a strict JSON object.
    Broken,
    /// A value that is neither an object nor a text.
    Value,
    /// Text of a strict JSON object with a number beyond a double.
    Big,
    /// Free text by design (custom tools).
    Free,
}

/// Why an assistant turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Stop {
    Unknown,
    Normal,
    Length,
    Error,
    Aborted,
    Pause,
}

/// A cache mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// Five minutes.
    Short,
    /// One hour.
    Long,
}

/// The form that the content of a message is stored in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Content {
    Text,
    List,
    Object,
    Null,
    Absent,
    Other,
}

/// Number of a block in its outline; blocks inside results have the high bit set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockId(pub(crate) u32);

/// Number of a message in its outline.
pub type MessageId = u32;

const INNER: u32 = 1 << 31;

/// One block and where it stands: `key` and `index` inside its message, `node` its value.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "flags that dialects read and rules ask for")]
#[expect(missing_docs, reason = "documented once, in the outline module of the Python package")]
pub struct Block<'s, N> {
    pub kind: BlockKind,
    pub node: N,
    /// The message's key it stands under.
    pub key: &'static str,
    /// Its place in that list; `None`: the value itself.
    pub index: Option<u32>,
    /// Number of the block in its message.
    pub order: u32,
    /// Deep flags of the node.
    pub flags: Flags,
    /// Trimmed; `None`: missing or empty.
    pub id: Option<Cow<'s, str>>,
    /// The stored id is the trimmed one, letter by letter.
    pub exact: bool,
    pub name: Option<Cow<'s, str>>,
    /// Node of the text of a text or of reasoning, of the arguments of a call, of the content of a result.
    pub text: Option<N>,
    pub blank: bool,
    /// The whole text is one of apus's own.
    pub own: bool,
    pub signed: bool,
    pub redacted: bool,
    pub args: Arguments,
    /// A call whose stream was never finalised.
    pub partial: bool,
    pub error: bool,
    /// A result that a system inserted.
    pub synthetic: bool,
    /// Of another dialect than its message.
    pub foreign: bool,
    /// Of results: their blocks, in the inner vector.
    pub inner: Range<u32>,
    pub mark: Option<Mark>,
    /// Type text of a block that only its dialect knows.
    pub label: Option<Cow<'s, str>>,
    /// What most blocks don't have.
    pub rare: Option<Box<Rare<'s, N>>>,
}

/// What most blocks don't have.
#[derive(Debug)]
#[expect(missing_docs, reason = "documented once, in the outline module of the Python package")]
pub struct Rare<'s, N> {
    /// Node of the signature, or of redacted data.
    pub signature: Option<N>,
    /// Node of the payload of a medium: base64 text, data URL or URL.
    pub data: Option<N>,
    pub media_type: Option<Cow<'s, str>>,
    pub url: Option<Cow<'s, str>>,
    /// Name of the field that reasoning, arguments or an id stood in.
    pub field: Option<&'static str>,
    /// What a text note says in its place.
    pub note: Option<String>,
    /// Keys that start with `_`: they never leave the store.
    pub private: Vec<String>,
    /// Keys that the dialect's table does not list.
    pub extra: Vec<String>,
    /// Fields that the wire's schema refuses as they stand.
    pub shape: Vec<&'static str>,
}

impl<N> Default for Rare<'_, N> {
    fn default() -> Self {
        Self {
            signature: None,
            data: None,
            media_type: None,
            url: None,
            field: None,
            note: None,
            private: Vec::new(),
            extra: Vec::new(),
            shape: Vec::new(),
        }
    }
}

impl<'s, N: Copy> Block<'s, N> {
    /// A block of a kind at a place.
    pub fn new(kind: BlockKind, node: N, key: &'static str, index: Option<u32>, order: u32) -> Self {
        Self {
            kind,
            node,
            key,
            index,
            order,
            flags: Flags::NONE,
            id: None,
            exact: true,
            name: None,
            text: None,
            blank: false,
            own: false,
            signed: false,
            redacted: false,
            args: Arguments::Object,
            partial: false,
            error: false,
            synthetic: false,
            foreign: false,
            inner: 0..0,
            mark: None,
            label: None,
            rare: None,
        }
    }

    /// The rare facts, for writing.
    pub fn rare_mut(&mut self) -> &mut Rare<'s, N> {
        self.rare.get_or_insert_default()
    }

    /// Node of the signature.
    pub fn signature(&self) -> Option<N> {
        self.rare.as_ref().and_then(|r| r.signature)
    }

    /// Node of the payload.
    pub fn data(&self) -> Option<N> {
        self.rare.as_ref().and_then(|r| r.data)
    }

    /// The media type.
    pub fn media_type(&self) -> Option<&str> {
        self.rare.as_ref().and_then(|r| r.media_type.as_deref())
    }

    /// The URL of a medium that is not inline.
    pub fn url(&self) -> Option<&str> {
        self.rare.as_ref().and_then(|r| r.url.as_deref())
    }

    /// The field that something stood in.
    pub fn field(&self) -> Option<&'static str> {
        self.rare.as_ref().and_then(|r| r.field)
    }

    /// What a note says in its place.
    pub fn note(&self) -> Option<&str> {
        self.rare.as_ref().and_then(|r| r.note.as_deref())
    }

    /// Keys that start with `_`.
    pub fn private(&self) -> &[String] {
        self.rare.as_ref().map_or(&[], |r| &r.private)
    }

    /// Keys that no table lists.
    pub fn extra(&self) -> &[String] {
        self.rare.as_ref().map_or(&[], |r| &r.extra)
    }

    /// Fields that the schema refuses.
    pub fn shape(&self) -> &[&'static str] {
        self.rare.as_ref().map_or(&[], |r| &r.shape)
    }
}

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
