//! Reading: what the dialects share when they fill the outline. Mirrored by `apus._pure.dialects.reading`.

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use crate::arguments::{Text, arguments_of};
use crate::names::trimmed;
use crate::outline::{Arguments, Block, BlockKind, Mark};
use crate::source::{Flags, Kind, Source};
use crate::texts::Texts;

/// What reading needs beside the message: the texts to recognise, and whether any string may be broken at all.
pub(crate) struct Reader<'s, S: Source> {
    pub(crate) source: &'s S,
    pub(crate) texts: &'s Texts,
    clean: bool,
    /// Length of the longest text to recognise: anything longer need not be looked up, nor even decoded.
    longest: usize,
}

impl<'s, S: Source> Reader<'s, S> {
    pub(crate) fn new(source: &'s S, texts: &'s Texts, clean: bool) -> Self {
        let longest = texts.own.iter().chain(&texts.known_synthetic).map(String::len).max().unwrap_or(0);
        Self { source, texts, clean, longest }
    }

    /// What stands in a value; in a transcript known to be clean nothing is looked at twice.
    pub(crate) fn flags(&self, node: S::Node) -> Flags {
        if self.clean { Flags::NONE } else { self.source.flags(node) }
    }

    /// The value of `key`; `null` counts as none.
    pub(crate) fn get(&self, node: S::Node, key: &str) -> Option<S::Node> {
        self.source.get(node, key).filter(|found| !self.source.is_null(*found))
    }

    /// The text of a value, if it is there and a string.
    pub(crate) fn text(&self, node: Option<S::Node>) -> Option<Cow<'s, str>> {
        node.and_then(|node| self.source.text(node))
    }

    /// Whether there is no text, or nothing to read in it.
    pub(crate) fn is_blank(&self, node: Option<S::Node>) -> bool {
        node.is_none_or(|node| self.source.is_blank(node))
    }

    pub(crate) fn kind(&self, node: Option<S::Node>) -> Option<Kind> {
        node.map(|node| self.source.kind(node))
    }

    pub(crate) fn is_true(&self, node: Option<S::Node>) -> bool {
        node.is_some_and(|node| self.source.is_true(node))
    }

    fn is_among(&self, node: S::Node, texts: &FxHashSet<String>) -> bool {
        self.source.short_text(node, self.longest).is_some_and(|said| texts.contains(&*said))
    }
}

/// Where a block stands: the message's key, the place in that list, and the number of the block in its message.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) key: &'static str,
    pub(crate) index: Option<u32>,
    pub(crate) order: u32,
}

impl Place {
    pub(crate) const fn new(key: &'static str, index: Option<u32>, order: u32) -> Self {
        Self { key, index, order }
    }

    pub(crate) fn block<'s, N: Copy>(self, kind: BlockKind, node: N) -> Block<'s, N> {
        Block::new(kind, node, self.key, self.index, self.order)
    }
}

/// How many keys a table may list.
const WIDTH: usize = 12;

/// The values of the keys that a table lists, and the keys that it doesn't, read in one pass over an object.
pub(crate) struct Fields<N> {
    keys: &'static [&'static str],
    /// In the order of the table; `None` also for `null`.
    values: [Option<N>; WIDTH],
    /// A bit for each key that is there.
    present: u32,
    /// Keys that the table does not list.
    pub(crate) extra: Vec<String>,
    /// Those of them that start with `_`.
    pub(crate) private: Vec<String>,
}

impl<N: Copy> Fields<N> {
    /// All of an object.
    pub(crate) fn read<S: Source<Node = N>>(source: &S, node: N, keys: &'static [&'static str]) -> Self {
        Self::filled(source, node, keys, true)
    }

    /// The same without the unlisted keys that don't start with `_`: for a dialect that keeps whatever is stored.
    pub(crate) fn listed<S: Source<Node = N>>(source: &S, node: N, keys: &'static [&'static str]) -> Self {
        Self::filled(source, node, keys, false)
    }

    fn filled<S: Source<Node = N>>(source: &S, node: N, keys: &'static [&'static str], extra: bool) -> Self {
        let mut read = Self { keys, values: [None; WIDTH], present: 0, extra: Vec::new(), private: Vec::new() };
        for (key, value) in source.entries(node) {
            let name = source.text(key).unwrap_or_default();
            match read.place(&name) {
                Some(place) => read.put(place, Some(value).filter(|value| !source.is_null(*value))),
                None if name.starts_with('_') => read.private.push(name.into_owned()),
                None if extra => read.extra.push(name.into_owned()),
                None => {}
            }
        }
        read
    }

    fn place(&self, key: &str) -> Option<usize> {
        self.keys.iter().position(|known| *known == key)
    }

    fn put(&mut self, place: usize, value: Option<N>) {
        if let Some(slot) = self.values.get_mut(place) {
            *slot = value;
            self.present |= 1 << place;
        }
    }

    /// The value of a listed key; `null` counts as none.
    pub(crate) fn get(&self, key: &str) -> Option<N> {
        self.place(key).and_then(|place| self.values.get(place).copied().flatten())
    }

    /// Whether a listed key is there.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.place(key).is_some_and(|place| self.present & (1 << place) != 0)
    }
}

/// A text; `value` is the node of its string.
pub(crate) fn text_block<'s, S: Source>(
    reader: &Reader<'s, S>,
    node: S::Node,
    value: S::Node,
    place: Place,
) -> Block<'s, S::Node> {
    let mut block = place.block(BlockKind::Text, node);
    block.text = Some(value);
    block.flags = reader.flags(node);
    block.blank = reader.source.is_blank(value);
    block.own = reader.is_among(value, &reader.texts.own);
    block
}

