//! Applying: a plan to the answer. Mirrored by `apus._pure.applying`.

use crate::dialects::Dialect;
use crate::dialects::reading::number;
use crate::dialects::writing::Writer;
use crate::plan::{Plan, SlotId};
use crate::project::Outcome;
use crate::reading::{Place, SYSTEM};
use crate::repairs::{Repair, RepairKind};
use crate::request::Request;
use crate::source::{Flags, Source};
use crate::tree::Tree;

/// The detail of the repair that cuts keys which stand twice.
const DUPLICATE_KEY: &str = "duplicate key";

/// What an answer is made of.
#[derive(Debug)]
pub struct Made<'p, N> {
    /// Where the messages stood.
    pub place: Place<N>,
    /// The dialect that was written.
    pub written: Dialect,
    /// Source and written dialect are one.
    pub same: bool,
    /// The messages; `None` if they are the stored ones.
    pub messages: Option<Vec<Tree<'p, N>>>,
    /// The system field.
    pub system: Option<Tree<'p, N>>,
    /// It is not what it was.
    pub system_changed: bool,
    /// A key stands twice in the body: no two readers of it may disagree, so the last counts alone.
    pub repeated_keys: bool,
}

/// Write what the plan says.
pub(crate) fn apply<S: Source, R>(
    mut plan: Plan<'_, '_, S>,
    request: &Request<'_, S::Node>,
    (dialect, written): (Dialect, Dialect),
    place: Place<S::Node>,
    count: usize,
    answer: impl FnOnce(&Made<'_, S::Node>) -> R,
) -> Outcome<R> {
    let first_change = first_change(&plan, request, count);
    if let Some(body) = place.body.filter(|_| !request.same) {
        drop_fields(&mut plan, body, place.key);
    }
    let repeated_keys = is_repeating(&mut plan, place.body);
    let writer = Writer::new(&plan, request);
    let (system, system_changed) = system_of(&plan, request, &writer, written, place.body);
    let made = Made {
        place,
        written,
        same: request.same,
        messages: first_change.map(|_| {
            let message = |slot: &SlotId| match kept(&plan, request, *slot) {
                Some(node) => Tree::Copy(node),
                None => written.write_message(*slot, &writer),
            };
            plan.order.iter().map(message).collect()
        }),
        system,
        system_changed,
        repeated_keys,
    };
    Outcome {
        source: dialect,
        written,
        changed: first_change.is_some() || made.system_changed || repeated_keys,
        first_change,
        made: answer(&made),
        repairs: plan.repairs,
        id_map: plan.id_map,
        moved_prefix: plan.moved_prefix,
    }
}

/// The stored message that a slot is, if no rule touched it.
fn kept<S: Source>(plan: &Plan<'_, '_, S>, request: &Request<'_, S::Node>, slot: SlotId) -> Option<S::Node> {
    if !request.same || plan.slot(slot).touched {
        return None;
    }
    plan.message_of(slot)?.stored
}

/// Number of the first message that is not the one stored at its place.
fn first_change<S: Source>(plan: &Plan<'_, '_, S>, request: &Request<'_, S::Node>, count: usize) -> Option<u32> {
    let stands = |number: u32, slot: SlotId| {
        let message = plan.message_of(slot).filter(|_| kept(plan, request, slot).is_some());
        message.is_some_and(|message| message.index == number && message.path.is_empty())
    };
    let changed = (0..).zip(&plan.order).find(|(number, slot)| !stands(*number, **slot)).map(|(number, _)| number);
    changed.or_else(|| (plan.order.len() != count).then(|| number(plan.order.len())))
}

/// The system field of a dialect that has one, and whether it is another than the body's.
fn system_of<'t, S: Source>(
    plan: &Plan<'_, '_, S>,
    request: &Request<'_, S::Node>,
    writer: &Writer<'t, S>,
    written: Dialect,
    body: Option<S::Node>,
) -> (Option<Tree<'t, S::Node>>, bool) {
    if written.shape().system_key.is_none() {
        return (None, false);
    }
    if plan.system_touched {
        return (written.write_system(writer), true);
    }
    let source = plan.outline.source;
    let stored = body.and_then(|body| source.get(body, SYSTEM));
    let copy = |node: Option<S::Node>| node.filter(|_| !plan.system.is_empty()).map(Tree::Copy);
    match request.facts.system {
        None => (copy(stored), false),
        given @ Some(node) => {
            let is_same = stored.is_some_and(|stored| source.same(node, stored));
            (copy(given), body.is_some() && !is_same)
        }
    }
}

fn is_repeating<S: Source>(plan: &mut Plan<'_, '_, S>, body: Option<S::Node>) -> bool {
    if !body.is_some_and(|body| plan.outline.source.flags(body).has(Flags::DUPLICATE_KEY)) {
        return false;
    }
    let is_it = |r: &Repair| r.kind == RepairKind::ShapeFixed && r.detail.as_deref() == Some(DUPLICATE_KEY);
    if !plan.repairs.iter().any(is_it) {
        let pointer = Some(String::new());
        let detail = Some(DUPLICATE_KEY.to_owned());
        plan.repairs.push(Repair { kind: RepairKind::ShapeFixed, loc: None, pointer, id: None, detail });
    }
    true
}

fn drop_fields<S: Source>(plan: &mut Plan<'_, '_, S>, body: S::Node, key: &str) {
    let source = plan.outline.source;
    let mut gone: Vec<_> = source.entries(body).filter_map(|(name, _)| source.text(name)).collect();
    gone.retain(|name| name != key && name != SYSTEM);
    if !gone.is_empty() {
        gone.sort_unstable();
        plan.repair(RepairKind::RequestFieldsDropped, None, None, None, Some(&gone.join(" ")));
    }
}
