//! Splice: bytes in, bytes out; whatever stands around the history in a body stays as it stands.
//! Mirrored by `apus._pure.core`.

use std::ops::Range;

use crate::applying::Made;
use crate::error::{Error, ErrorKind};
use crate::json::write::write_key;
use crate::json::{JsonNode, JsonSource, dumps, scan, write};
use crate::project::{Outcome, project};
use crate::request::{Config, Facts};
use crate::source::{Flags, Kind, Source};
use crate::tree::Tree;

/// The answer as bytes.
#[derive(Debug)]
pub struct Bytes {
    /// The body or list; `None`: the input as it is.
    pub whole: Option<Vec<u8>>,
    /// Where the list of messages stands in it.
    pub messages: Range<usize>,
    /// Whether it is a body.
    pub is_body: bool,
    /// The system field.
    pub system: Option<Vec<u8>>,
}

/// Project the JSON of a list or of a whole request body. `system` is the JSON of a prompt outside the transcript.
pub fn project_bytes(
    data: &[u8],
    config: &Config,
    facts: Facts<JsonNode>,
    system: Option<&str>,
) -> Result<Outcome<Bytes>, Error> {
    check_size(data.len(), config.limits.input_bytes)?;
    let depth = config.limits.depth;
    let mut source = scan(data, depth).map_err(Error::located)?;
    let system = system.map(|system| source.add(system, depth)).transpose()?;
    let found = system.map_or(Flags::NONE, |system| source.flags(system)) | source.flags(source.root());
    let facts = Facts { system, ..facts };
    project(&source, source.root(), config, facts, found == Flags::NONE, |made| bytes_of(&source, data, made))
}

fn check_size(size: usize, limit: u64) -> Result<(), Error> {
    if size as u64 <= limit {
        return Ok(());
    }
    let found = format!("found an input of {size} bytes, expected at most {limit} (limits.input_bytes)");
    Err(Error::new(ErrorKind::Limit, found))
}

fn bytes_of(source: &JsonSource<'_>, data: &[u8], made: &Made<'_, JsonNode>) -> Bytes {
    let system = made.system.as_ref().map(|system| dumps(source, system));
    let list = made.place.list;
    let mut out = Vec::new();
    let (whole, messages) = match made.place.body {
        None if made.messages.is_none() => (None, 0..data.len()),
        None => {
            let messages = put_messages(source, made, &mut out);
            (Some(out), messages)
        }
        Some(_) if !made.same => {
            let messages = payload(source, made, system.as_deref(), &mut out);
            (Some(out), messages)
        }
        Some(_) if made.messages.is_none() && !made.system_changed && !made.repeated_keys => (None, source.span(list)),
        Some(body) => {
            let messages = if is_whole(source, body, made) {
                rewrite(source, body, made, &mut out)
            } else {
                splice(source, data, body, made, &mut out)
            };
            (Some(out), messages)
        }
    };
    Bytes { whole, messages, is_body: made.place.body.is_some(), system }
}

/// Append the list of messages, and say where it stands.
fn put_messages(source: &JsonSource<'_>, made: &Made<'_, JsonNode>, out: &mut Vec<u8>) -> Range<usize> {
    let start = out.len();
    match &made.messages {
        None => write(source, &Tree::Copy(made.place.list), out),
        Some(messages) => {
            out.push(b'[');
            for (at, message) in messages.iter().enumerate() {
                if at > 0 {
                    out.push(b',');
                }
                write(source, message, out);
            }
            out.push(b']');
        }
    }
    start..out.len()
}

fn put_key(key: &str, out: &mut Vec<u8>) {
    for part in ["\"", key, "\":"] {
        out.extend_from_slice(part.as_bytes());
    }
}

/// Append the history fields of a request.
fn payload(
    source: &JsonSource<'_>,
    made: &Made<'_, JsonNode>,
    system: Option<&[u8]>,
    out: &mut Vec<u8>,
) -> Range<usize> {
    let shape = made.written.shape();
    out.push(b'{');
    if let (Some(key), Some(system)) = (shape.system_key, system) {
        put_key(key, out);
        out.extend_from_slice(system);
        out.push(b',');
    }
    put_key(shape.list_key, out);
    let messages = put_messages(source, made, out);
    out.push(b'}');
    messages
}

