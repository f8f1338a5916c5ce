//! The cases of projections that both cores share, over bytes. `configs.json` holds what Python resolves for them.
#![allow(clippy::unwrap_used)] // A test that cannot read its cases has failed.

use std::fs;
use std::path::PathBuf;

use apus_core::dialects::Dialect;
use apus_core::json::{DEPTH, JsonNode, JsonSource, scan};
use apus_core::project::Outcome;
use apus_core::request::{Config, Facts, OpenCalls};
use apus_core::source::{Kind, Source};
use apus_core::splice::{Bytes, project_bytes};

fn corpus() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/corpus"))
}

fn read(path: PathBuf) -> JsonSource<'static> {
    let text: &'static str = fs::read_to_string(path).unwrap().leak();
    scan(text.as_bytes(), DEPTH).unwrap()
}

/// One value of a corpus file; what is compared keeps the spelling of the file, so no other parser reads it.
#[derive(Clone, Copy)]
struct Given<'s>(&'s JsonSource<'static>, JsonNode);

impl<'s> Given<'s> {
    fn get(self, key: &str) -> Option<Self> {
        self.0.get(self.1, key).map(|node| Self(self.0, node))
    }

    fn at(self, key: &str) -> Self {
        self.get(key).unwrap()
    }

    fn items(self) -> impl Iterator<Item = Self> + 's {
        self.0.items(self.1).map(move |node| Self(self.0, node))
    }

    fn text(self) -> Option<String> {
        self.0.text(self.1).map(Into::into)
    }

    fn flag(self, key: &str) -> Option<bool> {
        self.get(key).and_then(|value| value.0.boolean(value.1))
    }

    fn raw(self) -> &'static str {
        self.0.raw(self.1)
    }

    /// Equal but for the order of keys.
    fn is(self, other: Given<'_>) -> bool {
        let (a, b) = (self, other);
        match (a.0.kind(a.1), b.0.kind(b.1)) {
            (Kind::Array, Kind::Array) => a.items().count() == b.items().count() && a.items().zip(b.items()).all(same),
            (Kind::Object, Kind::Object) => {
                let is_there = |(key, value)| b.get(&a.0.text(key).unwrap()).is_some_and(|b| Self(a.0, value).is(b));
                a.0.len(a.1) == b.0.len(b.1) && a.0.entries(a.1).all(is_there)
            }
            (Kind::String, Kind::String) => a.0.exact(a.1) == b.0.exact(b.1),
            (one, two) => one == two && a.raw() == b.raw(),
        }
    }
}

fn same((a, b): (Given<'_>, Given<'_>)) -> bool {
    a.is(b)
}

fn facts(given: Given<'_>) -> Facts<JsonNode> {
    let maker = |maker: Given<'_>| {
        let parts: Vec<_> = maker.items().map(Given::text).collect();
        parts.try_into().ok()
    };
    let is_null = |value: &Given<'_>| value.0.is_null(value.1);
    Facts {
        thinking: given.flag("thinking"),
        store: given.flag("store"),
        tools: given.get("tools").filter(|t| !is_null(t)).map(|t| t.items().filter_map(Given::text).collect()),
        origin: given.get("origin").filter(|o| !is_null(o)).map(|makers| makers.items().map(maker).collect()),
        open_calls: match given.get("open_calls").and_then(Given::text).as_deref() {
            Some("keep") => OpenCalls::Keep,
            Some("trim") => OpenCalls::Trim,
            _ => OpenCalls::Synthesize,
        },
        server_state: given.flag("server_state").unwrap_or_default(),
        ..Facts::default()
    }
}

/// A case, with the configuration and the facts that it is run with.
struct Case<'s> {
    written: Given<'s>,
    config: Config,
    said: Given<'s>,
}

impl<'s> Case<'s> {
    fn new(case: Given<'s>, configs: Given<'s>) -> Self {
        let is_it = |row: &Given<'_>| ["target", "options"].iter().all(|key| row.at(key).is(case.at(key)));
        let row = configs.items().find(is_it).expect("run: python tools/case_configs.py --write");
        let mut config = Config::parse(row.at("config").raw()).unwrap();
        config.source = Dialect::named(&case.at("source").text().unwrap());
        Self { written: case, config, said: row.at("facts") }
    }

    fn project(&self, data: &str) -> Outcome<Bytes> {
        let system = self.said.get("system").filter(|value| !value.0.is_null(value.1)).map(Given::raw);
        project_bytes(data.as_bytes(), &self.config, facts(self.said), system).unwrap()
    }

    fn check(&self, outcome: &Outcome<Bytes>) {
        let expect = self.written.at("expect");
        let told = outcome.repairs.iter().map(|r| vec![Some(r.kind.name()), r.pointer.as_deref(), r.detail.as_deref()]);
        let wanted = expect.at("repairs").items().map(|r| r.items().map(Given::text).collect::<Vec<_>>());
        let wanted: Vec<_> = wanted.collect();
        let wanted = wanted.iter().map(|r| r.iter().map(Option::as_deref).collect());
        assert_eq!(told.collect::<Vec<_>>(), wanted.collect::<Vec<Vec<_>>>());
        if expect.flag("unchanged") == Some(true) {
            assert!(outcome.made.whole.is_none() && !outcome.changed);
        } else {
            let made = payload(&outcome.made, self.written.at("input").raw());
            let source = scan(made.leak().as_bytes(), DEPTH).unwrap();
            let payload = Given(&source, source.root());
            assert!(payload.is(expect.at("payload")), "{}", payload.raw());
        }
    }
}

/// The request fields as JSON.
fn payload(made: &Bytes, input: &str) -> String {
    let whole = made.whole.as_ref().map_or(input, |whole| std::str::from_utf8(whole).unwrap());
    if made.is_body {
        return whole.to_owned();
    }
    let messages = &whole[made.messages.clone()];
    let system = made.system.as_ref().map(|system| format!("\"system\":{},", std::str::from_utf8(system).unwrap()));
    format!("{{{}\"messages\":{messages}}}", system.unwrap_or_default())
}

#[test]
fn cases_come_out_as_written_down() {
    let configs = read(corpus().join("configs.json"));
    let mut paths: Vec<_> =
        fs::read_dir(corpus().join("projections")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "json"));
    let mut failed = Vec::new();
    for path in paths {
        let file = read(path);
        for case in Given(&file, file.root()).items() {
            let name = case.at("name").text().unwrap();
            let run = || holds(&mut Case::new(case, Given(&configs, configs.root())));
            if std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err() {
                failed.push(name);
            }
        }
    }
    assert!(failed.is_empty(), "{} cases differ: {failed:#?}", failed.len());
}

/// What is expected comes out, and comes out of itself again.
fn holds(case: &mut Case<'_>) {
    let input = case.written.at("input").raw();
    let first = case.project(input);
    case.check(&first);
    case.config.full = if case.config.source == Some(Dialect::Apus) { Some(true) } else { None };
    case.config.source = Some(first.written);
    let again = case.project(&payload(&first.made, input));
    assert!(!again.changed && again.repairs.is_empty(), "projected again: {:?}", again.repairs);
}
