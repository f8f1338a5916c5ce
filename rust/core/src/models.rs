//! Model ids: one spelling for the many that providers use. Mirrored by `apus._pure.models`.

const DAY: &[usize] = &[8]; // lengths of the parts of `20260205`
const ISO_DAY: &[usize] = &[4, 2, 2]; // and of `2026-02-05`

/// The family id of a model: `us.anthropic.claude-opus-4-6-v1:0` and `x/Claude-Opus-4.6@20260205` are one.
#[must_use]
pub fn normalise(model: &str) -> String {
    let lowered = model.trim().to_lowercase();
    let name = lowered.rsplit('/').next().unwrap_or_default();
    let name = name.strip_prefix("ft:").unwrap_or(name);
    let name = name.split('@').next().unwrap_or_default();
    let (name, tag) = name.split_once(':').unwrap_or((name, ""));
    let spelled = without_vendor(name).replace(['.', '_'], "-");
    let spelled = spelled.strip_suffix("-latest").unwrap_or(&spelled);
    let mut parts: Vec<&str> = spelled.split('-').collect();
    let last = *parts.last().unwrap_or(&"");
    // `-v1` is a part of some names; in front of `:0`, and behind `claude`, it is the version of a listing.
    let listed = digits(tag.split(':').next().unwrap_or_default()) || parts[..parts.len() - 1].contains(&"claude");
    if listed && last.strip_prefix('v').is_some_and(digits) {
        parts.pop();
    }
    for shape in [DAY, ISO_DAY] {
        let Some(start) = parts.len().checked_sub(shape.len()).filter(|start| *start > 0) else { continue };
        let tail = &parts[start..];
        if tail.iter().zip(shape).all(|(part, length)| part.len() == *length && digits(part)) {
            parts.truncate(start);
        }
    }
    // `claude-sonnet-4-0` names the snapshot that other hosts list as `claude-sonnet-4`.
    if parts.len() > 1 && parts[parts.len() - 1] == "0" && digits(parts[parts.len() - 2]) {
        parts.pop();
    }
    parts.join("-")
}

/// Cut `us.`, `anthropic.` and their like; a word before `r1` or `v3` is a part of the name.
fn without_vendor(mut name: &str) -> &str {
    while let Some((head, rest)) = name.split_once('.') {
        let mut letters = rest.chars();
        let starts = letters.next().is_some_and(|c| c.is_ascii_alphabetic());
        if !word(head) || !starts || letters.next().is_some_and(|c| c.is_ascii_digit()) {
            break;
        }
        name = rest;
    }
    name
}

fn word(text: &str) -> bool {
    let mut letters = text.chars().filter(|c| *c != '-').peekable();
    letters.peek().is_some() && letters.all(|c| c.is_ascii_alphabetic())
}

fn digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}
