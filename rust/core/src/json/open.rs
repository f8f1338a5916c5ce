//! Open: a container whose end is yet to come.

use crate::error::Step;

/// What a container is, or that there is none.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Top,
    Array,
    Object,
}

/// A container that is not yet closed, or the top.
#[derive(Clone, Copy)]
pub(super) struct Open {
    /// Its entry.
    pub(super) entry: u32,
    /// Of an object the entry of the last key, 0 before the first; of an array the commas so far.
    pub(super) last: u32,
    /// Where the prints of its keys start.
    pub(super) prints: u32,
    /// Marks of what stands in it, and `ESCAPED` if one of its keys holds an escape.
    pub(super) marks: u8,
    pub(super) place: Place,
}

impl Open {
    pub(super) const TOP: Self = Self { entry: 0, last: 0, prints: 0, marks: 0, place: Place::Top };

    /// The step to the value that is being read in it; none before the first key.
    pub(super) fn step(&self, key: impl Fn(u32) -> String) -> Option<Step> {
        match (self.place, self.last) {
            (Place::Array, commas) => Some(Step::Index(commas as usize)),
            (Place::Object, entry @ 1..) => Some(Step::Key(key(entry))),
            _ => None,
        }
    }
}
