//! Mirrored by `apus._pure.rules.orphans`.
