//! Session files of the dialect `apus`: what is on the active path. Mirrored by `apus._pure.dialects.apus_session`.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::reading::number;
use crate::source::{Kind, Source};

/// The role that a summary of what came before is read as.
const COMPACTION: &str = "compactionSummary";
/// Digits of a place in a file; more are no place.
const INDEX_DIGITS: usize = 9;

/// Entries that no model ever sees.
fn is_silent(label: &str) -> bool {
    matches!(label, "session" | "model_change" | "thinking_level_change" | "custom" | "label" | "session_info")
}

fn is_spoken(label: &str) -> bool {
    matches!(label, "message" | "custom_message" | "compaction" | "branch_summary")
}

/// One entry of the path: the message it stands for, its place in the file, and the pointer from there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<N> {
    pub(crate) index: u32,
    pub(crate) node: N,
    pub(crate) path: &'static str,
    /// The message role that the entry stands for; `None`: the node says it.
    pub(crate) role: Option<&'static str>,
    /// Older than the last compaction.
    pub(crate) void: bool,
}

/// Whether a list holds session entries and not messages.
pub(crate) fn is_session<S: Source>(source: &S, items: &[S::Node]) -> bool {
    let first = items.iter().find(|item| source.kind(**item) == Kind::Object);
    first.is_some_and(|item| {
        let label = source.text_at(*item, "type");
        let label = label.as_deref().unwrap_or_default();
        is_silent(label) || (is_spoken(label) && source.get(*item, "role").is_none())
    })
}

/// The entries from the root to the last one, cut at the last compaction.
pub(crate) fn active_path<S: Source>(source: &S, items: &[S::Node]) -> Vec<Entry<S::Node>> {
    let path = path_numbers(source, items);
    let kept = kept_from(source, items, &path);
    let last = path.iter().rposition(|at| is_compaction(source, items, *at));
    let mut entries = Vec::new();
    if let Some(&at) = last.and_then(|last| path.get(last)) {
        entries.extend(entry_of(source, items, at));
    }
    for (place, (&at, &first)) in path.iter().zip(&kept).enumerate() {
        if !is_compaction(source, items, at) && first.is_some_and(|first| number(at) >= first) {
            // What is signed over a prefix does not survive the change of that prefix.
            let void = last.is_some_and(|last| place < last);
            entries.extend(entry_of(source, items, at).map(|entry| Entry { void, ..entry }));
        }
    }
    entries
}

fn label_of<'s, S: Source>(source: &'s S, items: &[S::Node], at: usize) -> Cow<'s, str> {
    items.get(at).and_then(|item| source.text_at(*item, "type")).unwrap_or_default()
}

fn is_compaction<S: Source>(source: &S, items: &[S::Node], at: usize) -> bool {
    label_of(source, items, at) == "compaction"
}

fn entry_of<S: Source>(source: &S, items: &[S::Node], at: usize) -> Option<Entry<S::Node>> {
    let item = *items.get(at)?;
    let entry = |node, path, role| Some(Entry { index: number(at), node, path, role, void: false });
    match &*label_of(source, items, at) {
        "message" => {
            let message = source.get(item, "message").filter(|node| source.kind(*node) == Kind::Object)?;
            entry(message, "/message", None)
        }
        "custom_message" => entry(item, "", Some("custom")),
        "branch_summary" => entry(item, "", Some("branchSummary")),
        "compaction" => entry(item, "", Some(COMPACTION)),
        _ => None,
    }
}

/// Numbers of the entries on the path, in order; files without parents are linear.
fn path_numbers<S: Source>(source: &S, items: &[S::Node]) -> Vec<usize> {
    let mut known = HashMap::new();
    let mut is_linear = true;
    let is_object = |item: &S::Node| source.kind(*item) == Kind::Object;
    for (at, item) in items.iter().enumerate().filter(|(_, item)| is_object(item)) {
        let Some(name) = source.text_at(*item, "id") else { continue };
        if label_of(source, items, at) != "session" {
            known.insert(name, at);
            is_linear &= source.get(*item, "parentId").is_none();
        }
    }
    let Some(&last) = known.values().max().filter(|_| !is_linear) else {
        return (0..items.len()).filter(|at| items.get(*at).is_some_and(is_object)).collect();
    };
    let mut path = Vec::new();
    let mut seen = HashSet::new();
    let mut next = Some(last);
    while let Some(at) = next.filter(|at| seen.insert(*at)) {
        path.push(at);
        let parent = items.get(at).and_then(|item| source.text_at(*item, "parentId"));
        next = known.get(&parent.unwrap_or_default()).copied();
    }
    path.reverse();
    path
}

/// For each entry of the path the first place that the compactions behind it keep; `None`: they keep nothing.
///
/// It is found from the end, because a file may hold many compactions, each of which would look through all before it.
fn kept_from<S: Source>(source: &S, items: &[S::Node], path: &[usize]) -> Vec<Option<u32>> {
    let mut places = HashMap::new();
    for &at in path {
        if let Some(name) = items.get(at).and_then(|item| source.text_at(*item, "id")) {
            places.entry(name).or_insert(number(at));
        }
    }
    let mut kept = Vec::with_capacity(path.len());
    let mut first = Some(0);
    for &at in path.iter().rev() {
        kept.push(first);
        let Some(&item) = items.get(at).filter(|_| is_compaction(source, items, at)) else { continue };
        let place = match source.text_at(item, "firstKeptEntryId") {
            Some(name) => places.get(&name).copied(),
            None => Some(source.get(item, "firstKeptEntryIndex").and_then(|value| index(source, value)).unwrap_or(0)),
        };
        first = first.zip(place).map(|(behind, here)| behind.max(here));
    }
    kept.reverse();
    kept
}

/// A place in the file, as older files name it.
fn index<S: Source>(source: &S, value: S::Node) -> Option<u32> {
    let said = source.number(value)?;
    let is_place = said.len() <= INDEX_DIGITS && said.bytes().all(|b| b.is_ascii_digit());
    if is_place { said.parse().ok() } else { None }
}
