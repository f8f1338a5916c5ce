//! The dialect `apus`, reading: the stored transcript of the runner. Mirrored by `apus._pure.dialects.apus`.

use std::borrow::Cow;

use super::apus_blocks::{read_at, read_block};
use super::reading::{
    Fields, Place, Reader, as_inner, is_synthetic, number, plain_block, read_id, read_name, text_block,
};
use crate::names::is_space;
use crate::outline::{Block, BlockKind, Content, Maker, Message, Outline, Role, Stop, Summary};
use crate::source::{Kind, Source};

const KEYS: &[&str] =
    &["role", "content", "excludeFromContext", "partial", "provenance", "summary", "command", "output"];
const ASSISTANT_KEYS: &[&str] =
    &["role", "content", "excludeFromContext", "partial", "provider", "api", "model", "stopReason", "deliveryMirror"];
const RESULT_KEYS: &[&str] = &[
    "role",
    "content",
    "excludeFromContext",
    "partial",
    "toolName",
    "isError",
    "toolCallId",
    "toolUseId",
    "tool_call_id",
    "tool_use_id",
    "callId",
    "call_id",
];
const CALL_IDS: [&str; 6] = ["toolCallId", "toolUseId", "tool_call_id", "tool_use_id", "callId", "call_id"];
const PROVENANCE: [&[&str]; 3] = [&["sourceSession", "sourceSessionKey"], &["sourceChannel"], &["sourceTool"]];
/// A reply of more characters says something.
const LONGEST_SILENCE: usize = 64;

fn role_of(said: &str) -> Role {
    match said {
        "user" | "custom" | "compactionSummary" | "branchSummary" | "bashExecution" => Role::User,
        "assistant" => Role::Assistant,
        "toolResult" => Role::Result,
        "system" => Role::System,
        _ => Role::Other,
    }
}

fn stop_of(said: &str) -> Stop {
    match said {
        "stop" | "toolUse" => Stop::Normal,
        "length" => Stop::Length,
        "error" => Stop::Error,
        "aborted" => Stop::Aborted,
        _ => Stop::Unknown,
    }
}

/// How a message that no model takes is rendered: its text fields, and the note that introduces them.
fn rendered(said: &str) -> Option<(&'static [&'static str], Summary)> {
    match said {
        "compactionSummary" => Some((&["summary"], Summary::Summary)),
        "branchSummary" => Some((&["summary"], Summary::Branch)),
        "bashExecution" => Some((&["command", "output"], Summary::Command)),
        _ => None,
    }
}

/// One message; `node` is an object, `role` the one that a session entry stands for.
pub(super) fn read_message<'s, S: Source>(
    reader: &Reader<'s, S>,
    outline: &mut Outline<'s, S>,
    node: S::Node,
    index: u32,
    role: Option<&'static str>,
) {
    let stored = || reader.text(reader.source.get(node, "role"));
    let said = role.map(Cow::Borrowed).or_else(stored);
    let role = said.as_deref().map_or(Role::Other, role_of);
    let keys = match role {
        Role::Assistant => ASSISTANT_KEYS,
        Role::Result => RESULT_KEYS,
        _ => KEYS,
    };
    let mut fields = Fields::listed(reader.source, node, keys);
    let mut message = Message::new(role, node, index, number(outline.blocks.len()));
    message.flags = reader.flags(node);
    message.private = std::mem::take(&mut fields.private);
    message.excluded = reader.is_true(fields.get("excludeFromContext")) || reader.is_true(fields.get("partial"));
    if let Some((keys, summary)) = said.as_deref().and_then(rendered) {
        message.summary = Some(summary);
        message.content = Content::Text;
        read_fields(reader, outline, &fields, keys);
    } else if role == Role::Result {
        let block = read_result(reader, &mut outline.inner, node, &fields);
        outline.blocks.push(block);
        message.content = Content::List;
    } else {
        read_content(reader, outline, &mut message, &fields);
    }
    message.role_text = said;
    message.blocks.end = number(outline.blocks.len());
    match role {
        Role::Assistant => read_turn(reader, outline, &mut message, &fields),
        Role::User => message.provenance = provenance(reader, fields.get("provenance")),
        _ => {}
    }
    outline.messages.push(message);
}

fn read_fields<'s, S: Source>(
    reader: &Reader<'s, S>,
    outline: &mut Outline<'s, S>,
    fields: &Fields<S::Node>,
    keys: &'static [&'static str],
) {
    let is_text = |value: &S::Node| reader.source.kind(*value) == Kind::String;
    let found = keys.iter().filter_map(|key| fields.get(key).filter(is_text).map(|value| (*key, value)));
    for (order, (key, value)) in found.enumerate() {
        outline.blocks.push(text_block(reader, value, value, Place::new(key, None, number(order))));
    }
}

