//! Values of a JSON text, on a tape: in document order, each with its span, its end on the tape and what stands below it.

use std::borrow::Cow;
use std::ops::Range;

use super::keys;
use super::scan::{offset, scan_text};
use super::string;
use crate::error::{Error, ErrorKind};
use crate::names::trimmed;
use crate::source::{Flags, Kind, Source};
use crate::tokens;

/// A handle of one value of a `JsonSource`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct JsonNode(pub(super) u32);

/// One value. Keys are entries of their own, each before its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) start: u32,
    pub(super) end: u32,
    /// The entry behind this value and all below it.
    pub(super) next: u32,
    pub(super) kind: Kind,
    pub(super) marks: u8,
}

/// The bits of `Flags`.
const PUBLIC: u8 = 0b1111;
/// The text is not what `compact` makes of it: white space, or an escape that it spells otherwise.
pub(super) const LOOSE: u8 = 0b1_0000;
/// The number is beyond a double.
pub(super) const BIG: u8 = 0b1000_0000;
/// What a container takes over from what stands in it.
pub(super) const DEEP: u8 = PUBLIC | LOOSE | BIG;
/// The string holds an escape.
pub(super) const ESCAPED: u8 = 0b10_0000;
/// The object itself, not only one below, holds one key twice.
pub(super) const OWN_DUPLICATES: u8 = 0b100_0000;

impl Entry {
    #[inline]
    pub(super) fn has(&self, marks: u8) -> bool {
        self.marks & marks != 0
    }
}

/// A JSON text with its tape.
#[derive(Debug)]
pub struct JsonSource<'a> {
    pub(super) text: &'a str,
    /// A second text, that values can stand in too: spans go on there as if it followed the first.
    pub(super) beside: &'a str,
    pub(super) tape: Vec<Entry>,
}

impl<'a> JsonSource<'a> {
    /// The value that the whole text is.
    #[must_use]
    pub fn root(&self) -> JsonNode {
        JsonNode(0)
    }

    /// Read a second text, of which trees over this source may hold values too. Its value is given.
    pub fn add(&mut self, beside: &'a str, depth: usize) -> Result<JsonNode, Error> {
        let added = scan_text(beside, depth)?;
        let shift =
            u32::try_from(self.text.len()).ok().filter(|shift| shift.checked_add(offset(beside.len())).is_some());
        let Some(shift) = shift.filter(|_| self.beside.is_empty()) else {
            let found = format!("found {} bytes beside the transcript, expected fewer", beside.len());
            return Err(Error::new(ErrorKind::Limit, found));
        };
        let root = offset(self.tape.len());
        self.beside = beside;
        self.tape.extend(added.tape.into_iter().map(|entry| Entry {
            start: entry.start + shift,
            end: entry.end + shift,
            next: entry.next + root,
            ..entry
        }));
        Ok(JsonNode(root))
    }

    /// Where the value stands in the bytes that were scanned.
    #[must_use]
    pub fn span(&self, node: JsonNode) -> Range<usize> {
        let entry = self.entry(node);
        entry.start as usize..entry.end as usize
    }

    /// The value as it stands in the text.
    #[must_use]
    pub fn raw(&self, node: JsonNode) -> &'a str {
        let span = self.span(node);
        let found = match span.start.checked_sub(self.text.len()) {
            None => self.text.get(span),
            Some(start) => self.beside.get(start..span.end - self.text.len()),
        };
        found.unwrap_or_default()
    }

    /// Whether some number is beyond a double.
    pub(crate) fn has_big_number(&self) -> bool {
        self.entry(self.root()).has(BIG)
    }

    #[inline]
    pub(super) fn entry(&self, node: JsonNode) -> &Entry {
        &self.tape[node.0 as usize]
    }

    /// The string between its quotes.
    #[inline]
    pub(super) fn inner(&self, node: JsonNode) -> &'a str {
        let raw = self.raw(node);
        raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default()
    }

    /// Keys and values as they stand, doubles included.
    pub(super) fn pairs(&self, node: JsonNode) -> Pairs<'_> {
        let entry = self.entry(node);
        let at = if entry.kind == Kind::Object { node.0 + 1 } else { entry.next };
        Pairs { tape: &self.tape, at, end: entry.next }
    }

    fn key_is(&self, node: JsonNode, key: &str) -> bool {
        let inner = self.inner(node);
        inner == key || (self.entry(node).has(ESCAPED) && *string::decoded_exact(inner) == *key.as_bytes())
    }
}

/// The items of an array.
#[derive(Clone, Debug)]
pub struct Items<'s> {
    tape: &'s [Entry],
    at: u32,
    end: u32,
}

impl Iterator for Items<'_> {
    type Item = JsonNode;

    #[inline]
    fn next(&mut self) -> Option<JsonNode> {
        if self.at >= self.end {
            return None;
        }
        let node = JsonNode(self.at);
        self.at = self.tape[self.at as usize].next;
        Some(node)
    }
}

/// The keys and values of an object, doubles included.
#[derive(Clone, Debug)]
pub(super) struct Pairs<'s> {
    pub(super) tape: &'s [Entry],
    pub(super) at: u32,
    pub(super) end: u32,
}

