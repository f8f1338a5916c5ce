//! What the targets project with: the configurations of the cases, and what an input picks of the options beside.

use std::sync::OnceLock;

use apus_core::dialects::Dialect;
use apus_core::json::{DEPTH, JsonNode, scan};
use apus_core::project::Outcome;
use apus_core::request::{Config, Facts, OpenCalls, Orphans, Trailing, Written};
use apus_core::source::Source;

const CONFIGS: &str = include_str!("../../../tests/corpus/configs.json");

fn texts() -> &'static [String] {
    static TEXTS: OnceLock<Vec<String>> = OnceLock::new();
    TEXTS.get_or_init(|| {
        let source = scan(CONFIGS.as_bytes(), DEPTH).expect("the corpus is JSON");
        let config = |row| source.get(row, "config").map(|config| source.raw(config).to_owned());
        source.items(source.root()).filter_map(config).collect()
    })
}

/// A configuration and facts that depend on nothing but the input.
pub struct Setting {
    /// What the projector is made with.
    pub config: Config,
    number: u64,
    choice: u64,
}

/// The configuration number `number` of the corpus.
fn parsed(number: u64) -> Config {
    let texts = texts();
    let at = usize::try_from(number).unwrap_or_default() % texts.len();
    Config::parse(&texts[at]).expect("the corpus holds configurations")
}

impl Setting {
    /// The setting number `number` for the input: its own configuration, options as the bytes of the input decide.
    pub fn of(data: &[u8], number: u64) -> Self {
        let choice = crate::hash(data).wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut config = parsed(number);
        let dialects = [None, Some(Dialect::Apus), Some(Dialect::OpenaiChat), Some(Dialect::AnthropicMessages)];
        config.source = dialects[pick(choice, 0, 4)];
        config.full = [None, None, Some(true), Some(false)][pick(choice, 2, 4)];
        config.strict = pick(choice, 4, 8) == 0;
        config.write = if pick(choice, 7, 8) == 0 { Written::Source } else { Written::Target };
        config.trailing = [None, None, Some(Trailing::Continue), Some(Trailing::Strip)][pick(choice, 10, 4)];
        config.orphans = [Orphans::Drop, Orphans::Note][pick(choice, 12, 2)];
        Self { config, number, choice }
    }

    /// The configuration for what came out, to be projected again with the same hygiene.
    pub fn again<R>(&self, outcome: &Outcome<R>) -> Config {
        let is_stored = outcome.source.shape().stored || outcome.written.shape().stored;
        let mut config = parsed(self.number);
        config.source = Some(outcome.written);
        config.full = Some(self.config.full.unwrap_or(is_stored));
        config.strict = self.config.strict;
        config.write = self.config.write;
        config.trailing = self.config.trailing;
        config.orphans = self.config.orphans;
        config
    }

    /// The facts of a request.
    pub fn facts(&self) -> Facts<JsonNode> {
        let choice = self.choice;
        Facts {
            thinking: [None, Some(true), Some(false), None][pick(choice, 13, 4)],
            tools: (pick(choice, 15, 4) == 0).then(|| ["f".to_owned()].into_iter().collect()),
            open_calls: [OpenCalls::Synthesize, OpenCalls::Synthesize, OpenCalls::Keep, OpenCalls::Trim]
                [pick(choice, 17, 4)],
            ..Facts::default()
        }
    }
}

fn pick(choice: u64, shift: u32, count: u64) -> usize {
    usize::try_from((choice >> shift) % count).unwrap_or_default()
}
