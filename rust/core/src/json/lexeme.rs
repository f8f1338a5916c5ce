//! Lexemes of a JSON text: where a string, a number or a word ends, and what is wrong with it.

use super::string::{self, Piece};
use super::values::{BIG, ESCAPED, LOOSE};
use super::window::{LAST_CONTROL, Windows, before, escaped, first};
use crate::error::Fault;
use crate::source::Flags;

/// A fault and the byte it stands at. What it takes to tell the place in words is put together only when it is told.
pub(super) struct Stop {
    pub(super) fault: Fault,
    pub(super) at: usize,
}

/// Stop at `at`.
pub(super) fn stop<T>(fault: Fault, at: usize) -> Result<T, Stop> {
    Err(Stop { fault, at })
}

/// Whether `word` stands at `at`.
#[inline]
pub(super) fn stands(bytes: &[u8], at: usize, word: &str) -> bool {
    bytes.get(at..).is_some_and(|rest| rest.starts_with(word.as_bytes()))
}

/// Where the string ends whose opening quote stands at `start`, and its marks.
#[inline]
pub(super) fn string_end(windows: &mut Windows<'_>, start: usize) -> Result<(usize, u8), Stop> {
    let mut at = start + 1;
    let mut marks = 0;
    let mut is_escaped = false;
    loop {
        let seen = windows.from(at);
        let mut quotes = seen.quotes;
        if is_escaped || seen.slashes & before(quotes) != 0 {
            marks |= ESCAPED;
            let (letters, is_next) = escaped(seen.slashes, seen.width, is_escaped);
            quotes &= !letters;
            let inside = before(quotes) & first(seen.width);
            if letters & inside & !windows.letters(at) | seen.controls & inside != 0 {
                return odd_string_end(windows, start, at - usize::from(is_escaped), marks);
            }
            is_escaped = is_next;
        } else if seen.controls & before(quotes) != 0 {
            return stop(Fault::Control, at + seen.controls.trailing_zeros() as usize);
        }
        if quotes != 0 {
            return Ok((at + quotes.trailing_zeros() as usize + 1, marks));
        }
        if seen.width == 0 {
            // What is left may be a backslash without a letter.
            return odd_string_end(windows, start, at - usize::from(is_escaped), marks);
        }
        at += seen.width;
    }
}

/// The same from `at` on, one by one of the bytes that are no plain ones: the way of whatever is not ordinary.
fn odd_string_end(windows: &mut Windows<'_>, start: usize, mut at: usize, mut marks: u8) -> Result<(usize, u8), Stop> {
    let bytes = windows.bytes;
    loop {
        let seen = windows.from(at);
        at += seen.first_special().unwrap_or(seen.width);
        match bytes.get(at) {
            Some(b'"') => return Ok((at + 1, marks)),
            Some(b'\\') => {
                let (end, more) = escape_end(bytes, at)?;
                marks |= more | ESCAPED;
                at = end;
            }
            Some(0..=LAST_CONTROL) => return stop(Fault::Control, at),
            Some(_) => {}
            None => return stop(Fault::Quote, start),
        }
    }
}

/// Where the escape ends whose backslash stands at `at`, and its marks.
#[inline]
fn escape_end(bytes: &[u8], at: usize) -> Result<(usize, u8), Stop> {
    match bytes.get(at + 1) {
        Some(b'n' | b'"' | b'\\' | b't' | b'r' | b'b' | b'f') => Ok((at + 2, 0)),
        Some(b'/') => Ok((at + 2, LOOSE)),
        Some(b'u') => match string::unicode_escape(bytes, at + 1) {
            Some((piece, end)) => Ok((end, unicode_marks(&piece, &bytes[at + 2..end]))),
            None => stop(Fault::Escape, at),
        },
        _ => stop(Fault::Escape, at),
    }
}

/// The marks of a `\u` escape that is spelled with `digits`.
fn unicode_marks(piece: &Piece<'_>, digits: &[u8]) -> u8 {
    match piece {
        Piece::Surrogate(_) => LOOSE | Flags::LONE_SURROGATE.0,
        Piece::Char('\0') => Flags::NUL.0,
        // Control characters without a letter of their own are spelled so by `compact` too.
        Piece::Char('\u{8}' | '\t' | '\n' | '\u{c}' | '\r') => LOOSE,
        Piece::Char(c) if *c < ' ' && !digits.iter().any(u8::is_ascii_uppercase) => 0,
        _ => LOOSE,
    }
}

/// Where the number ends that starts at `start` with a minus sign or a digit, and its marks.
#[inline]
pub(super) fn number_end(bytes: &[u8], start: usize) -> Result<(usize, u8), Stop> {
    let is_negative = bytes.get(start) == Some(&b'-');
    let first = start + usize::from(is_negative);
    if is_negative && stands(bytes, first, "Infinity") {
        return stop(Fault::Constant, start);
    }
    let mut at = digits_end(bytes, first);
    let mut is_sound = at > first && (at == first + 1 || bytes.get(first) != Some(&b'0'));
    if bytes.get(at) == Some(&b'.') {
        let fraction = at + 1;
        at = digits_end(bytes, fraction);
        is_sound &= at > fraction;
    }
    let has_exponent = matches!(bytes.get(at), Some(b'e' | b'E'));
    if has_exponent {
        let exponent = at + 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        at = digits_end(bytes, exponent);
        is_sound &= at > exponent;
    }
    if !is_sound {
        return stop(Fault::Number, start);
    }
    // It takes 309 digits or an exponent to leave a double, so ordinary numbers are not parsed.
    let is_big = (has_exponent || at - start > 308) && is_beyond_double(&bytes[start..at]);
    Ok((at, if is_big { BIG } else { 0 }))
}

#[cold]
fn is_beyond_double(number: &[u8]) -> bool {
    std::str::from_utf8(number).is_ok_and(|number| number.parse().is_ok_and(f64::is_infinite))
}

#[inline]
fn digits_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b'0'..=b'9') = bytes.get(at) {
        at += 1;
    }
    at
}
