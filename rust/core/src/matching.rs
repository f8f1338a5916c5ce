//! Matching: which result answers which call. Mirrored by `apus._pure.matching`.
