//! The value layer: how fast a request body is read, copied and counted.
//!
//! The history follows the measured mix of coding agents: short user texts, one call a step, results of 0.1 to 30 kB of
//! which every 27th byte is an escape, signatures of base64, some text that is not ASCII.
#![allow(missing_docs)] // criterion's macros make functions without docs.

use std::fmt::Write;
use std::hint::black_box;

use apus_core::arguments::arguments_of;
use apus_core::json::{self, JsonSource};
use apus_core::source::{Kind, Source};
use apus_core::tokens::compact_tokens;
use apus_core::tree::Tree;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const LINE: &str = r#"    let value = self.read(\"path/to/file\")?;\n"#;
const PROSE: &str = "Ergebnis geprüft: 结果 ok. ";

/// A body of `steps` calls with their results.
fn history(steps: usize) -> String {
    let mut body = String::from(r#"{"model":"some-model","max_tokens":4096,"messages":["#);
    for step in 0..steps {
        let result = LINE.repeat(2 + (step * 7919) % 61 * (step % 5));
        let signature = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo0NTY3ODkw".repeat(1 + step % 20);
        let _ = write!(
            body,
            r#"{{"role":"user","content":"Please look at step {step}. {PROSE}"}},{{"role":"assistant","content":[{{"type":"thinking","thinking":"Step {step}","signature":"{signature}"}},{{"type":"tool_use","id":"toolu_{step:024}","name":"read_file","input":{{"path":"src/file_{step}.rs","limit":{step}}}}}]}},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"toolu_{step:024}","content":"{result}","is_error":false}}]}},"#
        );
    }
    body + r#"{"role":"user","content":"done"}]}"#
}

/// Every call's arguments.
fn inputs(source: &JsonSource<'_>) -> Vec<json::JsonNode> {
    let messages = source.get(source.root(), "messages").expect("the body has messages");
    let contents = source.items(messages).filter_map(|message| source.get(message, "content"));
    let blocks = contents.filter(|content| source.kind(*content) == Kind::Array);
    blocks.flat_map(|content| source.items(content)).filter_map(|block| source.get(block, "input")).collect()
}

fn value_layer(criterion: &mut Criterion) {
    let body = history(200);
    let spaced = serde_json::to_string_pretty(&serde_json::from_str::<serde_json::Value>(&body).expect("valid"));
    let spaced = spaced.expect("valid");
    let source = json::scan(body.as_bytes(), json::DEPTH).expect("valid");
    let spaced_source = json::scan(spaced.as_bytes(), json::DEPTH).expect("valid");
    assert_eq!(json::dumps(&source, &Tree::Copy(source.root())), body.as_bytes());
    assert_eq!(json::compact(&source, source.root()), body);

    let mut group = criterion.benchmark_group("body");
    group.throughput(Throughput::Bytes(body.len() as u64));
    group.bench_function("scan", |b| b.iter(|| black_box(json::scan(black_box(body.as_bytes()), json::DEPTH)).is_ok()));
    group.bench_function("copy", |b| b.iter(|| json::dumps(black_box(&source), &Tree::Copy(source.root()))));
    let stringified = Tree::Copy(source.root()).stringified();
    group.bench_function("stringify", |b| b.iter(|| json::dumps(black_box(&source), &stringified)));
    group.bench_function("count", |b| b.iter(|| compact_tokens(black_box(&source), source.root())));
    group.finish();

    let mut group = criterion.benchmark_group("spaced body");
    group.throughput(Throughput::Bytes(spaced.len() as u64));
    group.bench_function("scan", |b| {
        b.iter(|| black_box(json::scan(black_box(spaced.as_bytes()), json::DEPTH)).is_ok());
    });
    group.bench_function("compact", |b| b.iter(|| json::compact(black_box(&spaced_source), spaced_source.root())));
    group.finish();

    let texts: Vec<_> = inputs(&source).into_iter().map(|node| json::compact(&source, node)).collect();
    let mut group = criterion.benchmark_group("arguments");
    group.throughput(Throughput::Elements(texts.len() as u64));
    group.bench_function("check", |b| {
        b.iter(|| texts.iter().map(|text| arguments_of(black_box(text)) as usize).sum::<usize>());
    });
    group.finish();
}

criterion_group!(benches, value_layer);
criterion_main!(benches);
