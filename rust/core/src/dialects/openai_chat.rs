//! The dialect `openai-chat`, reading. Mirrored by `apus._pure.dialects.openai_chat`.

use std::borrow::Cow;

use super::anthropic_messages;
use super::reading::{
    Fields, Place, Reader, arguments_kind, as_inner, bare_block, is_synthetic, mark_of, media_type_of, number,
    plain_block, read_id, read_name, set_label, text_block, untyped,
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

fn part_of(label: &str) -> Option<BlockKind> {
    Some(match label {
        "text" | "refusal" | "input_text" | "output_text" => BlockKind::Text,
        "image_url" => BlockKind::Image,
        "input_audio" | "audio_url" => BlockKind::Audio,
        "video_url" => BlockKind::Video,
        "file" | "document_url" => BlockKind::Document,
        "thinking" => BlockKind::Reasoning,
        _ => return None,
    })
}

/// The medium whose part only some servers know beside the standard one of its kind.
fn more_part(label: &str) -> Option<&'static str> {
    ["audio_url", "video_url", "document_url"].into_iter().find(|known| *known == label)
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
                blocks.push(read_part(reader, Some(inner), item, place));
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

/// One content part; a block of another dialect is read as such.
fn read_part<'s, S: Source>(
    reader: &Reader<'s, S>,
    inner: Option<&mut Vec<Block<'s, S::Node>>>,
    node: S::Node,
    place: Place,
) -> Block<'s, S::Node> {
    let source = reader.source;
    if source.kind(node) == Kind::String {
        return bare_block(reader, node, place);
    }
    let label = reader.text(source.get(node, "type"));
    let (kind, said) = match label.as_deref() {
        Some("refusal") => (Some(BlockKind::Text), reader.get(node, "refusal")),
        Some(label) => (part_of(label), reader.get(node, "text")),
        None => {
            let said = untyped(reader, node);
            (said.map(|_| BlockKind::Text), said)
        }
    };
    let Some(kind) = kind else { return read_foreign(reader, inner, node, place) };
    let mark = mark_of(reader, reader.get(node, "cache_control"));
    if let Some(said) = said.filter(|said| kind == BlockKind::Text && source.kind(*said) == Kind::String) {
        let mut block = text_block(reader, node, said, place);
        if !matches!(label.as_deref(), Some("text" | "refusal")) {
            block.rare_mut().shape.push("type");
        }
        set_label(&mut block, label);
        block.mark = mark;
        return block;
    }
    let kind = if kind == BlockKind::Text { BlockKind::Unknown } else { kind };
    let mut block = plain_block(reader, kind, node, place);
    block.label = label;
    block.mark = mark;
    if kind == BlockKind::Reasoning {
        block.text = reader.get(node, "thinking");
    }
    fill_media(reader, &mut block);
    if block.kind == BlockKind::Unknown {
        block.rare_mut().shape = vec!["content"];
    }
    block
}

/// A block of another dialect, as some editors store inside chat messages: no server of this wire knows its type.
fn read_foreign<'s, S: Source>(
    reader: &Reader<'s, S>,
    inner: Option<&mut Vec<Block<'s, S::Node>>>,
    node: S::Node,
    place: Place,
) -> Block<'s, S::Node> {
    let mut block = anthropic_messages::read_block(reader, inner, node, place);
    let url = reader.get(node, "image").filter(|url| reader.source.kind(*url) == Kind::String);
    if url.is_some() && block.label.as_deref() == Some("image") {
        let label = block.label.take();
        block = plain_block(reader, BlockKind::Image, node, place);
        block.label = label;
        fill_url(reader, &mut block, url);
    }
    block.foreign = true;
    block.rare_mut().shape = vec!["type"];
    block
}

fn fill_media<'s, S: Source>(reader: &Reader<'s, S>, block: &mut Block<'s, S::Node>) {
    let label = block.label.as_deref().unwrap_or_default();
    let more = more_part(label);
    if block.kind != BlockKind::Image && more.is_none() {
        return;
    }
    let value = reader.get(block.node, label);
    let is_object = reader.kind(value) == Some(Kind::Object);
    let url = if is_object { value.and_then(|value| reader.get(value, "url")) } else { value };
    fill_url(reader, block, url);
    block.rare_mut().field = more;
}

fn fill_url<'s, S: Source>(reader: &Reader<'s, S>, block: &mut Block<'s, S::Node>, value: Option<S::Node>) {
    let said = reader.text(value);
    let rare = block.rare_mut();
    rare.data = value;
    let Some(said) = said else {
        block.kind = BlockKind::Unknown;
        return;
    };
    rare.media_type = media_type_of(&said).map(Cow::Owned);
    if rare.media_type.is_none() {
        rare.url = Some(said);
    }
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
