//! Hinted: collections whose elements the stub names, because `PyTuple` and `PyDict` alone say nothing of them.

use std::convert::Infallible;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

macro_rules! hinted {
    ($(#[$doc:meta] $name:ident($class:ty) = $hint:literal),+ $(,)?) => { $(
        #[$doc]
        pub(crate) struct $name(pub(crate) Py<$class>);

        impl<'py> IntoPyObject<'py> for $name {
            type Target = $class;
            type Output = Bound<'py, $class>;
            type Error = Infallible;
            #[cfg(feature = "inspect")]
            const OUTPUT_TYPE: pyo3::inspect::PyStaticExpr = pyo3::inspect::PyStaticExpr::Name { id: $hint };

            fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Infallible> {
                Ok(self.0.into_bound(py))
            }
        }
    )+ };
}

hinted!(
    /// Kind, place, pointer, id and detail of each change.
    Records(PyTuple) = "tuple[tuple[str, tuple[int, int | None] | None, str | None, str | None, str | None], ...]",
    /// New call id and stored one.
    Ids(PyDict) = "dict[str, str | None]",
    /// Words.
    Words(PyTuple) = "tuple[str, ...]",
);
