//! Mirrored by `apus._pure.dialects.anthropic_write`.
