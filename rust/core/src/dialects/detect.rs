//! Mirrored by `apus._pure.dialects.detect`.
