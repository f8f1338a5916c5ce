//! The blocks of the dialect `anthropic-messages`, reading. Mirrored in `apus._pure.dialects.anthropic_messages`.

use std::borrow::Cow;

use super::reading::{
    Fields, Place, Reader, arguments_kind, bare_block, is_synthetic, keep_unknown, mark_of, number, plain_block,
    read_id, read_name, set_label, text_block, untyped,
};
use crate::json::compact;
use crate::outline::{Arguments, Block, BlockKind};
use crate::source::{Kind, Source};

const SERVER_RESULT_KEYS: &[&str] = &["type", "tool_use_id", "content", "is_error", "cache_control", "caller"];
/// Blocks that may stand in a result.
const IN_RESULT: &[&str] = &["text", "image", "document", "search_result", "tool_reference"];
const NOTED: &[&str] = &["query", "tool_name", "title", "url", "text", "file_id", "content"];
/// How many texts a note is made of at most.
const MOST_NOTED: usize = 64;

/// Kind of a block by its type, and the keys that the wire lists for it.
fn row_of(label: &str) -> (BlockKind, &'static [&'static str]) {
    match label {
        "text" => (BlockKind::Text, &["type", "text", "citations", "cache_control"]),
        "image" => (BlockKind::Image, &["type", "source", "cache_control"]),
        "document" => (BlockKind::Document, &["type", "source", "title", "context", "citations", "cache_control"]),
        "search_result" => (BlockKind::Opaque, &["type", "source", "title", "content", "citations", "cache_control"]),
        "thinking" => (BlockKind::Reasoning, &["type", "thinking", "signature"]),
        "redacted_thinking" => (BlockKind::Reasoning, &["type", "data"]),
        "tool_use" => (BlockKind::Call, &["type", "id", "name", "input", "cache_control", "caller"]),
        "tool_result" => (BlockKind::Result, &["type", "tool_use_id", "content", "is_error", "cache_control"]),
        "server_tool_use" => (BlockKind::ServerCall, &["type", "id", "name", "input", "cache_control", "caller"]),
        "mcp_tool_use" => (BlockKind::ServerCall, &["type", "id", "name", "input", "server_name", "cache_control"]),
        "tool_reference" => (BlockKind::Reference, &["type", "tool_name", "cache_control"]),
        "container_upload" => (BlockKind::Reference, &["type", "file_id", "cache_control"]),
        "compaction" => (BlockKind::Reference, &["type", "content", "encrypted_content", "cache_control"]),
        _ if label.ends_with("_tool_result") => (BlockKind::ServerResult, SERVER_RESULT_KEYS),
        _ => (BlockKind::Unknown, &[]),
    }
}

/// Whether a block changes the tool list inside a conversation; its keys are the provider's own.
fn is_open(label: &str) -> bool {
    matches!(label, "tool_addition" | "tool_removal")
}

/// One content block; a bare string counts as a text. What stands in a result is pushed to `inner`; a block that stands
/// in a result itself is given no such place, so that nothing nests deeper, however deep the input does.
pub(super) fn read_block<'s, S: Source>(
    reader: &Reader<'s, S>,
    inner: Option<&mut Vec<Block<'s, S::Node>>>,
    node: S::Node,
    place: Place,
) -> Block<'s, S::Node> {
    let source = reader.source;
    if source.kind(node) == Kind::String {
        return bare_block(reader, node, place);
    }
    let stored = source.get(node, "type");
    if stored.is_none()
        && let Some(said) = untyped(reader, node)
    {
        let mut block = text_block(reader, node, said, place);
        block.rare_mut().shape.push("type");
        block.mark = mark_of(reader, reader.get(node, "cache_control"));
        return block;
    }
    let label = reader.text(stored);
    let (kind, keys) = row_of(label.as_deref().unwrap_or_default());
    if kind == BlockKind::Unknown {
        return read_other(reader, node, place, label);
    }
    let mut fields = Fields::read(source, node, keys);
    let text = fields.get("text").filter(|text| source.kind(*text) == Kind::String);
    let mut block = match (kind, text) {
        (BlockKind::Text, Some(text)) => text_block(reader, node, text, place),
        (BlockKind::Text, None) => return read_other(reader, node, place, label),
        _ => plain_block(reader, kind, node, place),
    };
    set_label(&mut block, label);
    keep_unknown(&mut block, &mut fields);
    block.mark = mark_of(reader, fields.get("cache_control"));
    fill(reader, inner, &mut block, &fields);
    block
}

/// A block that no table lists.
fn read_other<'s, S: Source>(
    reader: &Reader<'s, S>,
    node: S::Node,
    place: Place,
    label: Option<Cow<'s, str>>,
) -> Block<'s, S::Node> {
    let open = label.as_deref().is_some_and(is_open);
    let kind = if open { BlockKind::Opaque } else { BlockKind::Unknown };
    let mut block = plain_block(reader, kind, node, place);
    block.label = label;
    block.rare_mut().note = Some(if open { noted(reader, Some(node)) } else { String::new() });
    block
}

fn fill<'s, S: Source>(
    reader: &Reader<'s, S>,
    inner: Option<&mut Vec<Block<'s, S::Node>>>,
    block: &mut Block<'s, S::Node>,
    fields: &Fields<S::Node>,
) {
    match block.kind {
        BlockKind::Reasoning => fill_reasoning(reader, block, fields),
        BlockKind::Call => fill_call(reader, block, fields),
        BlockKind::Result => fill_result(reader, inner, block, fields),
        BlockKind::Image | BlockKind::Document => fill_image(reader, block, fields),
        BlockKind::ServerCall | BlockKind::ServerResult => fill_server(reader, block, fields),
        BlockKind::Reference | BlockKind::Opaque => block.rare_mut().note = Some(noted(reader, Some(block.node))),
        BlockKind::Text | BlockKind::Audio | BlockKind::Video | BlockKind::Unknown => {}
    }
}

