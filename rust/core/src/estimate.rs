//! Estimate: tokens of messages, of the system prompt and of tools. Mirrored by `apus._pure.estimate`.
//!
//! Media count a fixed number whatever their payload is; ids and signatures are free; every kind has its line here.

use crate::dialects::Dialect;
use crate::dialects::apus_session::{active_path, is_session};
use crate::dialects::detect::detect;
use crate::dialects::reading::Reader;
use crate::error::Error;
use crate::outline::{Arguments, Block, BlockKind, Outline};
use crate::reading::list_of;
use crate::source::{Kind, Source};
use crate::texts::{Texts, bundled};
use crate::tokens::{compact_tokens, text_tokens};

const MEDIUM: u64 = 2000;

/// Tokens of each message, of the system prompt and of the tools.
///
/// The value is a text, a message, a list of them, or a body; a text counts as one message without a role.
pub fn estimate<S: Source>(source: &S, root: S::Node, dialect: Option<Dialect>) -> Result<(Vec<u64>, u64, u64), Error> {
    if source.kind(root) == Kind::String {
        return Ok((vec![source.text_tokens(root)], 0, 0));
    }
    let is_message = source.get(root, "role").is_some();
    let place = if is_message { None } else { Some(list_of(source, root)?) };
    let items = place.map_or_else(|| vec![root], |place| source.items(place.list).collect());
    let body = place.and_then(|place| place.body);
    let dialect = match dialect {
        Some(named) => named,
        None => detect(source, &items, body, Dialect::OpenaiChat)?,
    };
    let beside = |key| body.and_then(|body| source.get(body, key));
    Ok((
        message_tokens(source, &items, dialect, bundled()?),
        beside("system").map_or(0, |node| system_tokens(source, node)),
        beside("tools").map_or(0, |node| tool_tokens(source, node)),
    ))
}

/// The estimate for each message of a list; of session entries, for each message on the active path.
pub fn message_tokens<S: Source>(source: &S, items: &[S::Node], dialect: Dialect, texts: &Texts) -> Vec<u64> {
    let reader = Reader::new(source, texts, true);
    let mut outline = Outline::new(source, String::new());
    let mut count = |node: S::Node, role: Option<&'static str>| {
        if source.kind(node) != Kind::Object {
            return compact_tokens(source, node);
        }
        // One message at a time, in the place of the last.
        outline.messages.clear();
        outline.blocks.clear();
        outline.inner.clear();
        dialect.read_message(&reader, &mut outline, node, 0, role);
        let roles = outline.messages.iter().filter_map(|message| message.role_text.as_deref());
        let blocks = outline.blocks.iter().map(|block| block_tokens(&outline, block));
        roles.map(text_tokens).sum::<u64>() + blocks.sum::<u64>()
    };
    if is_session(source, items) {
        active_path(source, items).into_iter().map(|entry| count(entry.node, entry.role)).collect()
    } else {
        items.iter().map(|item| count(*item, None)).collect()
    }
}

/// The estimate for one block.
pub fn block_tokens<S: Source>(outline: &Outline<'_, S>, block: &Block<'_, S::Node>) -> u64 {
    let source = outline.source;
    match block.kind {
        BlockKind::Image | BlockKind::Audio | BlockKind::Video | BlockKind::Document => MEDIUM,
        BlockKind::Text | BlockKind::Reasoning => block.text.map_or(0, |node| source.text_tokens(node)),
        BlockKind::Call => block.name.as_deref().map_or(0, text_tokens) + argument_tokens(source, block),
        BlockKind::Result => {
            let inner = outline.inner.get(block.inner.start as usize..block.inner.end as usize).unwrap_or_default();
            inner.iter().map(|block| block_tokens(outline, block)).sum()
        }
        BlockKind::ServerCall
        | BlockKind::ServerResult
        | BlockKind::Reference
        | BlockKind::Opaque
        | BlockKind::Unknown => compact_tokens(source, block.node),
    }
}

fn argument_tokens<S: Source>(source: &S, block: &Block<'_, S::Node>) -> u64 {
    match block.text {
        Some(node) if block.args != Arguments::Missing => value_tokens(source, node, Some(node)),
        _ => 0,
    }
}

/// The estimate for a value: of its text if it has one, else of all that it is.
fn value_tokens<S: Source>(source: &S, value: S::Node, text: Option<S::Node>) -> u64 {
    let text = text.filter(|node| source.kind(*node) == Kind::String);
    text.map_or_else(|| compact_tokens(source, value), |node| source.text_tokens(node))
}

/// The estimate for a system prompt: a text, or blocks with texts.
pub fn system_tokens<S: Source>(source: &S, node: S::Node) -> u64 {
    match source.kind(node) {
        Kind::Null => 0,
        Kind::String => source.text_tokens(node),
        Kind::Array => source.items(node).map(|item| part_tokens(source, item)).sum(),
        Kind::Bool | Kind::Number | Kind::Object => part_tokens(source, node),
    }
}

fn part_tokens<S: Source>(source: &S, item: S::Node) -> u64 {
    let text = if source.kind(item) == Kind::Object { source.get(item, "text") } else { Some(item) };
    value_tokens(source, item, text)
}

/// The estimate for tool definitions: name, description and the compact text of the schema.
pub fn tool_tokens<S: Source>(source: &S, tools: S::Node) -> u64 {
    let one = |tool: S::Node| {
        let mut inner = ["function", "custom", "toolSpec"].iter().filter_map(|key| source.get(tool, key));
        let inner = inner.find(|node| source.kind(*node) == Kind::Object).unwrap_or(tool);
        let texts = ["name", "description"].iter().filter_map(|key| source.get(inner, key));
        let mut schemas = ["input_schema", "parameters", "inputSchema"].iter().filter_map(|key| source.get(inner, key));
        let schema = schemas.find(|node| !source.is_null(*node));
        texts.map(|node| source.text_tokens(node)).sum::<u64>() + schema.map_or(0, |node| compact_tokens(source, node))
    };
    source.items(tools).map(one).sum()
}
