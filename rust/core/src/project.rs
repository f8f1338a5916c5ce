//! Project: read, outline, rules, plan, apply. Mirrored by `apus._pure.project`.

use std::borrow::Cow;

use crate::applying::{Made, apply};
use crate::bodies::facts_of;
use crate::dialects::detect::detect;
use crate::dialects::reading::Reader;
use crate::dialects::{Dialect, Shape};
use crate::error::{Error, ErrorKind};
use crate::plan::{PieceId, Plan, lay_out};
use crate::policy::{
    BlankText, FirstRole, LateSystem, Policy, Prefill, SystemPlacement, SystemSlot, ToolNames, UniqueIds, UnknownFields,
};
use crate::reading::{list_of, put_system, read};
use crate::repairs::{Repair, RepairKind};
use crate::request::{Config, Facts, Request, Trailing, Written};
use crate::rules::run;
use crate::source::Source;

/// What a projection came to; `made` is what the caller made of it.
#[derive(Debug)]
pub struct Outcome<R> {
    /// The dialect that was read.
    pub source: Dialect,
    /// The dialect that was written.
    pub written: Dialect,
    /// Messages or the system field are not what they were.
    pub changed: bool,
    /// Number of the first message that is not the stored one.
    pub first_change: Option<u32>,
    /// What was done.
    pub repairs: Vec<Repair>,
    /// New call id and stored one.
    pub id_map: Vec<(String, Option<String>)>,
    /// Why an earlier part may project differently.
    pub moved_prefix: Vec<&'static str>,
    /// The answer itself.
    pub made: R,
}

/// Project a transcript: a list of messages or session entries, or a whole request body.
///
/// `clean` says that nothing in it is flagged. `make` makes the answer while the plan stands.
pub fn project<S: Source, R>(
    source: &S,
    root: S::Node,
    config: &Config,
    facts: Facts<S::Node>,
    clean: bool,
    make: impl FnOnce(&Made<'_, S::Node>) -> R,
) -> Result<Outcome<R>, Error> {
    let place = list_of(source, root)?;
    let items: Vec<_> = source.items(place.list).collect();
    check_count(items.len(), config)?;
    let dialect = match config.source {
        Some(named) => named,
        None => detect(source, &items, place.body, config.api)?,
    };
    let written = match config.write {
        Written::Target => config.api,
        Written::Source => dialect,
        Written::Named(named) => named,
    };
    let facts = match place.body {
        Some(body) => facts_of(source, body, facts),
        None => facts,
    };
    let full = config.full.unwrap_or(dialect.shape().stored || written.shape().stored);
    let policy = policy_of(config, full, written);
    let request = request_of(config, facts, full, &policy, dialect, written)?;
    let reader = Reader::new(source, request.texts, clean);
    let mut outline = read(&reader, place, &items, dialect, &request);
    let beside = put_system(&reader, &mut outline, place, &request, written);
    let mut plan = lay_out(&outline, request.texts, request.results_in_user);
    plan.repairs.extend(outline.dropped.iter().map(|(index, what)| dropped(&outline.pointer, *index, what)));
    beside.settle(&mut plan);
    run(&mut plan, &request, config.fault_in.as_deref());
    check_growth(&plan, config)?;
    Ok(apply(plan, &request, (dialect, written), place, items.len(), make))
}

/// Refuse an answer with more bytes of inserted texts than the limit allows.
fn check_growth<S: Source>(plan: &Plan<'_, '_, S>, config: &Config) -> Result<(), Error> {
    let limit = config.limits.growth;
    let pieces = plan.order.iter().flat_map(|slot| plan.pieces(*slot)).chain(plan.system.iter().copied());
    let inserted: u64 = pieces.map(|piece| made_bytes(plan, piece)).sum();
    if inserted <= limit {
        return Ok(());
    }
    let found = format!("found {inserted} bytes of inserted texts, expected at most {limit} (limits.growth)");
    Err(Error::new(ErrorKind::Limit, found))
}

/// Bytes of the texts that apus put into a piece.
fn made_bytes<S: Source>(plan: &Plan<'_, '_, S>, id: PieceId) -> u64 {
    let piece = plan.piece(id);
    let text = if piece.block.is_none() { piece.text() } else { None };
    let own = piece.prefix().map_or(0, str::len) + text.map_or(0, str::len);
    let inner = plan.opened(id).unwrap_or_default().iter().map(|inner| made_bytes(plan, *inner)).sum::<u64>();
    own as u64 + inner
}

fn check_count(count: usize, config: &Config) -> Result<(), Error> {
    let limit = config.limits.messages;
    if u64::try_from(count).is_ok_and(|count| count <= limit) {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Limit, format!("found {count} messages, expected at most {limit} (limits.messages)")))
}

fn request_of<'r, N>(
    config: &'r Config,
    facts: Facts<N>,
    full: bool,
    policy: &'r Policy,
    dialect: Dialect,
    written: Dialect,
) -> Result<Request<'r, N>, Error> {
    let shape = written.shape();
    let same = dialect == written;
    if facts.server_state && !same {
        let found =
            "found a request whose earlier history the provider holds, expected a whole history for another dialect";
        return Err(Error::new(ErrorKind::ServerState, found));
    }
    Ok(Request {
        policy,
        full,
        strict: config.strict,
        trailing: config.trailing.unwrap_or(if full { Trailing::Strip } else { Trailing::Continue }),
        orphans: config.orphans,
        facts,
        texts: config.wording()?,
        results_in_user: shape.results_in_user,
        same,
        beside_content: shape.beside_content,
        writes_images: shape.writes_images,
        urls: shape.urls,
    })
}

fn policy_of(config: &Config, full: bool, written: Dialect) -> Cow<'_, Policy> {
    let mut policy = Cow::Borrowed(if full { &config.full_policy } else { &config.policy });
    if config.strict {
        make_strict(policy.to_mut());
    }
    if written != config.api {
        fit_runner(policy.to_mut(), written.shape());
    }
    policy
}

/// The tightest flags, whatever the provider is.
fn make_strict(policy: &mut Policy) {
    policy.unique_ids = UniqueIds::History;
    policy.merge_users = true;
    policy.merge_assistants = true;
    policy.first_role = FirstRole::User;
    policy.blank_text = BlankText::Drop;
}

/// For a runner that does its own wire conversion: its dialect's shape, and turns as they stand.
fn fit_runner(policy: &mut Policy, written: &Shape) {
    policy.arguments = written.arguments;
    policy.system_slot = SystemSlot::Messages;
    policy.late_system = LateSystem::Keep;
    policy.system_placement = SystemPlacement::Any;
    policy.merge_users = false;
    policy.merge_assistants = false;
    policy.images_in_results = true;
    policy.error_results_text_only = false;
    policy.speaker_name = Some(ToolNames::default());
    if policy.prefill == Prefill::Flag {
        policy.prefill = Prefill::Allowed;
    }
    policy.unknown_fields = UnknownFields::Keep;
    policy.max_cache_marks = None;
}

fn dropped(pointer: &str, index: u32, what: &str) -> Repair {
    Repair {
        kind: RepairKind::InvalidMessageDropped,
        loc: Some((index, None)),
        pointer: Some(format!("{pointer}/{index}")),
        id: None,
        detail: Some(what.to_owned()),
    }
}
