//! Mirrored by `apus._pure.rules.media`.