/// The key of the system field, if that is not what it was.
fn changed_system(made: &Made<'_, JsonNode>) -> Option<&'static str> {
    made.written.shape().system_key.filter(|_| made.system_changed)
}

/// Whether the body has to be written anew: a key stands twice, a field goes, or it was none that can be replaced.
fn is_whole(source: &JsonSource<'_>, body: JsonNode, made: &Made<'_, JsonNode>) -> bool {
    let is_odd = |key| {
        let kind = source.kind_at(body, key);
        made.system.is_none() || !matches!(kind, None | Some(Kind::String | Kind::Array | Kind::Object))
    };
    made.repeated_keys || changed_system(made).is_some_and(is_odd)
}

/// Append the body, each key once.
fn rewrite(source: &JsonSource<'_>, body: JsonNode, made: &Made<'_, JsonNode>, out: &mut Vec<u8>) -> Range<usize> {
    let mut messages = 0..0;
    let system_key = changed_system(made);
    let is_there = system_key.is_some_and(|key| source.get(body, key).is_some());
    out.push(b'{');
    if let (Some(key), Some(system), false) = (system_key, &made.system, is_there) {
        put_key(key, out);
        write(source, system, out);
        out.push(b',');
    }
    for (name, value) in source.entries(body) {
        let is = |key| source.text(name).as_deref() == Some(key);
        let is_system = system_key.is_some_and(is);
        if is_system && made.system.is_none() {
            continue;
        }
        if !matches!(out.last(), Some(b'{' | b',')) {
            out.push(b',');
        }
        write_key(source, name, out);
        match &made.system {
            _ if is(made.place.key) => messages = put_messages(source, made, out),
            Some(system) if is_system => write(source, system, out),
            _ => write(source, &Tree::Copy(value), out),
        }
    }
    out.push(b'}');
    messages
}

/// A value that goes into a body as it stands.
struct Insert<'m, 'p> {
    /// What it replaces; nothing for a new field, which becomes the first.
    span: Range<usize>,
    /// The key of a new field.
    new: Option<&'static str>,
    value: &'m Tree<'p, JsonNode>,
}

/// Append the body with other messages and another system field, and all around them as it stands.
fn splice(
    source: &JsonSource<'_>,
    data: &[u8],
    body: JsonNode,
    made: &Made<'_, JsonNode>,
    out: &mut Vec<u8>,
) -> Range<usize> {
    let list = source.span(made.place.list);
    let field = changed_system(made).zip(made.system.as_ref()).map(|(key, value)| {
        let inside = source.span(body).start + 1;
        match source.get(body, key) {
            Some(stored) => Insert { span: source.span(stored), new: None, value },
            None => Insert { span: inside..inside, new: Some(key), value },
        }
    });
    let (before, behind) = match field {
        Some(field) if field.span.start < list.start => (Some(field), None),
        field => (None, field),
    };
    let mut at = before.map_or(0, |field| put_field(source, data, 0, &field, out));
    out.extend_from_slice(data.get(at..list.start).unwrap_or_default());
    let messages = put_messages(source, made, out);
    at = behind.map_or(list.end, |field| put_field(source, data, list.end, &field, out));
    out.extend_from_slice(data.get(at..).unwrap_or_default());
    messages
}

/// Append what stands before a field, and the field; give what follows it.
fn put_field(source: &JsonSource<'_>, data: &[u8], at: usize, field: &Insert<'_, '_>, out: &mut Vec<u8>) -> usize {
    out.extend_from_slice(data.get(at..field.span.start).unwrap_or_default());
    if let Some(key) = field.new {
        put_key(key, out);
    }
    write(source, field.value, out);
    if field.new.is_some() {
        out.push(b',');
    }
    field.span.end
}
