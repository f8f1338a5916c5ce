//! The dialect `anthropic-messages`, reading. Mirrored by `apus._pure.dialects.anthropic_messages`.

use super::anthropic_blocks::read_block;
use super::reading::{Fields, Place, Reader, number, text_block};
use crate::outline::{BlockKind, Content, Message, Outline, Role, Stop};
use crate::source::{Kind, Source};

const MESSAGE_KEYS: &[&str] = &["role", "content"];
fn role_of(said: &str) -> Role {
    match said {
        "user" => Role::User,
        "assistant" => Role::Assistant,
        "system" => Role::System,
        _ => Role::Other,
    }
}

fn stop_of(said: &str) -> Stop {
    match said {
        "max_tokens" => Stop::Length,
        "pause_turn" => Stop::Pause,
        "end_turn" | "tool_use" => Stop::Normal,
        _ => Stop::Unknown,
    }
}

/// One message; `node` is an object.
pub(super) fn read_message<'s, S: Source>(
    reader: &Reader<'s, S>,
    outline: &mut Outline<'s, S>,
    node: S::Node,
    index: u32,
) {
    let fields = Fields::read(reader.source, node, MESSAGE_KEYS);
    let said = reader.text(fields.get("role"));
    let role = said.as_deref().map_or(Role::Other, role_of);
    let mut message = Message::new(role, node, index, number(outline.blocks.len()));
    message.role_text = said;
    message.flags = reader.flags(node);
    if !fields.extra.is_empty() {
        message.name = reader.text(reader.get(node, "name"));
        message.stop = reader.text(reader.get(node, "stop_reason")).map_or(Stop::Unknown, |said| stop_of(&said));
    }
    read_content(reader, outline, &mut message, fields.get("content"), fields.has("content"));
    (message.extra, message.private) = (fields.extra, fields.private);
    message.blocks.end = number(outline.blocks.len());
    outline.messages.push(message);
}

/// The blocks of a message: `content` is a string, a list, one block, or nothing.
fn read_content<'s, S: Source>(
    reader: &Reader<'s, S>,
    outline: &mut Outline<'s, S>,
    message: &mut Message<'s, S::Node>,
    content: Option<S::Node>,
    present: bool,
) {
    let Some(node) = content else {
        message.content = if present { Content::Null } else { Content::Absent };
        return;
    };
    let Outline { blocks, inner, .. } = outline;
    match reader.source.kind(node) {
        Kind::String => {
            message.content = Content::Text;
            blocks.push(text_block(reader, node, node, Place::new("content", None, 0)));
        }
        Kind::Array => {
            message.content = Content::List;
            for (at, item) in reader.source.items(node).enumerate() {
                let place = Place::new("content", Some(number(at)), number(at));
                let mut block = read_block(reader, Some(inner), item, place);
                if block.label.as_deref() == Some("tool_reference") {
                    block.kind = BlockKind::Unknown; // its place is in a result
                }
                blocks.push(block);
            }
        }
        Kind::Object => {
            message.content = Content::Object;
            message.shape.push("content");
            blocks.push(read_block(reader, Some(inner), node, Place::new("content", None, 0)));
        }
        Kind::Null | Kind::Bool | Kind::Number => message.content = Content::Other,
    }
}

/// The blocks of the request's own system field.
pub(super) fn read_system<'s, S: Source>(reader: &Reader<'s, S>, outline: &mut Outline<'s, S>, node: S::Node) {
    let start = number(outline.blocks.len());
    let Outline { blocks, inner, .. } = outline;
    match reader.source.kind(node) {
        Kind::String => blocks.push(text_block(reader, node, node, Place::new("system", None, 0))),
        Kind::Array => {
            for (at, item) in reader.source.items(node).enumerate() {
                let place = Place::new("system", Some(number(at)), number(at));
                blocks.push(read_block(reader, Some(inner), item, place));
            }
        }
        _ => {}
    }
    outline.system = start..number(outline.blocks.len());
}
