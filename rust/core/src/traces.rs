//! Traces: what a repair says of content that is not sent. Mirrored by `apus._pure.traces`.

use std::fmt::Write;

use sha2::{Digest as _, Sha256};

use crate::json::compact;
use crate::json::compact::exact;
use crate::source::Source;

/// Size and digest of a value: bytes of its compact JSON text, and the first 16 hex digits of its SHA-256.
pub fn trace_of<S: Source>(source: &S, node: Option<S::Node>) -> String {
    let text = node.map(|node| compact(source, node)).unwrap_or_default();
    let mut made = format!("{} bytes sha256:", text.len());
    for byte in &Sha256::digest(text.as_bytes())[..8] {
        let _ = write!(made, "{byte:02x}");
    }
    made
}

/// A SHA-256.
pub(crate) type Digest = [u8; 32];

/// Digest of the exact text of a value; no value is `null`. Equal for two values that are the same to `Source::same`, and
/// made once per value where one is compared with many.
pub(crate) fn fingerprint<S: Source>(source: &S, node: Option<S::Node>) -> Digest {
    let Some(node) = node else { return Sha256::digest("null").into() };
    match source.ready(node) {
        Some(ready) => Sha256::digest(ready).into(),
        None => Sha256::digest(exact(source, node)).into(),
    }
}
