//! Rule 9, texts: a long data URL in the assistant's words. Mirrored by `apus._pure.rules.text_media`.

use memchr::memmem;

use crate::outline::{BlockKind, Role};
use crate::plan::{PieceId, Plan};
use crate::repairs::RepairKind;
use crate::request::Request;
use crate::source::Source;
use crate::texts::Texts;

const LONGEST: usize = 16 * 1024;
const START: &str = "data:";
const BASE64: &str = ";base64,";

/// Replace each data URL over 16 KiB inside assistant text by a note.
pub(crate) fn omit_text_media<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    if !request.full {
        return;
    }
    for place in 0..plan.order.len() {
        let slot = plan.order[place];
        if plan.slot(slot).role != Role::Assistant {
            continue;
        }
        for at in 0..plan.len_of(slot) {
            let piece = plan.at(slot, at);
            let Some(made) = without_media(plan, piece, request.texts) else { continue };
            plan.piece_mut(piece).edit_mut().text = Some(made);
            plan.touch(slot, piece);
            plan.repair_block(RepairKind::TextMediaOmitted, piece, None);
        }
    }
}

/// The text of a piece without its long data URLs; `None` if it has none.
fn without_media<S: Source>(plan: &Plan<'_, '_, S>, piece: PieceId, texts: &Texts) -> Option<String> {
    let state = plan.piece(piece);
    if state.kind != BlockKind::Text || state.text().is_some() {
        return None;
    }
    let source = plan.outline.source;
    let node = plan.block_of(piece)?.text?;
    // No text is longer than it is written, so most need not be looked at.
    if source.stored(node).is_some_and(|stored| stored.len() <= LONGEST) {
        return None;
    }
    let said = source.text(node)?;
    if said.len() <= LONGEST || memmem::find(said.as_bytes(), START.as_bytes()).is_none() {
        return None;
    }
    replaced(&said, texts)
}

/// A text with a note for each long data URL; `None` if it has none.
fn replaced(said: &str, texts: &Texts) -> Option<String> {
    let mut made = String::new();
    let mut at = 0; // all before is in `made`
    let mut from = 0; // all before is searched
    while let Some(found) = memmem::find(said.as_bytes().get(from..)?, START.as_bytes()) {
        let start = from + found;
        from = start + START.len();
        let Some((media_type, length)) = said.get(from..).and_then(data_url) else { continue };
        from += length;
        if from - start > LONGEST {
            made.push_str(said.get(at..start)?);
            made.push_str(&note(media_type, texts));
            at = from;
        }
    }
    made.push_str(said.get(at..)?);
    (at > 0).then_some(made)
}

/// The media type of the base64 data URL that a text starts with, `data:` aside, and where the URL ends.
fn data_url(text: &str) -> Option<(&str, usize)> {
    let named = |b: u8| b.is_ascii_alphanumeric() || b".+-".contains(&b);
    let family = run(text, named)?;
    let subtype = run(text.get(family..)?.strip_prefix('/')?, named)?;
    let media_type = text.get(..family + 1 + subtype)?;
    let payload = text.get(media_type.len()..)?.strip_prefix(BASE64)?;
    let length = run(payload, |b| b.is_ascii_alphanumeric() || b"+/=_-".contains(&b)).unwrap_or(0);
    Some((media_type, media_type.len() + BASE64.len() + length))
}

/// How many bytes of a class a text starts with; `None` for none.
fn run(text: &str, class: impl Fn(u8) -> bool) -> Option<usize> {
    let length = text.bytes().position(|b| !class(b)).unwrap_or(text.len());
    (length > 0).then_some(length)
}

fn note(media_type: &str, texts: &Texts) -> String {
    let text = texts.note.media.replace("{label}", media_type);
    text.replace("{kind}", "media").replace("{reason}", "data URL in text")
}
