//! Errors: those of the core as the classes of `apus.errors`. A panic becomes an `InternalError` of one call.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use apus_core::error::{Error, ErrorKind};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

/// Why a call has no answer.
pub(crate) enum Failure {
    /// The core says why.
    Core(Error),
    /// Python raised.
    Python(PyErr),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Core(error)
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

impl Failure {
    /// The same failure; inside a body, with the place that it has in the list of messages there.
    pub(crate) fn located(self) -> Self {
        match self {
            Self::Core(error) => Self::Core(error.located()),
            Self::Python(_) => self,
        }
    }

    fn raised(self, py: Python<'_>) -> PyErr {
        match self {
            Self::Python(error) => error,
            Self::Core(error) => exception(py, &error).unwrap_or_else(|error| error),
        }
    }
}

fn exception(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    static TRANSCRIPT: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static LIMIT: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static INTERNAL: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = |lock: &'static PyOnceLock<Py<PyType>>, name| lock.import(py, "apus.errors", name);
    let made = match error.kind {
        ErrorKind::Limit => class(&LIMIT, "LimitExceeded")?.call1((&error.message,))?,
        ErrorKind::Internal => class(&INTERNAL, "InternalError")?.call1((&error.message,))?,
        kind => {
            let place = PyDict::new(py);
            place.set_item(intern!(py, "kind"), kind.name())?;
            place.set_item(intern!(py, "loc"), error.loc)?;
            place.set_item(intern!(py, "pointer"), &error.pointer)?;
            place.set_item(intern!(py, "offset"), error.offset)?;
            class(&TRANSCRIPT, "TranscriptError")?.call((&error.message,), Some(&place))?
        }
    };
    Ok(PyErr::from_value(made))
}

thread_local! {
    /// Whether a panic of this thread is caught here, so that nothing is to be printed.
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
    /// Where that panic was. What it says is not told: it can quote the transcript.
    static PLACE: Cell<Option<String>> = const { Cell::new(None) };
}

/// Call the core. Nothing but an exception comes out of it.
pub(crate) fn guarded<T>(py: Python<'_>, call: impl FnOnce() -> Result<T, Failure>) -> PyResult<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let print = take_hook();
        set_hook(Box::new(move |info| if IS_CAUGHT.get() { PLACE.set(place(info)) } else { print(info) }));
    });
    let before = IS_CAUGHT.replace(true);
    let done = catch_unwind(AssertUnwindSafe(call));
    IS_CAUGHT.set(before);
    done.unwrap_or_else(|_| {
        let place = PLACE.take().unwrap_or_else(|| "an unknown place".to_owned());
        Err(Error::new(ErrorKind::Internal, format!("found a fault inside apus: a panic at {place}")).into())
    })
    .map_err(|failure| failure.raised(py))
}

/// File and line, without the folders of the machine that built this.
fn place(info: &PanicHookInfo<'_>) -> Option<String> {
    let place = info.location()?;
    let file = place.file().rsplit(['/', '\\']).next().unwrap_or_default();
    Some(format!("{file}:{}", place.line()))
}
