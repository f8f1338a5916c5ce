//! Rule 5, last part: reasoning that is bound to everything before it. Mirrored by `apus._pure.rules.binding`.

use crate::outline::{BlockKind, Role};
use crate::plan::{PieceId, Plan, SlotId};
use crate::policy::ThinkingBinding;
use crate::repairs::RepairKind;
use crate::request::Request;
use crate::source::Source;

/// Drop the reasoning that was made against another projection than this one.
///
/// A repair that was there when the reasoning was made changes nothing, since apus is deterministic. What differs is
/// what came to light later: a real result that arrived behind the turn, images that crossed the count since. This runs
/// last, and an emptied turn keeps its place, so that no earlier rule has to run again.
pub(crate) fn unbind<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    if !request.policy.thinking_binds_prefix || request.policy.thinking_binding == ThinkingBinding::DropBlock {
        return;
    }
    if !plan.may_have(BlockKind::Reasoning) {
        return;
    }
    let late = late_results(plan);
    let mut images = 0;
    for place in 0..plan.order.len() {
        let slot = plan.order[place];
        if plan.slot(slot).role == Role::Assistant && plan.has(slot, BlockKind::Reasoning) {
            let index = plan.message_of(slot).map(|message| message.index);
            if index.is_some_and(|index| inside(&late, index) || plan.cut_differs(images)) {
                plan.move_prefix("bound_reasoning");
                drop_bound(plan, slot, request);
            }
        }
        images += plan.pieces(slot).map(|id| images_of(plan, id)).sum::<usize>();
    }
}

/// How many images are stored in a piece.
fn images_of<S: Source>(plan: &Plan<'_, '_, S>, piece: PieceId) -> usize {
    let Some(id) = plan.piece(piece).block else { return 0 };
    let blocks = std::iter::once(plan.outline.block(id)).chain(plan.outline.inner_blocks(id));
    blocks.filter(|block| block.kind == BlockKind::Image).count()
}

/// Each stretch of stored messages that was sent without a result that stands in front of it now.
fn late_results<S: Source>(plan: &Plan<'_, '_, S>) -> Vec<(u32, u32)> {
    let index = |id: PieceId| plan.piece(id).message.map(|message| plan.outline.messages[message as usize].index);
    let mut found: Vec<(u32, u32)> = Vec::new();
    for frame in &plan.frames {
        let start = plan.calls(frame).filter_map(index).max().unwrap_or(0);
        let results = plan.calls(frame).filter_map(|call| plan.piece(call).result);
        let stored = results.filter(|result| plan.piece(*result).block.is_some());
        found.extend(stored.filter_map(index).map(|end| (start, end)));
    }
    found.sort_unstable();
    let mut joined: Vec<(u32, u32)> = Vec::new();
    for (start, end) in found {
        match joined.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => joined.push((start, end)),
        }
    }
    joined
}

fn inside(stretches: &[(u32, u32)], index: u32) -> bool {
    let behind = stretches.partition_point(|stretch| *stretch < (index, 0));
    let before = behind.checked_sub(1).and_then(|at| stretches.get(at));
    before.is_some_and(|(start, end)| *start < index && index < *end)
}

fn drop_bound<S: Source>(plan: &mut Plan<'_, '_, S>, slot: SlotId, request: &Request<'_, S::Node>) {
    let (thoughts, mut rest): (Vec<_>, Vec<_>) =
        plan.pieces(slot).partition(|id| plan.piece(*id).kind == BlockKind::Reasoning);
    for piece in thoughts {
        plan.repair_block(RepairKind::ThinkingDropped, piece, Some("bound to another prefix"));
    }
    if rest.is_empty() {
        let message = plan.slot(slot).message;
        rest.push(plan.note(request.texts.note.reasoning_omitted.as_str(), message));
    }
    plan.set(slot, rest);
}
