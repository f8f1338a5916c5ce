//! Ids: what a minted id is made of. A fixed hash, so that one call has one name in every process and both cores.

use sha2::{Digest, Sha256};

/// Keeps these hashes apart from all others.
const DOMAIN: &[u8] = b"apus call id\0";
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Digits that one hash is good for: 62^42 < 2^256.
const DIGITS: usize = 42;

/// The hash of an old id, the number of its occurrence and of the attempt. The length keeps the fields apart.
#[must_use]
pub fn digest(old: &str, occurrence: u64, attempt: u32) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(DOMAIN);
    hash.update((old.len() as u64).to_be_bytes());
    hash.update(old);
    hash.update(occurrence.to_be_bytes());
    hash.update(attempt.to_be_bytes());
    hash.finalize().into()
}

/// The last `length` digits of `digest` in base 62, lowest first; then those of the hash of the hash.
#[must_use]
pub fn base62(digest: &[u8; 32], length: usize) -> String {
    let mut hash = *digest;
    let mut number = hash;
    let mut text = String::with_capacity(length);
    for at in 0..length {
        if at > 0 && at % DIGITS == 0 {
            hash = Sha256::digest(hash).into();
            number = hash;
        }
        text.push(char::from(ALPHABET[divide(&mut number)]));
    }
    text
}

/// Divide a big-endian number by 62 and give the remainder.
fn divide(number: &mut [u8; 32]) -> usize {
    let mut remainder = 0;
    for byte in number {
        let part = remainder << 8 | u16::from(*byte);
        *byte = (part / 62).to_be_bytes()[1];
        remainder = part % 62;
    }
    usize::from(remainder)
}
