//! Mirrored by `apus._pure.dialects.writing`.
