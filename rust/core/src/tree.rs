//! Tree: what a dialect writes. Most of it names values of the source; the rest is new.

use std::borrow::Cow;

/// The key under which an arguments text stands that is no JSON object.
pub const RAW_ARGUMENTS: &str = "_raw_arguments";

/// A value to write, over nodes of a source.
///
/// ```
/// use apus_core::json;
/// use apus_core::source::Source;
/// use apus_core::tree::Tree;
///
/// let source = json::scan(br#"{"arguments": "{\"n\": 1.50}"}"#, json::DEPTH)?;
/// let text = source.get(source.root(), "arguments").map_or(Tree::Null, Tree::Copy);
/// let block = Tree::object([("type", "tool_use".into()), ("input", text.parsed())]);
/// assert_eq!(json::dumps(&source, &block), br#"{"type":"tool_use","input":{"n": 1.50}}"#);
/// # Ok::<(), apus_core::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree<'t, N> {
    /// A value of the source as it stands; only keys that stand twice are cut.
    Copy(N),
    /// `null`
    Null,
    /// A new boolean.
    Bool(bool),
    /// A new number.
    Int(i64),
    /// A new string.
    Text(Cow<'t, str>),
    /// A new array.
    Array(Vec<Self>),
    /// A new object. Its keys must differ.
    Object(Vec<(Key<'t, N>, Self)>),
    /// The tree with U+FFFD for each lone surrogate, and for each NUL if so chosen, in strings and keys.
    Scrubbed {
        /// What is scrubbed.
        tree: Box<Self>,
        /// Whether NUL is scrubbed too.
        nul: bool,
    },
    /// The object that a string spells out as JSON; the string itself if it spells out none.
    Parsed(Box<Self>),
    /// The compact JSON text of a value, as a string.
    Stringified(Box<Self>),
    /// Strings as one.
    Joined {
        /// The strings.
        texts: Vec<Self>,
        /// What stands between two of them.
        gap: &'t str,
    },
    /// What stands in a string behind the first `mark`; all of it without that mark.
    Cut {
        /// The string.
        text: Box<Self>,
        /// What ends the part that goes.
        mark: &'t str,
    },
}

/// A key of a new object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key<'t, N> {
    /// A new key.
    Text(Cow<'t, str>),
    /// A key of the source.
    Node(N),
}

impl<'t, N> Tree<'t, N> {
    /// A new object.
    pub fn object<K: Into<Key<'t, N>>>(entries: impl IntoIterator<Item = (K, Self)>) -> Self {
        Self::Object(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
    }

    /// An arguments text for a target that takes nothing but objects: `{"_raw_arguments": "…"}`.
    pub fn wrapped(text: N) -> Self {
        Self::object([(RAW_ARGUMENTS, Self::Copy(text))])
    }

    /// The tree with U+FFFD for each lone surrogate, and for each NUL if `nul`.
    #[must_use]
    pub fn scrubbed(self, nul: bool) -> Self {
        Self::Scrubbed { tree: Box::new(self), nul }
    }

    /// The object that this string spells out.
    #[must_use]
    pub fn parsed(self) -> Self {
        Self::Parsed(Box::new(self))
    }

    /// The compact JSON text of this tree.
    #[must_use]
    pub fn stringified(self) -> Self {
        Self::Stringified(Box::new(self))
    }

    /// What stands in this string behind the first `mark`.
    #[must_use]
    pub fn cut(self, mark: &'t str) -> Self {
        Self::Cut { text: Box::new(self), mark }
    }

    /// Strings as one, with `gap` between two of them.
    #[must_use]
    pub fn joined(texts: Vec<Self>, gap: &'t str) -> Self {
        Self::Joined { texts, gap }
    }
}

impl<'t, N> From<&'t str> for Tree<'t, N> {
    fn from(text: &'t str) -> Self {
        Self::Text(text.into())
    }
}

impl<N> From<String> for Tree<'_, N> {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl<'t, N> From<Cow<'t, str>> for Tree<'t, N> {
    fn from(text: Cow<'t, str>) -> Self {
        Self::Text(text)
    }
}

impl<'t, N> From<&'t str> for Key<'t, N> {
    fn from(text: &'t str) -> Self {
        Self::Text(text.into())
    }
}

impl<N> From<String> for Key<'_, N> {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}
