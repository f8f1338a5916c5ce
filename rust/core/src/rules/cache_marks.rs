//! Mirrored by `apus._pure.rules.cache_marks`.
