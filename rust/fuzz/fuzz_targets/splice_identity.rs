//! What is not touched keeps its bytes: a clean input as a whole, stored messages, and what stands around the list.
#![cfg_attr(fuzzing, no_main)]

use apus_core::json::{JsonNode, JsonSource, scan};
use apus_core::project::{Outcome, project};
use apus_core::repairs::RepairKind;
use apus_core::source::{Flags, Source};
use apus_core::splice::{Bytes, project_bytes};
use apus_core::tree::Tree;
use apus_fuzz::setting::Setting;

apus_fuzz::target!(|data: &[u8]| {
    let setting = Setting::of(data, data.len() as u64);
    let Ok(source) = scan(data, setting.config.limits.depth) else { return };
    let Ok(outcome) = project_bytes(data, &setting.config, setting.facts(), None) else { return };
    let is_required = |kind| matches!(kind, RepairKind::ThinkingMustBeOff | RepairKind::ToolConfigRequired);
    if !outcome.changed && outcome.source == outcome.written {
        assert!(outcome.made.whole.is_none(), "unchanged, but rewritten");
        assert!(outcome.repairs.iter().all(|repair| is_required(repair.kind)), "unchanged: {:?}", outcome.repairs);
    }
    stored_messages_keep_their_bytes(&source, &setting, &outcome, data);
    if outcome.source == outcome.written {
        bytes_around_stay(&source, &outcome, data);
    }
});

/// Each message that is a stored one has the bytes of its span.
fn stored_messages_keep_their_bytes(source: &JsonSource<'_>, setting: &Setting, outcome: &Outcome<Bytes>, data: &[u8]) {
    let whole = outcome.made.whole.as_deref().unwrap_or(data);
    let list = &whole[outcome.made.messages.clone()];
    let written = scan(list, setting.config.limits.depth + 1).expect("the list is JSON");
    let copies = project(source, source.root(), &setting.config, setting.facts(), false, |made| {
        let copy = |tree: &Tree<'_, JsonNode>| match tree {
            Tree::Copy(node) if !source.flags(*node).has(Flags::DUPLICATE_KEY) => Some(*node),
            _ => None,
        };
        made.messages.as_ref().map(|messages| messages.iter().map(copy).collect::<Vec<_>>())
    });
    let Some(copies) = copies.expect("it has projected before").made else { return };
    assert_eq!(copies.len(), written.items(written.root()).count());
    for (message, copy) in written.items(written.root()).zip(copies) {
        if let Some(stored) = copy {
            assert_eq!(written.raw(message), source.raw(stored), "a stored message has other bytes");
        }
    }
}

/// The bytes before and behind the list of a body, where its system field stayed and no key stands twice.
fn bytes_around_stay(source: &JsonSource<'_>, outcome: &Outcome<Bytes>, data: &[u8]) {
    let root = source.root();
    let (Some(whole), true) = (&outcome.made.whole, outcome.made.is_body) else { return };
    let Some(list) = source.get(root, outcome.written.shape().list_key) else { return };
    let messages = &outcome.made.messages;
    let system = outcome.written.shape().system_key.and_then(|key| source.get(root, key));
    let is_kept = match (&outcome.made.system, system) {
        (Some(made), Some(stored)) => made == source.raw(stored).as_bytes(),
        (made, stored) => made.is_none() && stored.is_none(),
    };
    if is_kept && !source.flags(root).has(Flags::DUPLICATE_KEY) {
        let stored = source.span(list);
        assert_eq!(whole[..messages.start], data[..stored.start], "what stands before the list");
        assert_eq!(whole[messages.end..], data[stored.end..], "what stands behind the list");
    }
}
