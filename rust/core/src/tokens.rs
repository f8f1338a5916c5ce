//! Tokens: the heuristic estimate, `ceil(ascii / 4) + non_ascii` in code points.

use crate::json::compact;
use crate::json::string::{self, Piece};
use crate::source::Source;

/// The estimate for a text.
///
/// ```
/// assert_eq!(apus_core::tokens::text_tokens("hello 世界"), 2 + 2);
/// ```
#[must_use]
pub fn text_tokens(text: &str) -> u64 {
    let (ascii, characters) = counted(text.as_bytes());
    estimate(ascii, characters - ascii)
}

/// The estimate for the compact JSON text of a value.
pub fn compact_tokens<S: Source>(source: &S, node: S::Node) -> u64 {
    source.ready(node).map_or_else(|| text_tokens(&compact(source, node)), text_tokens)
}

/// The estimate for what a JSON string says; `raw` is the string without its quotes. Nothing is decoded into a buffer.
pub(crate) fn raw_tokens(raw: &str) -> u64 {
    let bytes = raw.as_bytes();
    let (mut ascii, characters) = counted(bytes);
    let mut other = characters - ascii;
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', bytes.get(at..).unwrap_or_default()) {
        let start = at + found;
        let escape = if bytes.get(start + 1) == Some(&b'u') { string::unicode_escape(bytes, start + 1) } else { None };
        let is_ascii = escape.as_ref().is_none_or(|(piece, _)| matches!(piece, Piece::Char(c) if c.is_ascii()));
        at = escape.map_or(start + 2, |(_, end)| end);
        ascii -= (at - start) as u64 - u64::from(is_ascii);
        other += u64::from(!is_ascii);
    }
    estimate(ascii, other)
}

fn estimate(ascii: u64, other: u64) -> u64 {
    ascii.div_ceil(4) + other
}

/// How many ASCII characters and how many characters there are.
fn counted(bytes: &[u8]) -> (u64, u64) {
    // A stretch whose counts fit a byte lets the compiler count 16 bytes at a time, if no overflow has to be checked.
    bytes.chunks(192).fold((0, 0), |(ascii, characters), stretch| {
        let (mut high, mut following) = (0u8, 0u8);
        for &byte in stretch {
            high = high.wrapping_add(byte >> 7);
            following = following.wrapping_add(u8::from(byte & 0xc0 == 0x80));
        }
        let length = stretch.len() as u64;
        (ascii + length - u64::from(high), characters + length - u64::from(following))
    })
}
