//! Mirrored by `apus._pure.dialects.openai_chat`.
