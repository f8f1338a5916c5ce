//! Mirrored by `apus._pure.rules.binding`.
