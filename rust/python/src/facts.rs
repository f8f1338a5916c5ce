//! Facts: what the caller says about one request.

use apus_core::error::Step;
use apus_core::request::{Facts, OpenCalls, Origin};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::strings::text_of;

/// The facts as the core takes them, without the system prompt: `system_of` gives that as it is.
pub(crate) fn facts_of<N>(given: &Bound<'_, PyDict>) -> PyResult<Facts<N>> {
    let py = given.py();
    Ok(Facts {
        thinking: flag(value(given, intern!(py, "thinking"))?)?,
        store: flag(value(given, intern!(py, "store"))?)?,
        tools: match value(given, intern!(py, "tools"))? {
            Some(tools) => Some(tools.try_iter()?.map(|name| text_of(name?.cast()?)).collect::<PyResult<_>>()?),
            None => None,
        },
        origin: match value(given, intern!(py, "origin"))? {
            Some(makers) => Some(makers.try_iter()?.map(|maker| origin(&maker?)).collect::<PyResult<_>>()?),
            None => None,
        },
        open_calls: match value(given, intern!(py, "open_calls"))? {
            Some(said) if said.eq(intern!(py, "keep"))? => OpenCalls::Keep,
            Some(said) if said.eq(intern!(py, "trim"))? => OpenCalls::Trim,
            _ => OpenCalls::Synthesize,
        },
        server_state: flag(value(given, intern!(py, "server_state"))?)?.unwrap_or_default(),
        ..Facts::default()
    })
}

/// The prompt outside the transcript.
pub(crate) fn system_of<'py>(given: &Bound<'py, PyDict>) -> PyResult<Option<Bound<'py, PyAny>>> {
    value(given, intern!(given.py(), "system"))
}

/// The way to that prompt, for the error of a value that JSON cannot hold.
pub(crate) fn system_step() -> [Step; 1] {
    [Step::Key("system".to_owned())]
}

/// What is said under a key; `None` says nothing.
fn value<'py>(given: &Bound<'py, PyDict>, key: &Bound<'py, PyString>) -> PyResult<Option<Bound<'py, PyAny>>> {
    Ok(given.get_item(key)?.filter(|value| !value.is_none()))
}

fn flag(said: Option<Bound<'_, PyAny>>) -> PyResult<Option<bool>> {
    said.map(|said| said.is_truthy()).transpose()
}

/// Provider, api and model; `None` for a turn of an unknown maker.
fn origin(maker: &Bound<'_, PyAny>) -> PyResult<Option<Origin>> {
    if maker.is_none() {
        return Ok(None);
    }
    let parts: [Option<Bound<'_, PyString>>; 3] = {
        let (provider, api, model) = maker.extract()?;
        [provider, api, model]
    };
    let mut made = Origin::default();
    for (place, part) in made.iter_mut().zip(&parts) {
        *place = part.as_ref().map(text_of).transpose()?;
    }
    Ok(Some(made))
}
