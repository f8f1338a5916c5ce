//! JSON: bytes to a `Source` and back.

pub(crate) mod compact;
pub(crate) mod escape;
pub(crate) mod keys;
mod lexeme;
mod open;
pub(crate) mod scan;
pub(crate) mod string;
pub(crate) mod values;
mod window;
pub(crate) mod write;

pub use compact::compact;
pub use scan::{DEPTH, scan};
pub use values::{JsonNode, JsonSource};
pub use write::{dumps, exact_of, text_of, write};
