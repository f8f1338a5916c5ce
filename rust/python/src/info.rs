//! What this build is: version, build profile, SIMD level.

use apus_core::dialects::Dialect;
use apus_core::repairs::RepairKind;
use apus_core::rules;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// The version of the distribution; Cargo.toml is the one place that says it.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// `release` or `debug`, so that a slow build can say so and no benchmark times one.
pub(crate) const BUILD_PROFILE: &str = if cfg!(debug_assertions) { "debug" } else { "release" };

/// The widest vector instructions that the byte scanners find on this machine.
fn simd_level() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        if std::is_x86_feature_detected!("avx2") {
            return "avx2";
        }
        if std::is_x86_feature_detected!("sse4.2") {
            return "sse4.2";
        }
        "sse2"
    }
    #[cfg(target_arch = "aarch64")]
    {
        "neon"
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    {
        "none"
    }
}

/// Facts of this build, as one small dict.
#[pyfunction]
#[pyo3(signature = () -> "dict[str, str]")]
pub(crate) fn info(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let facts = PyDict::new(py);
    facts.set_item("version", VERSION)?;
    facts.set_item("build_profile", BUILD_PROFILE)?;
    facts.set_item("simd", simd_level())?;
    Ok(facts)
}

/// What this core knows, for tests that compare the two: rules, repair kinds, dialects.
#[pyfunction]
#[pyo3(signature = () -> "dict[str, tuple[str, ...]]")]
pub(crate) fn listing(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let listed = PyDict::new(py);
    listed.set_item("rules", PyTuple::new(py, rules::names())?)?;
    listed.set_item("repair_kinds", PyTuple::new(py, RepairKind::ALL.iter().map(|kind| kind.name()))?)?;
    listed.set_item("dialects", PyTuple::new(py, Dialect::ALL.iter().map(|dialect| dialect.shape().name))?)?;
    Ok(listed)
}
