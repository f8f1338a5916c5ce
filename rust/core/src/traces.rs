//! Traces: what a repair says of content that is not sent. Mirrored by `apus._pure.traces`.

use std::fmt::Write;

use sha2::{Digest, Sha256};

use crate::json::compact;
use crate::source::Source;

/// Size and digest of a value: bytes of its compact JSON text, and the first 16 hex digits of the SHA-256 of that.
pub fn trace_of<S: Source>(source: &S, node: Option<S::Node>) -> String {
    let text = node.map(|node| compact(source, node)).unwrap_or_default();
    let mut made = format!("{} bytes sha256:", text.len());
    for byte in &Sha256::digest(text.as_bytes())[..8] {
        let _ = write!(made, "{byte:02x}");
    }
    made
}
