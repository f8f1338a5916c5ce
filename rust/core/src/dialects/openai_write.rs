//! The dialect `openai-chat`, writing. Mirrored by `apus._pure.dialects.openai_write`.

use super::edits::Edits;
use super::writing::{Part, Writer, mark_value};
use crate::outline::{Block, BlockKind, Content, Role};
use crate::plan::{CallOnly, SlotId};
use crate::source::Source;
use crate::tree::Tree;

const REASONING_FIELD: &str = "reasoning_content";

fn role_text(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::Developer => "developer",
        Role::Assistant => "assistant",
        Role::User | Role::Result | Role::Other => "user",
    }
}

/// One message of the wire.
pub(super) fn write_message<'t, S: Source>(id: SlotId, writer: &Writer<'t, S>) -> Tree<'t, S::Node> {
    let slot = writer.slot(id);
    if slot.role == Role::Result {
        return write_result(id, writer);
    }
    let mut edits = Edits::new([("role", role_text(slot.role).into())]);
    edits.put("content", content(id, writer));
    if let Some(name) = &slot.name {
        edits.put("name", Some((**name).into()));
    }
    if slot.role == Role::Assistant {
        put_reasoning(id, writer, &mut edits);
        put_calls(id, writer, &mut edits);
        if slot.prefix && !slot.strip.iter().any(|key| key == "prefix") {
            edits.put("prefix", Some(Tree::Bool(true)));
        }
    } else {
        put_no_calls(&mut edits);
    }
    let stored = writer.plan.message_of(id).filter(|message| writer.same && message.role != Role::Result);
    let Some(message) = stored else { return edits.object() };
    let is_gone = |key: &str| {
        slot.strip.iter().chain(&message.private).any(|gone| gone == key) || (slot.name.is_none() && key == "name")
    };
    writer.rewrite(message.node, edits, is_gone, slot.scrub)
}

fn put_no_calls<N>(edits: &mut Edits<'_, N>) {
    edits.put("tool_calls", None);
    edits.put("function_call", None);
}

/// The content of a message; `None` leaves the key out.
fn content<'t, S: Source>(id: SlotId, writer: &Writer<'t, S>) -> Option<Tree<'t, S::Node>> {
    let mut parts = writer.parts(id);
    let has_calls = parts.iter().any(|part| part.kind() == BlockKind::Call);
    let stored_style = stored_style(id, &parts, writer);
    parts.retain(|part| part.kind().is_media() || part.is_text() || is_part(part, writer));
    if has_calls && parts.iter().all(|part| writer.is_blank(part)) {
        match writer.slot(id).call_only.or(stored_style) {
            Some(CallOnly::Null) => return Some(Tree::Null),
            Some(CallOnly::Empty) => return Some("".into()),
            Some(CallOnly::Omit) => return None,
            None => {}
        }
    }
    if parts.is_empty() {
        return Some(if has_calls { Tree::Null } else { "".into() });
    }
    Some(if is_one_string(id, &parts, writer) {
        writer.joined(&parts, "")
    } else {
        Tree::Array(parts.iter().map(|part| write_part(part, writer)).collect())
    })
}

/// Whether the content is written as one string.
fn is_one_string<'t, S: Source>(id: SlotId, parts: &[Part<'t, S::Node>], writer: &Writer<'t, S>) -> bool {
    if parts.iter().any(|part| !part.is_text() || part.mark().is_some()) {
        return false;
    }
    match parts {
        [only] => only.is_bare() || !writer.same,
        _ => writer.slot(id).role != Role::User || parts.iter().all(Part::is_bare),
    }
}

/// Whether any other piece stands as a content part: reasoning of some servers does, what only its dialect knows.
fn is_part<'t, S: Source>(part: &Part<'t, S::Node>, writer: &Writer<'t, S>) -> bool {
    let is_beside = matches!(part.kind(), BlockKind::Call | BlockKind::Result);
    writer.same && !is_beside && part.block.is_some_and(|block| block.key == "content")
}

