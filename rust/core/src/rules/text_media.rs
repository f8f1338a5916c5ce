//! Mirrored by `apus._pure.rules.text_media`.
