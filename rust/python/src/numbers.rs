//! Numbers: Python's to JSON text and back. Mirrors `number_text` of `apus._pure.json.values`.

use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt};

/// The largest integers that are written have this many digits: what Python itself refuses to write by default.
const MAX_DIGITS: u32 = 4300;
/// Digits that even the process with the strictest limit writes.
const CHUNK: usize = 600;

/// Whether an integer has more digits than Python's json module writes.
pub(crate) fn is_too_long(value: &Bound<'_, PyInt>) -> PyResult<bool> {
    if value.extract::<i64>().is_ok() {
        return Ok(false);
    }
    let limit = 10i32.into_pyobject(value.py())?.pow(MAX_DIGITS, value.py().None())?;
    value.call_method0("__abs__")?.ge(limit)
}

/// An integer as JSON writes it.
pub(crate) fn int_text(value: &Bound<'_, PyInt>) -> String {
    match value.extract::<i64>() {
        Ok(value) => value.to_string(),
        Err(_) => long_text(value).unwrap_or_default(),
    }
}

/// The digits of a long integer. The process may allow fewer at a time than the walk lets pass.
fn long_text(value: &Bound<'_, PyInt>) -> PyResult<String> {
    let py = value.py();
    let chunk = 10i32.into_pyobject(py)?.pow(CHUNK, py.None())?;
    let mut rest = value.call_method0("__abs__")?;
    let mut digits = Vec::new();
    while rest.ge(&chunk)? {
        let (high, low): (Bound<'_, PyAny>, Bound<'_, PyAny>) = rest.divmod(&chunk)?.extract()?;
        digits.push(format!("{:0>CHUNK$}", low.repr()?.to_str()?));
        rest = high;
    }
    digits.push(rest.repr()?.to_str()?.to_owned());
    digits.reverse();
    let sign = if value.lt(0)? { "-" } else { "" };
    Ok(format!("{sign}{}", digits.concat()))
}

/// A float as Python and JSON write it.
pub(crate) fn float_text(value: &Bound<'_, PyFloat>) -> String {
    // Of its own class, because a subclass may write itself otherwise.
    let text = PyFloat::new(value.py(), value.value()).repr();
    text.and_then(|text| text.to_str().map(str::to_owned)).unwrap_or_default()
}

/// The Python number that a JSON number is: integers exactly, others as the nearest double.
pub(crate) fn from_text<'py>(py: Python<'py>, number: &str) -> PyResult<Bound<'py, PyAny>> {
    if number.bytes().any(|b| matches!(b, b'.' | b'e' | b'E')) {
        return Ok(PyFloat::new(py, number.parse().unwrap_or(f64::NAN)).into_any());
    }
    match number.parse::<i64>() {
        Ok(value) => Ok(value.into_pyobject(py)?.into_any()),
        Err(_) => py.get_type::<PyInt>().call1((number,)),
    }
}
