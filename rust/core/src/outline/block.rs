//! Block: one content block and what is known of it.

use std::borrow::Cow;
use std::ops::Range;

use super::{Arguments, BlockKind, Mark};
use crate::source::Flags;

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
