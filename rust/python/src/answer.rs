//! Answer: what one projection gives back. Its attributes are those of `apus._pure.core.Answer`.

use std::ops::Range;

use apus_core::repairs::Repair;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use crate::hinted::{Ids, Records, Words};

/// The messages: as they are, or where they stand in the body.
pub(crate) enum Messages {
    Made(Py<PyAny>),
    /// Cut out when somebody asks: whoever sends the body never does.
    Inside(Range<usize>),
}

/// What one projection gives back; `messages`, `system` and `body` are Python values or bytes, as the input was.
#[pyclass(frozen, module = "apus._native")]
pub(crate) struct Answer {
    pub(crate) changed: bool,
    pub(crate) messages: Messages,
    pub(crate) system: Option<Py<PyAny>>,
    pub(crate) body: Option<Py<PyAny>>,
    pub(crate) repairs: Vec<Repair>,
    pub(crate) id_map: Vec<(String, Option<String>)>,
    pub(crate) moved_prefix: Vec<&'static str>,
    pub(crate) first_change: Option<u32>,
    pub(crate) source: &'static str,
    pub(crate) dialect: &'static str,
    pub(crate) made: Made,
}

/// Python values of an answer that are made on first access.
pub(crate) struct Made {
    messages: PyOnceLock<Py<PyAny>>,
    repairs: PyOnceLock<Py<PyTuple>>,
    id_map: PyOnceLock<Py<PyDict>>,
}

impl Made {
    /// Nothing yet.
    pub(crate) const fn new() -> Self {
        Self { messages: PyOnceLock::new(), repairs: PyOnceLock::new(), id_map: PyOnceLock::new() }
    }
}

type Record<'r> = (&'static str, Option<(u32, Option<u32>)>, Option<&'r str>, Option<&'r str>, Option<&'r str>);

fn record(repair: &Repair) -> Record<'_> {
    let Repair { kind, loc, pointer, id, detail } = repair;
    (kind.name(), *loc, pointer.as_deref(), id.as_deref(), detail.as_deref())
}

#[pymethods]
impl Answer {
    /// Whether the answer differs from the input.
    #[getter]
    fn changed(&self) -> bool {
        self.changed
    }

    /// The target's list.
    #[getter]
    fn messages(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match (&self.messages, &self.body) {
            (Messages::Made(messages), _) => Ok(messages.clone_ref(py)),
            (Messages::Inside(range), Some(body)) => {
                let cut = || Ok(PyBytes::new(py, &body.bind(py).cast::<PyBytes>()?.as_bytes()[range.clone()]).into());
                self.made.messages.get_or_try_init(py, cut).map(|made: &Py<PyAny>| made.clone_ref(py))
            }
            (Messages::Inside(_), None) => Ok(py.None()),
        }
    }

    /// The system prompt beside the list.
    #[getter]
    fn system(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.system.as_ref().map(|system| system.clone_ref(py))
    }

    /// The whole body, if the input was one.
    #[getter]
    fn body(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.body.as_ref().map(|body| body.clone_ref(py))
    }

    /// Kind, place, pointer, id and detail of each change.
    #[getter]
    fn repairs(&self, py: Python<'_>) -> PyResult<Records> {
        let make = || PyTuple::new(py, self.repairs.iter().map(record)).map(Bound::unbind);
        self.made.repairs.get_or_try_init(py, make).map(|made| Records(made.clone_ref(py)))
    }

    /// New call id and stored one.
    #[getter]
    fn id_map(&self, py: Python<'_>) -> PyResult<Ids> {
        let make = || {
            let made = PyDict::new(py);
            for (new, old) in &self.id_map {
                made.set_item(new, old)?;
            }
            Ok(made.unbind())
        };
        self.made.id_map.get_or_try_init(py, make).map(|made: &Py<PyDict>| Ids(made.clone_ref(py)))
    }

    /// Why an earlier part may project differently.
    #[getter]
    fn moved_prefix(&self, py: Python<'_>) -> PyResult<Words> {
        PyTuple::new(py, &self.moved_prefix).map(|words| Words(words.unbind()))
    }

    /// Index of the first message that differs from the stored one.
    #[getter]
    fn first_change(&self) -> Option<u32> {
        self.first_change
    }

    /// The dialect that was read.
    #[getter]
    fn source(&self) -> &'static str {
        self.source
    }

    /// The dialect that was written.
    #[getter]
    fn dialect(&self) -> &'static str {
        self.dialect
    }
}