/// A block of any other kind.
pub(crate) fn plain_block<'s, S: Source>(
    reader: &Reader<'s, S>,
    kind: BlockKind,
    node: S::Node,
    place: Place,
) -> Block<'s, S::Node> {
    let mut block = place.block(kind, node);
    block.flags = reader.flags(node);
    block
}

/// The same of a string that stands for itself in a list of blocks.
pub(crate) fn bare_block<'s, S: Source>(reader: &Reader<'s, S>, node: S::Node, place: Place) -> Block<'s, S::Node> {
    let mut block = text_block(reader, node, node, place);
    block.rare_mut().shape.push("content");
    block
}

/// The text of a block without a type, as its `text` or, where a whole message was nested, its `content`; else `None`.
pub(crate) fn untyped<S: Source>(reader: &Reader<'_, S>, node: S::Node) -> Option<S::Node> {
    let source = reader.source;
    if source.kind(node) != Kind::Object || source.get(node, "type").is_some() {
        return None;
    }
    let is_text = |found: &S::Node| source.kind(*found) == Kind::String;
    ["text", "content"].into_iter().find_map(|key| source.get(node, key).filter(is_text))
}

/// The label of a text, unless apus made that text: then what it was stored as says nothing.
pub(crate) fn set_label<'s, N>(block: &mut Block<'s, N>, label: Option<Cow<'s, str>>) {
    if !block.own {
        block.label = label;
    }
}

/// The id of a call or result: trimmed; `null`, blank and no key are one missing id.
pub(crate) fn read_id<'s, S: Source>(reader: &Reader<'s, S>, block: &mut Block<'s, S::Node>, value: Option<S::Node>) {
    let said = reader.text(value);
    let length = said.as_ref().map(|said| said.len());
    block.id = said.map(trimmed_cow).filter(|id| !id.is_empty());
    let is_whole = block.id.as_ref().map(|id| id.len()) == length && length.is_some();
    block.exact = is_whole && value.is_some_and(|value| reader.flags(value) == Flags::NONE);
}

fn trimmed_cow(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(trimmed(text)),
        Cow::Owned(text) if trimmed(&text).len() == text.len() => Cow::Owned(text),
        Cow::Owned(text) => Cow::Owned(trimmed(&text).to_owned()),
    }
}

/// The name of a tool; anything but a string is none.
pub(crate) fn read_name<'s, S: Source>(reader: &Reader<'s, S>, block: &mut Block<'s, S::Node>, value: Option<S::Node>) {
    block.name = reader.text(value);
}

/// How the arguments of a call stand.
pub(crate) fn arguments_kind<S: Source>(reader: &Reader<'_, S>, value: Option<S::Node>, present: bool) -> Arguments {
    if !present {
        return Arguments::Missing;
    }
    let Some(value) = value else { return Arguments::Empty };
    if reader.source.kind(value) == Kind::Object {
        return Arguments::Object;
    }
    let Some(said) = reader.source.text(value) else { return Arguments::Value };
    match arguments_of(&said) {
        Text::Empty => Arguments::Empty,
        Text::Object => Arguments::Text,
        Text::BigNumber => Arguments::Big,
        Text::TooDeep | Text::NotObject | Text::Malformed => Arguments::Broken,
    }
}

/// Keep the keys that the table does not list.
pub(crate) fn keep_unknown<N: Copy>(block: &mut Block<'_, N>, fields: &mut Fields<N>) {
    if !fields.extra.is_empty() {
        block.rare_mut().extra = std::mem::take(&mut fields.extra);
    }
    if !fields.private.is_empty() {
        block.rare_mut().private = std::mem::take(&mut fields.private);
    }
}

/// A block inside a result; what can't stand there is unknown.
pub(crate) fn as_inner<N: Copy>(mut block: Block<'_, N>) -> Block<'_, N> {
    let fits = matches!(block.kind, BlockKind::Text | BlockKind::Reference | BlockKind::Opaque);
    if !fits && !block.kind.is_media() {
        block.kind = BlockKind::Unknown;
        block.rare_mut().note = Some(String::new());
    }
    block
}

/// Whether a system inserted a result: its whole text is a known one, and it is flagged as an error where it can be.
pub(crate) fn is_synthetic<S: Source>(
    reader: &Reader<'_, S>,
    error: Option<bool>,
    inner: &[Block<'_, S::Node>],
) -> bool {
    let [only] = inner else { return false };
    let is_text = only.kind == BlockKind::Text && error != Some(false);
    is_text && only.text.is_some_and(|said| reader.is_among(said, &reader.texts.known_synthetic))
}

/// The media type of a data URL, lower case; `None` for any other URL.
pub(crate) fn media_type_of(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_at_checked(5)?;
    if !scheme.eq_ignore_ascii_case("data:") {
        return None;
    }
    let head = rest.split([',', ';']).next().unwrap_or_default();
    Some(trimmed(head).to_lowercase()).filter(|found| !found.is_empty())
}

/// The cache mark of a block.
pub(crate) fn mark_of<S: Source>(reader: &Reader<'_, S>, control: Option<S::Node>) -> Option<Mark> {
    let control = control.filter(|control| reader.source.kind(*control) == Kind::Object)?;
    let is_long = reader.text(reader.get(control, "ttl")).as_deref() == Some("1h");
    Some(if is_long { Mark::Long } else { Mark::Short })
}

/// A length as a number of blocks. No source holds more than 2^32 values.
pub(crate) fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
