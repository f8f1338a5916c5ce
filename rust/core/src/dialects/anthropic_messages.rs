//! Mirrored by `apus._pure.dialects.anthropic_messages`.
