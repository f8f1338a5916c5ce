//! Lay out: the plan before any rule.

use std::ops::Range;

use super::piece::{Piece, Pieces};
use super::{PieceId, Plan, bit, number};
use crate::outline::{BlockId, BlockKind, MessageId, Outline, Role};
use crate::repairs::RepairKind;
use crate::source::Source;
use crate::texts::Texts;

/// How many of the oldest images go: batches of a quarter of the limit, so that the prefix moves rarely.
#[must_use]
pub fn excess_of(images: usize, limit: usize) -> usize {
    let batch = (limit / 4).max(1);
    images.saturating_sub(limit).div_ceil(batch) * batch
}

/// One slot per message, in the shape of the written dialect: results in user messages, or on their own.
pub fn lay_out<'o, 's, S: Source>(
    outline: &'o Outline<'s, S>,
    texts: &'o Texts,
    results_in_user: bool,
) -> Plan<'o, 's, S> {
    let mut plan = Plan {
        outline,
        texts,
        slots: Vec::with_capacity(outline.messages.len()),
        pieces: Vec::with_capacity(outline.blocks.len()),
        order: Vec::with_capacity(outline.messages.len()),
        system: Vec::new(),
        system_touched: false,
        repairs: Vec::new(),
        id_map: Vec::new(),
        moved_prefix: Vec::new(),
        frames: Vec::new(),
        framed: Vec::new(),
        kinds: outline.inner.iter().fold(0, |kinds, block| kinds | bit(block.kind)),
        image_cut: None,
    };
    let home = if results_in_user { Role::User } else { Role::Result };
    let mut split = Vec::new();
    for (index, message) in outline.messages.iter().enumerate() {
        let id = number(index);
        let start = number(plan.pieces.len());
        for block in message.blocks.clone() {
            let stored = &outline.blocks[block as usize];
            plan.push_piece(Piece::new(stored.kind, Some((BlockId(block), stored)), Some(id)));
        }
        let end = number(plan.pieces.len());
        let is_home = message.role == home || message.role == Role::Result;
        if results_in_user && message.role == Role::Result {
            join_results(&mut plan, id, start..end);
        } else if !is_home && outline.blocks_of(message).iter().any(|b| b.kind == BlockKind::Result) {
            split_results(&mut plan, id, start..end, home);
            split.push(id);
        } else {
            let slot = plan.push_slot(message.role, Some(id), Pieces::Run { start, end });
            plan.order.push(slot);
        }
    }
    for block in outline.system.clone() {
        let stored = &outline.blocks[block as usize];
        let piece = plan.push_piece(Piece::new(stored.kind, Some((BlockId(block), stored)), None));
        plan.system.push(piece);
    }
    for id in split.into_iter().filter(|_| outline.same) {
        plan.repair(RepairKind::BatchSplit, Some(id), None, None, None);
    }
    plan
}

/// Neighbouring result messages become one user message.
fn join_results<S: Source>(plan: &mut Plan<'_, '_, S>, message: MessageId, pieces: Range<u32>) {
    if let Some(&before) = plan.order.last() {
        let from_result = plan.message_of(before).is_some_and(|m| m.role == Role::Result);
        if plan.slot(before).role == Role::User && from_result {
            plan.extend(before, pieces.map(PieceId).collect());
            return;
        }
    }
    let slot = plan.push_slot(Role::User, Some(message), Pieces::List(pieces.map(PieceId).collect()));
    plan.slot_mut(slot).touched = true;
    plan.order.push(slot);
}

/// Each result becomes a message of its own, in the role that may hold it; the rest keeps its order.
fn split_results<S: Source>(plan: &mut Plan<'_, '_, S>, message: MessageId, pieces: Range<u32>, home: Role) {
    let role = plan.outline.messages[message as usize].role;
    let mut rest = Vec::new();
    let add = |plan: &mut Plan<'_, '_, S>, role, list: Vec<PieceId>| {
        if !list.is_empty() {
            let slot = plan.push_slot(role, Some(message), Pieces::List(list));
            plan.slot_mut(slot).touched = true;
            plan.order.push(slot);
        }
    };
    for id in pieces.map(PieceId) {
        if plan.piece(id).kind == BlockKind::Result {
            add(plan, role, std::mem::take(&mut rest));
            add(plan, home, vec![id]);
        } else {
            rest.push(id);
        }
    }
    add(plan, role, rest);
}
