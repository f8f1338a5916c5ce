//! Random and damaged documents, against `serde_json` as the oracle: whatever comes, an answer and no panic.
#![allow(clippy::unwrap_used)] // A test that cannot make its input has failed.

use apus_core::json::{self, JsonSource};
use apus_core::source::{Flags, Kind, Source};
use apus_core::tree::{Key, Tree};
use serde_json::Value;

/// xorshift64*: the same inputs in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        usize::try_from(high).unwrap() % limit
    }

    fn pick<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }

    fn text(&mut self) -> String {
        let pieces = ["a", "_", "\"", "\\", "/", "\n", "\0", "\u{1b}", "é", "中", "😀", "1234567", "0123456789abcdef"];
        (0..self.below(9)).map(|_| self.pick(&pieces)).collect()
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 5 } else { 8 }) {
            0 => Value::Null,
            1 => (self.below(2) == 0).into(),
            2 => (self.below(1 << 20)).into(),
            3 | 4 => self.text().into(),
            5 | 6 => (0..self.below(5)).map(|_| self.value(depth - 1)).collect(),
            _ => Value::Object((0..self.below(20)).map(|_| (self.text(), self.value(depth - 1))).collect()),
        }
    }

    /// A document, damaged in up to three places.
    fn damaged(&mut self) -> Vec<u8> {
        let mut data = serde_json::to_vec(&self.value(4)).unwrap();
        for _ in 0..self.below(4) {
            let at = self.below(data.len() + 1);
            match self.below(3) {
                0 => data.truncate(at),
                1 if at < data.len() => {
                    data[at] = *self.pick(&[&b'"', &b'\\', &b'{', &b']', &b',', &b'\n', &0x80, &b'e']);
                }
                _ => {
                    let pieces = ["\\ud800", "\\u0041", "\"a\":1,", "[", "}", " ", "1e5", "-", "NaN", "é", "\u{0}"];
                    data.splice(at..at, self.pick(&pieces).bytes());
                }
            }
        }
        data
    }
}

/// The value, read through the trait alone.
fn read(source: &JsonSource<'_>, node: json::JsonNode) -> Value {
    match source.kind(node) {
        Kind::Null => Value::Null,
        Kind::Bool => source.boolean(node).unwrap().into(),
        Kind::Number => serde_json::from_str(&source.number(node).unwrap()).unwrap(),
        Kind::String => source.text(node).unwrap().into(),
        Kind::Array => source.items(node).map(|item| read(source, item)).collect(),
        Kind::Object => {
            let entry = |(key, value)| (source.text(key).unwrap().into_owned(), read(source, value));
            Value::Object(source.entries(node).map(entry).collect())
        }
    }
}

#[test]
fn what_serde_writes_is_read_as_serde_reads_it() {
    let mut random = Random(1);
    for _ in 0..4000 {
        let value = random.value(5);
        let compact = serde_json::to_string(&value).unwrap();
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        let source = json::scan(pretty.as_bytes(), json::DEPTH).unwrap();
        let root = source.root();
        assert_eq!(read(&source, root), value);
        assert_eq!(json::compact(&source, root), compact);
        assert_eq!(source.span(root), 0..pretty.len());
        assert_eq!(source.flags(root).has(Flags::NUL), compact.contains("\\u0000"));
        assert!(!source.flags(root).has(Flags::DUPLICATE_KEY | Flags::LONE_SURROGATE));
        assert_eq!(json::dumps(&source, &Tree::Copy(root)), pretty.as_bytes());
        let text = serde_json::to_string(&compact).unwrap();
        assert_eq!(json::dumps(&source, &Tree::Copy(root).stringified()), text.as_bytes());
        assert_eq!(json::text_of(&source, &Tree::Copy(root).stringified()).unwrap(), compact);
    }
}

#[test]
fn every_entry_is_found_under_its_key() {
    let mut random = Random(2);
    for _ in 0..2000 {
        let text = serde_json::to_string(&random.value(3)).unwrap();
        let source = json::scan(text.as_bytes(), json::DEPTH).unwrap();
        let root = source.root();
        assert_eq!(source.len(root), source.items(root).count() + source.entries(root).count());
        assert_eq!(source.is_empty(root), source.len(root) == 0);
        for (key, value) in source.entries(root) {
            let found = source.get(root, &source.text(key).unwrap()).unwrap();
            assert_eq!(found, value);
            assert!(source.same(found, value));
        }
        assert_eq!(source.get(root, "no such key"), None);
        let copied = source.entries(root).map(|(key, value)| (Key::Node(key), Tree::Copy(value))).collect();
        if source.kind(root) == Kind::Object {
            assert_eq!(json::dumps(&source, &Tree::Object(copied)), json::compact(&source, root).as_bytes());
        }
    }
}

