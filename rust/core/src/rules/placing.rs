//! Mirrored by `apus._pure.rules.placing`.
