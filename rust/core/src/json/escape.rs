//! Escapes, exactly as Python's `json.dumps(…, ensure_ascii=False)` makes them.

use super::string::Specials;

/// Append `text` as it stands between the quotes of a JSON string.
///
/// Takes bytes, because compact text with a lone surrogate in it is no `str`; such a surrogate is copied.
pub(crate) fn escape(out: &mut Vec<u8>, text: &[u8]) {
    let mut specials = Specials::new(text);
    let mut from = 0;
    loop {
        let at = specials.next(from);
        out.extend_from_slice(&text[from..at]);
        let Some(&byte) = text.get(at) else { return };
        push_escape(out, byte);
        from = at + 1;
    }
}

#[inline]
fn push_escape(out: &mut Vec<u8>, byte: u8) {
    let letter = match byte {
        b'\n' => b'n',
        b'"' | b'\\' => byte,
        b'\t' => b't',
        b'\r' => b'r',
        0x08 => b'b',
        0x0c => b'f',
        _ => return push_unicode(out, u16::from(byte)),
    };
    out.extend_from_slice(&[b'\\', letter]);
}

fn push_unicode(out: &mut Vec<u8>, unit: u16) {
    out.extend_from_slice(b"\\u");
    for shift in [12, 8, 4, 0] {
        out.push(b"0123456789abcdef"[usize::from((unit >> shift) & 0xf)]);
    }
}

/// As `escape`, for text in generalized UTF-8: a lone surrogate becomes a `\u` escape.
pub(crate) fn escape_exact(out: &mut Vec<u8>, text: &[u8]) {
    let mut rest = text;
    while let Some((before, unit, behind)) = split_at_surrogate(rest) {
        escape(out, before);
        push_unicode(out, unit);
        rest = behind;
    }
    escape(out, rest);
}

/// What stands before the first lone surrogate, the surrogate, and what stands behind it.
fn split_at_surrogate(text: &[u8]) -> Option<(&[u8], u16, &[u8])> {
    // All surrogates, and a few Korean syllables, start with this byte; only a surrogate goes on from A0.
    memchr::memchr_iter(0xed, text).find_map(|at| match text.get(at + 1..at + 3) {
        Some(&[high @ 0xa0..=0xbf, low]) => {
            let unit = 0xd000 | (u16::from(high & 0x3f) << 6) | u16::from(low & 0x3f);
            Some((&text[..at], unit, &text[at + 3..]))
        }
        _ => None,
    })
}
