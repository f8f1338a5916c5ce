//! Mirrored by `apus._pure.rules.shared`.
