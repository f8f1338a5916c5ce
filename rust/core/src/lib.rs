//! apus-core: projects a stored agent transcript into the history that one LLM provider accepts.
#![forbid(unsafe_code)]

pub mod applying;
pub mod arguments;
pub mod bodies;
pub mod dialects;
pub mod error;
pub mod estimate;
pub mod ids;
pub mod json;
pub mod matching;
pub mod models;
pub mod names;
pub mod outline;
pub mod plan;
pub mod policy;
pub mod project;
pub mod reading;
pub mod repairs;
pub mod request;
pub mod rules;
pub mod source;
pub mod splice;
pub mod texts;
pub mod tokens;
pub mod traces;
pub mod tree;