/// The content of a call-only message as it was stored, if no text was taken out of it.
fn stored_style<'t, S: Source>(id: SlotId, parts: &[Part<'t, S::Node>], writer: &Writer<'t, S>) -> Option<CallOnly> {
    let Some(message) = writer.plan.message_of(id).filter(|_| writer.same) else { return Some(CallOnly::Null) };
    match message.content {
        Content::Null => Some(CallOnly::Null),
        Content::Absent => Some(CallOnly::Omit),
        Content::Text => Some(CallOnly::Empty),
        Content::List | Content::Object | Content::Other => {
            if parts.iter().any(Part::is_text) {
                None
            } else {
                Some(CallOnly::Null)
            }
        }
    }
}

/// One content part.
fn write_part<'t, S: Source>(part: &Part<'t, S::Node>, writer: &Writer<'t, S>) -> Tree<'t, S::Node> {
    let stored = writer.stored(part).filter(|block| !block.shape().contains(&"type"));
    if let Some(block) = stored.filter(|_| !part.touched()) {
        return Tree::Copy(block.node);
    }
    let mut made = write_block(part, writer);
    if part.mark() != stored.and_then(|block| block.mark) {
        made.put("cache_control", part.mark().map(mark_value));
    }
    let Some(block) = stored else { return made.object() };
    writer.rewrite(block.node, made, |key| block.private().iter().any(|gone| gone == key), part.scrub())
}

fn write_block<'t, S: Source>(part: &Part<'t, S::Node>, writer: &Writer<'t, S>) -> Edits<'t, S::Node> {
    if part.is_text() {
        let is_refusal = writer.same && part.block.is_some_and(|block| block.label.as_deref() == Some("refusal"));
        let key = if is_refusal { "refusal" } else { "text" };
        return Edits::new([("type", key.into()), (key, writer.text(part))]);
    }
    let Some(block) = part.block.filter(|block| !writer.same || block.foreign) else { return Edits::new([]) };
    let url = Tree::object([("url", writer.data_url(block, part.scrub()))]);
    Edits::new([("type", "image_url".into()), ("image_url", url)])
}

/// The reasoning fields: those of the message as they stood, or one with all the texts.
fn put_reasoning<'t, S: Source>(id: SlotId, writer: &Writer<'t, S>, edits: &mut Edits<'t, S::Node>) {
    // A key that has its text; the others are taken out.
    let mut filled: Vec<&'static str> = Vec::new();
    if let Some(message) = writer.plan.message_of(id).filter(|_| writer.same) {
        let blocks = writer.plan.outline.blocks_of(message).iter();
        for block in blocks.filter(|block| block.kind == BlockKind::Reasoning && block.index.is_none()) {
            edits.put(block.key, None);
        }
    }
    let mut rest = Vec::new();
    for part in writer.parts(id) {
        if part.kind() != BlockKind::Reasoning || is_part(&part, writer) {
            continue;
        }
        let own = part.block.filter(|block| writer.same && !block.foreign);
        if let Some(block) = own.filter(|block| !filled.contains(&block.key)) {
            filled.push(block.key);
            edits.put(block.key, Some(writer.text(&part)));
        } else if part.block.is_none_or(|block| block.text.is_some()) {
            rest.push(part);
        }
    }
    let key = rest.iter().find_map(|part| part.block.and_then(Block::field)).unwrap_or(REASONING_FIELD);
    if !rest.is_empty() && !filled.contains(&key) {
        edits.put(key, Some(writer.joined(&rest, "")));
    }
}

