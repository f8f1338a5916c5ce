//! The content parts of the dialect `openai-chat`, reading. Mirrored in `apus._pure.dialects.openai_chat`.

use std::borrow::Cow;

use super::anthropic_blocks;
use super::reading::{Place, Reader, bare_block, mark_of, media_type_of, plain_block, set_label, text_block, untyped};
use crate::outline::{Block, BlockKind};
use crate::source::{Kind, Source};

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

/// One content part; a block of another dialect is read as such.
pub(super) fn read_part<'s, S: Source>(
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
    mut inner: Option<&mut Vec<Block<'s, S::Node>>>,
    node: S::Node,
    place: Place,
) -> Block<'s, S::Node> {
    let start = inner.as_ref().map_or(0, |inner| inner.len());
    let mut block = anthropic_blocks::read_block(reader, inner.as_deref_mut(), node, place);
    let url = reader.get(node, "image").filter(|url| reader.source.kind(*url) == Kind::String);
    if url.is_some() && block.label.as_deref() == Some("image") {
        let label = block.label.take();
        block = plain_block(reader, BlockKind::Image, node, place);
        block.label = label;
        fill_url(reader, &mut block, url);
    }
    let parts = inner.into_iter().flat_map(|inner| inner.iter_mut().skip(start));
    for found in parts.filter(|part| part.kind != BlockKind::Text).chain([&mut block]) {
        found.foreign = true;
        found.rare_mut().shape = vec!["type"];
    }
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
