//! The Python extension module `apus._native`: convert, call `apus_core`, convert back, nothing else.
//!
//! The module is declarative: the list in [`_native`] is the only place where a name becomes visible to Python, and
//! stub generation reads it. No `#[pymodule_init]`: introspection cannot see inside it and would call the stub
//! incomplete.

mod info;

/// The native core of apus. Private: import `apus` instead.
#[pyo3::pymodule(gil_used = false)]
#[expect(non_upper_case_globals, reason = "constants carry the names that Python sees")]
mod _native {
    // One line per source file.
    #[pymodule_export]
    use crate::info::info;

    /// The version of the distribution.
    #[pymodule_export]
    const version: &str = crate::info::VERSION;

    /// `release` or `debug`.
    #[pymodule_export]
    const build_profile: &str = crate::info::BUILD_PROFILE;
}