fn put_calls<'t, S: Source>(id: SlotId, writer: &Writer<'t, S>, edits: &mut Edits<'t, S::Node>) {
    let mut calls = writer.parts(id);
    calls.retain(|part| part.kind() == BlockKind::Call);
    let is_legacy = |part: &Part<'t, S::Node>| {
        let is_stored = part.block.is_some_and(|block| block.label.as_deref() == Some("function_call"));
        is_stored && writer.same && !part.touched()
    };
    if matches!(&calls[..], [only] if is_legacy(only)) {
        return;
    }
    let trees = || Tree::Array(calls.iter().map(|call| write_call(call, writer)).collect());
    edits.put("tool_calls", (!calls.is_empty()).then(trees));
    let stored = writer.plan.message_of(id).filter(|_| writer.same);
    if stored.is_some_and(|message| writer.source.get(message.node, "function_call").is_some()) {
        edits.put("function_call", None);
    }
}

fn write_call<'t, S: Source>(part: &Part<'t, S::Node>, writer: &Writer<'t, S>) -> Tree<'t, S::Node> {
    let stored = writer.stored(part).and_then(|block| {
        let key = match block.label.as_deref() {
            Some("tool_calls") => "function",
            Some("custom") => "custom",
            _ => return None,
        };
        writer.source.get(block.node, key).map(|value| (block, key, value))
    });
    if let Some((block, ..)) = stored.filter(|_| !part.touched()) {
        return Tree::Copy(block.node);
    }
    let mut edits = Edits::new([("name", writer.call_name(part))]);
    let Some((block, key, value)) = stored else {
        edits.put("arguments", Some(writer.arguments_text(part)));
        return Edits::new([("id", writer.call_id(part)), ("type", "function".into()), ("function", edits.object())])
            .object();
    };
    let mut made = Edits::new([("id", writer.call_id(part))]);
    if key == "function" {
        edits.put("arguments", Some(writer.arguments_text(part)));
        made.put("type", Some("function".into()));
    }
    made.put(key, Some(writer.rewrite(value, edits, |_| false, part.scrub())));
    writer.rewrite(block.node, made, |key| block.private().iter().any(|gone| gone == key), part.scrub())
}

fn write_result<'t, S: Source>(id: SlotId, writer: &Writer<'t, S>) -> Tree<'t, S::Node> {
    let slot = writer.slot(id);
    let part = writer.first(id);
    let mut edits = Edits::new([
        ("role", "tool".into()),
        ("tool_call_id", writer.call_id(&part)),
        ("content", result_content(&part, writer)),
    ]);
    let Some(block) = writer.stored(&part).filter(|block| !block.foreign) else { return edits.object() };
    put_no_calls(&mut edits);
    let message = writer.plan.message_of(id);
    if block.name.is_some() {
        edits.put("name", Some(writer.call_name(&part)));
    } else if message.is_some_and(|message| message.shape.contains(&"name")) {
        edits.put("name", None);
    }
    let own = message.filter(|message| message.role == Role::Result);
    let is_gone = |key: &str| match own {
        Some(message) => slot.strip.iter().chain(&message.private).any(|gone| gone == key),
        None => block.private().iter().any(|gone| gone == key),
    };
    writer.rewrite(block.node, edits, is_gone, part.scrub() || slot.scrub)
}

fn result_content<'t, S: Source>(part: &Part<'t, S::Node>, writer: &Writer<'t, S>) -> Tree<'t, S::Node> {
    let Some(block) = part.block else { return part.said().unwrap_or_default().into() };
    if writer.same && !writer.is_opened(part) && block.shape().is_empty() && !block.foreign {
        return writer.copy(block.text, part.scrub());
    }
    let inner = writer.inner(part);
    if inner.is_empty() {
        return "".into();
    }
    // The wire has no flag for an error, so the text says it.
    let is_told = part.error() && !part.is_synthetic() && !writer.same;
    let lead = if is_told { writer.texts.note.error_prefix.as_str() } else { "" };
    if inner.iter().all(Part::is_text) && (!writer.same || inner.len() == 1) {
        return writer.joined(&inner, lead);
    }
    Tree::Array(inner.iter().map(|part| write_part(part, writer)).collect())
}
