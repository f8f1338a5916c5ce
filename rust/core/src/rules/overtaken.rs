//! Rule 6, record: what the results overtook on their way. Mirrored by `apus._pure.rules.overtaken`.

use super::placing::Wanted;
use crate::outline::{BlockKind, Role};
use crate::plan::{PieceId, Plan, SlotId};
use crate::repairs::RepairKind;
use crate::request::Request;
use crate::source::Source;

/// Record what a result overtakes inside its frame, and each result that comes from elsewhere.
pub(super) fn report_moves<S: Source>(
    plan: &mut Plan<'_, '_, S>,
    start: usize,
    wanted: &Wanted,
    request: &Request<'_, S::Node>,
) {
    report_overtaken(plan, start, wanted);
    let stays = |id: &&PieceId| plan.piece(**id).block.is_some() && !plan.piece(**id).moved;
    let home = wanted.results.iter().find(stays).and_then(|id| plan.piece(*id).message);
    for result in &wanted.results {
        let piece = plan.piece(*result);
        let (message, block) = (piece.message, piece.block);
        let joined = request.same && request.results_in_user && block.is_some() && message != home;
        let kind = match piece.moved {
            true => RepairKind::ResultMoved,
            false if joined => RepairKind::TurnsMerged,
            false => continue,
        };
        let id = piece.call.and_then(|call| plan.id_of(call)).map(str::to_owned);
        if kind == RepairKind::ResultMoved {
            plan.move_prefix("late_result");
        }
        plan.repair(kind, message, block, id.as_deref(), None);
    }
}

fn report_overtaken<S: Source>(plan: &mut Plan<'_, '_, S>, start: usize, wanted: &Wanted) {
    for (slot, piece, whole) in overtaken(plan, start, wanted) {
        if plan.slot(slot).role == Role::Assistant {
            // It answered a request in which this result was missing.
            plan.move_prefix("late_result");
        }
        let message = plan.piece(piece).message;
        let block = plan.piece(piece).block.filter(|_| !whole);
        plan.repair(RepairKind::MessageDisplacedByResult, message, block, None, None);
    }
}

/// What stands in front of the last wanted result of the frame: pieces of messages with such results, and the first piece
/// of messages without, which are displaced as a whole.
fn overtaken<S: Source>(plan: &Plan<'_, '_, S>, start: usize, wanted: &Wanted) -> Vec<(SlotId, PieceId, bool)> {
    let mut between = Vec::new();
    let mut last = 0;
    for &slot in plan.order.iter().skip(start) {
        if plan.slot(slot).role == Role::Assistant && plan.has(slot, BlockKind::Call) {
            break;
        }
        let whole = !plan.pieces(slot).any(|id| wanted.has(id));
        let mut first = true;
        for piece in plan.pieces(slot) {
            if wanted.has(piece) {
                last = between.len();
            } else if plan.piece(piece).kind != BlockKind::Result && (first || !whole) {
                between.push((slot, piece, whole));
                first = false;
            }
        }
    }
    between.truncate(last);
    between
}
