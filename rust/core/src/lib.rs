//! apus-core: projects a stored agent transcript into the history that one LLM provider accepts.
#![forbid(unsafe_code)]

pub mod arguments;
pub mod error;
pub mod ids;
pub mod json;
pub mod source;
pub mod tokens;
pub mod tree;
