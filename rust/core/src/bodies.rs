//! Bodies: the facts that a whole request body says itself. Mirrored by `apus._pure.bodies`.

use crate::request::Facts;
use crate::source::{Kind, Source};

const SERVER_STATE: &[&str] = &["previous_response_id", "conversation", "cachedContent", "container"];

/// The facts of a request; what the caller said wins over what the body says.
pub fn facts_of<S: Source>(source: &S, body: S::Node, facts: Facts<S::Node>) -> Facts<S::Node> {
    let (thinking, adaptive) = thinking_of(source, source.get(body, "thinking"));
    let listed = || source.get(body, "tools").into_iter().flat_map(|tools| source.items(tools));
    let marks = listed().filter_map(|tool| object_at(source, tool, "cache_control"));
    let (mut marks_beside, mut short_mark_beside) = (0, false);
    for mark in marks {
        marks_beside += 1;
        short_mark_beside |= source.text_at(mark, "ttl").as_deref() != Some("1h");
    }
    let tools = facts.tools.unwrap_or_else(|| listed().filter_map(|tool| tool_name(source, tool)).collect());
    let is_said = |key: &&str| source.get(body, key).is_some_and(|node| !source.is_null(node));
    Facts {
        thinking: facts.thinking.or(thinking),
        adaptive: facts.adaptive || (facts.thinking.is_none() && adaptive),
        store: facts.store.or_else(|| source.get(body, "store").and_then(|node| source.boolean(node))),
        tools: Some(tools),
        server_state: facts.server_state || SERVER_STATE.iter().any(is_said),
        marks_beside,
        short_mark_beside,
        ..facts
    }
}

/// Whether thinking is on, and whether a turn may go without.
fn thinking_of<S: Source>(source: &S, value: Option<S::Node>) -> (Option<bool>, bool) {
    let said = value.and_then(|node| source.text_at(node, "type"));
    match said.as_deref() {
        Some("enabled") => (Some(true), false),
        Some("adaptive") => (Some(true), true),
        Some("disabled") => (Some(false), false),
        _ => (None, false),
    }
}

fn tool_name<S: Source>(source: &S, tool: S::Node) -> Option<String> {
    let inner = ["function", "custom"].iter().filter_map(|key| object_at(source, tool, key));
    inner.chain([tool]).find_map(|holder| source.text_at(holder, "name")).map(Into::into)
}

fn object_at<S: Source>(source: &S, object: S::Node, key: &str) -> Option<S::Node> {
    source.get(object, key).filter(|node| source.kind(*node) == Kind::Object)
}
