//! Mirrored by `apus._pure.rules.pairing`.
