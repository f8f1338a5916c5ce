//! Arguments: what the text of a call's arguments is, for a target that needs an object or valid JSON.

use crate::error::ErrorKind;
use crate::json::scan::scan_text;
use crate::json::{JsonNode, JsonSource};
use crate::source::{Kind, Source, is_blank};

/// How deep an arguments text may nest.
pub const DEPTH: usize = 200;

/// What an arguments text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentsText {
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
#[must_use]
pub fn arguments_of(text: &str) -> ArgumentsText {
    if is_blank(text) {
        return ArgumentsText::Empty;
    }
    let source = match scan_text(text, DEPTH) {
        Ok(source) => source,
        Err(error) if error.kind == ErrorKind::TooDeep => return ArgumentsText::TooDeep,
        Err(_) => return ArgumentsText::Malformed,
    };
    match source.kind(source.root()) {
        Kind::Null => ArgumentsText::Empty,
        Kind::Object if source.nodes().any(|node| is_big(&source, node)) => ArgumentsText::BigNumber,
        Kind::Object => ArgumentsText::Object,
        _ => ArgumentsText::NotObject,
    }
}

/// Whether the value is a number that a double can only hold as infinity.
fn is_big(source: &JsonSource<'_>, node: JsonNode) -> bool {
    // It takes 309 digits or an exponent to get there, so ordinary numbers are not parsed.
    source.kind(node) == Kind::Number && {
        let number = source.raw(node);
        (number.len() > 308 || number.contains(['e', 'E'])) && number.parse().is_ok_and(f64::is_infinite)
    }
}
