//! The blocks of the dialect `apus`, reading. Mirrored in `apus._pure.dialects.apus`.

use super::reading::{
    Fields, Place, Reader, arguments_kind, bare_block, number, plain_block, read_id, read_name, set_label, text_block,
    untyped,
};
use crate::outline::{Block, BlockKind};
use crate::source::{Kind, Source};

const BLOCK_KEYS: &[&str] = &[
    "type",
    "text",
    "id",
    "name",
    "arguments",
    "input",
    "partialJson",
    "thinking",
    "thinkingSignature",
    "redacted",
    "data",
    "mimeType",
];
const REASONING_FIELDS: [&str; 2] = ["reasoning_content", "reasoning"];

/// One block of a list.
pub(super) fn read_at<'s, S: Source>(reader: &Reader<'s, S>, node: S::Node, at: usize) -> Block<'s, S::Node> {
    read_block(reader, node, Place::new("content", Some(number(at)), number(at)))
}

/// One content block; a bare string counts as a text.
pub(super) fn read_block<'s, S: Source>(reader: &Reader<'s, S>, node: S::Node, place: Place) -> Block<'s, S::Node> {
    if reader.source.kind(node) == Kind::String {
        return bare_block(reader, node, place);
    }
    let mut fields = Fields::listed(reader.source, node, BLOCK_KEYS);
    let label = reader.text(fields.get("type"));
    let is_text = label.as_deref() == Some("text");
    let said = if is_text { fields.get("text") } else { untyped(reader, node) };
    let said = said.filter(|said| reader.source.kind(*said) == Kind::String);
    let mut block = if let Some(said) = said {
        let mut block = text_block(reader, node, said, place);
        if !is_text {
            block.rare_mut().shape.push("type");
        }
        set_label(&mut block, label);
        block
    } else {
        let mut block = plain_block(reader, kind_of(label.as_deref().unwrap_or_default()), node, place);
        block.label = label;
        fill(reader, &mut block, &fields);
        block
    };
    if !fields.private.is_empty() {
        block.rare_mut().private = std::mem::take(&mut fields.private);
    }
    block
}

fn kind_of(label: &str) -> BlockKind {
    match label {
        "toolCall" | "toolUse" | "functionCall" | "tool_use" | "tool_call" | "function_call" => BlockKind::Call,
        "thinking" | "redacted_thinking" => BlockKind::Reasoning,
        "image" => BlockKind::Image,
        _ => BlockKind::Unknown,
    }
}

fn fill<'s, S: Source>(reader: &Reader<'s, S>, block: &mut Block<'s, S::Node>, fields: &Fields<S::Node>) {
    match block.kind {
        BlockKind::Call => {
            let is_usual = fields.has("arguments");
            let key = if is_usual { "arguments" } else { "input" };
            read_id(reader, block, fields.get("id"));
            read_name(reader, block, fields.get("name"));
            block.text = fields.get(key);
            block.args = arguments_kind(reader, block.text, fields.has(key));
            block.partial = fields.has("partialJson");
            // The usual field is not worth a box of rare facts.
            if !is_usual {
                block.rare_mut().field = Some(key);
            }
        }
        BlockKind::Reasoning => fill_reasoning(reader, block, fields),
        BlockKind::Image => {
            let rare = block.rare_mut();
            rare.data = fields.get("data");
            rare.media_type = reader.text(fields.get("mimeType"));
            if reader.is_blank(rare.data) {
                rare.note = Some(String::new());
                block.kind = BlockKind::Unknown;
            }
        }
        _ => block.rare_mut().note = Some(String::new()),
    }
}

fn fill_reasoning<'s, S: Source>(reader: &Reader<'s, S>, block: &mut Block<'s, S::Node>, fields: &Fields<S::Node>) {
    let is_hidden = block.label.as_deref() == Some("redacted_thinking");
    block.redacted = is_hidden || reader.is_true(fields.get("redacted"));
    let signature = fields.get(if is_hidden { "data" } else { "thinkingSignature" });
    if !is_hidden {
        block.text = fields.get("thinking");
    }
    block.blank = reader.is_blank(block.text);
    let is_said = is_hidden || reader.kind(block.text) == Some(Kind::String);
    let said = reader.text(signature).unwrap_or_default();
    let field = REASONING_FIELDS.into_iter().find(|field| *field == said);
    block.signed = is_said && field.is_none() && !reader.is_blank(signature);
    let rare = block.rare_mut();
    (rare.signature, rare.field) = (signature, field);
}
