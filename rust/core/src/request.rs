//! Request: the configuration of a projector and the facts of one request. Mirrored by `apus._pure.request`.

use rustc_hash::FxHashSet;
use serde::Deserialize;

use crate::dialects::Dialect;
use crate::error::{Error, ErrorKind};
use crate::policy::Policy;
use crate::texts::{Table, Texts, bundled};

/// What one call may take.
#[derive(Clone, Debug, Deserialize)]
#[expect(missing_docs, reason = "documented once, in the Python package")]
pub struct Limits {
    pub input_bytes: u64,
    pub messages: u64,
    pub depth: usize,
    pub growth: u64,
    pub decode_pixels: u64,
}

/// What a projector is made with, as its JSON text has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    policy: Policy,
    full_policy: Policy,
    api: String,
    source: Option<String>,
    write: Option<String>,
    full: Option<bool>,
    strict: bool,
    trailing: Option<String>,
    orphans: String,
    limits: Limits,
    texts: Option<Table>,
    fault_in: Option<String>,
}

/// Which dialect is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// The target's.
    Target,
    /// The source's: for a runner that does its own wire conversion.
    Source,
    /// This one.
    Named(Dialect),
}

/// What becomes of a trailing assistant message that the target refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trailing {
    /// A user message is put behind it.
    Continue,
    /// It goes.
    Strip,
}

/// What becomes of results that no call can own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orphans {
    /// They go.
    Drop,
    /// They become user notes.
    Note,
}

/// What becomes of calls that are still open at the very end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpenCalls {
    /// They get a synthetic result.
    #[default]
    Synthesize,
    /// They stay open.
    Keep,
    /// They go.
    Trim,
}

/// What a projector is made with.
pub struct Config {
    /// The policy of hygiene `wire`.
    pub policy: Policy,
    /// The policy of hygiene `full`.
    pub full_policy: Policy,
    /// The dialect of the target.
    pub api: Dialect,
    /// The dialect of the transcripts; `None`: detected.
    pub source: Option<Dialect>,
    /// The dialect of the answer.
    pub write: Written,
    /// Hygiene `full`; `None`: as the source's dialect has it.
    pub full: Option<bool>,
    /// The resend after a refusal.
    pub strict: bool,
    /// `None`: continue in `wire`, strip in `full`.
    pub trailing: Option<Trailing>,
    /// What becomes of orphans.
    pub orphans: Orphans,
    /// What one call may take.
    pub limits: Limits,
    /// Own wordings.
    pub texts: Option<Texts>,
    /// A rule to fail in: for tests of what a defect does.
    pub fault_in: Option<String>,
}

impl Config {
    /// A configuration from its JSON text.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let bad = |error: String| Error::new(ErrorKind::Internal, format!("found a broken configuration: {error}"));
        let given: Given = serde_json::from_str(text).map_err(|error| bad(error.to_string()))?;
        let dialect = |name: &str| Dialect::named(name).ok_or_else(|| bad(format!("unknown dialect {name}")));
        let write = match given.write.as_deref() {
            None => Written::Target,
            Some("source") => Written::Source,
            Some(name) => Written::Named(dialect(name)?),
        };
        Ok(Self {
            policy: given.policy,
            full_policy: given.full_policy,
            api: dialect(&given.api)?,
            source: given.source.as_deref().map(dialect).transpose()?,
            write,
            full: given.full,
            strict: given.strict,
            trailing: given.trailing.map(|t| if t == "strip" { Trailing::Strip } else { Trailing::Continue }),
            orphans: if given.orphans == "note" { Orphans::Note } else { Orphans::Drop },
            limits: given.limits,
            texts: given.texts.map(Into::into),
            fault_in: given.fault_in,
        })
    }

    /// The texts to insert.
    pub fn wording(&self) -> Result<&Texts, Error> {
        match &self.texts {
            Some(texts) => Ok(texts),
            None => bundled(),
        }
    }
}

/// Who made the assistant turns: provider, api, model.
pub type Origin = [Option<String>; 3];

/// Facts of one request; `None` is unknown. A body's own facts fill what the caller did not say.
#[derive(Clone, Debug)]
pub struct Facts<N> {
    /// Whether thinking is on.
    pub thinking: Option<bool>,
    /// Thinking is on, but a turn may go without.
    pub adaptive: bool,
    /// Whether the provider stores the response.
    pub store: Option<bool>,
    /// Names of the declared tools.
    pub tools: Option<FxHashSet<String>>,
    /// The prompt outside the transcript.
    pub system: Option<N>,
    /// Who made the assistant turns: one for all, or one per message.
    pub origin: Option<Vec<Option<Origin>>>,
    /// What becomes of open calls at the very end.
    pub open_calls: OpenCalls,
    /// The provider holds earlier history.
    pub server_state: bool,
    /// Cache marks on tools.
    pub marks_beside: usize,
    /// One of them is a five-minute mark.
    pub short_mark_beside: bool,
}

impl<N> Default for Facts<N> {
    fn default() -> Self {
        Self {
            thinking: None,
            adaptive: false,
            store: None,
            tools: None,
            system: None,
            origin: None,
            open_calls: OpenCalls::default(),
            server_state: false,
            marks_beside: 0,
            short_mark_beside: false,
        }
    }
}

/// One call: what the rules may know beside the plan.
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct Request<'r, N> {
    /// The limits and habits of the target.
    pub policy: &'r Policy,
    /// Hygiene `full`.
    pub full: bool,
    /// The resend after a refusal.
    pub strict: bool,
    /// What becomes of a refused tail.
    pub trailing: Trailing,
    /// What becomes of orphans.
    pub orphans: Orphans,
    /// Facts of this request.
    pub facts: Facts<N>,
    /// The texts to insert.
    pub texts: &'r Texts,
    /// Results stand inside user messages.
    pub results_in_user: bool,
    /// Source and written dialect are one.
    pub same: bool,
    /// In the written dialect calls and reasoning stand beside the content, as fields.
    pub beside_content: bool,
    /// The written dialect can express images of a foreign source.
    pub writes_images: bool,
    /// The written dialect can name media by URL.
    pub urls: bool,
}
