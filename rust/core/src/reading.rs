//! Reading: a value to an outline, whatever holds it. Mirrored by `apus._pure.reading`.

use std::borrow::Cow;

use crate::dialects::Dialect;
use crate::dialects::apus_session::{active_path, is_session};
use crate::dialects::reading::{Place as Spot, Reader, number, text_block};
use crate::error::{Error, ErrorKind};
use crate::models::normalise;
use crate::outline::{Maker, Outline, Role};
use crate::plan::Plan;
use crate::policy::Policy;
use crate::request::{Origin, Request};
use crate::source::{Kind, Source};

const LIST_KEYS: &[&str] = &["messages"];
/// The key of the system field.
pub(crate) const SYSTEM: &str = "system";

/// Where the messages stand: in a list, or under a key of a whole request body.
#[derive(Clone, Copy, Debug)]
pub struct Place<N> {
    /// The body, if there is one.
    pub body: Option<N>,
    /// The list of messages.
    pub list: N,
    /// The key that the list stands under.
    pub key: &'static str,
}

/// Where the messages stand.
pub(crate) fn list_of<S: Source>(source: &S, root: S::Node) -> Result<Place<S::Node>, Error> {
    match source.kind(root) {
        Kind::Array => Ok(Place { body: None, list: root, key: "messages" }),
        Kind::Object => {
            let list = |key: &&'static str| {
                let list = source.get(root, key).filter(|list| source.kind(*list) == Kind::Array)?;
                Some(Place { body: Some(root), list, key })
            };
            LIST_KEYS.iter().find_map(list).ok_or_else(|| {
                let keys = LIST_KEYS.join(", ");
                let found = format!("found an object without a list of messages, expected one of the keys {keys}");
                Error::new(ErrorKind::NotATranscript, found)
            })
        }
        kind => {
            let found = format!("found {}, expected a list of messages or a request body", what(kind));
            Err(Error::new(ErrorKind::NotATranscript, found))
        }
    }
}

const fn what(kind: Kind) -> &'static str {
    match kind {
        Kind::Null => "null",
        Kind::Bool => "a boolean",
        Kind::String => "a string",
        Kind::Number => "a number",
        Kind::Array => "an array",
        Kind::Object => "an object",
    }
}

/// The outline of the messages.
pub(crate) fn read<'s, S: Source>(
    reader: &Reader<'s, S>,
    place: Place<S::Node>,
    items: &[S::Node],
    dialect: Dialect,
    request: &'s Request<'_, S::Node>,
) -> Outline<'s, S> {
    let source = reader.source;
    let pointer = place.body.map_or_else(String::new, |_| format!("/{}", place.key));
    let mut outline = Outline::new(source, pointer);
    outline.same = request.same;
    // Growing by doubling would copy 50,000 messages a dozen times, into pages that are new each time.
    outline.messages.reserve(items.len());
    outline.blocks.reserve(items.len());
    for (index, item) in (0..).zip(items) {
        let kind = source.kind(*item);
        if kind != Kind::Object {
            outline.dropped.push((index, what(kind)));
        }
    }
    if dialect == Dialect::Apus && is_session(source, items) {
        read_entries(reader, &mut outline, items, dialect);
    } else {
        read_messages(reader, &mut outline, items, dialect, request.facts.origin.as_deref());
        void(&mut outline);
    }
    settle_owners(&mut outline, request, dialect);
    outline
}

fn read_messages<'s, S: Source>(
    reader: &Reader<'s, S>,
    outline: &mut Outline<'s, S>,
    items: &[S::Node],
    dialect: Dialect,
    origin: Option<&'s [Option<Origin>]>,
) {
    let source = reader.source;
    for (index, item) in (0..).zip(items).filter(|(_, item)| source.kind(**item) == Kind::Object) {
        dialect.read_message(reader, outline, *item, index, None);
        if let (Some(origin), Some(message)) = (origin, outline.messages.last_mut())
            && message.maker.is_none()
        {
            message.maker = maker_of(origin, index);
        }
    }
}

/// Who made a message: one for all, or one per message.
fn maker_of(origin: &[Option<Origin>], index: u32) -> Option<Maker<'_>> {
    let maker = if let [all] = origin { all } else { origin.get(index as usize)? };
    let [provider, api, model] = maker.as_ref()?.each_ref().map(|said| said.as_deref().map(Cow::Borrowed));
    Some(Maker { provider, api, model })
}

fn read_entries<'s, S: Source>(
    reader: &Reader<'s, S>,
    outline: &mut Outline<'s, S>,
    items: &[S::Node],
    dialect: Dialect,
) {
    for entry in active_path(reader.source, items) {
        dialect.read_message(reader, outline, entry.node, entry.index, entry.role);
        if let Some(message) = outline.messages.last_mut() {
            message.path = entry.path;
            message.void = entry.void;
            if entry.role.is_some() {
                message.stored = None;
            }
        }
    }
}

