//! Write: a `Tree` over a `JsonSource` to bytes. What is untouched is copied; what is new is compact.

use std::borrow::Cow;

use super::compact::{Spelling, emit, quoted, spelled, string};
use super::escape::escape_exact;
use super::keys::last_of_each;
use super::scan::scan_text;
use super::tape::{JsonNode, JsonSource};
use crate::arguments::DEPTH;
use crate::source::{Flags, Kind, Source};
use crate::tree::{Key, Tree};

/// The bytes of `tree`.
#[must_use]
pub fn dumps(source: &JsonSource<'_>, tree: &Tree<'_, JsonNode>) -> Vec<u8> {
    let mut out = Vec::new();
    write(source, tree, &mut out);
    out
}

/// Append the bytes of `tree`.
pub fn write(source: &JsonSource<'_>, tree: &Tree<'_, JsonNode>, out: &mut Vec<u8>) {
    put(source, tree, Spelling::Escaped, out);
}

fn put(source: &JsonSource<'_>, tree: &Tree<'_, JsonNode>, spelling: Spelling, out: &mut Vec<u8>) {
    match tree {
        Tree::Copy(node) => copy(source, *node, spelling, out),
        Tree::Scrubbed { tree, nul } => {
            let nul = *nul || spelling == Spelling::Scrubbed { nul: true };
            put(source, tree, Spelling::Scrubbed { nul }, out);
        }
        Tree::Null => out.extend_from_slice(b"null"),
        Tree::Bool(value) => out.extend_from_slice(if *value { b"true" } else { b"false" }),
        Tree::Int(value) => out.extend_from_slice(value.to_string().as_bytes()),
        Tree::Text(text) => quoted(out, &spelling.of(text)),
        Tree::Array(items) => {
            out.push(b'[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(b',');
                }
                put(source, item, spelling, out);
            }
            out.push(b']');
        }
        Tree::Object(entries) => object(source, entries, spelling, out),
        Tree::Parsed(node) => parsed(source, *node, spelling, out),
        Tree::Stringified(node) => stringified(source, *node, spelling, out),
    }
}

/// Append a value of the source: its bytes, or what is left of them without doubles and what is scrubbed.
fn copy(source: &JsonSource<'_>, node: JsonNode, spelling: Spelling, out: &mut Vec<u8>) {
    let rewritten = spelling.changes() | Flags::DUPLICATE_KEY;
    emit(source, node, spelling, out, |node| (!source.flags(node).has(rewritten)).then(|| source.raw(node)));
}

fn object(
    source: &JsonSource<'_>,
    entries: &[(Key<'_, JsonNode>, Tree<'_, JsonNode>)],
    spelling: Spelling,
    out: &mut Vec<u8>,
) {
    let is_changed = |key: &Key<'_, JsonNode>| match key {
        Key::Text(text) => matches!(spelling.of(text), Cow::Owned(_)),
        Key::Node(node) => source.flags(*node).has(spelling.changes()),
    };
    let entries: Cow<'_, [&(Key<'_, JsonNode>, Tree<'_, JsonNode>)]> = if entries.iter().any(|(key, _)| is_changed(key))
    {
        last_of_each(entries.iter().map(|entry| (key_text(source, &entry.0, spelling), entry))).into()
    } else {
        entries.iter().collect()
    };
    out.push(b'{');
    for (at, (key, value)) in entries.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        match key {
            Key::Text(text) => quoted(out, &spelling.of(text)),
            Key::Node(node) => string(source, *node, spelling, out),
        }
        out.push(b':');
        put(source, value, spelling, out);
    }
    out.push(b'}');
}

fn key_text(source: &JsonSource<'_>, key: &Key<'_, JsonNode>, spelling: Spelling) -> String {
    match key {
        Key::Text(text) => spelling.of(text).into_owned(),
        Key::Node(node) => spelling.of(&source.text(*node).unwrap_or_default()).into_owned(),
    }
}

/// Append the object that a string spells out, as it is spelled there.
fn parsed(source: &JsonSource<'_>, node: JsonNode, spelling: Spelling, out: &mut Vec<u8>) {
    let text = source.text(node).unwrap_or_default();
    match scan_text(&text, DEPTH) {
        Ok(inner) if inner.kind(inner.root()) == Kind::Object => copy(&inner, inner.root(), spelling, out),
        _ => copy(source, node, spelling, out),
    }
}

/// Append the compact text of a value as a string.
fn stringified(source: &JsonSource<'_>, node: JsonNode, spelling: Spelling, out: &mut Vec<u8>) {
    let inner = if spelling == Spelling::Escaped { Spelling::Exact } else { spelling };
    let ready = source.ready(node).filter(|_| !source.flags(node).has(inner.changes()));
    let text = ready.map_or_else(|| Cow::Owned(spelled(source, node, inner)), |text| Cow::Borrowed(text.as_bytes()));
    out.push(b'"');
    escape_exact(out, &text);
    out.push(b'"');
}
