//! Write: a `Tree` to JSON. What was stored as JSON and is untouched is copied; everything else is compact.

use std::borrow::Cow;

use super::compact::{Spelling, emit, quoted, string};
use super::escape::{escape, escape_exact};
use super::keys::last_of_each;
use crate::arguments::object_of;
use crate::source::{Flags, Kind, Source};
use crate::tree::{Key, Tree};

/// The bytes of `tree`.
#[must_use]
pub fn dumps<S: Source>(source: &S, tree: &Tree<'_, S::Node>) -> Vec<u8> {
    let mut out = Vec::new();
    write(source, tree, &mut out);
    out
}

/// Append the bytes of `tree`.
pub fn write<S: Source>(source: &S, tree: &Tree<'_, S::Node>, out: &mut Vec<u8>) {
    put(source, tree, Style { spelling: Spelling::Escaped, is_compact: false }, out);
}

/// Append a key of the source, in the one way that `dumps` spells it, and a colon.
pub(crate) fn write_key<S: Source>(source: &S, key: S::Node, out: &mut Vec<u8>) {
    string(source, key, Spelling::Escaped, out);
    out.push(b':');
}

/// What a string tree says, with U+FFFD for each lone surrogate; `None` for any other tree.
#[must_use]
pub fn text_of<'t, S: Source>(source: &'t S, tree: &'t Tree<'t, S::Node>) -> Option<Cow<'t, str>> {
    text_in(source, tree, Spelling::Scrubbed { nul: false })
}

/// What a string tree says, in generalized UTF-8; `None` for any other tree. `scrub` says that U+FFFD stands for each lone
/// surrogate, and whether for NUL too.
#[must_use]
pub fn exact_of<'t, S: Source>(
    source: &'t S,
    tree: &'t Tree<'t, S::Node>,
    scrub: Option<bool>,
) -> Option<Cow<'t, [u8]>> {
    exact_in(source, tree, scrub.map_or(Spelling::Exact, |nul| Spelling::Scrubbed { nul }))
}

/// How a part of the tree is written.
#[derive(Clone, Copy)]
struct Style {
    spelling: Spelling,
    /// Whether stored text is made compact, because it will stand in a string.
    is_compact: bool,
}

impl Style {
    fn scrubbed(self, nul: bool) -> Self {
        Self { spelling: self.spelling.scrubbed(nul), ..self }
    }

    /// The style of a text that will stand in a string: its surrogates are escaped with the string, not before.
    fn inner(self) -> Self {
        let spelling = if self.spelling == Spelling::Escaped { Spelling::Exact } else { self.spelling };
        Self { spelling, is_compact: true }
    }
}

fn put<S: Source>(source: &S, tree: &Tree<'_, S::Node>, style: Style, out: &mut Vec<u8>) {
    match tree {
        Tree::Copy(node) => copy(source, *node, style, out),
        Tree::Scrubbed { tree, nul } => put(source, tree, style.scrubbed(*nul), out),
        Tree::Null => out.extend_from_slice(b"null"),
        Tree::Bool(value) => out.extend_from_slice(if *value { b"true" } else { b"false" }),
        Tree::Int(value) => out.extend_from_slice(value.to_string().as_bytes()),
        Tree::Array(items) => {
            out.push(b'[');
            for (at, item) in items.iter().enumerate() {
                separate(at, out);
                put(source, item, style, out);
            }
            out.push(b']');
        }
        Tree::Object(entries) => object(source, entries, style, out),
        Tree::Parsed(text) => parsed(source, text, style, out),
        Tree::Text(_) | Tree::Stringified(_) | Tree::Joined { .. } | Tree::Cut { .. } => {
            out.push(b'"');
            put_inside(source, tree, style, out);
            out.push(b'"');
        }
    }
}

fn separate(at: usize, out: &mut Vec<u8>) {
    if at > 0 {
        out.push(b',');
    }
}

/// Append a value of the source: as it was stored, or what is left of that without doubles and what is scrubbed.
fn copy<S: Source>(source: &S, node: S::Node, style: Style, out: &mut Vec<u8>) {
    let changes = style.spelling.changes();
    if style.is_compact {
        emit(source, node, style.spelling, out, |node| source.ready(node).filter(|_| !source.flags(node).has(changes)));
    } else {
        let changes = changes | Flags::DUPLICATE_KEY;
        emit(source, node, style.spelling, out, |node| {
            source.stored(node).filter(|_| !source.flags(node).has(changes))
        });
    }
}

type Entry<'t, N> = (Key<'t, N>, Tree<'t, N>);

