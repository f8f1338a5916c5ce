//! apus-core: projects a stored agent transcript into the history that one LLM provider accepts.
#![forbid(unsafe_code)]
