//! Mirrored by `apus._pure.rules.provenance`.