fn fill_reasoning<'s, S: Source>(reader: &Reader<'s, S>, block: &mut Block<'s, S::Node>, fields: &Fields<S::Node>) {
    block.redacted = block.label.as_deref() == Some("redacted_thinking");
    let signature = fields.get(if block.redacted { "data" } else { "signature" });
    block.rare_mut().signature = signature;
    block.signed = !reader.is_blank(signature);
    if !block.redacted {
        block.text = fields.get("thinking");
        block.blank = reader.is_blank(block.text);
        block.signed &= reader.kind(block.text) == Some(Kind::String);
    }
}

fn fill_call<'s, S: Source>(reader: &Reader<'s, S>, block: &mut Block<'s, S::Node>, fields: &Fields<S::Node>) {
    read_id(reader, block, fields.get("id"));
    read_name(reader, block, fields.get("name"));
    block.text = fields.get("input");
    block.args = arguments_kind(reader, block.text, fields.has("input"));
    block.partial = block.extra().iter().any(|key| key == "partialJson");
}

fn fill_result<'s, S: Source>(
    reader: &Reader<'s, S>,
    inner: Option<&mut Vec<Block<'s, S::Node>>>,
    block: &mut Block<'s, S::Node>,
    fields: &Fields<S::Node>,
) {
    read_id(reader, block, fields.get("tool_use_id"));
    block.error = reader.is_true(fields.get("is_error"));
    block.text = fields.get("content");
    let (Some(content), Some(inner)) = (block.text, inner) else { return };
    let start = inner.len();
    match reader.source.kind(content) {
        Kind::String => inner.push(text_block(reader, content, content, Place::new("content", None, 0))),
        Kind::Array => {
            let items = reader.source.items(content).enumerate();
            inner.extend(items.map(|(at, item)| read_inner(reader, item, number(at))));
        }
        Kind::Object => {
            block.rare_mut().shape.push("content");
            inner.push(read_inner(reader, content, 0));
        }
        Kind::Null | Kind::Bool | Kind::Number => block.rare_mut().shape.push("content"),
    }
    block.inner = number(start)..number(inner.len());
    block.synthetic = is_synthetic(reader, Some(block.error), inner.get(start..).unwrap_or_default());
}

/// A block inside a result; what can't stand there is unknown.
fn read_inner<'s, S: Source>(reader: &Reader<'s, S>, node: S::Node, at: u32) -> Block<'s, S::Node> {
    let mut block = read_block(reader, None, node, Place::new("content", Some(at), at));
    let fits = block.label.as_deref().is_some_and(|label| IN_RESULT.contains(&label));
    if !fits && block.kind != BlockKind::Text {
        block.kind = BlockKind::Unknown;
    }
    block
}

fn fill_image<'s, S: Source>(reader: &Reader<'s, S>, block: &mut Block<'s, S::Node>, fields: &Fields<S::Node>) {
    let source = fields.get("source").filter(|source| reader.source.kind(*source) == Kind::Object);
    let get = |key| source.and_then(|source| reader.get(source, key));
    let label = reader.text(get("type"));
    let mut is_empty = source.is_none_or(|source| reader.source.is_empty(source));
    let is_image = block.kind == BlockKind::Image;
    let rare = block.rare_mut();
    rare.media_type = reader.text(get("media_type"));
    match label.as_deref() {
        Some("url") => {
            rare.data = get("url");
            rare.url = Some(reader.text(rare.data).unwrap_or_default());
        }
        Some("file") => {
            rare.note = Some(reader.text(get("file_id")).unwrap_or_default().into_owned());
            block.kind = BlockKind::Reference;
        }
        Some("base64") | None => {
            rare.data = get("data");
            if label.is_none() && !is_empty && is_image {
                rare.shape.push("source");
            }
            is_empty |= reader.is_blank(rare.data);
        }
        Some(_) => {}
    }
    if is_empty {
        block.kind = BlockKind::Unknown;
        block.rare_mut().note = Some(String::new());
    }
}

fn fill_server<'s, S: Source>(reader: &Reader<'s, S>, block: &mut Block<'s, S::Node>, fields: &Fields<S::Node>) {
    let is_call = block.kind == BlockKind::ServerCall;
    block.id = reader.text(fields.get(if is_call { "id" } else { "tool_use_id" }));
    block.name = reader.text(reader.get(block.node, "name"));
    block.args = Arguments::Free;
    let asked = fields.get("input").filter(|asked| is_call && reader.source.kind(*asked) == Kind::Object);
    block.rare_mut().note = Some(match asked {
        Some(asked) => compact(reader.source, asked),
        None => noted(reader, reader.get(block.node, "content")),
    });
}

/// What can be read in a block of the provider's own: titles, places and texts, never a ciphertext.
fn noted<S: Source>(reader: &Reader<'_, S>, value: Option<S::Node>) -> String {
    let source = reader.source;
    let mut found = Vec::new();
    let mut stack: Vec<S::Node> = value.into_iter().collect();
    while let Some(node) = stack.pop().filter(|_| found.len() < MOST_NOTED) {
        match source.kind(node) {
            Kind::Array => {
                let start = stack.len();
                stack.extend(source.items(node));
                stack.get_mut(start..).unwrap_or_default().reverse();
            }
            Kind::Object => stack.extend(NOTED.iter().rev().filter_map(|key| reader.get(node, key))),
            _ => found.extend(source.text(node).filter(|said| !said.is_empty())),
        }
    }
    found.join("\n")
}
