//! Mirrored by `apus._pure.rules.systems`.
