//! Compact JSON text of a value, from any source: no spaces, non-ASCII as itself, numbers as they are.
//!
//! The walk keeps its own stack: a source may nest as deep as its limit allows.

use std::borrow::Cow;

use super::escape::{escape, escape_exact};
use super::keys::last_of_each;
use crate::source::{Flags, Kind, Source};

/// How strings and keys are spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// As they are; a lone surrogate is copied in generalized UTF-8.
    Exact,
    /// As they are; a lone surrogate is a `\u` escape.
    Escaped,
    /// U+FFFD for each lone surrogate and, if so chosen, for NUL.
    Scrubbed {
        /// Whether NUL is scrubbed too.
        nul: bool,
    },
}

impl Spelling {
    /// What of `flags` this spelling changes.
    pub(crate) fn changes(self) -> Flags {
        match self {
            Self::Exact | Self::Escaped => Flags::NONE,
            Self::Scrubbed { nul: false } => Flags::LONE_SURROGATE,
            Self::Scrubbed { nul: true } => Flags::LONE_SURROGATE | Flags::NUL,
        }
    }

    /// This spelling, and scrubbed.
    pub(crate) fn scrubbed(self, nul: bool) -> Self {
        Self::Scrubbed { nul: nul || self == Self::Scrubbed { nul: true } }
    }

    /// `text`, with what this spelling does to NUL.
    pub(crate) fn applied(self, text: Cow<'_, str>) -> Cow<'_, str> {
        match self.of(&text) {
            Cow::Owned(changed) => Cow::Owned(changed),
            Cow::Borrowed(_) => text,
        }
    }

    /// `text`, with what this spelling does to NUL.
    pub(crate) fn of(self, text: &str) -> Cow<'_, str> {
        match self {
            Self::Scrubbed { nul: true } if text.contains('\0') => Cow::Owned(text.replace('\0', "\u{fffd}")),
            _ => Cow::Borrowed(text),
        }
    }
}

/// The compact JSON text of a value, with U+FFFD for each lone surrogate.
#[must_use]
pub fn compact<S: Source>(source: &S, node: S::Node) -> String {
    if let Some(ready) = source.ready(node) {
        return ready.to_owned();
    }
    let bytes = spelled(source, node, Spelling::Scrubbed { nul: false });
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// The compact JSON text of a value in generalized UTF-8.
pub(crate) fn exact<S: Source>(source: &S, node: S::Node) -> Vec<u8> {
    spelled(source, node, Spelling::Exact)
}

/// The compact JSON text of a value in `spelling`.
pub(crate) fn spelled<S: Source>(source: &S, node: S::Node, spelling: Spelling) -> Vec<u8> {
    let mut out = Vec::new();
    let scrubbed = spelling.changes();
    emit(source, node, spelling, &mut out, |node| source.ready(node).filter(|_| !source.flags(node).has(scrubbed)));
    out
}

/// Append the text of a value. What `copied` gives for a value is taken as it is.
pub(super) fn emit<'s, S: Source>(
    source: &'s S,
    node: S::Node,
    spelling: Spelling,
    out: &mut Vec<u8>,
    copied: impl Fn(S::Node) -> Option<&'s str>,
) {
    // Asked once: over foreign objects the answer takes a walk.
    let is_changed = source.flags(node).has(spelling.changes());
    let mut stack = Vec::new();
    let mut next = Some(node);
    loop {
        if let Some(node) = next {
            if let Some(text) = copied(node) {
                out.extend_from_slice(text.as_bytes());
            } else if let Some(frame) = start(source, node, spelling, is_changed, out) {
                stack.push(frame);
            }
        }
        let Some(frame) = stack.last_mut() else { return };
        next = frame.step(source, spelling, out);
        if next.is_none() {
            stack.pop();
        }
    }
}

/// An array or object that is being written.
enum Frame<'s, S: Source + 's> {
    Items(S::Items<'s>),
    Entries(S::Entries<'s>),
    /// Entries whose scrubbed keys can coincide.
    Scrubbed(std::vec::IntoIter<(String, S::Node)>),
}

/// Append a scalar, or the bracket of a container and give its frame.
fn start<'s, S: Source>(
    source: &'s S,
    node: S::Node,
    spelling: Spelling,
    is_changed: bool,
    out: &mut Vec<u8>,
) -> Option<Frame<'s, S>> {
    match source.kind(node) {
        Kind::Null => out.extend_from_slice(b"null"),
        Kind::Bool => out.extend_from_slice(if source.is_true(node) { b"true" } else { b"false" }),
        Kind::Number => out.extend_from_slice(source.number(node).unwrap_or_default().as_bytes()),
        Kind::String => string(source, node, spelling, out),
        Kind::Array => {
            out.push(b'[');
            return Some(Frame::Items(source.items(node)));
        }
        Kind::Object => {
            out.push(b'{');
            let entries = source.entries(node);
            return Some(if is_changed {
                Frame::Scrubbed(scrubbed_entries(source, entries, spelling).into_iter())
            } else {
                Frame::Entries(entries)
            });
        }
    }
    None
}

/// Keys as they will be written, each once.
fn scrubbed_entries<S: Source>(
    source: &S,
    entries: impl Iterator<Item = (S::Node, S::Node)>,
    spelling: Spelling,
) -> Vec<(String, S::Node)> {
    last_of_each(entries.map(|(key, value)| {
        let key = spelling.of(&source.text(key).unwrap_or_default()).into_owned();
        (key.clone(), (key, value))
    }))
}

impl<S: Source> Frame<'_, S> {
    /// Append what stands before the next value and give that value, or append the closing bracket.
    fn step(&mut self, source: &S, spelling: Spelling, out: &mut Vec<u8>) -> Option<S::Node> {
        let (value, bracket) = match self {
            Self::Items(items) => (items.next().inspect(|_| comma(out)), b']'),
            Self::Entries(entries) => (
                entries.next().map(|(key, value)| {
                    comma(out);
                    string(source, key, spelling, out);
                    out.push(b':');
                    value
                }),
                b'}',
            ),
            Self::Scrubbed(entries) => (
                entries.next().map(|(key, value)| {
                    comma(out);
                    quoted(out, &key);
                    out.push(b':');
                    value
                }),
                b'}',
            ),
        };
        if value.is_none() {
            out.push(bracket);
        }
        value
    }
}

/// Append a comma unless the bracket was just opened. A string ends in a quote, so the last byte tells.
fn comma(out: &mut Vec<u8>) {
    if !matches!(out.last(), Some(b'[' | b'{')) {
        out.push(b',');
    }
}

/// Append `text` as a JSON string.
pub(super) fn quoted(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    escape(out, text.as_bytes());
    out.push(b'"');
}

/// Append a string or key of the source as a JSON string.
pub(super) fn string<S: Source>(source: &S, node: S::Node, spelling: Spelling, out: &mut Vec<u8>) {
    if let Spelling::Scrubbed { .. } = spelling {
        return quoted(out, &spelling.of(&source.text(node).unwrap_or_default()));
    }
    let text = source.exact(node).unwrap_or_default();
    out.push(b'"');
    if spelling == Spelling::Exact {
        escape(out, &text);
    } else {
        escape_exact(out, &text);
    }
    out.push(b'"');
}
