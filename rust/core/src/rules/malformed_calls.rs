//! Rule 4: malformed tool calls. Mirrored by `apus._pure.rules.malformed_calls`.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::names::{fits, fitted, suffixed};
use crate::outline::{Arguments, BlockKind, Role};
use crate::plan::{ArgumentsEdit, PieceId, Plan, SlotId};
use crate::policy::ArgumentsForm;
use crate::repairs::RepairKind;
use crate::request::Request;
use crate::rules::shared::{drop_call, drop_emptied, take_out};
use crate::source::Source;
use crate::traces::{Digest, fingerprint};

/// With how many equal in id and name a call is compared.
const COMPARED: usize = 8;

/// The calls of one frame so far by id and name: fingerprints of their arguments.
type Seen<'o> = HashMap<(&'o str, Option<&'o str>), Vec<Digest>>;

/// Drop calls that never became one; make those that ran fit.
pub(crate) fn repair_calls<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    if plan.may_have(BlockKind::Call) {
        drop_strays(plan);
        let mut names = Names::new(plan, request);
        let frames = std::mem::take(&mut plan.frames);
        for frame in &frames {
            // Only an unanswered call can be an echo; most frames have none.
            let mut seen = plan.calls(frame).any(|call| alone(plan, call, request)).then(Seen::new);
            for place in frame.members.clone() {
                let slot = plan.framed[place];
                repair_turn(plan, slot, request, seen.as_mut(), &mut names);
            }
        }
        plan.frames = frames;
    }
    drop_emptied(plan, Role::Assistant);
}

/// Only an assistant calls: what stands in another role was never one, and no result can answer it there.
fn drop_strays<S: Source>(plan: &mut Plan<'_, '_, S>) {
    for number in 0..plan.order.len() {
        let slot = plan.order[number];
        if plan.slot(slot).role != Role::Assistant {
            let calls = plan.pieces(slot).filter(|id| plan.piece(*id).kind == BlockKind::Call);
            let gone: Vec<PieceId> = calls.collect();
            for call in &gone {
                drop_call(plan, *call, RepairKind::MalformedCallDropped, "role");
            }
            take_out(plan, slot, &gone);
        }
    }
}

fn repair_turn<'o, S: Source>(
    plan: &mut Plan<'o, '_, S>,
    slot: SlotId,
    request: &Request<'_, S::Node>,
    mut seen: Option<&mut Seen<'o>>,
    names: &mut Names<'o>,
) {
    let is_call = |plan: &Plan<'_, '_, S>, id: PieceId| plan.piece(id).kind == BlockKind::Call;
    let last = plan.pieces(slot).rfind(|id| is_call(plan, *id));
    let mut gone = Vec::new();
    for place in 0..plan.len_of(slot) {
        let call = plan.at(slot, place);
        if !is_call(plan, call) {
            continue;
        }
        let reason = if plan.is_answered(call) { None } else { fault(plan, call, request) };
        let (kind, detail) = if let Some(reason) = reason {
            (RepairKind::MalformedCallDropped, reason)
        } else if last == Some(call) && plan.piece(call).result.is_none() && args(plan, call) == Arguments::Broken {
            // Half a stream: nobody knows what the other half would have said.
            (RepairKind::IncompleteCallDropped, "arguments")
        } else if seen.as_mut().is_some_and(|seen| is_echo(plan, call, seen, request)) {
            (RepairKind::DuplicateCallDropped, "echo")
        } else {
            fit_name(plan, slot, call, request, names);
            fit_arguments(plan, slot, call, request);
            continue;
        };
        drop_call(plan, call, kind, detail);
        gone.push(call);
    }
    take_out(plan, slot, &gone);
}

fn args<S: Source>(plan: &Plan<'_, '_, S>, call: PieceId) -> Arguments {
    plan.block_of(call).map_or(Arguments::Object, |b| b.args)
}

