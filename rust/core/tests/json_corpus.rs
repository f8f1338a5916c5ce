//! The JSON cases that both cores share: documents, arguments, token counts, ids, trees.
#![allow(clippy::unwrap_used)] // A test that cannot read its cases has failed.

use apus_core::json::{self, JsonNode, JsonSource};
use apus_core::source::{Flags, Source};
use apus_core::tree::{Key, Tree};
use apus_core::{arguments, ids, tokens};
use serde_json::Value;

fn cases(name: &str) -> Value {
    let path = format!("{}/../../tests/corpus/json/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The bytes of a case: a text, hex digits, or parts with the number of their repeats.
fn bytes(case: &Value) -> Vec<u8> {
    if let Some(text) = case["text"].as_str() {
        return text.into();
    }
    if let Some(hex) = case["hex"].as_str() {
        return (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect();
    }
    let parts = case["parts"].as_array().unwrap();
    let part = |part: &Value| part[0].as_str().unwrap().repeat(usize::try_from(part[1].as_u64().unwrap()).unwrap());
    parts.iter().map(part).collect::<String>().into()
}

fn names(flags: Flags) -> Vec<&'static str> {
    let all = [
        (Flags::LONE_SURROGATE, "lone_surrogate"),
        (Flags::NUL, "nul"),
        (Flags::DUPLICATE_KEY, "duplicate_key"),
        (Flags::PRIVATE_KEY, "private_key"),
    ];
    all.into_iter().filter(|(flag, _)| flags.has(*flag)).map(|(_, name)| name).collect()
}

#[test]
fn documents_are_read_or_refused_as_written_down() {
    for case in cases("documents.json").as_array().unwrap() {
        let data = bytes(case);
        match json::scan(&data, json::DEPTH) {
            Ok(source) => {
                let root = source.root();
                assert_eq!(case["compact"], json::compact(&source, root), "{case}");
                assert_eq!(case["flags"], Value::from(names(source.flags(root))), "{case}");
                assert_eq!(case["depth"], source.depth(root), "{case}");
                assert_eq!(case["tokens"], tokens::compact_tokens(&source, root), "{case}");
                let copy = json::dumps(&source, &Tree::Copy(root));
                if !source.flags(root).has(Flags::DUPLICATE_KEY) {
                    assert_eq!(copy, source.raw(root).as_bytes(), "{case}");
                }
            }
            Err(error) => {
                let expected = &case["error"];
                let loc = error.loc.map_or(Value::Null, |(message, block)| serde_json::json!([message, block]));
                assert_eq!(expected["kind"], error.kind.name(), "{case}");
                assert_eq!(expected["message"], error.message, "{case}");
                assert_eq!(expected["loc"], loc, "{case}");
                assert_eq!(expected["pointer"], error.pointer.unwrap(), "{case}");
                assert_eq!(expected["offset"], error.offset.unwrap(), "{case}");
            }
        }
    }
}

#[test]
fn arguments_are_what_is_written_down() {
    for case in cases("arguments.json").as_array().unwrap() {
        let text = String::from_utf8(bytes(case)).unwrap();
        let what = match arguments::arguments_of(&text) {
            arguments::Text::Empty => "empty",
            arguments::Text::Object => "object",
            arguments::Text::TooDeep => "too_deep",
            arguments::Text::BigNumber => "big_number",
            arguments::Text::NotObject => "not_object",
            arguments::Text::Malformed => "malformed",
        };
        assert_eq!(case["what"], what, "{case}");
        assert_eq!(case["flags"], Value::from(names(arguments::arguments_flags(&text))), "{case}");
    }
}

#[test]
fn a_text_counts_the_same_however_it_is_spelled() {
    for case in cases("tokens.json").as_array().unwrap() {
        for spelled in case["spelled"].as_array().unwrap() {
            let source = json::scan(spelled.as_str().unwrap().as_bytes(), json::DEPTH).unwrap();
            let text = source.text(source.root()).unwrap();
            assert_eq!(case["tokens"], source.text_tokens(source.root()), "{case}");
            assert_eq!(case["tokens"], tokens::text_tokens(&text), "{case}");
        }
    }
}

#[test]
fn ids_are_made_of_the_same_digits() {
    for case in cases("ids.json").as_array().unwrap() {
        let attempt = u32::try_from(case["attempt"].as_u64().unwrap()).unwrap();
        let digest = ids::digest(case["old"].as_str().unwrap(), case["occurrence"].as_u64().unwrap(), attempt);
        let hex = digest.map(|byte| format!("{byte:02x}")).concat();
        assert_eq!(case["digest"], hex);
        let digits = ids::base62(&digest, 100);
        assert_eq!(case["base62"], digits);
        assert!((0..100).all(|length| ids::base62(&digest, length) == digits[..length]));
    }
}

/// The value that a JSON pointer without escapes names.
fn at(source: &JsonSource<'_>, pointer: &str) -> JsonNode {
    pointer.split('/').skip(1).fold(source.root(), |node, step| source.get(node, step).unwrap())
}

fn tree<'t>(source: &'t JsonSource<'_>, case: &'t Value) -> Tree<'t, JsonNode> {
    let Value::Object(operation) = case else {
        return match case {
            Value::Null => Tree::Null,
            Value::Bool(value) => Tree::Bool(*value),
            Value::Number(number) => Tree::Int(number.as_i64().unwrap()),
            Value::String(text) => text.as_str().into(),
            _ => Tree::Array(case.as_array().unwrap().iter().map(|item| tree(source, item)).collect()),
        };
    };
    let (name, argument) = operation.iter().next().unwrap();
    match name.as_str() {
        "copy" => Tree::Copy(at(source, argument.as_str().unwrap())),
        "object" => Tree::object(
            argument.as_array().unwrap().iter().map(|pair| (pair[0].as_str().unwrap(), tree(source, &pair[1]))),
        ),
        "rewritten" => {
            let entries = source.entries(at(source, argument.as_str().unwrap()));
            Tree::Object(entries.map(|(key, value)| (Key::Node(key), Tree::Copy(value))).collect())
        }
        "scrubbed" => tree(source, &argument[0]).scrubbed(argument[1].as_bool().unwrap()),
        "parsed" => tree(source, argument).parsed(),
        "stringified" => tree(source, argument).stringified(),
        "joined" => {
            let texts = argument[0].as_array().unwrap().iter().map(|text| tree(source, text)).collect();
            Tree::joined(texts, argument[1].as_str().unwrap())
        }
        _ => tree(source, &argument[0]).cut(argument[1].as_str().unwrap()),
    }
}

#[test]
fn trees_are_written_as_written_down() {
    let cases = cases("trees.json");
    let source = json::scan(cases["document"].as_str().unwrap().as_bytes(), json::DEPTH).unwrap();
    for case in cases["cases"].as_array().unwrap() {
        let written = json::dumps(&source, &tree(&source, &case["tree"]));
        assert_eq!(case["json"], String::from_utf8(written).unwrap(), "{}", case["tree"]);
    }
}
