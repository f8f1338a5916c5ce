//! Mirrored by `apus._pure.rules.speakers`.
