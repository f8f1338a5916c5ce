//! Project: read, outline, rules, plan, apply. Mirrored by `apus._pure.project`.