fn read_content<'s, S: Source>(
    reader: &Reader<'s, S>,
    outline: &mut Outline<'s, S>,
    message: &mut Message<'s, S::Node>,
    fields: &Fields<S::Node>,
) {
    let Some(content) = fields.get("content") else {
        message.content = if fields.has("content") { Content::Null } else { Content::Absent };
        return;
    };
    let blocks = &mut outline.blocks;
    let place = Place::new("content", None, 0);
    match reader.source.kind(content) {
        Kind::String => {
            message.content = Content::Text;
            blocks.push(text_block(reader, content, content, place));
        }
        Kind::Array => {
            message.content = Content::List;
            blocks.extend(reader.source.items(content).enumerate().map(|(at, item)| read_at(reader, item, at)));
        }
        Kind::Object => {
            message.content = Content::Object;
            message.shape.push("content");
            blocks.push(read_block(reader, content, place));
        }
        Kind::Null | Kind::Bool | Kind::Number => message.content = Content::Other,
    }
}

fn read_result<'s, S: Source>(
    reader: &Reader<'s, S>,
    inner: &mut Vec<Block<'s, S::Node>>,
    node: S::Node,
    fields: &Fields<S::Node>,
) -> Block<'s, S::Node> {
    let mut block = plain_block(reader, BlockKind::Result, node, Place::new("content", None, 0));
    let is_said = |id: &S::Node| !reader.source.is_blank(*id);
    read_id(reader, &mut block, CALL_IDS.iter().find_map(|key| fields.get(key).filter(is_said)));
    let field = CALL_IDS.into_iter().find(|key| fields.has(key));
    if let Some(field) = field.filter(|field| *field != CALL_IDS[0]) {
        block.rare_mut().field = Some(field);
    }
    read_name(reader, &mut block, fields.get("toolName"));
    block.error = reader.is_true(fields.get("isError"));
    block.text = fields.get("content");
    let start = inner.len();
    if let Some(content) = block.text {
        match reader.source.kind(content) {
            Kind::String => inner.push(text_block(reader, content, content, Place::new("content", None, 0))),
            Kind::Array => {
                let items = reader.source.items(content).enumerate();
                inner.extend(items.map(|(at, item)| as_inner(read_at(reader, item, at))));
            }
            Kind::Object => {
                inner.push(as_inner(read_at(reader, content, 0)));
                block.rare_mut().shape.push("content");
            }
            Kind::Null | Kind::Bool | Kind::Number => {}
        }
    }
    block.inner = number(start)..number(inner.len());
    block.synthetic = is_synthetic(reader, Some(block.error), inner.get(start..).unwrap_or_default());
    block
}

fn read_turn<'s, S: Source>(
    reader: &Reader<'s, S>,
    outline: &Outline<'s, S>,
    message: &mut Message<'s, S::Node>,
    fields: &Fields<S::Node>,
) {
    let [provider, api, model] = ["provider", "api", "model"].map(|key| reader.text(fields.get(key)));
    let is_mirror = matches!(provider.as_deref(), Some("apus" | "openclaw"))
        && matches!(model.as_deref(), Some("delivery-mirror" | "gateway-injected"));
    message.mirror = is_mirror || fields.get("deliveryMirror").is_some();
    message.stop = reader.text(fields.get("stopReason")).map_or(Stop::Unknown, |said| stop_of(&said));
    if [&provider, &model].into_iter().flatten().any(|name| !name.is_empty()) {
        message.maker = Some(Maker { provider, api, model });
    }
    let mut said = outline.blocks_of(message).iter().filter(|b| b.kind == BlockKind::Text && !b.blank);
    let (Some(only), None) = (said.next(), said.next()) else { return };
    let failed = &reader.texts.note.failed_turn;
    let longest = failed.len().max(4 * LONGEST_SILENCE);
    let Some(words) = only.text.and_then(|text| reader.source.short_trimmed(text, longest)) else { return };
    message.failed = words == *failed;
    message.silent = is_silent(&words, &reader.texts.silent);
}

/// Whether a reply says that nothing is to be sent: the token alone, or an object whose action it is.
fn is_silent(words: &str, token: &str) -> bool {
    if words.chars().count() > LONGEST_SILENCE {
        return false;
    }
    let spelled = words.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').map(|c| c.to_ascii_uppercase());
    if spelled.eq(token.chars()) {
        let rest = words.to_ascii_uppercase().replacen(token, "", 1);
        return words.is_ascii() && !rest.contains(|c: char| c.is_ascii_alphanumeric());
    }
    let packed = words.chars().filter(|c| !is_space(*c)).flat_map(char::to_uppercase);
    packed.eq("{\"ACTION\":\"".chars().chain(token.chars()).chain("\"}".chars()))
}

fn provenance<'s, S: Source>(reader: &Reader<'s, S>, value: Option<S::Node>) -> Option<[Cow<'s, str>; 3]> {
    let value = value.filter(|value| reader.text(reader.get(*value, "kind")).as_deref() == Some("inter_session"))?;
    let text = |key: &&str| reader.text(reader.get(value, key)).filter(|said| !said.is_empty());
    Some(PROVENANCE.map(|keys| keys.iter().find_map(text).unwrap_or_default()))
}
