//! Errors: small values; every sentence is lower case and says what was found, where, what was expected.

use std::fmt;

/// What kind of error it is: the `kind` of `TranscriptError` in Python, or the class of the two that are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The input is not JSON, or holds a value that JSON cannot hold.
    NotJson,
    /// The input nests deeper than the limit.
    TooDeep,
    /// The input is JSON, but no transcript.
    NotATranscript,
    /// No dialect fits the input.
    UnknownDialect,
    /// Messages of two dialects stand in one transcript.
    MixedDialects,
    /// The history continues state that only another server holds.
    ServerState,
    /// The input or the answer is over a limit.
    Limit,
    /// A fault of apus itself.
    Internal,
}

impl ErrorKind {
    /// The name that callers see.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotJson => "not_json",
            Self::TooDeep => "too_deep",
            Self::NotATranscript => "not_a_transcript",
            Self::UnknownDialect => "unknown_dialect",
            Self::MixedDialects => "mixed_dialects",
            Self::ServerState => "server_state",
            Self::Limit => "limit",
            Self::Internal => "internal",
        }
    }
}

/// An error with its place, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What kind of error it is.
    pub kind: ErrorKind,
    /// One sentence; the same in both cores and lanes.
    pub message: String,
    /// Message, and block or none.
    pub loc: Option<(u32, Option<u32>)>,
    /// JSON pointer into the stored transcript.
    pub pointer: Option<String>,
    /// Byte offset; JSON lane only, and so never part of the sentence.
    pub offset: Option<u64>,
}

impl Error {
    /// An error without a place.
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), loc: None, pointer: None, offset: None }
    }

    /// The error for `fault` at the end of `path`.
    #[must_use]
    pub fn fault(fault: &Fault, path: &[Step]) -> Self {
        let kind = if matches!(fault, Fault::Deep(_)) { ErrorKind::TooDeep } else { ErrorKind::NotJson };
        let (found, expected) = fault.words();
        let message = format!("found {found} {}, expected {expected}", place(path));
        Self { kind, message, loc: loc(path), pointer: Some(pointer(path)), offset: None }
    }

    /// The same error; inside a body, with the place that it has in the list of messages there.
    #[must_use]
    pub fn located(mut self) -> Self {
        let pointer = self.pointer.as_deref().unwrap_or_default();
        let steps: Vec<_> = pointer.split('/').skip(1).collect();
        let index = |at: usize| steps.get(at)?.parse().ok();
        if self.loc.is_none() && steps.first().is_some_and(|key| LISTS.contains(key)) {
            self.loc = index(1).map(|message| (message, index(BLOCK)));
        }
        self
    }

    /// The same error at byte `offset`.
    #[must_use]
    pub fn at(mut self, offset: usize) -> Self {
        self.offset = u64::try_from(offset).ok();
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// One step of the way from the root to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// An item of an array.
    Index(usize),
    /// An entry of an object.
    Key(String),
}

/// What can be wrong with a value, in either lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Bytes that are not UTF-8.
    Encoding,
    /// No value where one has to stand.
    Value,
    /// No key where one has to stand.
    Key,
    /// No colon behind a key.
    Colon,
    /// Neither comma nor closing bracket behind a value.
    Comma,
    /// A control character that stands in a string unescaped.
    Control,
    /// A backslash that starts no escape.
    Escape,
    /// A string that does not end.
    Quote,
    /// Digits that are no number.
    Number,
    /// `NaN`, `Infinity` or `-Infinity`.
    Constant,
    /// Text behind the value.
    Trailing,
    /// More levels than the given limit.
    Deep(usize),
    /// A key that is not a string (objects lane).
    ForeignKey,
    /// A value of the named type, which JSON does not know (objects lane).
    ForeignType(String),
    /// An integer that Python's json module cannot write (objects lane).
    HugeInteger,
}

impl Fault {
    /// What was found and what was expected.
    fn words(&self) -> (String, String) {
        let (found, expected) = match self {
            Self::Encoding => ("bytes that are not utf-8", "json in utf-8"),
            Self::Value => ("malformed json", "a value"),
            Self::Key => ("malformed json", "a key in double quotes"),
            Self::Colon => ("malformed json", "a colon behind the key"),
            Self::Comma => ("malformed json", "a comma or a closing bracket"),
            Self::Control => ("a raw control character in a string", "an escape"),
            Self::Escape => ("an unknown escape in a string", "one that json defines"),
            Self::Quote => ("a string without an end", "a closing quote"),
            Self::Number => ("a malformed number", "one that json defines"),
            Self::Constant => ("nan or infinity", "a finite number"),
            Self::Trailing => ("text behind the json value", "its end"),
            Self::Deep(limit) => {
                return (format!("nesting deeper than {limit} levels"), format!("at most {limit}"));
            }
            Self::ForeignKey => ("a key that is not a string", "a string"),
            Self::ForeignType(name) => {
                let name = if is_plain(name) { name } else { "another kind" };
                return (format!("a value of type {name}"), "a json value".into());
            }
            Self::HugeInteger => ("an integer of more than 4300 digits", "a shorter one"),
        };
        (found.into(), expected.into())
    }
}

/// Keys of a body that the list of messages stands under.
const LISTS: &[&str] = &["messages", "input", "contents"];
/// The step of a pointer into a body that names the block: /messages/2/content/1.
const BLOCK: usize = 3;

/// Steps of a path that a sentence shows: message, field, block, field.
const SHOWN_STEPS: usize = 4;

/// The place in words. A key that is not plain ends it: a sentence never repeats foreign text.
fn place(path: &[Step]) -> String {
    let mut shown = String::new();
    for step in path.iter().take(SHOWN_STEPS) {
        match step {
            Step::Index(index) => shown.extend(["/", &index.to_string()]),
            Step::Key(key) if is_plain(key) => shown.extend(["/", key]),
            Step::Key(_) => break,
        }
    }
    if shown.is_empty() { "in the transcript".into() } else { format!("at {shown}") }
}

/// What may be interpolated into a sentence.
fn is_plain(name: &str) -> bool {
    (1..=64).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.:@-".contains(&b))
}

/// The path as a JSON pointer.
fn pointer(path: &[Step]) -> String {
    let mut text = String::new();
    for step in path {
        text.push('/');
        match step {
            Step::Index(index) => text.push_str(&index.to_string()),
            Step::Key(key) => text.push_str(&key.replace('~', "~0").replace('/', "~1")),
        }
    }
    text
}

/// Message and block, where the root is the list of messages. In a body the reader knows which list it is.
fn loc(path: &[Step]) -> Option<(u32, Option<u32>)> {
    let index = |at: usize| match path.get(at) {
        Some(Step::Index(index)) => u32::try_from(*index).ok(),
        _ => None,
    };
    index(0).map(|message| (message, index(2)))
}
