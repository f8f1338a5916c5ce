//! Mirrored by `apus._pure.dialects.apus_session`.
