//! The dialect `openai-chat`, reading. Mirrored by `apus._pure.dialects.openai_chat`.

use std::borrow::Cow;

use super::openai_parts::read_part;
use super::reading::{
    Fields, Place, Reader, arguments_kind, as_inner, is_synthetic, number, plain_block, read_id, read_name, text_block,
};
use crate::outline::{Arguments, Block, BlockKind, Content, Message, Outline, Role};
use crate::source::{Kind, Source};

/// Calls are read wherever they stand: that they stand in the wrong role is for a rule to say.
const KEYS: &[&str] = &["role", "content", "name", "tool_calls", "function_call"];
const RESULT_KEYS: &[&str] = &["role", "content", "name", "tool_calls", "function_call", "tool_call_id"];
const ASSISTANT_KEYS: &[&str] = &[
    "role",
    "content",
    "name",
    "tool_calls",
    "function_call",
    "refusal",
    "audio",
    "reasoning",
    "reasoning_content",
    "prefix",
];
const BESIDE: [&str; 3] = ["refusal", "audio", "prefix"];
const REASONING_FIELDS: [&str; 2] = ["reasoning_content", "reasoning"];

fn role_of(said: &str) -> Role {
    match said {
        "system" => Role::System,
        "developer" => Role::Developer,
        "user" => Role::User,
        "assistant" => Role::Assistant,
        "tool" | "function" => Role::Result,
        _ => Role::Other,
    }
}

/// One message; `node` is an object.
pub(super) fn read_message<'s, S: Source>(
    reader: &Reader<'s, S>,
    outline: &mut Outline<'s, S>,
    node: S::Node,
    index: u32,
) {
    let said = reader.text(reader.source.get(node, "role"));
    let role = said.as_deref().map_or(Role::Other, role_of);
    let keys = match role {
        Role::Assistant => ASSISTANT_KEYS,
        Role::Result => RESULT_KEYS,
        _ => KEYS,
    };
    let mut fields = Fields::read(reader.source, node, keys);
    let mut message = Message::new(role, node, index, number(outline.blocks.len()));
    message.role_text.clone_from(&said);
    message.flags = reader.flags(node);
    message.extra = std::mem::take(&mut fields.extra);
    message.private = std::mem::take(&mut fields.private);
    message.beside.extend(BESIDE.iter().filter(|key| fields.has(key) || message.extra.iter().any(|k| k == *key)));
    message.prefix = message.beside.contains(&"prefix") && reader.is_true(reader.get(node, "prefix"));
    let name = reader.text(fields.get("name"));
    if name.is_none() && fields.get("name").is_some() {
        message.shape.push("name");
    }
    if role == Role::Result {
        let block = read_result(reader, &mut outline.inner, node, said.unwrap_or_default(), &fields);
        outline.blocks.push(block);
        message.content = Content::Text;
        if fields.get("tool_calls").is_some() {
            message.shape.push("tool_calls");
        }
        if message.role_text.as_deref() != Some("tool") {
            message.shape.push("role");
        }
    } else {
        message.name = name;
        if role == Role::Assistant {
            read_reasoning(reader, outline, &message, &fields);
        }
        read_content(reader, outline, &mut message, &fields);
        read_calls(reader, outline, &mut message, &fields);
    }
    message.blocks.end = number(outline.blocks.len());
    outline.messages.push(message);
}

/// Number of the next block in its message.
fn order<S: Source>(outline: &Outline<'_, S>, message: &Message<'_, S::Node>) -> u32 {
    number(outline.blocks.len()).saturating_sub(message.blocks.start)
}

fn read_reasoning<'s, S: Source>(
    reader: &Reader<'s, S>,
    outline: &mut Outline<'s, S>,
    message: &Message<'s, S::Node>,
    fields: &Fields<S::Node>,
) {
    for key in REASONING_FIELDS {
        let Some(value) = fields.get(key) else { continue };
        let place = Place::new(key, None, order(outline, message));
        let mut block = plain_block(reader, BlockKind::Reasoning, value, place);
        block.text = Some(value);
        block.label = Some(Cow::Borrowed(key));
        block.blank = reader.source.is_blank(value);
        outline.blocks.push(block);
    }
}

fn read_content<'s, S: Source>(
    reader: &Reader<'s, S>,
    outline: &mut Outline<'s, S>,
    message: &mut Message<'s, S::Node>,
    fields: &Fields<S::Node>,
) {
    let first = order(outline, message);
    let Some(content) = fields.get("content") else {
        message.content = if fields.has("content") { Content::Null } else { Content::Absent };
        return;
    };
    let Outline { blocks, inner, .. } = outline;
    match reader.source.kind(content) {
        Kind::String => {
            message.content = Content::Text;
            let block = text_block(reader, content, content, Place::new("content", None, first));
            // An empty string beside calls is a way to write no content.
            let is_none = message.role == Role::Assistant && is_truthy(reader, fields.get("tool_calls"));
            if !(is_none && block.blank && reader.source.short_text(content, 0).is_some()) {
                blocks.push(block);
            }
        }
        Kind::Array => {
            message.content = Content::List;
            for (at, item) in reader.source.items(content).enumerate() {
                let place = Place::new("content", Some(number(at)), first.saturating_add(number(at)));
                let mut block = read_part(reader, Some(inner), item, place);
                if message.role != Role::Assistant && block.label.as_deref() == Some("refusal") {
                    // Only an assistant refuses.
                    block.label = None;
                    block.rare_mut().shape = vec!["type"];
                }
                blocks.push(block);
            }
        }
        Kind::Object => {
            message.content = Content::Object;
            message.shape.push("content");
            blocks.push(read_part(reader, Some(inner), content, Place::new("content", None, first)));
        }
        Kind::Null | Kind::Bool | Kind::Number => {
            message.content = Content::Other;
            message.shape.push("content");
        }
    }
}

