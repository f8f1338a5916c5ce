//! Dumping: objects as compact JSON bytes.

use apus_core::json::{DEPTH, dumps};
use apus_core::tree::Tree;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::guarded;
use crate::objects::PySource;

/// Objects as compact JSON bytes.
#[pyfunction]
#[pyo3(signature = (value: "object") -> "bytes")]
pub(crate) fn dumps_objects(value: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyBytes>> {
    let py = value.py();
    guarded(py, || {
        let mut source = PySource::new(py);
        // The list of messages stands in an object of its own, so its limit is one level more.
        let root = source.read(value, DEPTH + 1, &[])?;
        Ok(PyBytes::new(py, &dumps(&source, &Tree::Copy(root))))
    })
}
