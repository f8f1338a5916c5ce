//! Objects: Python values as a `Source`.
//!
//! `walk` puts them on a tape, in document order, each with a reference of its own. So the rules look at a snapshot: a
//! look-up compares keys by bytes, no Python code runs between two of them, and no other thread can take a value away.
//! Rejected: borrowed handles and look-ups in the dicts themselves. They need unsafe code that is sound only while
//! nobody writes to the dicts, and a hash look-up through the stable interface costs more than passing over the few keys
//! that a message has.

use std::borrow::Cow;

use apus_core::source::{Flags, Kind, Source};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt, PyString};

use crate::numbers;
use crate::strings::Broken;

/// A handle of one value, or of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PyNode(pub(crate) u32);

/// The bit of a `PyNode` that numbers a key.
pub(crate) const KEY: u32 = 1 << 31;
/// The key of a value that stands under none.
pub(crate) const NO_KEY: u32 = u32::MAX;

/// One value, with the reference that keeps it.
pub(crate) enum Value<'py> {
    Null,
    Bool(bool),
    Int(Bound<'py, PyInt>),
    Float(Bound<'py, PyFloat>),
    Text(Bound<'py, PyString>),
    Broken(Box<Broken<'py>>),
    Array(Bound<'py, PyAny>),
    Object(Bound<'py, PyAny>),
}

/// One value and where it stands.
pub(crate) struct Entry<'py> {
    pub(crate) value: Value<'py>,
    /// Number of the key it stands under.
    pub(crate) key: u32,
    /// The entry behind this value and all below it.
    pub(crate) next: u32,
    pub(crate) flags: Flags,
}

/// A key: an object that most dicts of a transcript share.
pub(crate) struct Key<'py> {
    pub(crate) said: Said<'py>,
    pub(crate) flags: Flags,
}

/// What a key says.
pub(crate) enum Said<'py> {
    Sound(Bound<'py, PyString>, Box<str>),
    Broken(Box<Broken<'py>>),
}

impl<'py> Key<'py> {
    pub(crate) fn object(&self) -> &Bound<'py, PyString> {
        match &self.said {
            Said::Sound(object, _) => object,
            Said::Broken(broken) => &broken.object,
        }
    }

    pub(crate) fn text(&self) -> &str {
        match &self.said {
            Said::Sound(_, text) => text,
            Said::Broken(broken) => &broken.clean,
        }
    }

    fn exact(&self) -> &[u8] {
        match &self.said {
            Said::Sound(_, text) => text.as_bytes(),
            Said::Broken(broken) => &broken.exact,
        }
    }
}

/// Python values on a tape.
pub(crate) struct PySource<'py> {
    pub(crate) py: Python<'py>,
    pub(crate) tape: Vec<Entry<'py>>,
    pub(crate) keys: Vec<Key<'py>>,
}

impl<'py> PySource<'py> {
    /// The Python object that a node stands for.
    pub(crate) fn object(&self, node: PyNode) -> Bound<'py, PyAny> {
        let py = self.py;
        if node.0 & KEY != 0 {
            return self.key(node).object().clone().into_any();
        }
        match &self.entry(node).value {
            Value::Null => py.None().into_bound(py),
            Value::Bool(value) => pyo3::types::PyBool::new(py, *value).to_owned().into_any(),
            Value::Int(value) => value.clone().into_any(),
            Value::Float(value) => value.clone().into_any(),
            Value::Text(text) => text.clone().into_any(),
            Value::Broken(broken) => broken.object.clone().into_any(),
            Value::Array(value) | Value::Object(value) => value.clone(),
        }
    }

    #[inline]
    pub(crate) fn entry(&self, node: PyNode) -> &Entry<'py> {
        &self.tape[node.0 as usize]
    }

    fn key(&self, node: PyNode) -> &Key<'py> {
        &self.keys[(node.0 & !KEY) as usize]
    }
}

/// The values inside a container.
pub(crate) struct Items<'s, 'py> {
    tape: &'s [Entry<'py>],
    at: u32,
    end: u32,
}

