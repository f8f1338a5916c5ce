//! Scan: bytes to a `JsonSource`, in one pass that also validates.
//!
//! Strict RFC 8259 in UTF-8; a byte order mark before the value is passed over, as Python's json module does. Numbers stay
//! text. Open containers lie on a stack of their own, so no depth of nesting can exhaust the machine's.

use super::keys;
use super::lexeme::{self, Stop, stop};
use super::open::{Open, Place};
use super::string;
use super::values::{DEEP, ESCAPED, Entry, JsonSource, LOOSE, OWN_DUPLICATES, Pairs};
use super::window::Windows;
use crate::error::{Error, ErrorKind, Fault, Step};
use crate::source::{Flags, Kind};

/// The default limit of nesting: how many arrays and objects may stand around a value.
pub const DEPTH: usize = 500;

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Read `data`, which must hold one JSON value nested at most `depth` levels deep.
///
/// ```
/// use apus_core::json;
/// use apus_core::source::Source;
///
/// let source = json::scan(br#"{"role": "user", "n": 1e400}"#, json::DEPTH)?;
/// assert_eq!(source.text_at(source.root(), "role").as_deref(), Some("user"));
/// assert_eq!(json::compact(&source, source.root()), r#"{"role":"user","n":1e400}"#);
/// # Ok::<(), apus_core::error::Error>(())
/// ```
pub fn scan(data: &[u8], depth: usize) -> Result<JsonSource<'_>, Error> {
    if u32::try_from(data.len()).is_err() {
        let message = format!("found {} bytes in the transcript, expected at most {}", data.len(), u32::MAX);
        return Err(Error::new(ErrorKind::Limit, message));
    }
    let Ok(text) = simdutf8::basic::from_utf8(data) else {
        let valid = std::str::from_utf8(data).map_or_else(|error| error.valid_up_to(), str::len);
        return Err(Error::fault(&Fault::Encoding, &[]).at(valid));
    };
    let start = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    scan_from(text, start, depth)
}

/// Read `text`, where a byte order mark is a fault: Python's json module refuses it in a `str`.
pub(crate) fn scan_text(text: &str, depth: usize) -> Result<JsonSource<'_>, Error> {
    scan_from(text, 0, depth)
}

fn scan_from(text: &str, start: usize, depth: usize) -> Result<JsonSource<'_>, Error> {
    let mut scanner = Scanner {
        text,
        bytes: text.as_bytes(),
        windows: Windows::new(text.as_bytes()),
        at: start,
        limit: depth,
        tape: Vec::with_capacity(text.len() / 64 + 8),
        here: Open::TOP,
        around: Vec::with_capacity(16),
        prints: Vec::with_capacity(64),
    };
    match scanner.run() {
        Ok(()) => Ok(JsonSource { text, beside: "", tape: scanner.tape }),
        Err(Stop { fault, at }) => Err(Error::fault(&fault, &scanner.path()).at(at)),
    }
}

struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    windows: Windows<'a>,
    at: usize,
    limit: usize,
    tape: Vec<Entry>,
    /// The innermost container.
    here: Open,
    /// What is open around it, the top first.
    around: Vec<Open>,
    prints: Vec<u64>,
}

/// Offsets fit, because `scan` refuses longer inputs.
#[inline]
pub(super) fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

