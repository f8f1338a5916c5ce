//! Mirrored by `apus._pure.rules.select`.
