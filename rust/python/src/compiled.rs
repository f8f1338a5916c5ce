//! Compiled: a projector's configuration, read once.

use apus_core::request::Config;
use pyo3::prelude::*;

use crate::errors::guarded;

/// A projector's configuration.
#[pyclass(frozen, module = "apus._native")]
pub(crate) struct Compiled(pub(crate) Config);

/// A projector's configuration from its JSON text.
#[pyfunction]
pub(crate) fn compile(py: Python<'_>, config: &str) -> PyResult<Compiled> {
    guarded(py, || Ok(Compiled(Config::parse(config)?)))
}
