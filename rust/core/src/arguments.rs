//! Arguments: what the text of a call's arguments is, for a target that needs an object or valid JSON.

use crate::error::ErrorKind;
use crate::json::JsonSource;
use crate::json::scan::scan_text;
use crate::source::{Flags, Kind, Source, is_blank};

/// How deep an arguments text may nest.
pub const DEPTH: usize = 200;

/// What an arguments text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// Blank, or `null`.
    Empty,
    /// A strict JSON object.
    Object,
    /// JSON that nests deeper than `DEPTH`.
    TooDeep,
    /// A strict JSON object that holds a number beyond a double.
    BigNumber,
    /// JSON, but no object.
    NotObject,
    /// No strict JSON.
    Malformed,
}

/// What `text` is.
///
/// ```
/// use apus_core::arguments::{Text, arguments_of};
///
/// assert_eq!(arguments_of(r#"{"path": "a.rs"}"#), Text::Object);
/// assert_eq!(arguments_of(r#"{"path": NaN}"#), Text::Malformed);
/// ```
#[must_use]
pub fn arguments_of(text: &str) -> Text {
    object_of(text).err().unwrap_or(Text::Object)
}

/// What stands in the object that `text` spells out; nothing for any other text.
#[must_use]
pub fn arguments_flags(text: &str) -> Flags {
    object_of(text).map_or(Flags::NONE, |source| source.flags(source.root()))
}

/// The object that `text` spells out, or what the text is instead.
pub fn object_of(text: &str) -> Result<JsonSource<'_>, Text> {
    if is_blank(text) {
        return Err(Text::Empty);
    }
    let source = scan_text(text, DEPTH)
        .map_err(|error| if error.kind == ErrorKind::TooDeep { Text::TooDeep } else { Text::Malformed })?;
    match source.kind(source.root()) {
        Kind::Null => Err(Text::Empty),
        Kind::Object if source.has_big_number() => Err(Text::BigNumber),
        Kind::Object => Ok(source),
        _ => Err(Text::NotObject),
    }
}