/// Whether a value is there and neither empty nor false.
fn is_truthy<S: Source>(reader: &Reader<'_, S>, value: Option<S::Node>) -> bool {
    value.is_some_and(|value| match reader.source.kind(value) {
        Kind::Null => false,
        Kind::Bool => reader.source.is_true(value),
        Kind::Number => true,
        Kind::String => reader.source.short_text(value, 0).is_none(),
        Kind::Array | Kind::Object => !reader.source.is_empty(value),
    })
}

fn read_calls<'s, S: Source>(
    reader: &Reader<'s, S>,
    outline: &mut Outline<'s, S>,
    message: &mut Message<'s, S::Node>,
    fields: &Fields<S::Node>,
) {
    if let Some(calls) = fields.get("tool_calls") {
        if reader.source.items(calls).next().is_none() {
            message.shape.push("tool_calls");
        }
        for (at, call) in reader.source.items(calls).enumerate() {
            let place = Place::new("tool_calls", Some(number(at)), order(outline, message));
            outline.blocks.push(read_call(reader, call, place));
        }
    }
    let legacy = fields.get("function_call");
    if let Some(legacy) = legacy.filter(|legacy| reader.source.kind(*legacy) == Kind::Object) {
        let place = Place::new("function_call", None, order(outline, message));
        let mut block = plain_block(reader, BlockKind::Call, legacy, place);
        block.label = Some(Cow::Borrowed("function_call"));
        fill_function(reader, &mut block, legacy, None);
        outline.blocks.push(block);
    }
}

fn read_call<'s, S: Source>(reader: &Reader<'s, S>, call: S::Node, place: Place) -> Block<'s, S::Node> {
    let mut block = plain_block(reader, BlockKind::Call, call, place);
    block.label = Some(Cow::Borrowed("tool_calls"));
    if reader.source.kind(call) != Kind::Object {
        block.args = Arguments::Missing;
        return block;
    }
    let fields = Fields::listed(reader.source, call, &["id", "type", "function", "custom"]);
    read_id(reader, &mut block, fields.get("id"));
    let object = |key| fields.get(key).filter(|found| reader.source.kind(*found) == Kind::Object);
    if let Some(custom) = object("custom") {
        block.label = Some(Cow::Borrowed("custom"));
        read_name(reader, &mut block, reader.get(custom, "name"));
        block.text = reader.get(custom, "input");
        block.args = Arguments::Free;
    } else if let Some(function) = object("function") {
        fill_function(reader, &mut block, function, None);
        if reader.text(fields.get("type")).as_deref() != Some("function") {
            block.rare_mut().shape.push("type");
        }
    } else {
        // Some stores keep name and arguments on the call itself.
        fill_function(reader, &mut block, call, fields.get("function"));
        block.label = Some(Cow::Borrowed("flat"));
        block.rare_mut().shape.push("function");
    }
    block
}

/// Name and arguments of a call; `name` is a name that stands in place of the object.
fn fill_function<'s, S: Source>(
    reader: &Reader<'s, S>,
    block: &mut Block<'s, S::Node>,
    function: S::Node,
    name: Option<S::Node>,
) {
    let fields = Fields::listed(reader.source, function, &["name", "arguments"]);
    let name = name.filter(|name| reader.source.kind(*name) == Kind::String);
    read_name(reader, block, name.or(fields.get("name")));
    block.text = fields.get("arguments");
    block.args = arguments_kind(reader, block.text, fields.has("arguments"));
}

fn read_result<'s, S: Source>(
    reader: &Reader<'s, S>,
    inner: &mut Vec<Block<'s, S::Node>>,
    node: S::Node,
    role: Cow<'s, str>,
    fields: &Fields<S::Node>,
) -> Block<'s, S::Node> {
    let mut block = plain_block(reader, BlockKind::Result, node, Place::new("content", None, 0));
    block.label = Some(role);
    read_id(reader, &mut block, fields.get("tool_call_id"));
    read_name(reader, &mut block, fields.get("name"));
    block.text = fields.get("content");
    let start = inner.len();
    let part = |item, at| as_inner(read_part(reader, None, item, Place::new("content", Some(at), at)));
    let mut fits = false;
    if let Some(content) = block.text {
        match reader.source.kind(content) {
            Kind::String => {
                inner.push(text_block(reader, content, content, Place::new("content", None, 0)));
                fits = true;
            }
            Kind::Array => {
                inner.extend(reader.source.items(content).enumerate().map(|(at, item)| part(item, number(at))));
                fits = inner.len() > start;
            }
            Kind::Object => inner.push(part(content, 0)),
            Kind::Null | Kind::Bool | Kind::Number => {}
        }
    }
    if !fits {
        block.rare_mut().shape.push("content");
    }
    block.inner = number(start)..number(inner.len());
    block.synthetic = is_synthetic(reader, None, inner.get(start..).unwrap_or_default());
    block
}
