//! Rule 9: media. Mirrored by `apus._pure.rules.media`.

use rustc_hash::FxHashSet;

use super::media_moves::move_media;
use crate::outline::{Block, BlockId, BlockKind, Role};
use crate::plan::{PieceId, Plan, SlotId, excess_of};
use crate::policy::Unreachable;
use crate::repairs::RepairKind;
use crate::request::Request;
use crate::source::{Flags, Source};

/// Media types and URLs hold more characters than ids do; both are named only when they are plain.
const LONGEST: usize = 300;

/// Replace media that the target refuses by a note; move what a result can't hold behind the results.
pub(crate) fn settle_media<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    const MEDIA: [BlockKind; 4] = [BlockKind::Image, BlockKind::Audio, BlockKind::Video, BlockKind::Document];
    if !MEDIA.iter().any(|kind| plan.may_have(*kind))
        || !plan.order.iter().any(|slot| plan.pieces(*slot).any(|id| is_media(plan, id) || holds_media(plan, id)))
    {
        return;
    }
    let crowd = over_count(plan, request);
    for place in 0..plan.order.len() {
        let slot = plan.order[place];
        for at in 0..plan.len_of(slot) {
            let piece = plan.at(slot, at);
            if is_media(plan, piece) {
                if let Some(reason) = reason_of(plan, piece, role_name(plan.slot(slot).role), request, &crowd) {
                    let note = note(plan, piece, request, &reason);
                    plan.replace(slot, at, note);
                }
            } else if holds_media(plan, piece) {
                settle_result(plan, slot, piece, request, &crowd);
            }
        }
    }
    move_media(plan, request);
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::System | Role::Developer => "system",
        Role::Assistant => "assistant",
        Role::User | Role::Result | Role::Other => "user",
    }
}

/// Whether a piece is a medium.
pub(super) fn is_media<S: Source>(plan: &Plan<'_, '_, S>, piece: PieceId) -> bool {
    plan.piece(piece).kind.is_media()
}

/// Whether media are stored in a result.
pub(super) fn holds_media<S: Source>(plan: &Plan<'_, '_, S>, piece: PieceId) -> bool {
    let piece = plan.piece(piece);
    piece.kind == BlockKind::Result
        && piece.block.is_some_and(|id| plan.outline.inner_blocks(id).iter().any(|b| b.kind.is_media()))
}

/// The images of the history, in order.
fn images<S: Source>(plan: &mut Plan<'_, '_, S>) -> Vec<PieceId> {
    let mut found = Vec::new();
    for place in 0..plan.order.len() {
        let slot = plan.order[place];
        for at in 0..plan.len_of(slot) {
            let piece = plan.at(slot, at);
            if plan.piece(piece).kind == BlockKind::Image {
                found.push(piece);
            } else if holds_media(plan, piece) {
                let parts = plan.open(piece);
                found.extend(parts.into_iter().filter(|part| plan.piece(*part).kind == BlockKind::Image));
            }
        }
    }
    found
}

/// The oldest images over the target's count, in batches of a quarter of it, so that the prefix moves rarely.
fn over_count<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) -> FxHashSet<BlockId> {
    let images = images(plan);
    let Some(limit) = request.policy.image_limits.max_count.filter(|limit| images.len() > *limit) else {
        return FxHashSet::default();
    };
    let excess = excess_of(images.len(), limit).min(images.len());
    plan.image_cut = Some((limit, excess));
    plan.move_prefix("media_limit");
    images.iter().take(excess).filter_map(|id| plan.piece(*id).block).collect()
}

/// Why a medium goes, or `None`.
fn reason_of<S: Source>(
    plan: &Plan<'_, '_, S>,
    piece: PieceId,
    role: &'static str,
    request: &Request<'_, S::Node>,
    crowd: &FxHashSet<BlockId>,
) -> Option<String> {
    let id = plan.piece(piece).block?;
    if crowd.contains(&id) {
        return Some("too many".to_owned());
    }
    refusal(plan.outline.block(id), role, request)
}

/// Why the target does not take a medium, or `None`.
fn refusal<N: Copy>(block: &Block<'_, N>, role: &str, request: &Request<'_, N>) -> Option<String> {
    let policy = request.policy;
    let is_image = block.kind == BlockKind::Image;
    let has = |list: &[String], wanted: &str| list.iter().any(|known| known == wanted);
    if is_image && block.flags.has(Flags::LONE_SURROGATE | Flags::NUL) {
        return Some("the data is broken".to_owned());
    }
    if !request.same || block.foreign {
        let is_written = is_image && request.writes_images && block.data().is_some();
        if !is_written || (block.url().is_some() && !request.urls) {
            return Some("the request format has no place for it".to_owned());
        }
    }
    if role != "result" && !has(&policy.media_roles, role) {
        return Some(format!("not taken in the role {role}"));
    }
    if let Some(types) = &policy.media_types {
        if types.is_empty() {
            return Some("the model takes text only".to_owned());
        }
        if is_image && block.media_type().is_some_and(|media_type| !has(types, media_type)) {
            return Some("media type not taken".to_owned());
        }
    }
    if policy.part_types.as_ref().is_some_and(|types| !has(types, block.field().unwrap_or(block.kind.name()))) {
        return Some("not taken by the target".to_owned());
    }
    let is_gone = block.url().is_some_and(|url| match &policy.unreachable_urls {
        Unreachable::All(all) => *all,
        Unreachable::Some(urls) => has(urls, url),
    });
    is_gone.then(|| "the URL is unreachable".to_owned())
}

fn note<S: Source>(
    plan: &mut Plan<'_, '_, S>,
    piece: PieceId,
    request: &Request<'_, S::Node>,
    reason: &str,
) -> PieceId {
    let (kind, mark, message) = (plan.piece(piece).kind.name(), plan.piece(piece).mark, plan.piece(piece).message);
    let stored = plan.block_of(piece);
    let known = stored.into_iter().flat_map(|b| [b.media_type(), b.url()]).flatten().filter(|value| is_plain(value));
    let known: Vec<&str> = known.collect();
    let label = if known.is_empty() { kind.to_owned() } else { known.join(", ") };
    let text = request.texts.note.media.replace("{label}", &label).replace("{kind}", kind).replace("{reason}", reason);
    let note = plan.note(text, message);
    plan.piece_mut(note).mark = mark;
    plan.repair_block(RepairKind::MediaOmitted, piece, Some(reason));
    note
}

fn is_plain(value: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"_.:@/+?&=%#~,;-".contains(&b);
    (1..=LONGEST).contains(&value.len()) && value.bytes().all(plain)
}

fn settle_result<S: Source>(
    plan: &mut Plan<'_, '_, S>,
    slot: SlotId,
    piece: PieceId,
    request: &Request<'_, S::Node>,
    crowd: &FxHashSet<BlockId>,
) {
    let mut made = plan.open(piece);
    let mut differs = false;
    for part in &mut made {
        let found = is_media(plan, *part).then(|| reason_of(plan, *part, "result", request, crowd)).flatten();
        if let Some(reason) = found {
            *part = note(plan, *part, request, &reason);
            differs = true;
        }
    }
    if differs {
        plan.set_inner(piece, made);
        plan.touch(slot, piece);
    }
}
