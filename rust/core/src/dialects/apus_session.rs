//! Session files of the dialect `apus`: what is on the active path. Mirrored by `apus._pure.dialects.apus_session`.

use std::collections::{HashMap, HashSet};

use crate::source::{Kind, Source};

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

/// The entries from the root to the last one; the last compaction takes the place of what came before its cut.
pub(crate) fn active_path<S: Source>(source: &S, items: &[S::Node]) -> Vec<Entry<S::Node>> {
    let path = path_numbers(source, items);
    let mut entries = Vec::with_capacity(path.len());
    let last = path.iter().rposition(|(_, item)| is_compaction(source, *item));
    let Some((before, rest)) = last.and_then(|last| path.split_at_checked(last)) else {
        entries.extend(path.iter().filter_map(|(at, item)| entry_of(source, *item, *at)));
        return entries;
    };
    if let Some((at, item)) = rest.first() {
        entries.push(Entry { index: *at, node: *item, path: "", role: Some("compactionSummary"), void: false });
    }
    let first = first_kept(source, &path);
    let kept = before.iter().filter(|(at, _)| *at >= first);
    // What is signed over a prefix does not survive the change of that prefix.
    let voided = |(at, item): &(u32, S::Node)| entry_of(source, *item, *at).map(|entry| Entry { void: true, ..entry });
    entries.extend(kept.filter_map(voided));
    entries.extend(rest.iter().filter_map(|(at, item)| entry_of(source, *item, *at)));
    entries
}

fn is_compaction<S: Source>(source: &S, item: S::Node) -> bool {
    source.text_at(item, "type").as_deref() == Some("compaction")
}

/// The message that an entry stands for; `None` for a compaction and for what no model sees.
fn entry_of<S: Source>(source: &S, item: S::Node, index: u32) -> Option<Entry<S::Node>> {
    let entry = |node, path, role| Some(Entry { index, node, path, role, void: false });
    let stored = source.get(item, "message").filter(|node| source.kind(*node) == Kind::Object);
    match (source.text_at(item, "type").as_deref(), stored) {
        (Some("message"), Some(message)) => entry(message, "/message", None),
        (Some("custom_message"), _) => entry(item, "", Some("custom")),
        (Some("branch_summary"), _) => entry(item, "", Some("branchSummary")),
        _ => None,
    }
}

/// The number of the first entry that all compactions keep; their own, if they name one that is not there.
fn first_kept<S: Source>(source: &S, path: &[(u32, S::Node)]) -> u32 {
    let mut places = HashMap::new();
    for (at, item) in path {
        if let Some(name) = source.text_at(*item, "id") {
            places.entry(name).or_insert(*at);
        }
    }
    let kept = |(at, item): &(u32, S::Node)| match source.text_at(*item, "firstKeptEntryId") {
        Some(name) => places.get(&name).copied().unwrap_or(*at),
        None => source.get(*item, "firstKeptEntryIndex").and_then(|value| index(source, value)).unwrap_or(0),
    };
    path.iter().filter(|(_, item)| is_compaction(source, *item)).map(kept).max().unwrap_or(0)
}

/// The entries on the path with their numbers, in order; files without parents are linear.
fn path_numbers<S: Source>(source: &S, items: &[S::Node]) -> Vec<(u32, S::Node)> {
    let mut known = HashMap::new();
    let mut is_linear = true;
    let objects = || (0..).zip(items.iter().copied()).filter(|(_, item)| source.kind(*item) == Kind::Object);
    for (at, item) in objects() {
        let Some(name) = source.text_at(item, "id") else { continue };
        if source.text_at(item, "type").as_deref() != Some("session") {
            known.insert(name, (at, item));
            is_linear &= source.get(item, "parentId").is_none();
        }
    }
    let last = known.values().copied().max_by_key(|(at, _)| *at).filter(|_| !is_linear);
    if last.is_none() {
        return objects().collect();
    }
    let mut path = Vec::new();
    let mut seen = HashSet::new();
    let mut next = last;
    while let Some((at, item)) = next.filter(|(at, _)| seen.insert(*at)) {
        path.push((at, item));
        next = known.get(&source.text_at(item, "parentId").unwrap_or_default()).copied();
    }
    path.reverse();
    path
}

/// A place in the file, as older files name it.
fn index<S: Source>(source: &S, value: S::Node) -> Option<u32> {
    let said = source.number(value)?;
    let is_place = said.len() <= INDEX_DIGITS && said.bytes().all(|b| b.is_ascii_digit());
    if is_place { said.parse().ok() } else { None }
}
