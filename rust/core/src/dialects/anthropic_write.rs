//! The dialect `anthropic-messages`, writing. Mirrored by `apus._pure.dialects.anthropic_write`.

use super::edits::Edits;
use super::writing::{Part, Writer, mark_value};
use crate::outline::{BlockKind, Role};
use crate::plan::SlotId;
use crate::source::Source;
use crate::tree::Tree;

fn role_text(role: Role) -> &'static str {
    match role {
        Role::Assistant => "assistant",
        Role::System => "system",
        Role::Developer | Role::User | Role::Result | Role::Other => "user",
    }
}

/// One message of the wire.
pub(super) fn write_message<'t, S: Source>(slot: SlotId, writer: &Writer<'t, S>) -> Tree<'t, S::Node> {
    let stored = writer.plan.message_of(slot).filter(|_| writer.same);
    let content = content(&writer.parts(slot), writer);
    let slot = writer.slot(slot);
    let mut edits = Edits::new([("role", role_text(slot.role).into()), ("content", content)]);
    let Some(message) = stored else { return edits.object() };
    let is_gone = |key: &str| slot.strip.iter().chain(&message.private).any(|gone| gone == key);
    let is_unnamed = slot.name.is_none() && message.name.is_some();
    if slot.name != message.name && !is_unnamed && !is_gone("name") {
        edits.put("name", slot.name.as_deref().map(Into::into));
    }
    writer.rewrite(message.node, edits, |key| is_gone(key) || (is_unnamed && key == "name"), slot.scrub)
}

fn content<'t, S: Source>(parts: &[Part<'t, S::Node>], writer: &Writer<'t, S>) -> Tree<'t, S::Node> {
    match parts {
        [only] if is_bare(only) => writer.text(only),
        _ => Tree::Array(parts.iter().map(|part| write_piece(part, writer)).collect()),
    }
}

/// A text that stood as the whole content, or that apus made.
fn is_bare<N: Copy>(part: &Part<'_, N>) -> bool {
    part.is_text() && part.is_bare() && part.mark().is_none()
}

/// One content block.
fn write_piece<'t, S: Source>(part: &Part<'t, S::Node>, writer: &Writer<'t, S>) -> Tree<'t, S::Node> {
    let stored = writer.stored(part).filter(|block| !block.shape().contains(&"type"));
    if let Some(block) = stored.filter(|_| !part.touched()) {
        return Tree::Copy(block.node);
    }
    let mut made = write_block(part, writer);
    if part.mark() != stored.and_then(|block| block.mark) {
        made.put("cache_control", part.mark().map(mark_value));
    }
    let Some(block) = stored else { return made.object() };
    let extra = if part.strip() { block.extra() } else { &[] };
    writer.rewrite(block.node, made, |key| extra.iter().chain(block.private()).any(|gone| gone == key), part.scrub())
}

fn write_block<'t, S: Source>(part: &Part<'t, S::Node>, writer: &Writer<'t, S>) -> Edits<'t, S::Node> {
    match part.kind() {
        BlockKind::Text => Edits::new([("type", "text".into()), ("text", writer.text(part))]),
        BlockKind::Call => Edits::new([
            ("type", "tool_use".into()),
            ("id", writer.call_id(part)),
            ("name", writer.call_name(part)),
            ("input", writer.arguments_object(part)),
        ]),
        BlockKind::Result => write_result(part, writer),
        BlockKind::Reasoning => write_reasoning(part, writer),
        BlockKind::Image => write_image(part, writer),
        _ => Edits::new([]),
    }
}

fn write_result<'t, S: Source>(part: &Part<'t, S::Node>, writer: &Writer<'t, S>) -> Edits<'t, S::Node> {
    let mut made = Edits::new([
        ("type", "tool_result".into()),
        ("tool_use_id", writer.call_id(part)),
        ("content", result_content(part, writer)),
    ]);
    let stored = part.block.filter(|_| writer.same);
    let has_none = stored.is_some_and(|block| writer.source.get(block.node, "content").is_none());
    if has_none && !writer.is_opened(part) {
        made.put("content", None);
    }
    if part.error() && !stored.is_some_and(|block| block.error) {
        made.put("is_error", Some(Tree::Bool(true)));
    }
    made
}

fn result_content<'t, S: Source>(part: &Part<'t, S::Node>, writer: &Writer<'t, S>) -> Tree<'t, S::Node> {
    let Some(block) = part.block.filter(|_| part.said().is_none()) else {
        return part.said().unwrap_or_default().into();
    };
    if writer.same && !writer.is_opened(part) && block.shape().is_empty() && !part.scrub() {
        return writer.copy(block.text, false);
    }
    content(&writer.inner(part), writer)
}

fn write_reasoning<'t, S: Source>(part: &Part<'t, S::Node>, writer: &Writer<'t, S>) -> Edits<'t, S::Node> {
    match part.block {
        None => Edits::new([("type", "text".into()), ("text", "".into())]),
        Some(_) if writer.same => Edits::new([]),
        Some(block) if block.redacted => {
            Edits::new([("type", "redacted_thinking".into()), ("data", writer.copy(block.signature(), false))])
        }
        Some(block) => Edits::new([
            ("type", "thinking".into()),
            ("thinking", block.text.map_or_else(|| "".into(), Tree::Copy)),
            ("signature", writer.copy(block.signature(), false)),
        ]),
    }
}

fn write_image<'t, S: Source>(part: &Part<'t, S::Node>, writer: &Writer<'t, S>) -> Edits<'t, S::Node> {
    let Some(block) = part.block.filter(|block| !writer.same || block.shape().contains(&"source")) else {
        return Edits::new([]);
    };
    let source = if block.url().is_some() {
        Tree::object([("type", "url".into()), ("url", writer.copy(block.data(), part.scrub()))])
    } else {
        let media_type = block.media_type().filter(|said| !said.is_empty()).unwrap_or("image/png");
        Tree::object([
            ("type", "base64".into()),
            ("media_type", media_type.into()),
            ("data", writer.media_payload(block, part.scrub())),
        ])
    };
    Edits::new([("type", "image".into()), ("source", source)])
}

/// The request's own system field: one string for one bare text, else blocks; `None` for none.
pub(super) fn write_system<'t, S: Source>(writer: &Writer<'t, S>) -> Option<Tree<'t, S::Node>> {
    let parts: Vec<_> = writer.plan.system.iter().map(|id| writer.part(*id)).collect();
    if parts.is_empty() { None } else { Some(content(&parts, writer)) }
}