fn is_too_big(result: Result<Value, serde_json::Error>) -> bool {
    result.is_err_and(|error| error.to_string().starts_with("number out of range"))
}

#[test]
fn what_is_damaged_is_refused_where_serde_refuses_it() {
    let mut random = Random(3);
    let mut read = 0;
    for _ in 0..20_000 {
        let data = random.damaged();
        let expected: Result<Value, _> = serde_json::from_slice(&data);
        match json::scan(&data, json::DEPTH) {
            Ok(source) => {
                read += 1;
                let root = source.root();
                // serde_json refuses lone surrogates, which are told by a flag here, and numbers beyond a double.
                let is_wild = source.flags(root).has(Flags::LONE_SURROGATE);
                assert!(expected.is_ok() || is_wild || is_too_big(expected), "{data:?}");
                let written = json::dumps(&source, &Tree::Copy(root).scrubbed(true));
                let again = json::scan(&written, json::DEPTH).unwrap();
                assert!(!again.flags(again.root()).has(Flags::LONE_SURROGATE | Flags::NUL | Flags::DUPLICATE_KEY));
                let expected: Result<Value, _> = serde_json::from_slice(&written);
                assert!(expected.is_ok() || is_too_big(expected), "{data:?}");
            }
            Err(error) => {
                assert!(expected.is_err(), "{error}: {data:?}");
                assert!(error.offset.unwrap() <= data.len() as u64);
            }
        }
    }
    assert!(read > 5000, "the damage is too heavy to test reading: {read}");
}

#[test]
fn a_special_byte_is_found_at_every_place_of_a_window() {
    for length in 0..200 {
        for special in ["\\n", "\\\"", "\\u0041", "\u{1}", ""] {
            for at in 0..=length {
                let said = format!("{}{special}{}", "x".repeat(at), "y".repeat(length - at));
                let text = format!("[\"{said}\",\"{said}\"]");
                let source = json::scan(text.as_bytes(), json::DEPTH);
                assert_eq!(source.is_err(), special == "\u{1}", "{text}");
                let Ok(source) = source else { continue };
                let expected = special.replace("\\n", "\n").replace("\\\"", "\"").replace("\\u0041", "A");
                let expected = said.replace(special, &expected);
                let items: Vec<_> = source.items(source.root()).map(|item| source.text(item).unwrap()).collect();
                assert!(special.is_empty() || items == [expected.as_str(), expected.as_str()], "{text}");
            }
        }
    }
}

#[test]
fn objects_of_every_size_tell_a_key_that_stands_twice() {
    for size in 1..60 {
        for (first, second) in
            [("k0", "k0"), ("k0", "\\u006b0"), ("same start, other end 0", "same start, other end 1")]
        {
            let keys = (1..size).map(|at| format!("\"key number {at}\":{at}"));
            let text = format!("{{\"{first}\":0,{}\"{second}\":9}}", keys.map(|key| key + ",").collect::<String>());
            let source = json::scan(text.as_bytes(), json::DEPTH).unwrap();
            let root = source.root();
            let is_double = first == "k0";
            assert_eq!(source.flags(root).has(Flags::DUPLICATE_KEY), is_double, "{text}");
            assert_eq!(source.len(root), size + usize::from(!is_double));
            assert_eq!(source.number(source.get(root, first).unwrap()).unwrap(), if is_double { "9" } else { "0" });
        }
    }
}

#[test]
fn hostile_shapes_cost_no_quadratic_time() {
    // Keys with the same length, start and end look alike until they are compared.
    let keys = (0..200_000).map(|at| format!("\"same start {at:08} same end\":0,")).collect::<Vec<_>>().concat();
    let object = format!("{{{keys}\"\\u0061\":0}}");
    assert!(json::scan(object.as_bytes(), json::DEPTH).is_ok());
    let nested = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    assert!(json::scan(nested.as_bytes(), json::DEPTH).is_err());
    let source = json::scan(nested.as_bytes(), usize::MAX).unwrap();
    assert_eq!(source.depth(source.root()), 1_000_000);
    assert_eq!(json::compact(&source, source.root()), nested);
    let spaced = format!("{}{}", "[ ".repeat(100_000), "]".repeat(100_000));
    let source = json::scan(spaced.as_bytes(), usize::MAX).unwrap();
    assert_eq!(json::compact(&source, source.root()).len(), 200_000);
    let digits = format!("[{}]", "9".repeat(1_000_000));
    assert!(json::scan(digits.as_bytes(), json::DEPTH).is_ok());
}
