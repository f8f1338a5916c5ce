//! Kinds: what a message, a block, arguments and a stop can be.

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
