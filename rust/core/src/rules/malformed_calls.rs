//! Mirrored by `apus._pure.rules.malformed_calls`.
