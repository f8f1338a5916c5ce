//! Strings of a JSON text: where they end, and what they say.

use std::borrow::Cow;

use crate::names::is_space;
use crate::source;

/// Bytes looked at together.
const WINDOW: usize = 64;

/// Finds the bytes that end a run of plain string bytes: a quote, a backslash or a control character.
///
/// It looks at 64 bytes at once and remembers what it saw, because runs in agent text are short and end at no foreseeable
/// place: a search that starts anew behind each escape takes 1.6 times as long. The loops are plain ones that the compiler
/// turns into vector code.
#[derive(Clone, Debug)]
pub(crate) struct Specials<'a> {
    bytes: &'a [u8],
    /// Where the window starts.
    base: usize,
    /// A bit for each special byte in it.
    mask: u64,
}

impl<'a> Specials<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, base: 0, mask: 0 }
    }

    /// The first special byte from `at` on, or the end. `at` must not lie before that of an earlier call.
    #[inline]
    pub(crate) fn next(&mut self, at: usize) -> usize {
        let shift = at - self.base;
        let ahead = if shift < WINDOW { self.mask >> shift } else { 0 };
        if ahead != 0 {
            return at + ahead.trailing_zeros() as usize;
        }
        self.search(at)
    }

    fn search(&mut self, mut at: usize) -> usize {
        while let Some(window) = self.bytes.get(at..).and_then(|rest| rest.first_chunk::<WINDOW>()) {
            let mask = special_mask(window);
            if mask != 0 {
                self.base = at;
                self.mask = mask;
                return at + mask.trailing_zeros() as usize;
            }
            at += WINDOW;
        }
        let rest = self.bytes.get(at..).unwrap_or_default();
        at + rest.iter().position(|&byte| is_special(byte)).unwrap_or(rest.len())
    }
}

/// A bit for each special byte.
#[inline]
fn special_mask(window: &[u8; WINDOW]) -> u64 {
    let mut marks = [0u8; WINDOW];
    for (mark, &byte) in marks.iter_mut().zip(window) {
        *mark = u8::from(is_special(byte));
    }
    if marks.iter().fold(0, |all, mark| all | mark) == 0 {
        return 0;
    }
    // The product moves the lowest bit of byte i of a word to bit 56 + i.
    marks
        .as_chunks::<8>()
        .0
        .iter()
        .rev()
        .fold(0, |mask, word| mask << 8 | u64::from_le_bytes(*word).wrapping_mul(0x0102_0408_1020_4080) >> 56)
}

#[inline]
fn is_special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// What a one-letter escape stands for.
pub(crate) const fn simple_escape(letter: u8) -> Option<char> {
    Some(match letter {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        _ => return None,
    })
}

/// The four hex digits at `at` as a number.
#[inline]
pub(crate) fn hex4(bytes: &[u8], at: usize) -> Option<u16> {
    let digits = bytes.get(at..)?.first_chunk::<4>()?;
    digits.iter().try_fold(0u16, |unit, &digit| {
        let value = (digit as char).to_digit(16)?;
        Some((unit << 4) | u16::try_from(value).ok()?)
    })
}

/// A piece of a string.
pub(crate) enum Piece<'a> {
    /// Characters that stand for themselves.
    Run(&'a str),
    /// An escape.
    Char(char),
    /// An escape for half of a surrogate pair.
    Surrogate(u16),
}

impl Piece<'_> {
    /// How many bytes it takes in UTF-8, where half of a surrogate pair is U+FFFD.
    fn len(&self) -> usize {
        match self {
            Self::Run(run) => run.len(),
            Self::Char(c) => c.len_utf8(),
            Self::Surrogate(_) => char::REPLACEMENT_CHARACTER.len_utf8(),
        }
    }
}

