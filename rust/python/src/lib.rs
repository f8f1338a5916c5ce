//! The Python extension module `apus._native`: convert, call `apus_core`, convert back, nothing else.
//!
//! The module is declarative: the list in [`_native`] is the only place where a name becomes visible to Python, and
//! stub generation reads it. No `#[pymodule_init]`: introspection cannot see inside it and would call the stub
//! incomplete.

mod answer;
mod build;
mod compiled;
mod dumping;
mod errors;
mod estimating;
mod facts;
mod hinted;
mod info;
mod numbers;
mod objects;
mod projecting;
mod strings;
mod walk;

/// The native core of apus. Private: import `apus` instead.
#[pyo3::pymodule(gil_used = false)]
#[expect(non_upper_case_globals, reason = "constants carry the names that Python sees")]
mod _native {
    // One line per source file.
    #[pymodule_export]
    use crate::answer::Answer;
    #[pymodule_export]
    use crate::compiled::{Compiled, compile};
    #[pymodule_export]
    use crate::dumping::dumps_objects;
    #[pymodule_export]
    use crate::estimating::{estimate, text_tokens};
    #[pymodule_export]
    use crate::info::{info, listing};
    #[pymodule_export]
    use crate::projecting::{project_bytes, project_objects};

    /// The name of this core.
    #[pymodule_export]
    const NAME: &str = "native";

    /// The version of the distribution.
    #[pymodule_export]
    const version: &str = crate::info::VERSION;

    /// `release` or `debug`.
    #[pymodule_export]
    const build_profile: &str = crate::info::BUILD_PROFILE;
}
