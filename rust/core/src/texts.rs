//! Texts: what apus inserts and recognises. Mirrored by `apus._pure.texts`; both read `tables/texts.toml`.

use std::sync::OnceLock;

use rustc_hash::FxHashSet;
use serde::Deserialize;

use crate::error::{Error, ErrorKind};

const BUNDLED: &str = include_str!("../../../python/apus/tables/texts.toml");
/// Names, ids and roles that stand in an inserted text are held to this length.
const LONGEST: usize = 64;

/// Texts of synthetic results.
#[derive(Clone, Debug, Deserialize)]
#[expect(missing_docs, reason = "the table is where the texts are explained")]
pub struct Synthetic {
    pub default: String,
    pub cut_off: String,
    pub aborted: String,
}

/// Notes and placeholders.
#[derive(Clone, Debug, Deserialize)]
#[expect(missing_docs, reason = "the table is where the texts are explained")]
pub struct Notes {
    pub empty_user: String,
    pub empty_result: String,
    pub bootstrap: String,
    pub bridge: String,
    pub continuation: String,
    pub separator: String,
    pub reasoning_omitted: String,
    pub between_signed: String,
    pub failed_turn: String,
    pub unknown_tool: String,
    pub error_prefix: String,
    pub late_result: String,
    pub orphan_result: String,
    pub media_of_result: String,
    pub system: String,
    pub role: String,
    pub media: String,
    pub block: String,
    pub server_call: String,
    pub reference: String,
    pub summary: String,
    pub branch: String,
    pub command: String,
    pub inter_session: String,
}

#[derive(Deserialize)]
struct Known {
    synthetic: Vec<String>,
    own: Vec<String>,
}

#[derive(Deserialize)]
struct Silent {
    token: String,
}

/// The table as it is written.
#[derive(Deserialize)]
pub struct Table {
    synthetic: Synthetic,
    note: Notes,
    known: Known,
    silent: Silent,
}

/// The wordings of one projector.
#[derive(Debug)]
pub struct Texts {
    /// Texts of synthetic results.
    pub synthetic: Synthetic,
    /// Notes and placeholders.
    pub note: Notes,
    /// Whole texts of results that a system inserted.
    pub known_synthetic: FxHashSet<String>,
    /// Whole texts of apus's own user messages.
    pub own: FxHashSet<String>,
    /// What a model says that has nothing to say.
    pub silent: String,
}

impl From<Table> for Texts {
    fn from(table: Table) -> Self {
        let Table { synthetic, note, known, silent } = table;
        let mut known_synthetic: FxHashSet<String> = known.synthetic.into_iter().collect();
        known_synthetic.insert(synthetic.default.clone());
        known_synthetic.insert(format!("{}{}", synthetic.default, synthetic.cut_off));
        let mut own: FxHashSet<String> = known.own.into_iter().collect();
        own.extend([&note.empty_user, &note.bootstrap, &note.bridge, &note.continuation].map(Clone::clone));
        Self { synthetic, note, known_synthetic, own, silent: silent.token }
    }
}

/// The texts that ship with apus.
///
pub fn bundled() -> Result<&'static Texts, Error> {
    static TEXTS: OnceLock<Result<Texts, Error>> = OnceLock::new();
    let read = || match toml::from_str::<Table>(BUNDLED) {
        Ok(table) => Ok(table.into()),
        Err(error) => Err(Error::new(ErrorKind::Internal, format!("found a broken table of texts: {error}"))),
    };
    TEXTS.get_or_init(read).as_ref().map_err(Clone::clone)
}

/// `text` with each value put in, `unknown` for one that is missing or not plain.
#[must_use]
pub fn fill(text: &str, values: &[(&str, Option<&str>)]) -> String {
    let mut made = text.to_owned();
    for (key, value) in values {
        made = made.replace(&format!("{{{key}}}"), safe(*value));
    }
    made
}

/// `value` if it is plain enough to stand in an inserted text, else `unknown`.
#[must_use]
pub fn safe(value: Option<&str>) -> &str {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"_.:@/-".contains(&b);
    value.filter(|v| !v.is_empty() && v.len() <= LONGEST && v.bytes().all(plain)).unwrap_or("unknown")
}
