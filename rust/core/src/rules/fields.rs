//! Mirrored by `apus._pure.rules.fields`.
