//! Mirrored by `apus._pure.dialects.apus`.
