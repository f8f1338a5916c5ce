//! The dialect `apus`, writing. Mirrored by `apus._pure.dialects.apus_write`.

use super::edits::Edits;
use super::writing::{Part, Writer};
use crate::outline::{Block, BlockKind, Role};
use crate::plan::SlotId;
use crate::source::Source;
use crate::tree::Tree;

fn role_text(role: Role) -> &'static str {
    match role {
        Role::Assistant => "assistant",
        Role::System | Role::Developer => "system",
        Role::User | Role::Result | Role::Other => "user",
    }
}

/// Whether a message is rendered for the model, and so not written as it was stored.
fn is_rendered(role: Option<&str>) -> bool {
    matches!(role, Some("custom" | "compactionSummary" | "branchSummary" | "bashExecution"))
}

/// One message of the transcript.
pub(super) fn write_message<'t, S: Source>(id: SlotId, writer: &Writer<'t, S>) -> Tree<'t, S::Node> {
    let slot = writer.slot(id);
    if slot.role == Role::Result {
        return write_result(id, writer);
    }
    let mut edits = Edits::new([("role", role_text(slot.role).into()), ("content", content(id, writer))]);
    let message = writer.plan.message_of(id).filter(|_| writer.same);
    if slot.role == Role::Assistant && message.is_none() {
        let stop = if writer.plan.has(id, BlockKind::Call) { "toolUse" } else { "stop" };
        edits.put("stopReason", Some(stop.into()));
    }
    let stored = message.filter(|m| m.role != Role::Result && !is_rendered(m.role_text.as_deref()));
    let Some(message) = stored else { return edits.object() };
    writer.rewrite(message.node, edits, |key| message.private.iter().any(|gone| gone == key), slot.scrub)
}

fn content<'t, S: Source>(id: SlotId, writer: &Writer<'t, S>) -> Tree<'t, S::Node> {
    let parts = writer.parts(id);
    match &parts[..] {
        [only] if writer.slot(id).role != Role::Assistant && is_bare(only) => writer.text(only),
        _ => Tree::Array(parts.iter().map(|part| write_piece(part, writer)).collect()),
    }
}

fn is_bare<N: Copy>(part: &Part<'_, N>) -> bool {
    part.is_text() && part.is_bare()
}

/// One content block.
fn write_piece<'t, S: Source>(part: &Part<'t, S::Node>, writer: &Writer<'t, S>) -> Tree<'t, S::Node> {
    let stored = writer.stored(part).filter(|block| !block.shape().contains(&"type"));
    if let Some(block) = stored.filter(|_| !part.touched()) {
        return Tree::Copy(block.node);
    }
    let made = match part.kind() {
        BlockKind::Text => Edits::new([("type", "text".into()), ("text", writer.text(part))]),
        BlockKind::Call => write_call(part, writer),
        BlockKind::Reasoning => write_reasoning(part, writer),
        BlockKind::Image => write_image(part, writer),
        _ => Edits::new([]),
    };
    let Some(block) = stored else { return made.object() };
    writer.rewrite(block.node, made, |key| block.private().iter().any(|gone| gone == key), part.scrub())
}

fn write_call<'t, S: Source>(part: &Part<'t, S::Node>, writer: &Writer<'t, S>) -> Edits<'t, S::Node> {
    let stored = part.block.filter(|_| writer.same);
    let mut made = Edits::new([]);
    if stored.is_none() {
        made.put("type", Some("toolCall".into()));
    }
    made.put("id", Some(writer.call_id(part)));
    made.put("name", Some(writer.call_name(part)));
    let field = stored.and_then(Block::field).unwrap_or("arguments");
    made.put(field, Some(writer.arguments_object(part)));
    made
}

fn write_reasoning<'t, S: Source>(part: &Part<'t, S::Node>, writer: &Writer<'t, S>) -> Edits<'t, S::Node> {
    let Some(block) = part.block.filter(|_| !writer.same) else { return Edits::new([]) };
    let mut made = Edits::new([("type", "thinking".into())]);
    if block.redacted {
        made.put("thinking", Some("".into()));
        made.put("thinkingSignature", Some(writer.copy(block.signature(), false)));
        made.put("redacted", Some(Tree::Bool(true)));
        return made;
    }
    let thinking = block.text.map_or_else(|| "".into(), |text| writer.copy(Some(text), part.scrub()));
    made.put("thinking", Some(thinking));
    let bare = || if block.index.is_none() { Some(block.key) } else { None };
    let field = || block.field().or_else(bare).map(Into::into);
    made.put("thinkingSignature", if block.signed { block.signature().map(Tree::Copy) } else { field() });
    made
}

fn write_image<'t, S: Source>(part: &Part<'t, S::Node>, writer: &Writer<'t, S>) -> Edits<'t, S::Node> {
    let Some(block) = part.block.filter(|_| !writer.same) else { return Edits::new([]) };
    let media_type = block.media_type().filter(|said| !said.is_empty()).unwrap_or("image/png");
    Edits::new([
        ("type", "image".into()),
        ("data", writer.media_payload(block, part.scrub())),
        ("mimeType", media_type.into()),
    ])
}

fn write_result<'t, S: Source>(id: SlotId, writer: &Writer<'t, S>) -> Tree<'t, S::Node> {
    let slot = writer.slot(id);
    let part = writer.first(id);
    let message = writer.plan.message_of(id).filter(|_| writer.same);
    let stored = part.block.filter(|_| message.is_some());
    let field = part.block.filter(|_| writer.same).and_then(Block::field);
    let mut edits = Edits::new([
        ("role", "toolResult".into()),
        (field.unwrap_or("toolCallId"), writer.call_id(&part)),
        ("toolName", writer.call_name(&part)),
        ("content", result_content(&part, writer)),
        ("isError", Tree::Bool(part.error())),
    ]);
    let (Some(block), Some(message)) = (stored, message) else { return edits.object() };
    if !part.error() && writer.source.get(block.node, "isError").is_none() {
        edits.put("isError", None);
    }
    if block.name.is_none() && writer.source.get(block.node, "toolName").is_none() {
        edits.put("toolName", None);
    }
    let is_gone = |key: &str| message.private.iter().any(|gone| gone == key);
    writer.rewrite(block.node, edits, is_gone, part.scrub() || slot.scrub)
}

fn result_content<'t, S: Source>(part: &Part<'t, S::Node>, writer: &Writer<'t, S>) -> Tree<'t, S::Node> {
    let Some(block) = part.block else {
        let text = part.said().unwrap_or_default().into();
        return Tree::Array(vec![Tree::object([("type", "text".into()), ("text", text)])]);
    };
    if writer.same && !writer.is_opened(part) && block.shape().is_empty() {
        return writer.copy(block.text, part.scrub());
    }
    let inner = writer.inner(part);
    match &inner[..] {
        // A blank text may be a whole answer, but no block.
        [only] if is_bare(only) && writer.is_blank(only) => writer.text(only),
        _ => Tree::Array(inner.iter().map(|part| write_piece(part, writer)).collect()),
    }
}
