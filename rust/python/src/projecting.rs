//! Projecting: the two lanes.

use apus_core::applying::Made;
use apus_core::json::dumps;
use apus_core::project::{Outcome, project};
use apus_core::request::Facts;
use apus_core::source::{Flags, Source};
use apus_core::splice::{Bytes, project_bytes as project_json};
use apus_core::tree::Tree;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::answer::{Answer, Made as Lazy, Messages};
use crate::build::Builder;
use crate::compiled::Compiled;
use crate::errors::{Failure, guarded};
use crate::facts::{facts_of, system_of, system_step};
use crate::objects::{PyNode, PySource};

/// Project dicts and lists.
#[pyfunction]
#[pyo3(signature = (value: "object", compiled, facts: "dict[str, object]"))]
pub(crate) fn project_objects(
    value: Bound<'_, PyAny>,
    compiled: &Compiled,
    facts: &Bound<'_, PyDict>,
) -> PyResult<Answer> {
    let py = value.py();
    guarded(py, || {
        let depth = compiled.0.limits.depth;
        let mut source = PySource::new(py);
        let root = source.read(value, depth, &[]).map_err(Failure::located)?;
        let system = match system_of(facts)? {
            Some(system) => Some(source.read(system, depth, &system_step())?),
            None => None,
        };
        let found = system.map_or(Flags::NONE, |system| source.flags(system)) | source.flags(root);
        let facts = Facts { system, ..facts_of(facts)? };
        let clean = found == Flags::NONE;
        let outcome = project(&source, root, &compiled.0, facts, clean, |made| objects_of(&source, made))?;
        let (parts, outcome) = split(outcome);
        let (messages, system, body) = parts?;
        Ok(answer(outcome, Messages::Made(messages.unbind()), system, body))
    })
}

/// Messages, system field and body.
type Objects<'py> = (Bound<'py, PyAny>, Option<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>);

fn objects_of<'py>(source: &PySource<'py>, made: &Made<'_, PyNode>) -> PyResult<Objects<'py>> {
    let mut builder = Builder::new(source);
    let messages = match &made.messages {
        None => source.object(made.place.list),
        Some(trees) => {
            let messages = PyList::empty(source.py);
            for tree in trees {
                messages.append(builder.build(tree)?)?;
            }
            messages.into_any()
        }
    };
    let system = made.system.as_ref().map(|system| builder.build(system)).transpose()?;
    let body = made.place.body.map(|body| body_of(source, body, made, &messages, system.as_ref())).transpose()?;
    Ok((messages, system, body))
}

/// The body with the history replaced; that of another dialect holds nothing but the history.
fn body_of<'py>(
    source: &PySource<'py>,
    body: PyNode,
    made: &Made<'_, PyNode>,
    messages: &Bound<'py, PyAny>,
    system: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    if made.same && made.messages.is_none() && !made.system_changed {
        return Ok(source.object(body));
    }
    let shape = made.written.shape();
    let field = shape.system_key.filter(|_| !made.same || made.system_changed);
    let is_there = made.same && field.is_some_and(|key| source.get(body, key).is_some());
    let fields = PyDict::new(source.py);
    if let (Some(key), Some(system), false) = (field, system, is_there) {
        fields.set_item(key, system)?;
    }
    if !made.same {
        fields.set_item(shape.list_key, messages)?;
        return Ok(fields.into_any());
    }
    for (key, value) in source.entries(body) {
        let is = |wanted: &str| source.text(key).as_deref() == Some(wanted);
        let value = match system {
            _ if is(made.place.key) => messages.clone(),
            Some(system) if field.is_some_and(is) => system.clone(),
            None if field.is_some_and(is) => continue,
            _ => source.object(value),
        };
        fields.set_item(source.object(key), value)?;
    }
    Ok(fields.into_any())
}

/// Project JSON bytes of an array or of a whole request body.
#[pyfunction]
#[pyo3(signature = (data, compiled, facts: "dict[str, object]"))]
pub(crate) fn project_bytes(
    data: &Bound<'_, PyBytes>,
    compiled: &Compiled,
    facts: &Bound<'_, PyDict>,
) -> PyResult<Answer> {
    let py = data.py();
    guarded(py, || {
        let config = &compiled.0;
        let system = system_of(facts)?.map(|system| text_of(system, config.limits.depth)).transpose()?;
        let facts = facts_of(facts)?;
        let bytes = data.as_bytes();
        let (made, outcome) = split(py.detach(|| project_json(bytes, config, facts, system.as_deref()))?);
        let Bytes { whole, messages, is_body, system } = made;
        let whole = whole.map_or_else(|| data.clone(), |whole| PyBytes::new(py, &whole)).into_any();
        let system = system.map(|system| PyBytes::new(py, &system).into_any());
        let (messages, body) =
            if is_body { (Messages::Inside(messages), Some(whole)) } else { (Messages::Made(whole.unbind()), None) };
        Ok(answer(outcome, messages, system, body))
    })
}

/// The JSON text of a value that stands beside the bytes.
fn text_of(value: Bound<'_, PyAny>, depth: usize) -> Result<String, Failure> {
    let mut source = PySource::new(value.py());
    let root = source.read(value, depth, &system_step())?;
    Ok(String::from_utf8_lossy(&dumps(&source, &Tree::Copy(root))).into_owned())
}

fn split<R>(outcome: Outcome<R>) -> (R, Outcome<()>) {
    let Outcome { source, written, changed, first_change, repairs, id_map, moved_prefix, made } = outcome;
    (made, Outcome { source, written, changed, first_change, repairs, id_map, moved_prefix, made: () })
}

fn answer(
    outcome: Outcome<()>,
    messages: Messages,
    system: Option<Bound<'_, PyAny>>,
    body: Option<Bound<'_, PyAny>>,
) -> Answer {
    Answer {
        changed: outcome.changed,
        messages,
        system: system.map(Bound::unbind),
        body: body.map(Bound::unbind),
        repairs: outcome.repairs,
        id_map: outcome.id_map,
        moved_prefix: outcome.moved_prefix,
        first_change: outcome.first_change,
        source: outcome.source.shape().name,
        dialect: outcome.written.shape().name,
        made: Lazy::new(),
    }
}
