//! Two engines for one kind of target.
//!
//! With `--cfg fuzzing` a target is a libFuzzer target (coverage-guided; stable Rust, but a C++ compiler). Without, it
//! is a plain program: `target [seconds] [file or folder]...` replays the files, then mutates them until the time is up.
//! So every finding replays on any machine that builds the core.

use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs, process};

pub mod setting;

#[cfg(fuzzing)]
pub use libfuzzer_sys;

/// Make the program of one fuzz target; the body panics where a promise does not hold.
#[macro_export]
macro_rules! target {
    (|$data:ident: &[u8]| $body:expr) => {
        #[cfg(fuzzing)]
        $crate::libfuzzer_sys::fuzz_target!(|$data: &[u8]| $body);

        #[cfg(not(fuzzing))]
        fn main() {
            $crate::run_program(|$data: &[u8]| $body);
        }
    };
}

const DICTIONARY: &str = include_str!("../json.dict");
/// libFuzzer's own bound for a corpus of small files; larger inputs only make each run slower.
const MAX_LEN: usize = 64 * 1024;

/// Run a target as the command line says; exit with status 1 at the first input that fails.
pub fn run_program(target: impl Fn(&[u8])) {
    let mut arguments = env::args().skip(1).peekable();
    let seconds = arguments.next_if(|text| text.parse::<u64>().is_ok()).and_then(|text| text.parse().ok());
    let mut seeds = Vec::new();
    for path in arguments {
        read_seeds(Path::new(&path), &mut seeds);
    }
    match run(&target, &seeds, Duration::from_secs(seconds.unwrap_or(0))) {
        Ok(runs) => eprintln!("{runs} runs on {} seeds, no failure", seeds.len()),
        Err(input) => {
            let path = PathBuf::from(format!("crash-{:016x}", hash(&input)));
            match fs::write(&path, &input) {
                Ok(()) => eprintln!("failing input written to {}; give it as an argument to replay it", path.display()),
                Err(error) => eprintln!("failing input {input:?} could not be written: {error}"),
            }
            process::exit(1);
        }
    }
}

/// Replay `seeds`, then mutate them for `time`; answers the number of runs.
///
/// # Errors
/// The first input on which `target` panics.
pub fn run(target: &impl Fn(&[u8]), seeds: &[Vec<u8>], time: Duration) -> Result<u64, Vec<u8>> {
    let holds = |input: &[u8]| panic::catch_unwind(AssertUnwindSafe(|| target(input))).is_ok();
    let mut runs = 0;
    for seed in seeds {
        runs += 1;
        if !holds(seed) {
            return Err(seed.clone());
        }
    }
    let mut mutator = Mutator::new(seeds);
    let end = Instant::now() + time;
    while Instant::now() < end {
        let input = mutator.next_input();
        runs += 1;
        if !holds(&input) {
            return Err(input);
        }
    }
    Ok(runs)
}

/// Makes the same sequence of inputs from the same seeds, so a failure needs no luck to come back.
struct Mutator {
    seeds: Vec<Vec<u8>>,
    words: Vec<Vec<u8>>,
    state: u64,
}

impl Mutator {
    fn new(seeds: &[Vec<u8>]) -> Self {
        let mut seeds: Vec<_> = seeds.iter().filter(|seed| seed.len() <= MAX_LEN).cloned().collect();
        seeds.push(b"[]".to_vec());
        Self { seeds, words: dictionary(DICTIONARY), state: 0x9e37_79b9_7f4a_7c15 }
    }

    /// A number below `bound`, by xorshift.
    fn below(&mut self, bound: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from(self.state % bound.max(1) as u64).unwrap_or(0)
    }

    fn next_input(&mut self) -> Vec<u8> {
        let pick = self.below(self.seeds.len());
        let mut input = self.seeds[pick].clone();
        for _ in 0..=self.below(4) {
            self.mutate(&mut input);
        }
        input.truncate(MAX_LEN);
        input
    }

    fn mutate(&mut self, input: &mut Vec<u8>) {
        let at = self.below(input.len() + 1);
        let end = at + self.below((input.len() - at + 1).min(64));
        match self.below(6) {
            0 => drop(input.drain(at..end)),
            1 => {
                let piece = input[at..end].to_vec();
                let to = self.below(input.len() + 1);
                input.splice(to..to, piece);
            }
            2 => {
                let word = self.below(self.words.len());
                input.splice(at..end, self.words[word].iter().copied());
            }
            3 => {
                let word = self.below(self.words.len());
                input.splice(at..at, self.words[word].iter().copied());
            }
            4 => {
                let other = self.below(self.seeds.len());
                let from = self.below(self.seeds[other].len() + 1);
                input.truncate(at);
                input.extend_from_slice(&self.seeds[other][from..]);
            }
            _ => {
                if let Some(byte) = input.get_mut(at) {
                    *byte ^= 1 << (self.state.count_ones() % 8);
                }
            }
        }
    }
}

/// The words of a libFuzzer dictionary: one quoted word a line, escapes `\\`, `\"` and `\xAB`.
fn dictionary(text: &str) -> Vec<Vec<u8>> {
    let quoted = |line: &str| Some(unescape(line.trim().strip_prefix('"')?.strip_suffix('"')?));
    text.lines().filter_map(quoted).collect()
}

fn unescape(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.extend_from_slice(&rest.as_bytes()[..at]);
        let escape = &rest[at + 1..];
        let code =
            escape.strip_prefix('x').and_then(|hex| hex.get(..2)).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        let taken = if let Some(byte) = code {
            out.push(byte);
            3
        } else {
            out.extend(escape.bytes().next());
            1
        };
        rest = escape.get(taken..).unwrap_or("");
    }
    out.extend_from_slice(rest.as_bytes());
    out
}

fn read_seeds(path: &Path, seeds: &mut Vec<Vec<u8>>) {
    if let Ok(entries) = fs::read_dir(path) {
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort(); // the order of a folder differs between machines
        for path in paths {
            read_seeds(&path, seeds);
        }
    } else if let Ok(seed) = fs::read(path) {
        seeds.push(seed);
    } else {
        eprintln!("cannot read {}", path.display());
        process::exit(2);
    }
}

/// FNV-1a: names a file, picks a setting.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dictionary_unescapes_like_libfuzzer() {
        assert_eq!(dictionary("# no word\n\"a\\\"b\"\n\"\\\\u\\xefz\"\n"), [b"a\"b".to_vec(), b"\\u\xefz".to_vec()]);
    }

    #[test]
    fn a_failing_seed_is_found_at_once() {
        let seeds = [b"good".to_vec(), b"bad".to_vec()];
        assert_eq!(run(&|data: &[u8]| assert_ne!(data, b"bad"), &seeds, Duration::ZERO), Err(b"bad".to_vec()));
    }

    #[test]
    fn mutation_reaches_a_word_of_the_dictionary() {
        let target = |data: &[u8]| assert!(!data.windows(5).any(|window| window == b"1e400"));
        assert!(run(&target, &[b"[{\"a\":1}]".to_vec()], Duration::from_secs(20)).is_err());
    }

    #[test]
    fn the_same_seeds_give_the_same_inputs() {
        let inputs = || {
            let mut mutator = Mutator::new(&[b"[{\"role\":\"user\"}]".to_vec()]);
            (0..1000).map(|_| mutator.next_input()).collect::<Vec<_>>()
        };
        assert_eq!(inputs(), inputs());
    }
}
