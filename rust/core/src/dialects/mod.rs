//! The dialects: one row each. Mirrored by `apus._pure.dialects`; nothing else knows a dialect's keys.

pub(crate) mod anthropic_messages;
pub(crate) mod anthropic_write;
pub(crate) mod apus;
pub(crate) mod apus_session;
pub(crate) mod apus_write;
pub(crate) mod detect;
pub(crate) mod openai_chat;
pub(crate) mod openai_write;
pub(crate) mod reading;
pub(crate) mod writing;

use crate::policy::ArgumentsForm;

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
}
