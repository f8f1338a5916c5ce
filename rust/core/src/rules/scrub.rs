//! Mirrored by `apus._pure.rules.scrub`.
