//! Estimate: tokens of messages, of the system prompt and of tools. Mirrored by `apus._pure.estimate`.
