//! Mirrored by `apus._pure.rules.blank`.