impl Scanner<'_> {
    fn run(&mut self) -> Result<(), Stop> {
        self.skip_space();
        loop {
            let is_whole = self.value()?;
            if is_whole && self.is_last()? {
                break;
            }
        }
        self.skip_space();
        if self.at < self.bytes.len() { stop(Fault::Trailing, self.at) } else { Ok(()) }
    }

    /// Pass over white space; true if there was any.
    #[inline]
    fn skip_space(&mut self) -> bool {
        let from = self.at;
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.bytes.get(self.at) {
            self.at += 1;
        }
        self.at > from
    }

    /// Pass over white space inside a container, which then is not compact.
    #[inline]
    fn skip_inner_space(&mut self) {
        if self.skip_space() {
            self.here.marks |= LOOSE;
        }
    }

    /// Read a value, or the start of one. True if it is whole, false if its first item or entry is next.
    #[inline]
    fn value(&mut self) -> Result<bool, Stop> {
        let start = self.at;
        match self.bytes.get(start) {
            Some(b'"') => {
                let (end, marks) = lexeme::string_end(&mut self.windows, start)?;
                self.leaf(end, Kind::String, marks);
                Ok(true)
            }
            Some(b'{') => self.open_object(),
            Some(b'[') => self.open_array(),
            Some(b'-' | b'0'..=b'9') => {
                let (end, marks) = lexeme::number_end(self.bytes, start)?;
                self.leaf(end, Kind::Number, marks);
                Ok(true)
            }
            _ => self.word(),
        }
    }

    /// Read one of the words that are values.
    fn word(&mut self) -> Result<bool, Stop> {
        let stands = |word| lexeme::stands(self.bytes, self.at, word);
        for (word, kind) in [("true", Kind::Bool), ("false", Kind::Bool), ("null", Kind::Null)] {
            if stands(word) {
                self.leaf(self.at + word.len(), kind, 0);
                return Ok(true);
            }
        }
        let is_constant = stands("NaN") || stands("Infinity");
        stop(if is_constant { Fault::Constant } else { Fault::Value }, self.at)
    }

    /// Put the scalar or key between `at` and `end` on the tape.
    #[inline]
    fn leaf(&mut self, end: usize, kind: Kind, marks: u8) {
        let next = offset(self.tape.len()) + 1;
        self.tape.push(Entry { start: offset(self.at), end: offset(end), next, kind, marks });
        self.at = end;
        self.here.marks |= marks & DEEP;
    }

    #[inline]
    fn open_array(&mut self) -> Result<bool, Stop> {
        self.open_container(Kind::Array, Place::Array)?;
        let is_empty = self.bytes.get(self.at) == Some(&b']');
        if is_empty {
            self.close();
        }
        Ok(is_empty)
    }

    #[inline]
    fn open_object(&mut self) -> Result<bool, Stop> {
        self.open_container(Kind::Object, Place::Object)?;
        let is_empty = self.bytes.get(self.at) == Some(&b'}');
        if is_empty {
            self.close();
        } else {
            self.key()?;
        }
        Ok(is_empty)
    }

    #[inline]
    fn open_container(&mut self, kind: Kind, place: Place) -> Result<(), Stop> {
        if self.around.len() >= self.limit {
            return stop(Fault::Deep(self.limit), self.at);
        }
        let entry = offset(self.tape.len());
        self.tape.push(Entry { start: offset(self.at), end: 0, next: 0, kind, marks: 0 });
        self.around.push(self.here);
        self.here = Open { entry, last: 0, prints: offset(self.prints.len()), marks: 0, place };
        self.at += 1;
        self.skip_inner_space();
        Ok(())
    }

    /// Read a key and its colon.
    #[inline]
    fn key(&mut self) -> Result<(), Stop> {
        let start = self.at;
        if self.bytes.get(start) != Some(&b'"') {
            return stop(Fault::Key, start);
        }
        let (end, mut marks) = lexeme::string_end(&mut self.windows, start)?;
        if self.is_private(start + 1) {
            marks |= Flags::PRIVATE_KEY.0;
        }
        let entry = offset(self.tape.len());
        self.leaf(end, Kind::String, marks);
        self.prints.push(keys::print(self.bytes, start + 1, end - 1));
        self.here.last = entry;
        self.here.marks |= marks & ESCAPED;
        self.skip_inner_space();
        if self.bytes.get(self.at) != Some(&b':') {
            return stop(Fault::Colon, self.at);
        }
        self.at += 1;
        self.skip_inner_space();
        Ok(())
    }

    /// Whether the key at `at` starts with an underscore, however it is spelled.
    #[inline]
    fn is_private(&self, at: usize) -> bool {
        match self.bytes.get(at) {
            Some(b'_') => true,
            Some(b'\\') => {
                lexeme::stands(self.bytes, at + 1, "u") && string::hex4(self.bytes, at + 2) == Some(u16::from(b'_'))
            }
            _ => false,
        }
    }

    /// Close all containers that end here. True if the root is among them, false if another value follows.
    #[inline]
    fn is_last(&mut self) -> Result<bool, Stop> {
        loop {
            if self.here.place == Place::Top {
                return Ok(true);
            }
            self.skip_inner_space();
            match (self.bytes.get(self.at), self.here.place) {
                (Some(b','), Place::Object) => {
                    self.at += 1;
                    self.skip_inner_space();
                    return self.key().map(|()| false);
                }
                (Some(b','), _) => {
                    self.at += 1;
                    self.here.last += 1;
                    self.skip_inner_space();
                    return Ok(false);
                }
                (Some(b'}'), Place::Object) | (Some(b']'), Place::Array) => self.close(),
                _ => return stop(Fault::Comma, self.at),
            }
        }
    }

    /// Close the innermost container, whose bracket stands at `at`.
    #[inline]
    fn close(&mut self) {
        let Open { entry, prints, marks: own, place, .. } = self.here;
        self.at += 1;
        let next = offset(self.tape.len());
        let mut marks = own & DEEP;
        if place == Place::Object {
            let prints = prints as usize;
            let may_repeat = own & ESCAPED != 0 || keys::may_repeat(&mut self.prints[prints..]);
            if may_repeat && self.repeats(entry + 1, next) {
                marks |= Flags::DUPLICATE_KEY.0 | OWN_DUPLICATES;
            }
            self.prints.truncate(prints);
        }
        let entry = &mut self.tape[entry as usize];
        *entry = Entry { end: offset(self.at), next, marks, ..*entry };
        if let Some(parent) = self.around.pop() {
            self.here = parent;
        }
        self.here.marks |= marks & DEEP;
    }

    /// Whether a key stands twice among the pairs on that stretch of the tape.
    #[cold]
    fn repeats(&self, at: u32, end: u32) -> bool {
        let pairs = Pairs { tape: &self.tape, at, end };
        keys::repeat(pairs.map(|(key, _)| string::decoded_exact(self.inner(key.0))))
    }

    fn inner(&self, key: u32) -> &str {
        let entry = self.tape[key as usize];
        self.text.get(entry.start as usize + 1..entry.end as usize - 1).unwrap_or_default()
    }

    /// The way to the value that was being read.
    #[cold]
    fn path(&self) -> Vec<Step> {
        let key = |entry| string::decoded(self.inner(entry));
        self.around.iter().chain([&self.here]).filter_map(|open| open.step(key)).collect()
    }
}
