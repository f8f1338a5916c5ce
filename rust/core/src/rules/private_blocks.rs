//! Rule 4, beside calls: blocks that only their own provider knows. Mirrored by `apus._pure.rules.private_blocks`.

use std::collections::HashMap;

use rustc_hash::FxHashSet;

use crate::names::trimmed;
use crate::outline::{Block, BlockKind, Role, Stop};
use crate::plan::{PieceId, Plan};
use crate::policy::{PrivateBlocks, UnknownFields};
use crate::repairs::RepairKind;
use crate::request::Request;
use crate::rules::shared::{last_spoken, running_loop};
use crate::source::Source;
use crate::texts::fill;

const FOREIGN: [BlockKind; 5] =
    [BlockKind::ServerCall, BlockKind::ServerResult, BlockKind::Reference, BlockKind::Opaque, BlockKind::Unknown];

/// Turn each block that the target can't take into a text note in the same place.
pub(crate) fn note_private_blocks<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    if !FOREIGN.iter().any(|kind| plan.may_have(*kind)) {
        return;
    }
    let halves = half_pairs(plan);
    for number in 0..plan.order.len() {
        let slot = plan.order[number];
        let mut noted = None;
        for place in 0..plan.len_of(slot) {
            let piece = plan.at(slot, place);
            if goes(plan, piece, request) || halves.contains(&piece) {
                let note = note(plan, piece, request);
                noted.get_or_insert_with(|| plan.listed(slot))[place] = note;
            } else if note_inner(plan, piece, request) {
                plan.slot_mut(slot).touched = true;
            }
        }
        if let Some(pieces) = noted {
            plan.set(slot, pieces);
        }
    }
}

/// The same inside a result; whether there was anything.
fn note_inner<S: Source>(plan: &mut Plan<'_, '_, S>, result: PieceId, request: &Request<'_, S::Node>) -> bool {
    let Some(id) = plan.piece(result).block else { return false };
    if !plan.outline.inner_blocks(id).iter().any(|b| refused(b.kind, Some(b), request)) {
        return false;
    }
    let mut inner = plan.open(result);
    for piece in &mut inner {
        if goes(plan, *piece, request) {
            *piece = note(plan, *piece, request);
        }
    }
    plan.set_inner(result, inner);
    true
}

fn refused<N: Copy>(kind: BlockKind, block: Option<&Block<'_, N>>, request: &Request<'_, N>) -> bool {
    if !FOREIGN.contains(&kind) {
        return false;
    }
    if !request.same || block.is_some_and(|b| b.foreign) {
        return true;
    }
    if kind == BlockKind::Unknown {
        return request.policy.unknown_fields == UnknownFields::Strip || block.is_some_and(|b| !b.shape().is_empty());
    }
    request.policy.private_blocks == PrivateBlocks::Note && kind != BlockKind::Opaque
}

fn goes<S: Source>(plan: &Plan<'_, '_, S>, piece: PieceId, request: &Request<'_, S::Node>) -> bool {
    refused(plan.piece(piece).kind, plan.block_of(piece), request)
}

/// Server calls without a result whose tool loop is over, and server results without a call before them.
fn half_pairs<S: Source>(plan: &Plan<'_, '_, S>) -> FxHashSet<PieceId> {
    let mut halves = FxHashSet::default();
    if !plan.may_have(BlockKind::ServerCall) && !plan.may_have(BlockKind::ServerResult) {
        return halves;
    }
    let running = if is_over(plan) { plan.order.len() } else { running_loop(plan) };
    let mut open_calls: HashMap<Option<&str>, Vec<(usize, PieceId)>> = HashMap::new();
    for (number, &slot) in plan.order.iter().enumerate() {
        let in_turn = plan.slot(slot).role == Role::Assistant;
        for piece in plan.pieces(slot) {
            let id = plan.id_of(piece);
            match plan.piece(piece).kind {
                BlockKind::ServerCall => open_calls.entry(id).or_default().push((number, piece)),
                BlockKind::ServerResult => {
                    let call = open_calls.get_mut(&id).filter(|_| in_turn).and_then(Vec::pop);
                    if call.is_none() {
                        halves.insert(piece);
                    }
                }
                _ => {}
            }
        }
    }
    let over = open_calls.into_values().flatten().filter(|(number, _)| *number < running);
    halves.extend(over.map(|(_, piece)| piece));
    halves
}

/// Whether the assistant had the last word: no tool of the client is open, and the turn was not paused.
fn is_over<S: Source>(plan: &Plan<'_, '_, S>) -> bool {
    let Some(last) = last_spoken(plan).filter(|slot| plan.slot(*slot).role == Role::Assistant) else { return false };
    let Some(end) = plan.pieces(last).next_back().filter(|_| !plan.has(last, BlockKind::Call)) else { return false };
    let paused = plan.message_of(last).is_some_and(|message| message.stop == Stop::Pause);
    !paused && !plan.piece(end).kind.is_server()
}

fn note<S: Source>(plan: &mut Plan<'_, '_, S>, piece: PieceId, request: &Request<'_, S::Node>) -> PieceId {
    let block = plan.block_of(piece);
    let head = match plan.piece(piece).kind {
        BlockKind::ServerCall => &request.texts.note.server_call,
        BlockKind::Reference => &request.texts.note.reference,
        _ => &request.texts.note.block,
    };
    let label = block.and_then(|b| b.label.as_deref());
    let head = fill(head, &[("name", block.and_then(|b| b.name.as_deref())), ("kind", label)]);
    let said = block.and_then(Block::note).unwrap_or_default();
    let said = if request.policy.refuses_nul { said.replace('\0', "\u{fffd}") } else { said.to_owned() };
    let (message, mark) = (plan.piece(piece).message, plan.piece(piece).mark);
    let note = plan.note(trimmed(&head.replace("{text}", &said)), message);
    plan.piece_mut(note).mark = mark;
    plan.repair_piece(RepairKind::UnsupportedBlockDropped, piece, label);
    note
}