/// Why an unanswered call is no call.
fn fault<S: Source>(plan: &Plan<'_, '_, S>, call: PieceId, request: &Request<'_, S::Node>) -> Option<&'static str> {
    let name = plan.name_of(call);
    if plan.block_of(call).is_some_and(|b| b.partial) {
        return Some("partial");
    }
    if args(plan, call) == Arguments::Missing {
        return Some("arguments");
    }
    if plan.id_of(call).is_none() {
        return Some("id");
    }
    let Some(name) = name.filter(|name| fits(name, &request.policy.tool_name)) else { return Some("name") };
    let unknown = request.full && request.facts.tools.as_ref().is_some_and(|tools| !tools.contains(name));
    unknown.then_some("tool")
}

/// Whether a call has no result of its own.
fn alone<S: Source>(plan: &Plan<'_, '_, S>, call: PieceId, request: &Request<'_, S::Node>) -> bool {
    plan.piece(call).result.is_none() || (request.strict && !plan.is_answered(call))
}

/// Equal to an earlier call of its frame in id, name and arguments, and without a result of its own.
fn is_echo<'o, S: Source>(
    plan: &Plan<'o, '_, S>,
    call: PieceId,
    seen: &mut Seen<'o>,
    request: &Request<'_, S::Node>,
) -> bool {
    let Some(block) = plan.block_of(call) else { return false };
    let Some(id) = block.id.as_deref() else { return false };
    let earlier = seen.entry((id, block.name.as_deref())).or_default();
    let print = fingerprint(plan.outline.source, block.text);
    if alone(plan, call, request) && earlier.contains(&print) {
        return true;
    }
    if earlier.len() < COMPARED {
        earlier.push(print);
    }
    false
}

/// The names that calls go out with.
struct Names<'o> {
    /// New ones by old one.
    new: HashMap<&'o str, String>,
    /// Those in use; not kept where every name fits.
    used: Option<HashSet<Cow<'o, str>>>,
}

impl<'o> Names<'o> {
    fn new<S: Source>(plan: &Plan<'o, '_, S>, request: &Request<'_, S::Node>) -> Self {
        let mut calls = plan.frames.iter().flat_map(|frame| plan.calls(frame));
        let all_fit = calls.all(|call| fits(plan.name_of(call).unwrap_or_default(), &request.policy.tool_name));
        Self { new: HashMap::new(), used: (!all_fit).then(HashSet::new) }
    }
}

fn fit_name<'o, S: Source>(
    plan: &mut Plan<'o, '_, S>,
    slot: SlotId,
    call: PieceId,
    request: &Request<'_, S::Node>,
    names: &mut Names<'o>,
) {
    let Some(used) = &mut names.used else { return };
    let (rule, unknown) = (&request.policy.tool_name, &request.texts.note.unknown_tool);
    let old = plan.block_of(call).and_then(|b| b.name.as_deref()).unwrap_or_default();
    if fits(old, rule) {
        used.insert(Cow::Borrowed(old));
        return;
    }
    let new = names.new.entry(old).or_insert_with(|| {
        let mut new = fitted(old, rule, unknown);
        if new != *unknown && used.contains(new.as_str()) {
            new = suffixed(&new, old, rule);
        }
        used.insert(Cow::Owned(new.clone()));
        new
    });
    plan.piece_mut(call).edit_mut().name = Some(new.clone());
    plan.touch(slot, call);
    plan.repair_piece(RepairKind::ToolNameRewritten, call, Some(&format!("{old} -> {new}")));
}

fn fit_arguments<S: Source>(plan: &mut Plan<'_, '_, S>, slot: SlotId, call: PieceId, request: &Request<'_, S::Node>) {
    let (args, policy) = (args(plan, call), request.policy);
    let object = policy.arguments == ArgumentsForm::Object;
    match args {
        Arguments::Missing | Arguments::Empty => {
            edit(plan, slot, call, Some(ArgumentsEdit::Empty), RepairKind::ArgumentsRewritten);
        }
        Arguments::Broken | Arguments::Value if object || policy.arguments_must_be_json => {
            edit(plan, slot, call, Some(ArgumentsEdit::Wrap), RepairKind::ArgumentsWrapped);
        }
        Arguments::Broken | Arguments::Value | Arguments::Free => {}
        Arguments::Big if object => edit(plan, slot, call, Some(ArgumentsEdit::Wrap), RepairKind::ArgumentsWrapped),
        // The wire wants the other form; the writer changes it, the content stays.
        Arguments::Object | Arguments::Text | Arguments::Big => {
            if request.same && (args == Arguments::Object) != object {
                edit(plan, slot, call, None, RepairKind::ArgumentsRewritten);
            }
        }
    }
}

fn edit<S: Source>(
    plan: &mut Plan<'_, '_, S>,
    slot: SlotId,
    call: PieceId,
    args: Option<ArgumentsEdit>,
    kind: RepairKind,
) {
    plan.piece_mut(call).args = args;
    plan.touch(slot, call);
    plan.repair_piece(kind, call, None);
}
