//! Mirrored by `apus._pure.rules.turns`.
