//! Source: read-only access to a tree of JSON values, whatever holds them: bytes, or objects of another language.
//!
//! A node is a cheap handle. Nothing here can fail: what JSON cannot hold is refused before, by the pass that makes the
//! source.

use std::borrow::Cow;
use std::ops::{BitOr, BitOrAssign};

use crate::json::compact;
use crate::names::trimmed;
use crate::tokens;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number of any magnitude.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

/// What stands in a value or anywhere below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(pub(crate) u8);

impl Flags {
    /// Nothing of note.
    pub const NONE: Self = Self(0);
    /// Half of a surrogate pair in a string or key.
    pub const LONE_SURROGATE: Self = Self(1);
    /// U+0000 in a string or key.
    pub const NUL: Self = Self(2);
    /// An object that holds one key twice.
    pub const DUPLICATE_KEY: Self = Self(4);
    /// A key that starts with `_`.
    pub const PRIVATE_KEY: Self = Self(8);

    /// Whether any of `others` is set.
    #[must_use]
    pub const fn has(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }
}

impl BitOr for Flags {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Flags {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// A tree of JSON values.
pub trait Source {
    /// A handle of one value. A key of an object is a node too, of kind `String`.
    type Node: Copy;
    /// What `items` gives.
    type Items<'s>: Iterator<Item = Self::Node>
    where
        Self: 's;
    /// What `entries` gives.
    type Entries<'s>: Iterator<Item = (Self::Node, Self::Node)>
    where
        Self: 's;

    /// What the value is.
    fn kind(&self, node: Self::Node) -> Kind;
    /// The items of an array in order; nothing for any other kind.
    fn items(&self, node: Self::Node) -> Self::Items<'_>;
    /// The keys and values of an object in order, each key once: the last value at the first place.
    fn entries(&self, node: Self::Node) -> Self::Entries<'_>;
    /// The value of `key`; `None` without that key, and for any other kind than an object.
    fn get(&self, object: Self::Node, key: &str) -> Option<Self::Node>;
    /// The string with U+FFFD for each lone surrogate; `None` for any other kind.
    fn text(&self, node: Self::Node) -> Option<Cow<'_, str>>;
    /// The string in generalized UTF-8, where a lone surrogate takes three bytes; `None` for any other kind.
    fn exact(&self, node: Self::Node) -> Option<Cow<'_, [u8]>>;
    /// The number as JSON writes it; `None` for any other kind.
    fn number(&self, node: Self::Node) -> Option<Cow<'_, str>>;
    /// The boolean; `None` for any other kind.
    fn boolean(&self, node: Self::Node) -> Option<bool>;
    /// What stands in the value and below.
    fn flags(&self, node: Self::Node) -> Flags;

    /// The compact JSON text of the value, if it lies ready.
    fn ready(&self, _node: Self::Node) -> Option<&str> {
        None
    }

    /// The JSON text of the value as it was stored, if it was stored as such.
    fn stored(&self, _node: Self::Node) -> Option<&str> {
        None
    }

    /// Whether the value is `true`, and not merely something that counts as true.
    fn is_true(&self, node: Self::Node) -> bool {
        self.boolean(node) == Some(true)
    }

    /// Whether the value is `null`.
    fn is_null(&self, node: Self::Node) -> bool {
        self.kind(node) == Kind::Null
    }

    /// The string under `key`.
    fn text_at(&self, object: Self::Node, key: &str) -> Option<Cow<'_, str>> {
        self.get(object, key).and_then(|node| self.text(node))
    }

    /// The kind of what stands under `key`.
    fn kind_at(&self, object: Self::Node, key: &str) -> Option<Kind> {
        self.get(object, key).map(|node| self.kind(node))
    }

    /// Whether nothing can be read in the string; true for any other kind.
    fn is_blank(&self, node: Self::Node) -> bool {
        self.text(node).is_none_or(|text| is_blank(&text))
    }

    /// The string, unless it has more than `longest` bytes: a long one need not be decoded to know that.
    fn short_text(&self, node: Self::Node, longest: usize) -> Option<Cow<'_, str>> {
        self.text(node).filter(|text| text.len() <= longest)
    }

    /// The string without the white space around it, unless that has more than `longest` bytes.
    fn short_trimmed(&self, node: Self::Node, longest: usize) -> Option<Cow<'_, str>> {
        let trimmed = match self.text(node)? {
            Cow::Borrowed(text) => Cow::Borrowed(trimmed(text)),
            Cow::Owned(text) => Cow::Owned(trimmed(&text).to_owned()),
        };
        (trimmed.len() <= longest).then_some(trimmed)
    }

    /// The token estimate of the string; 0 for any other kind.
    fn text_tokens(&self, node: Self::Node) -> u64 {
        self.text(node).map_or(0, |text| tokens::text_tokens(&text))
    }

    /// How many items or entries the value has; 0 for a scalar.
    fn len(&self, node: Self::Node) -> usize {
        match self.kind(node) {
            Kind::Array => self.items(node).count(),
            Kind::Object => self.entries(node).count(),
            _ => 0,
        }
    }

    /// Whether the value has no items or entries.
    fn is_empty(&self, node: Self::Node) -> bool {
        self.items(node).next().is_none() && self.entries(node).next().is_none()
    }

    /// How many arrays and objects stand around the deepest value, this one included; 0 for a scalar.
    fn depth(&self, node: Self::Node) -> usize {
        let mut deepest = 0;
        let mut pending = vec![(node, 0)];
        while let Some((node, above)) = pending.pop() {
            let depth = above + usize::from(matches!(self.kind(node), Kind::Array | Kind::Object));
            deepest = deepest.max(depth);
            pending.extend(self.items(node).map(|item| (item, depth)));
            pending.extend(self.entries(node).map(|(_, value)| (value, depth)));
        }
        deepest
    }

    /// Whether the two values have the same compact JSON text. The order of keys counts, the spelling of numbers too.
    fn same(&self, a: Self::Node, b: Self::Node) -> bool
    where
        Self: Sized,
    {
        if self.kind(a) != self.kind(b) {
            return false;
        }
        match (self.ready(a), self.ready(b)) {
            (Some(a), Some(b)) => a == b,
            _ => compact::exact(self, a) == compact::exact(self, b),
        }
    }
}

/// Whether a text counts as blank: empty, or only `White_Space`, U+001C to U+001F and U+FEFF.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}' | '\u{feff}'))
}
