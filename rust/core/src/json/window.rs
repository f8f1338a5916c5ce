//! Window: 64 bytes of a text, looked at together.
//!
//! Strings of agent text are full of escapes: every 27th byte is one. A branch for each would be guessed wrongly most of the
//! time; a few operations on the bits of a window settle all the ordinary ones in it at once.

use wide::u8x16;

/// Bytes of a window.
const WINDOW: usize = 64;
/// Bytes of one vector.
const LANES: usize = 16;
/// The last control character; a string may hold none.
pub(super) const LAST_CONTROL: u8 = 0x1f;

/// A text, and the window that was looked at last.
pub(super) struct Windows<'a> {
    pub(super) bytes: &'a [u8],
    /// Where the window starts.
    base: usize,
    /// What stands in it; nothing stands behind the end of the text.
    seen: Seen,
    /// The letters of simple escapes in it, once somebody has asked.
    letters: Option<u64>,
}

/// A bit for each byte of a window.
#[derive(Clone, Copy, Default)]
pub(super) struct Seen {
    pub(super) quotes: u64,
    pub(super) slashes: u64,
    pub(super) controls: u64,
    /// How many bytes there are.
    pub(super) width: usize,
}

impl Seen {
    /// Where the first byte is that is no plain one, if there is any.
    #[inline]
    pub(super) fn first_special(self) -> Option<usize> {
        let specials = self.quotes | self.slashes | self.controls;
        (specials != 0).then(|| specials.trailing_zeros() as usize)
    }
}

impl<'a> Windows<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, base: 0, seen: Seen::default(), letters: None }
    }

    /// What stands from `at` to the end of its window, the first bit for `at` itself.
    #[inline]
    pub(super) fn from(&mut self, at: usize) -> Seen {
        let mut shift = at.wrapping_sub(self.base);
        if shift >= self.seen.width {
            self.look(at);
            shift = 0;
        }
        let Seen { quotes, slashes, controls, width } = self.seen;
        Seen { quotes: quotes >> shift, slashes: slashes >> shift, controls: controls >> shift, width: width - shift }
    }

    /// The letters of simple escapes in the bytes that `from` has just told of.
    #[inline]
    pub(super) fn letters(&mut self, at: usize) -> u64 {
        let letters = self.letters.unwrap_or_else(|| {
            let letters = mask(&padded(self.bytes, self.base).0, is_letter);
            letters | self.seen.quotes | self.seen.slashes
        });
        self.letters = Some(letters);
        letters >> (at - self.base)
    }

    fn look(&mut self, at: usize) {
        let (window, width) = padded(self.bytes, at);
        self.base = at;
        self.letters = None;
        self.seen = Seen {
            quotes: mask(&window, |bytes| bytes.cmp_eq(u8x16::splat(b'"'))),
            slashes: mask(&window, |bytes| bytes.cmp_eq(u8x16::splat(b'\\'))),
            controls: mask(&window, |bytes| bytes.min(u8x16::splat(LAST_CONTROL)).cmp_eq(bytes)),
            width,
        };
    }
}

/// The bytes from `at` on, with spaces behind the end of the text, and how many there are.
#[inline]
fn padded(bytes: &[u8], at: usize) -> ([u8; WINDOW], usize) {
    let rest = bytes.get(at..).unwrap_or_default();
    if let Some(window) = rest.first_chunk::<WINDOW>() {
        return (*window, WINDOW);
    }
    let mut window = [b' '; WINDOW];
    window[..rest.len()].copy_from_slice(rest);
    (window, rest.len())
}

/// The letters of simple escapes; a quote and a backslash are two more.
#[inline]
fn is_letter(bytes: u8x16) -> u8x16 {
    // But for one bit b and f are one.
    let found = (bytes & u8x16::splat(!4)).cmp_eq(u8x16::splat(b'b'));
    [b'n', b'r', b't'].into_iter().fold(found, |found, letter| found | bytes.cmp_eq(u8x16::splat(letter)))
}

/// A bit for each byte that `test` marks.
#[inline]
fn mask(window: &[u8; WINDOW], test: impl Fn(u8x16) -> u8x16) -> u64 {
    let marked = |bytes: &[u8; LANES]| u64::from(test(u8x16::new(*bytes)).move_mask().cast_unsigned());
    window.as_chunks::<LANES>().0.iter().rev().fold(0, |mask, bytes| mask << LANES | marked(bytes))
}

/// All bits before the first one of `bits`; all there are if that is empty.
#[inline]
pub(super) fn before(bits: u64) -> u64 {
    (bits & bits.wrapping_neg()).wrapping_sub(1)
}

/// Bits for the first `width` bytes.
#[inline]
pub(super) fn first(width: usize) -> u64 {
    if width < WINDOW { (1 << width) - 1 } else { u64::MAX }
}

/// A bit for each byte behind a backslash that counts, and whether the first byte behind the `width` bytes is one.
///
/// `is_first` says whether the first byte here is one, because of the window before.
#[inline]
pub(super) fn escaped(slashes: u64, width: usize, is_first: bool) -> (u64, bool) {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    let first = u64::from(is_first);
    // A backslash that is escaped itself starts nothing.
    let starts = slashes & !first;
    let behind = starts << 1 | first;
    // The sum carries through each run of backslashes that starts at an odd place: what it escapes are the even places.
    let (sum, is_over) = (starts & !EVEN & !behind).overflowing_add(starts);
    let escaped = (EVEN ^ (sum << 1)) & behind;
    (escaped, if width < WINDOW { escaped >> width & 1 == 1 } else { is_over })
}

#[cfg(test)]
mod tests {
    use super::{WINDOW, Windows, escaped};

    /// Which bytes stand behind a backslash that counts, one by one.
    fn plainly(text: &[u8]) -> Vec<bool> {
        let mut is_next = false;
        let step = |byte: &u8| {
            std::mem::replace(&mut is_next, false) || {
                is_next = *byte == b'\\';
                false
            }
        };
        text.iter().map(step).collect()
    }

    #[test]
    fn runs_of_backslashes_cross_windows() {
        for length in 0..9 {
            for start in 0..2 * WINDOW {
                let text = ["x".repeat(start), "\\".repeat(length), "y".repeat(90)].concat();
                let mut windows = Windows::new(text.as_bytes());
                let (mut at, mut is_first, mut found) = (0, false, Vec::new());
                while at < text.len() {
                    let seen = windows.from(at);
                    let (bits, is_next) = escaped(seen.slashes, seen.width, is_first);
                    found.extend((0..seen.width).map(|bit| bits >> bit & 1 == 1));
                    is_first = is_next;
                    at += seen.width;
                }
                assert_eq!(found, plainly(text.as_bytes()), "{length} from {start}");
            }
        }
    }
}
