//! Mirrored by `apus._pure.dialects.reading`.
