//! The rules, in order. Mirrored by `apus._pure.rules`.

pub(crate) mod binding;
pub(crate) mod blank;
pub(crate) mod cache_marks;
pub(crate) mod call_ids;
pub(crate) mod failed_turns;
pub(crate) mod fields;
pub(crate) mod malformed_calls;
pub(crate) mod media;
pub(crate) mod orphans;
pub(crate) mod pairing;
pub(crate) mod placing;
pub(crate) mod private_blocks;
pub(crate) mod provenance;
pub(crate) mod reasoning;
pub(crate) mod scrub;
pub(crate) mod select;
pub(crate) mod shared;
pub(crate) mod speakers;
pub(crate) mod systems;
pub(crate) mod tail;
pub(crate) mod text_media;
pub(crate) mod turns;
