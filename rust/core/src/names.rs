//! Names: character classes of ids, tools and speakers. Mirrored by `apus._pure.names`.

use std::borrow::Cow;

use serde::Deserialize;

use crate::ids::{base62, digest};
use crate::policy::{CallIds, ToolNames};

/// A set of ASCII characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Class(u128);

impl Class {
    /// The class of what stands between brackets: single characters and ranges.
    fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut set = 0u128;
        let mut at = 0;
        while at < bytes.len() {
            let is_range = at + 2 < bytes.len() && bytes[at + 1] == b'-';
            let last = if is_range { bytes[at + 2] } else { bytes[at] };
            for byte in bytes[at]..=last {
                set |= 1u128 << (byte & 127);
            }
            at += if is_range { 3 } else { 1 };
        }
        Self(set)
    }

    fn has(self, c: char) -> bool {
        c.is_ascii() && self.0 >> (c as u32) & 1 == 1
    }
}

/// The alphabet of ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub enum Alphabet {
    /// Any character but NUL.
    Any,
    /// The characters of a class.
    Only(AlphabetClass),
}

/// The class of an alphabet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlphabetClass(Class);

impl From<String> for Alphabet {
    fn from(text: String) -> Self {
        if text == "any" { Self::Any } else { Self::Only(AlphabetClass(Class::of(&text))) }
    }
}

impl Alphabet {
    fn takes(self, text: &str) -> bool {
        match self {
            Self::Any => !text.contains('\0'),
            Self::Only(AlphabetClass(class)) => text.chars().all(|c| class.has(c)),
        }
    }
}

/// The class of the first character of a name, and that of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub struct Classes {
    first: Class,
    rest: Class,
}

impl From<String> for Classes {
    fn from(pattern: String) -> Self {
        let mut classes = pattern.split('[').skip(1).filter_map(|part| part.split(']').next()).map(Class::of);
        let first = classes.next().unwrap_or_else(|| Class::of("A-Za-z0-9_-"));
        Self { first, rest: classes.next().unwrap_or(first) }
    }
}

/// Whether the server takes `name`.
#[must_use]
pub fn fits(name: &str, rule: &ToolNames) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| rule.pattern.first.has(c))
        && chars.all(|c| rule.pattern.rest.has(c))
        && name.len() <= rule.max
}

/// `name` with each illegal character as `_`, cut to the limit; `fallback` if nothing can be read in it.
#[must_use]
pub fn fitted(name: &str, rule: &ToolNames, fallback: &str) -> String {
    let legal = |c: char| if rule.pattern.rest.has(c) { c } else { '_' };
    let made: String = trimmed(name).chars().take(rule.max).map(legal).collect();
    if made.chars().all(|c| c == '_') {
        return fallback.to_owned();
    }
    if made.starts_with(|c| rule.pattern.first.has(c)) {
        return made;
    }
    std::iter::once('_').chain(made.chars()).take(rule.max).collect()
}

/// `name` made different from another in use: a hash of the old name stands at its end.
#[must_use]
pub fn suffixed(name: &str, old: &str, rule: &ToolNames) -> String {
    let tail = format!("_{}", base62(&digest(old, 0, 0), 6));
    let head: String = name.chars().take(rule.max.saturating_sub(tail.len())).collect();
    head + &tail
}

/// Whether the server takes a call id.
#[must_use]
pub fn accepts(rule: &CallIds, id: &str) -> bool {
    let length = id.chars().count();
    let fits = rule.exact.map_or(length <= rule.max, |exact| length == exact);
    !id.is_empty() && fits && rule.alphabet.takes(id)
}

/// A call id that the server takes: legal characters of the old one, then a hash; a function of the past alone.
#[must_use]
pub fn mint(rule: &CallIds, old: &str, occurrence: u64, attempt: u32) -> String {
    let hash = digest(old, occurrence, attempt);
    if let Some(exact) = rule.exact {
        return base62(&hash, exact);
    }
    let size = rule.max.min(40);
    let legal: String = old.chars().filter(char::is_ascii_alphanumeric).take(size.saturating_sub(12)).collect();
    let head = if legal.is_empty() { Cow::Borrowed("call") } else { Cow::Owned(legal) };
    format!("{head}{}", base62(&hash, 12))
}

/// A text without the white space around it, as Python's `strip` sees white space.
#[must_use]
pub fn trimmed(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// White space as Python's `strip` sees it: `White_Space` and U+001C to U+001F.
#[must_use]
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}
