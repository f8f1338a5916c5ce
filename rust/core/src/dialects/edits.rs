//! Edits: what becomes of the keys of an object that is written anew.

use crate::tree::{Key, Tree};

/// What becomes of a key.
pub(super) enum Edit<'t, N> {
    /// It has this value.
    Set(Tree<'t, N>),
    /// It is taken out.
    Gone,
    /// It was given away, to stand where the stored key stood.
    Given,
}

impl<'t, N> Edit<'t, N> {
    /// The new value.
    pub(super) fn tree(self) -> Option<Tree<'t, N>> {
        match self {
            Self::Set(tree) => Some(tree),
            Self::Gone | Self::Given => None,
        }
    }
}

/// New values of keys, in order. There are few, so a list finds them faster than a map.
pub(super) struct Edits<'t, N>(Vec<(&'static str, Edit<'t, N>)>);

impl<'t, N> Edits<'t, N> {
    pub(super) fn new<const K: usize>(edits: [(&'static str, Tree<'t, N>); K]) -> Self {
        Self(edits.into_iter().map(|(key, tree)| (key, Edit::Set(tree))).collect())
    }

    /// Set a key, where it stands or behind all others; `None` takes it out.
    pub(super) fn put(&mut self, key: &'static str, tree: Option<Tree<'t, N>>) {
        let edit = tree.map_or(Edit::Gone, Edit::Set);
        match self.0.iter_mut().find(|(name, _)| *name == key) {
            Some((_, old)) => *old = edit,
            None => self.0.push((key, edit)),
        }
    }

    /// What becomes of a key of the stored object.
    pub(super) fn take(&mut self, key: &str) -> Option<Edit<'t, N>> {
        let (_, edit) = self.0.iter_mut().find(|(name, _)| *name == key)?;
        Some(std::mem::replace(edit, Edit::Given))
    }

    /// The keys that the stored object does not have.
    pub(super) fn rest(self) -> impl Iterator<Item = (Key<'t, N>, Tree<'t, N>)> {
        self.0.into_iter().filter_map(|(key, edit)| edit.tree().map(|tree| (key.into(), tree)))
    }

    /// A new object.
    pub(super) fn object(self) -> Tree<'t, N> {
        Tree::Object(self.rest().collect())
    }
}
