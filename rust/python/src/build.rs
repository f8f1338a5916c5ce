//! Build: a `Tree` as Python values. Mirrors `build` of `apus._pure.tree`.
//!
//! A value of the source that is untouched is the same object.

use apus_core::arguments::object_of;
use apus_core::json::{exact_of, text_of};
use apus_core::source::{Flags, Kind, Source};
use apus_core::tree::{Key, Tree};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString};
use rustc_hash::FxHashMap;

use crate::numbers;
use crate::objects::{PyNode, PySource};
use crate::strings::string;

/// Whether lone surrogates are scrubbed, and NUL with them.
type Scrub = Option<bool>;
type Made<'py> = PyResult<Bound<'py, PyAny>>;

/// Makes Python values of trees over one source.
pub(crate) struct Builder<'b, 'py> {
    source: &'b PySource<'py>,
    /// Keys that were made: each is one object, as in what Python's json module reads.
    keys: FxHashMap<String, Bound<'py, PyString>>,
}

impl<'b, 'py> Builder<'b, 'py> {
    /// A builder of trees over `source`.
    pub(crate) fn new(source: &'b PySource<'py>) -> Self {
        Self { source, keys: FxHashMap::default() }
    }

    /// The value that `tree` says.
    pub(crate) fn build(&mut self, tree: &Tree<'_, PyNode>) -> Made<'py> {
        self.built(tree, None)
    }

    fn built(&mut self, tree: &Tree<'_, PyNode>, scrub: Scrub) -> Made<'py> {
        let py = self.source.py;
        match tree {
            Tree::Copy(node) => copied(self.source, *node, scrub),
            Tree::Null => Ok(py.None().into_bound(py)),
            Tree::Bool(value) => Ok(PyBool::new(py, *value).to_owned().into_any()),
            Tree::Int(value) => Ok(value.into_pyobject(py)?.into_any()),
            Tree::Array(items) => {
                let made = PyList::empty(py);
                for item in items {
                    made.append(self.built(item, scrub)?)?;
                }
                Ok(made.into_any())
            }
            Tree::Object(entries) => self.object(entries, scrub),
            Tree::Scrubbed { tree, nul } => self.built(tree, Some(with_nul(scrub, *nul))),
            Tree::Parsed(text) => self.parsed(text, scrub),
            Tree::Text(_) | Tree::Stringified(_) | Tree::Joined { .. } | Tree::Cut { .. } => {
                string(py, &exact_of(self.source, tree, scrub).unwrap_or_default())
            }
        }
    }

    fn object(&mut self, entries: &[(Key<'_, PyNode>, Tree<'_, PyNode>)], scrub: Scrub) -> Made<'py> {
        let made = PyDict::new(self.source.py);
        for (key, value) in entries {
            let value = self.built(value, scrub)?;
            match key {
                Key::Text(text) => made.set_item(self.key(text, scrub), value)?,
                Key::Node(node) => made.set_item(copied(self.source, *node, scrub)?, value)?,
            }
        }
        Ok(made.into_any())
    }

    fn key(&mut self, text: &str, scrub: Scrub) -> Bound<'py, PyString> {
        if let Some(known) = self.keys.get(text) {
            return known.clone();
        }
        let made = match scrub {
            Some(true) => PyString::new(self.source.py, &text.replace('\0', "\u{fffd}")),
            _ => PyString::new(self.source.py, text),
        };
        self.keys.insert(text.to_owned(), made.clone());
        made
    }

