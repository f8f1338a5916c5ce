//! Mirrored by `apus._pure.rules.tail`.
