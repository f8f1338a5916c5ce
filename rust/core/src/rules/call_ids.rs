//! Mirrored by `apus._pure.rules.call_ids`.
