//! The dialects: one row each. Mirrored by `apus._pure.dialects`; nothing else knows a dialect's keys.

pub(crate) mod anthropic_blocks;
pub(crate) mod anthropic_messages;
pub(crate) mod anthropic_write;
pub(crate) mod apus;
pub(crate) mod apus_blocks;
pub(crate) mod apus_session;
pub(crate) mod apus_write;
pub(crate) mod detect;
mod edits;
pub(crate) mod openai_chat;
pub(crate) mod openai_parts;
pub(crate) mod openai_write;
pub(crate) mod reading;
pub(crate) mod writing;

use crate::outline::Outline;
use crate::plan::SlotId;
use crate::policy::ArgumentsForm;
use crate::source::Source;
use crate::tree::Tree;
use reading::Reader;
use writing::Writer;

/// A shape of transcripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// The stored transcript of the runner.
    Apus,
    /// Chat completions.
    OpenaiChat,
    /// Anthropic messages.
    AnthropicMessages,
}

/// Where a dialect has what.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "a row of facts")]
#[expect(missing_docs, reason = "documented once, in the Python package")]
pub struct Shape {
    pub name: &'static str,
    pub list_key: &'static str,
    pub system_key: Option<&'static str>,
    pub results_in_user: bool,
    pub beside_content: bool,
    pub stored: bool,
    pub writes_images: bool,
    pub urls: bool,
    pub arguments: ArgumentsForm,
}

const SHAPE: Shape = Shape {
    name: "",
    list_key: "messages",
    system_key: None,
    results_in_user: false,
    beside_content: false,
    stored: false,
    writes_images: true,
    urls: true,
    arguments: ArgumentsForm::Object,
};
const APUS: Shape = Shape { name: "apus", stored: true, urls: false, ..SHAPE };
const OPENAI_CHAT: Shape =
    Shape { name: "openai-chat", beside_content: true, arguments: ArgumentsForm::String, ..SHAPE };
const ANTHROPIC_MESSAGES: Shape =
    Shape { name: "anthropic-messages", system_key: Some("system"), results_in_user: true, ..SHAPE };

impl Dialect {
    /// Every dialect, in order.
    pub const ALL: &[Self] = &[Self::Apus, Self::OpenaiChat, Self::AnthropicMessages];

    /// Its row.
    #[must_use]
    pub const fn shape(self) -> &'static Shape {
        match self {
            Self::Apus => &APUS,
            Self::OpenaiChat => &OPENAI_CHAT,
            Self::AnthropicMessages => &ANTHROPIC_MESSAGES,
        }
    }

    /// The dialect of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|d| d.shape().name == name)
    }

    /// Read one message, an object, into the outline. `role` says what a session entry does not say itself.
    pub(crate) fn read_message<'s, S: Source>(
        self,
        reader: &Reader<'s, S>,
        outline: &mut Outline<'s, S>,
        node: S::Node,
        index: u32,
        role: Option<&'static str>,
    ) {
        match self {
            Self::Apus => apus::read_message(reader, outline, node, index, role),
            Self::OpenaiChat => openai_chat::read_message(reader, outline, node, index),
            Self::AnthropicMessages => anthropic_messages::read_message(reader, outline, node, index),
        }
    }

    /// Read the request's own system field behind the blocks of the messages. False if the dialect has none.
    pub(crate) fn read_system<'s, S: Source>(
        self,
        reader: &Reader<'s, S>,
        outline: &mut Outline<'s, S>,
        node: S::Node,
    ) -> bool {
        if self == Self::AnthropicMessages {
            anthropic_messages::read_system(reader, outline, node);
        }
        self.shape().system_key.is_some()
    }

    /// One message of the answer.
    pub(crate) fn write_message<'t, S: Source>(self, slot: SlotId, writer: &Writer<'t, S>) -> Tree<'t, S::Node> {
        match self {
            Self::Apus => apus_write::write_message(slot, writer),
            Self::OpenaiChat => openai_write::write_message(slot, writer),
            Self::AnthropicMessages => anthropic_write::write_message(slot, writer),
        }
    }

    /// The request's own system field; `None` for none.
    pub(crate) fn write_system<'t, S: Source>(self, writer: &Writer<'t, S>) -> Option<Tree<'t, S::Node>> {
        match self {
            Self::AnthropicMessages => anthropic_write::write_system(writer),
            Self::Apus | Self::OpenaiChat => None,
        }
    }
}