    /// The object that a string spells out.
    fn parsed(&mut self, text: &Tree<'_, PyNode>, scrub: Scrub) -> Made<'py> {
        if let Tree::Scrubbed { tree, nul } = text {
            return self.parsed(tree, Some(with_nul(scrub, *nul)));
        }
        // Scrubbed is what it spells out, not its spelling.
        let said = text_of(self.source, text).unwrap_or_default();
        match object_of(&said) {
            Ok(inner) => made(self.source.py, &inner, inner.root(), scrub, |_| None),
            Err(_) => self.built(text, scrub),
        }
    }
}

/// Whether NUL is scrubbed inside of what is scrubbed already.
fn with_nul(scrub: Scrub, nul: bool) -> bool {
    nul || scrub == Some(true)
}

/// What scrubbing changes.
fn changes(scrub: Scrub) -> Flags {
    match scrub {
        None => Flags::NONE,
        Some(false) => Flags::LONE_SURROGATE,
        Some(true) => Flags::LONE_SURROGATE | Flags::NUL,
    }
}

/// A value of the source: the same object, but for what scrubbing changes.
fn copied<'py>(source: &PySource<'py>, node: PyNode, scrub: Scrub) -> Made<'py> {
    let changes = changes(scrub);
    made(source.py, source, node, scrub, |node| (!source.flags(node).has(changes)).then(|| source.object(node)))
}

/// An array or object that is being made.
enum Open<'s, 'py, S: Source + 's> {
    Array(Bound<'py, PyList>, S::Items<'s>),
    Object(Bound<'py, PyDict>, S::Entries<'s>),
}

/// A value of any source as a new Python value. What `ready` gives for a value is taken as it is.
fn made<'s, 'py, S: Source>(
    py: Python<'py>,
    source: &'s S,
    root: S::Node,
    scrub: Scrub,
    ready: impl Fn(S::Node) -> Option<Bound<'py, PyAny>>,
) -> Made<'py> {
    let mut around: Vec<Open<'s, 'py, S>> = Vec::new();
    let start = |node, around: &mut Vec<Open<'s, 'py, S>>| match ready(node) {
        Some(value) => Ok(value),
        None => started(py, source, node, scrub, around),
    };
    let whole = start(root, &mut around)?;
    // A container is put in its place as it is opened, and filled afterwards.
    while let Some(open) = around.last_mut() {
        match open {
            Open::Array(list, items) => match items.next() {
                Some(item) => {
                    let list = list.clone();
                    list.append(start(item, &mut around)?)?;
                }
                None => drop(around.pop()),
            },
            Open::Object(dict, entries) => match entries.next() {
                Some((key, value)) => {
                    let dict = dict.clone();
                    let key = ready(key).map_or_else(|| said(py, source, key, scrub), Ok)?;
                    dict.set_item(key, start(value, &mut around)?)?;
                }
                None => drop(around.pop()),
            },
        }
    }
    Ok(whole)
}

/// A scalar, or an empty container that is put on the stack.
fn started<'s, 'py, S: Source>(
    py: Python<'py>,
    source: &'s S,
    node: S::Node,
    scrub: Scrub,
    around: &mut Vec<Open<'s, 'py, S>>,
) -> Made<'py> {
    Ok(match source.kind(node) {
        Kind::Null => py.None().into_bound(py),
        Kind::Bool => PyBool::new(py, source.is_true(node)).to_owned().into_any(),
        Kind::Number => numbers::from_text(py, &source.number(node).unwrap_or_default())?,
        Kind::String => said(py, source, node, scrub)?,
        Kind::Array => {
            let list = PyList::empty(py);
            around.push(Open::Array(list.clone(), source.items(node)));
            list.into_any()
        }
        Kind::Object => {
            let dict = PyDict::new(py);
            around.push(Open::Object(dict.clone(), source.entries(node)));
            dict.into_any()
        }
    })
}

fn said<'py, S: Source>(py: Python<'py>, source: &S, node: S::Node, scrub: Scrub) -> Made<'py> {
    match scrub {
        None => string(py, &source.exact(node).unwrap_or_default()),
        Some(false) => string(py, source.text(node).unwrap_or_default().as_bytes()),
        Some(true) => string(py, source.text(node).unwrap_or_default().replace('\0', "\u{fffd}").as_bytes()),
    }
}
