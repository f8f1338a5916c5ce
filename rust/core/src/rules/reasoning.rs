//! Mirrored by `apus._pure.rules.reasoning`.