fn object<S: Source>(source: &S, entries: &[Entry<'_, S::Node>], style: Style, out: &mut Vec<u8>) {
    out.push(b'{');
    for (at, (key, value)) in distinct(source, entries, style.spelling).iter().enumerate() {
        separate(at, out);
        match key {
            Key::Text(text) => quoted(out, &style.spelling.of(text)),
            Key::Node(node) => string(source, *node, style.spelling, out),
        }
        out.push(b':');
        put(source, value, style, out);
    }
    out.push(b'}');
}

/// The entries, each key once also where scrubbing has made two of them equal.
fn distinct<'e, 't, S: Source>(
    source: &S,
    entries: &'e [Entry<'t, S::Node>],
    spelling: Spelling,
) -> Vec<&'e Entry<'t, S::Node>> {
    let text = |key: &Key<'_, S::Node>| match key {
        Key::Text(text) => spelling.of(text).into_owned(),
        Key::Node(node) => spelling.of(&source.text(*node).unwrap_or_default()).into_owned(),
    };
    let is_changed = |key: &Key<'_, S::Node>| match key {
        Key::Text(text) => matches!(spelling.of(text), Cow::Owned(_)),
        Key::Node(node) => source.flags(*node).has(spelling.changes()),
    };
    if entries.iter().any(|(key, _)| is_changed(key)) {
        last_of_each(entries.iter().map(|entry| (text(&entry.0), entry)))
    } else {
        entries.iter().collect()
    }
}

/// Append the object that a string spells out, as it is spelled there.
fn parsed<S: Source>(source: &S, text: &Tree<'_, S::Node>, style: Style, out: &mut Vec<u8>) {
    if let Tree::Scrubbed { tree, nul } = text {
        return parsed(source, tree, style.scrubbed(*nul), out);
    }
    // Scrubbed is what it spells out, not its spelling.
    let said = text_in(source, text, Spelling::Escaped).unwrap_or_default();
    match object_of(&said) {
        Ok(inner) => copy(&inner, inner.root(), style, out),
        Err(_) => put(source, text, style, out),
    }
}

/// Append what stands between the quotes of a string tree; nothing for any other tree.
fn put_inside<S: Source>(source: &S, tree: &Tree<'_, S::Node>, style: Style, out: &mut Vec<u8>) {
    match tree {
        Tree::Copy(node) if source.kind(*node) == Kind::String => {
            let mut quoted = Vec::new();
            copy(source, *node, style, &mut quoted);
            out.extend_from_slice(quoted.get(1..quoted.len() - 1).unwrap_or_default());
        }
        Tree::Scrubbed { tree, nul } => put_inside(source, tree, style.scrubbed(*nul), out),
        Tree::Text(text) => escape(out, style.spelling.of(text).as_bytes()),
        Tree::Stringified(tree) => {
            let mut text = Vec::new();
            put(source, tree, style.inner(), &mut text);
            if style.spelling == Spelling::Escaped { escape_exact(out, &text) } else { escape(out, &text) }
        }
        Tree::Joined { texts, gap } => {
            for (at, text) in texts.iter().enumerate() {
                escape(out, if at > 0 { gap.as_bytes() } else { b"" });
                put_inside(source, text, style, out);
            }
        }
        Tree::Cut { .. } => escape(out, text_in(source, tree, style.spelling).unwrap_or_default().as_bytes()),
        _ => {}
    }
}

/// What a string tree says; lone surrogates never come through.
fn text_in<'t, S: Source>(source: &'t S, tree: &'t Tree<'t, S::Node>, spelling: Spelling) -> Option<Cow<'t, str>> {
    match tree {
        Tree::Copy(node) => source.text(*node).map(|text| spelling.applied(text)),
        Tree::Text(text) => Some(spelling.of(text)),
        Tree::Scrubbed { tree, nul } => text_in(source, tree, spelling.scrubbed(*nul)),
        Tree::Cut { text, mark } => text_in(source, text, spelling).map(|text| behind(text, mark)),
        Tree::Stringified(_) | Tree::Joined { .. } => {
            let mut inside = Vec::new();
            put_inside(source, tree, Style { spelling: spelling.scrubbed(false), is_compact: true }, &mut inside);
            let inside = String::from_utf8(inside).ok()?;
            Some(super::string::decoded(&inside).into())
        }
        _ => None,
    }
}

/// What a string tree says, in generalized UTF-8.
fn exact_in<'t, S: Source>(source: &'t S, tree: &'t Tree<'t, S::Node>, spelling: Spelling) -> Option<Cow<'t, [u8]>> {
    match tree {
        Tree::Copy(node) if spelling == Spelling::Exact => source.exact(*node),
        Tree::Scrubbed { tree, nul } => exact_in(source, tree, spelling.scrubbed(*nul)),
        Tree::Stringified(tree) => {
            let mut text = Vec::new();
            put(source, tree, Style { spelling, is_compact: true }, &mut text);
            Some(text.into())
        }
        Tree::Joined { texts, gap } => {
            let said = texts.iter().map(|text| exact_in(source, text, spelling).unwrap_or_default());
            Some(said.collect::<Vec<_>>().join(gap.as_bytes()).into())
        }
        _ => text_in(source, tree, spelling).map(|text| match text {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        }),
    }
}

/// What stands behind the first `mark`.
fn behind<'t>(text: Cow<'t, str>, mark: &str) -> Cow<'t, str> {
    match text.find(mark).map(|at| at + mark.len()) {
        None => text,
        Some(at) => match text {
            Cow::Borrowed(text) => Cow::Borrowed(text.get(at..).unwrap_or_default()),
            Cow::Owned(mut text) => Cow::Owned(text.split_off(at)),
        },
    }
}
