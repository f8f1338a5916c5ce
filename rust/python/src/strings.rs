//! Strings: Python's, which can hold half of a surrogate pair, to UTF-8 and back.

use apus_core::source::Flags;
use pyo3::exceptions::PyUnicodeEncodeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// A string with a lone surrogate.
pub(crate) struct Broken<'py> {
    pub(crate) object: Bound<'py, PyString>,
    /// In generalized UTF-8.
    pub(crate) exact: Vec<u8>,
    /// With U+FFFD for each lone surrogate.
    pub(crate) clean: String,
}

/// What is in a string, and what it says if that is not UTF-8.
#[inline]
pub(crate) fn flags_of<'py>(text: &Bound<'py, PyString>) -> PyResult<(Flags, Option<Box<Broken<'py>>>)> {
    match text.to_str() {
        Ok(said) => Ok((nul_in(said.as_bytes()), None)),
        Err(error) if error.is_instance_of::<PyUnicodeEncodeError>(text.py()) => broken(text),
        Err(error) => Err(error),
    }
}

#[inline]
fn nul_in(text: &[u8]) -> Flags {
    if memchr::memchr(0, text).is_some() { Flags::NUL } else { Flags::NONE }
}

fn broken<'py>(text: &Bound<'py, PyString>) -> PyResult<(Flags, Option<Box<Broken<'py>>>)> {
    let py = text.py();
    let bytes = text.call_method1(intern!(py, "encode"), (intern!(py, "utf-8"), intern!(py, "surrogatepass")))?;
    let exact = bytes.cast_into::<PyBytes>()?.as_bytes().to_vec();
    let flags = Flags::LONE_SURROGATE | nul_in(&exact);
    Ok((flags, Some(Box::new(Broken { object: text.clone(), clean: cleaned(&exact), exact }))))
}

/// Generalized UTF-8 with U+FFFD for each lone surrogate.
fn cleaned(exact: &[u8]) -> String {
    let mut bytes = exact.to_vec();
    let mut at = 0;
    while let Some(found) = memchr::memchr(0xed, &bytes[at..]) {
        at += found;
        // Only a surrogate goes on from A0. U+FFFD takes three bytes too.
        if let Some([_, 0xa0..=0xbf, _]) = bytes.get(at..at + 3) {
            bytes[at..at + 3].copy_from_slice("\u{fffd}".as_bytes());
        }
        at += 1;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What a string says, with U+FFFD for each lone surrogate.
pub(crate) fn text_of(text: &Bound<'_, PyString>) -> PyResult<String> {
    Ok(match flags_of(text)? {
        (_, Some(broken)) => broken.clean,
        (_, None) => text.to_str()?.to_owned(),
    })
}

/// The string that generalized UTF-8 is.
pub(crate) fn string<'py>(py: Python<'py>, exact: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    match std::str::from_utf8(exact) {
        Ok(text) => Ok(PyString::new(py, text).into_any()),
        Err(_) => PyBytes::new(py, exact)
            .call_method1(intern!(py, "decode"), (intern!(py, "utf-8"), intern!(py, "surrogatepass"))),
    }
}
