//! Keys of one object: whether one stands there twice, and which of them counts.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// Objects up to this size are compared key by key; larger ones are sorted, so that no object costs quadratic time.
const FEW: usize = 16;

/// A number that equal keys share: length, first and last eight bytes.
#[inline]
pub(super) fn print(bytes: &[u8], start: usize, end: usize) -> u64 {
    let length = end - start;
    let word =
        |at: usize| bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()).map(|word| u64::from_le_bytes(*word));
    let spread = (length as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    if length >= 8 {
        return word(start).unwrap_or(0) ^ word(end - 8).unwrap_or(0).rotate_left(29) ^ spread;
    }
    // A short key is read together with what stands behind it, which is then masked out.
    let short = word(start).unwrap_or_else(|| {
        let mut padded = [0; 8];
        padded[..length].copy_from_slice(&bytes[start..end]);
        u64::from_le_bytes(padded)
    });
    (short & ((1u64 << (8 * length)) - 1)) ^ spread
}

/// Whether two keys may be equal. False is sure.
#[inline]
pub(super) fn may_repeat(prints: &mut [u64]) -> bool {
    if prints.len() <= FEW {
        return prints.iter().enumerate().any(|(at, print)| prints[..at].contains(print));
    }
    prints.sort_unstable();
    prints.windows(2).any(|pair| pair[0] == pair[1])
}

/// Whether a key stands twice.
#[cold]
pub(super) fn repeat<K: Hash + Eq>(mut keys: impl Iterator<Item = K>) -> bool {
    let mut seen = HashSet::new();
    !keys.all(|key| seen.insert(key))
}

/// The last value of each key, at the place of the first: what a Python dict makes of the pairs.
///
/// The map hashes with a random key, because the keys come from outside.
pub(crate) fn last_of_each<K: Hash + Eq, V>(pairs: impl Iterator<Item = (K, V)>) -> Vec<V> {
    let mut places = HashMap::new();
    let mut kept = Vec::new();
    for (key, value) in pairs {
        match places.entry(key) {
            Entry::Occupied(place) => kept[*place.get()] = value,
            Entry::Vacant(place) => {
                place.insert(kept.len());
                kept.push(value);
            }
        }
    }
    kept
}