/// In a plain list nothing tells what a summary covers: all that stands before the last one is older.
fn void<S: Source>(outline: &mut Outline<'_, S>) {
    let last = outline.messages.iter().rposition(|m| m.role_text.as_deref() == Some("compactionSummary"));
    for message in &mut outline.messages[..last.unwrap_or(0)] {
        message.void = true;
    }
}

/// Say which assistant messages the target made; who is not named is taken to be the target.
fn settle_owners<S: Source>(outline: &mut Outline<'_, S>, request: &Request<'_, S::Node>, dialect: Dialect) {
    let unnamed = request.same || dialect.shape().stored;
    let mut last: Option<(Maker<'_>, bool)> = None;
    for message in &mut outline.messages {
        message.own = match &message.maker {
            _ if message.role != Role::Assistant => true,
            None => unnamed,
            Some(maker) => match &last {
                Some((known, own)) if known == maker => *own,
                _ => last.insert((maker.clone(), is_maker(maker, request.policy))).1,
            },
        };
    }
}

/// Whether a named maker is the target: a provider whose signatures it takes, and the same model.
fn is_maker(maker: &Maker<'_>, policy: &Policy) -> bool {
    if let Some(provider) = &maker.provider
        && !policy.makers.is_empty()
        && !policy.makers.contains(&provider.to_lowercase())
    {
        return false;
    }
    match (&policy.model, &maker.model) {
        (Some(own), Some(model)) => normalise(model) == *own,
        _ => true,
    }
}

/// What becomes of the system prompt beside the transcript.
pub(crate) enum Beside {
    Nothing,
    /// It stands in a field of the request.
    Field {
        touched: bool,
    },
    /// It becomes the first message.
    Message,
}

/// Read the system prompt beside the transcript: the caller's, else the body's own field.
pub(crate) fn put_system<'s, S: Source>(
    reader: &Reader<'s, S>,
    outline: &mut Outline<'s, S>,
    place: Place<S::Node>,
    request: &Request<'_, S::Node>,
    written: Dialect,
) -> Beside {
    let source = reader.source;
    // A dialect without such a field leaves a key of that name alone.
    let has_field = !(request.same && written.shape().system_key.is_none());
    let body = place.body.filter(|_| has_field);
    let stored = || body.and_then(|body| source.get(body, SYSTEM)).filter(|node| !source.is_null(*node));
    let Some(node) = request.facts.system.or_else(stored) else { return Beside::Nothing };
    let is_empty = match source.kind(node) {
        Kind::Array => source.is_empty(node),
        Kind::String => source.text(node).is_none_or(|text| text.is_empty()),
        _ => false,
    };
    if is_empty {
        return Beside::Nothing;
    }
    if written.read_system(reader, outline, node) {
        return Beside::Field { touched: !request.same && source.kind(node) != Kind::String };
    }
    read_texts(reader, outline, node);
    Beside::Message
}

/// Read the texts of a system prompt for a dialect that has no field for it.
fn read_texts<'s, S: Source>(reader: &Reader<'s, S>, outline: &mut Outline<'s, S>, node: S::Node) {
    let source = reader.source;
    let start = number(outline.blocks.len());
    if source.kind(node) == Kind::String {
        outline.blocks.push(text_block(reader, node, node, Spot::new(SYSTEM, None, 0)));
    } else {
        let items = source.items(node).collect::<Vec<_>>();
        let items = if source.kind(node) == Kind::Array { items } else { vec![node] };
        for (index, item) in (0..).zip(items) {
            let text = source.get(item, "text").filter(|text| source.kind(*text) == Kind::String);
            if let Some(text) = text {
                outline.blocks.push(text_block(reader, item, text, Spot::new(SYSTEM, Some(index), index)));
            }
        }
    }
    outline.system = start..number(outline.blocks.len());
}

impl Beside {
    /// Put what was read in its place.
    pub(crate) fn settle<S: Source>(self, plan: &mut Plan<'_, '_, S>) {
        match self {
            Self::Nothing => {}
            Self::Field { touched } => plan.system_touched = touched,
            Self::Message => {
                let said_already = says_so_already(plan);
                let pieces = std::mem::take(&mut plan.system);
                if !said_already {
                    let slot = plan.new_slot(Role::System, None, pieces);
                    plan.order.insert(0, slot);
                }
            }
        }
    }
}

/// Whether the first message says what the system prompt says.
fn says_so_already<S: Source>(plan: &Plan<'_, '_, S>) -> bool {
    let Some(&first) = plan.order.first() else { return false };
    if !plan.slot(first).role.is_system() {
        return false;
    }
    let source = plan.outline.source;
    let texts = |pieces: &[_]| {
        let said = pieces.iter().filter_map(|piece| plan.block_of(*piece)?.text);
        said.map(|node| source.text(node).unwrap_or_default()).collect::<Vec<_>>().join("\n\n")
    };
    texts(&plan.system) == texts(&plan.listed(first))
}