impl Iterator for Pairs<'_> {
    type Item = (JsonNode, JsonNode);

    #[inline]
    fn next(&mut self) -> Option<(JsonNode, JsonNode)> {
        if self.at >= self.end {
            return None;
        }
        let key = JsonNode(self.at);
        let value = JsonNode(self.at + 1);
        self.at = self.tape[value.0 as usize].next;
        Some((key, value))
    }
}

/// The keys and values of an object, each key once.
#[derive(Clone, Debug)]
pub struct Entries<'s>(Either<'s>);

#[derive(Clone, Debug)]
enum Either<'s> {
    Pairs(Pairs<'s>),
    Cut(std::vec::IntoIter<(JsonNode, JsonNode)>),
}

impl Iterator for Entries<'_> {
    type Item = (JsonNode, JsonNode);

    #[inline]
    fn next(&mut self) -> Option<(JsonNode, JsonNode)> {
        match &mut self.0 {
            Either::Pairs(pairs) => pairs.next(),
            Either::Cut(pairs) => pairs.next(),
        }
    }
}

impl Source for JsonSource<'_> {
    type Node = JsonNode;
    type Items<'s>
        = Items<'s>
    where
        Self: 's;
    type Entries<'s>
        = Entries<'s>
    where
        Self: 's;

    #[inline]
    fn kind(&self, node: JsonNode) -> Kind {
        self.entry(node).kind
    }

    fn items(&self, node: JsonNode) -> Items<'_> {
        let entry = self.entry(node);
        let at = if entry.kind == Kind::Array { node.0 + 1 } else { entry.next };
        Items { tape: &self.tape, at, end: entry.next }
    }

    fn entries(&self, node: JsonNode) -> Entries<'_> {
        let pairs = self.pairs(node);
        Entries(if self.entry(node).has(OWN_DUPLICATES) {
            let keyed = pairs.map(|(key, value)| (string::decoded_exact(self.inner(key)), (key, value)));
            Either::Cut(keys::last_of_each(keyed).into_iter())
        } else {
            Either::Pairs(pairs)
        })
    }

    fn get(&self, object: JsonNode, key: &str) -> Option<JsonNode> {
        let mut values = self.pairs(object).filter(|(name, _)| self.key_is(*name, key)).map(|(_, value)| value);
        if self.entry(object).has(OWN_DUPLICATES) { values.last() } else { values.next() }
    }

    fn text(&self, node: JsonNode) -> Option<Cow<'_, str>> {
        let entry = self.entry(node);
        if entry.kind != Kind::String {
            return None;
        }
        let inner = self.inner(node);
        Some(if entry.has(ESCAPED) { Cow::Owned(string::decoded(inner)) } else { Cow::Borrowed(inner) })
    }

    fn exact(&self, node: JsonNode) -> Option<Cow<'_, [u8]>> {
        (self.kind(node) == Kind::String).then(|| string::decoded_exact(self.inner(node)))
    }

    fn number(&self, node: JsonNode) -> Option<Cow<'_, str>> {
        (self.kind(node) == Kind::Number).then(|| Cow::Borrowed(self.raw(node)))
    }

    fn boolean(&self, node: JsonNode) -> Option<bool> {
        (self.kind(node) == Kind::Bool).then(|| self.raw(node) == "true")
    }

    #[inline]
    fn flags(&self, node: JsonNode) -> Flags {
        Flags(self.entry(node).marks & PUBLIC)
    }

    fn is_blank(&self, node: JsonNode) -> bool {
        if self.kind(node) != Kind::String {
            return true;
        }
        let inner = self.inner(node);
        // Most texts start with a character that can be read.
        match inner.as_bytes().first() {
            None => true,
            Some(first) if first.is_ascii_graphic() && *first != b'\\' => false,
            Some(_) => string::is_blank(inner),
        }
    }

    fn short_text(&self, node: JsonNode, longest: usize) -> Option<Cow<'_, str>> {
        if self.kind(node) != Kind::String {
            return None;
        }
        let is_short = string::is_within(self.inner(node), longest);
        if is_short { self.text(node) } else { None }
    }

    fn short_trimmed(&self, node: JsonNode, longest: usize) -> Option<Cow<'_, str>> {
        if self.kind(node) != Kind::String || !string::is_trimmed_within(self.inner(node), longest) {
            return None;
        }
        self.text(node).map(|text| match text {
            Cow::Borrowed(text) => Cow::Borrowed(trimmed(text)),
            Cow::Owned(text) => Cow::Owned(trimmed(&text).to_owned()),
        })
    }

    fn text_tokens(&self, node: JsonNode) -> u64 {
        let entry = self.entry(node);
        match (entry.kind, entry.has(ESCAPED)) {
            (Kind::String, true) => tokens::raw_tokens(self.inner(node)),
            (Kind::String, false) => tokens::text_tokens(self.inner(node)),
            _ => 0,
        }
    }

    #[inline]
    fn stored(&self, node: JsonNode) -> Option<&str> {
        Some(self.raw(node))
    }

    #[inline]
    fn ready(&self, node: JsonNode) -> Option<&str> {
        (!self.entry(node).has(LOOSE | Flags::DUPLICATE_KEY.0)).then(|| self.raw(node))
    }
}
