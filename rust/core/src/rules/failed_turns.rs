//! Mirrored by `apus._pure.rules.failed_turns`.
