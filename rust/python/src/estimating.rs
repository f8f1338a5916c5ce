//! Estimating: tokens of a text, of messages, of a body.

use apus_core::dialects::Dialect;
use apus_core::error::{Error, ErrorKind};
use apus_core::estimate::{estimate as estimated, system_tokens, tool_tokens};
use apus_core::json::{DEPTH, scan};
use apus_core::tokens;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::errors::{Failure, guarded};
use crate::objects::{PyNode, PySource};
use crate::strings::text_of;

/// Tokens of a text.
#[pyfunction]
#[pyo3(signature = (text: "str") -> "int")]
pub(crate) fn text_tokens(py: Python<'_>, text: &Bound<'_, PyString>) -> PyResult<u64> {
    guarded(py, || Ok(tokens::text_tokens(&text_of(text)?)))
}

type Parts = (Vec<u64>, u64, u64);

/// Tokens of each message, of the system prompt and of the tools.
///
/// `value` is a text, a message, a list of them, a body, or the JSON bytes of any of these.
#[pyfunction]
#[pyo3(signature = (value: "object", dialect: "str | None", system: "object" = None, tools: "object" = None) -> "tuple[list[int], int, int]")]
pub(crate) fn estimate(
    value: Bound<'_, PyAny>,
    dialect: Option<&str>,
    system: Option<Bound<'_, PyAny>>,
    tools: Option<Bound<'_, PyAny>>,
) -> PyResult<Parts> {
    let py = value.py();
    guarded(py, || {
        let dialect = dialect.map(named).transpose()?;
        let (messages, beside, declared) = match value.cast::<PyBytes>() {
            Ok(bytes) => {
                let bytes = bytes.as_bytes();
                py.detach(|| scan(bytes, DEPTH).and_then(|source| estimated(&source, source.root(), dialect)))?
            }
            Err(_) => over(value, |source, root| estimated(source, root, dialect))??,
        };
        let system = system.map(|system| over(system, system_tokens)).transpose()?;
        let tools = tools.map(|tools| over(tools, tool_tokens)).transpose()?;
        Ok((messages, system.unwrap_or(beside), tools.unwrap_or(declared)))
    })
}

fn named(name: &str) -> Result<Dialect, Error> {
    let unknown = || Error::new(ErrorKind::Internal, "found an unknown dialect, expected a known one");
    Dialect::named(name).ok_or_else(unknown)
}

/// What `count` says about a Python value.
fn over<'py, T>(value: Bound<'py, PyAny>, count: impl FnOnce(&PySource<'py>, PyNode) -> T) -> Result<T, Failure> {
    let mut source = PySource::new(value.py());
    let root = source.read(value, DEPTH, &[])?;
    Ok(count(&source, root))
}