/// What the `\u` escape with its `u` at `at` stands for, and where it ends. Two escapes that form a pair are one.
#[inline]
pub(crate) fn unicode_escape(bytes: &[u8], at: usize) -> Option<(Piece<'static>, usize)> {
    let unit = hex4(bytes, at + 1)?;
    let end = at + 5;
    if (0xd800..0xdc00).contains(&unit)
        && bytes.get(end..end + 2) == Some(br"\u")
        && let Some(low @ 0xdc00..0xe000) = hex4(bytes, end + 2)
    {
        let code = 0x1_0000 + ((u32::from(unit) - 0xd800) << 10) + (u32::from(low) - 0xdc00);
        return Some((Piece::Char(char::from_u32(code)?), end + 6));
    }
    let piece = char::from_u32(u32::from(unit)).map_or(Piece::Surrogate(unit), Piece::Char);
    Some((piece, end))
}

/// The pieces of a valid string, given without its quotes.
pub(crate) struct Pieces<'a> {
    raw: &'a str,
    specials: Specials<'a>,
    at: usize,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        let bytes = self.raw.as_bytes();
        let from = self.at;
        if bytes.get(from) != Some(&b'\\') {
            self.at = self.specials.next(from);
            return self.raw.get(from..self.at).filter(|run| !run.is_empty()).map(Piece::Run);
        }
        let letter = *bytes.get(from + 1)?;
        if let Some(c) = simple_escape(letter) {
            self.at = from + 2;
            return Some(Piece::Char(c));
        }
        let (piece, end) = unicode_escape(bytes, from + 1)?;
        self.at = end;
        Some(piece)
    }
}

/// The pieces of `raw`, a valid string without its quotes.
pub(crate) fn pieces(raw: &str) -> Pieces<'_> {
    Pieces { raw, specials: Specials::new(raw.as_bytes()), at: 0 }
}

/// What `raw` says, with U+FFFD for each lone surrogate.
pub(crate) fn decoded(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    for piece in pieces(raw) {
        match piece {
            Piece::Run(run) => text.push_str(run),
            Piece::Char(c) => text.push(c),
            Piece::Surrogate(_) => text.push(char::REPLACEMENT_CHARACTER),
        }
    }
    text
}

/// Whether nothing can be read in what `raw` says; the first visible character ends the search.
pub(crate) fn is_blank(raw: &str) -> bool {
    pieces(raw).all(|piece| match piece {
        Piece::Run(run) => source::is_blank(run),
        Piece::Char(c) => source::is_blank(c.encode_utf8(&mut [0; 4])),
        Piece::Surrogate(_) => false,
    })
}

/// Whether what `raw` says has at most `longest` bytes; the first byte beyond ends the count.
pub(crate) fn is_within(raw: &str, longest: usize) -> bool {
    // No escape takes more than six bytes for one.
    if raw.len() > longest.saturating_mul(6) {
        return false;
    }
    let mut left = Some(longest);
    pieces(raw).all(|piece| {
        left = left.and_then(|left| left.checked_sub(piece.len()));
        left.is_some()
    })
}

/// The same without the white space around it.
pub(crate) fn is_trimmed_within(raw: &str, longest: usize) -> bool {
    let (mut length, mut pending) = (0, 0);
    pieces(raw).all(|piece| {
        let mut letter = [0; 4];
        let text: &str = match piece {
            Piece::Run(run) => run,
            Piece::Char(c) => c.encode_utf8(&mut letter),
            Piece::Surrogate(_) => "\u{fffd}",
        };
        let text = if length == 0 { text.trim_start_matches(is_space) } else { text };
        let visible = text.trim_end_matches(is_space).len();
        if visible > 0 {
            length += pending + visible;
            pending = 0;
        }
        pending += text.len() - visible;
        length <= longest
    })
}

/// What `raw` says, in generalized UTF-8.
pub(crate) fn decoded_exact(raw: &str) -> Cow<'_, [u8]> {
    if !raw.as_bytes().contains(&b'\\') {
        return Cow::Borrowed(raw.as_bytes());
    }
    let mut text = Vec::with_capacity(raw.len());
    for piece in pieces(raw) {
        match piece {
            Piece::Run(run) => text.extend_from_slice(run.as_bytes()),
            Piece::Char(c) => text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            Piece::Surrogate(unit) => {
                let [high, low] = unit.to_be_bytes();
                text.extend_from_slice(&[
                    0xe0 | (high >> 4),
                    0x80 | ((high & 0xf) << 2) | (low >> 6),
                    0x80 | (low & 0x3f),
                ]);
            }
        }
    }
    Cow::Owned(text)
}
