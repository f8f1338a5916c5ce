//! Mirrored by `apus._pure.rules.private_blocks`.