impl Iterator for Items<'_, '_> {
    type Item = PyNode;

    #[inline]
    fn next(&mut self) -> Option<PyNode> {
        if self.at >= self.end {
            return None;
        }
        let node = PyNode(self.at);
        self.at = self.tape[self.at as usize].next;
        Some(node)
    }
}

/// The keys and values of an object.
pub(crate) struct Entries<'s, 'py>(Items<'s, 'py>);

impl Iterator for Entries<'_, '_> {
    type Item = (PyNode, PyNode);

    #[inline]
    fn next(&mut self) -> Option<(PyNode, PyNode)> {
        self.0.next().map(|value| (PyNode(KEY | self.0.tape[value.0 as usize].key), value))
    }
}

impl<'py> PySource<'py> {
    /// What stands inside a value; nothing unless it is of that kind.
    #[inline]
    fn inside(&self, node: PyNode, kind: Kind) -> Items<'_, 'py> {
        if node.0 & KEY != 0 || self.kind(node) != kind {
            return Items { tape: &self.tape, at: 0, end: 0 };
        }
        Items { tape: &self.tape, at: node.0 + 1, end: self.entry(node).next }
    }
}

impl<'py> Source for PySource<'py> {
    type Node = PyNode;
    type Items<'s>
        = Items<'s, 'py>
    where
        Self: 's;
    type Entries<'s>
        = Entries<'s, 'py>
    where
        Self: 's;

    #[inline]
    fn kind(&self, node: PyNode) -> Kind {
        if node.0 & KEY != 0 {
            return Kind::String;
        }
        match self.entry(node).value {
            Value::Null => Kind::Null,
            Value::Bool(_) => Kind::Bool,
            Value::Int(_) | Value::Float(_) => Kind::Number,
            Value::Text(_) | Value::Broken(_) => Kind::String,
            Value::Array(_) => Kind::Array,
            Value::Object(_) => Kind::Object,
        }
    }

    fn items(&self, node: PyNode) -> Items<'_, 'py> {
        self.inside(node, Kind::Array)
    }

    fn entries(&self, node: PyNode) -> Entries<'_, 'py> {
        Entries(self.inside(node, Kind::Object))
    }

    fn get(&self, object: PyNode, key: &str) -> Option<PyNode> {
        let is_key = |value: &PyNode| {
            let key_of = &self.keys[self.tape[value.0 as usize].key as usize];
            *key_of.exact() == *key.as_bytes()
        };
        self.inside(object, Kind::Object).find(is_key)
    }

    fn text(&self, node: PyNode) -> Option<Cow<'_, str>> {
        if node.0 & KEY != 0 {
            return Some(self.key(node).text().into());
        }
        match &self.entry(node).value {
            // The walk has asked for the same bytes before, so they are there.
            Value::Text(text) => Some(text.to_str().unwrap_or_default().into()),
            Value::Broken(broken) => Some(broken.clean.as_str().into()),
            _ => None,
        }
    }

    fn exact(&self, node: PyNode) -> Option<Cow<'_, [u8]>> {
        if node.0 & KEY != 0 {
            return Some(self.key(node).exact().into());
        }
        match &self.entry(node).value {
            Value::Text(text) => Some(text.to_str().unwrap_or_default().as_bytes().into()),
            Value::Broken(broken) => Some(broken.exact.as_slice().into()),
            _ => None,
        }
    }

    fn number(&self, node: PyNode) -> Option<Cow<'_, str>> {
        if node.0 & KEY != 0 {
            return None;
        }
        match &self.entry(node).value {
            Value::Int(value) => Some(numbers::int_text(value).into()),
            Value::Float(value) => Some(numbers::float_text(value).into()),
            _ => None,
        }
    }

    fn boolean(&self, node: PyNode) -> Option<bool> {
        match self.tape.get(node.0 as usize)?.value {
            Value::Bool(value) => Some(value),
            _ => None,
        }
    }

    #[inline]
    fn flags(&self, node: PyNode) -> Flags {
        if node.0 & KEY != 0 { self.key(node).flags } else { self.entry(node).flags }
    }
}
