//! Detection: which dialect a transcript speaks. Mirrored by `apus._pure.dialects.detect`.

use super::Dialect;
use super::apus_session::is_session;
use super::reading::{Fields, number};
use crate::error::{Error, ErrorKind};
use crate::source::{Kind, Source};

/// Keys of a message that say what it is.
const KEYS: &[&str] = &["role", "content", "stopReason", "tool_calls", "tool_call_id", "reasoning_content"];
/// Messages read for a second opinion once one has spoken.
const LOOKED_AT: usize = 64;

/// The dialect of a list of messages; `own` is the target's, taken where only plain texts stand.
pub(crate) fn detect<S: Source>(
    source: &S,
    items: &[S::Node],
    body: Option<S::Node>,
    own: Dialect,
) -> Result<Dialect, Error> {
    if is_session(source, items) {
        return Ok(Dialect::Apus);
    }
    let (mut spoken, mut hinted) = (None, None);
    let mut left = LOOKED_AT;
    let mut is_plain = true;
    for (at, item) in items.iter().enumerate() {
        if source.kind(*item) != Kind::Object {
            continue;
        }
        let fields = Fields::listed(source, *item, KEYS);
        let role = fields.get("role").and_then(|role| source.text(role));
        let said = message_sign(&fields, role.as_deref().unwrap_or_default());
        if let (Some(before), Some(said)) = (spoken, said)
            && before != said
        {
            return Err(mixed(before, said, at));
        }
        spoken = spoken.or(said);
        hinted = hinted.or_else(|| block_sign(source, &fields));
        is_plain &= matches!(role.as_deref(), Some("user" | "assistant"));
        left -= usize::from(spoken.is_some() || hinted.is_some());
        if left == 0 {
            break;
        }
    }
    let by_body = || body.and_then(|body| source.get(body, "system")).map(|_| Dialect::AnthropicMessages);
    let is_own = is_plain || own == Dialect::OpenaiChat;
    let plain = if is_own { own } else { Dialect::OpenaiChat };
    Ok(spoken.or(hinted).or_else(by_body).unwrap_or(plain))
}

fn mixed(before: Dialect, said: Dialect, at: usize) -> Error {
    let (before, said) = (before.shape().name, said.shape().name);
    let sentence =
        format!("found messages of {before} and of {said} in one transcript, expected one dialect or source=");
    let mut error = Error::new(ErrorKind::MixedDialects, sentence);
    error.loc = Some((number(at), None));
    error
}

/// What a message says: signs of a message decide.
fn message_sign<N: Copy>(fields: &Fields<N>, role: &str) -> Option<Dialect> {
    let is_stored = matches!(role, "toolResult" | "custom" | "compactionSummary" | "branchSummary" | "bashExecution");
    if is_stored || fields.has("stopReason") {
        return Some(Dialect::Apus);
    }
    let is_chat = matches!(role, "tool" | "function" | "developer");
    let has_sign = ["tool_calls", "tool_call_id", "reasoning_content"].iter().any(|key| fields.has(key));
    (is_chat || has_sign).then_some(Dialect::OpenaiChat)
}

/// What its blocks say: that counts where no message says anything.
fn block_sign<S: Source>(source: &S, fields: &Fields<S::Node>) -> Option<Dialect> {
    source.items(fields.get("content")?).find_map(|block| {
        let label = source.text_at(block, "type")?;
        let stored = |key| if source.get(block, key).is_some() { Dialect::Apus } else { Dialect::AnthropicMessages };
        match &*label {
            "toolCall" => Some(Dialect::Apus),
            "tool_use" | "tool_result" | "server_tool_use" | "redacted_thinking" => Some(Dialect::AnthropicMessages),
            "image_url" | "input_audio" | "file" | "refusal" => Some(Dialect::OpenaiChat),
            "image" | "document" => Some(stored("mimeType")),
            "thinking" => Some(stored("thinkingSignature")),
            _ => None,
        }
    })
}
