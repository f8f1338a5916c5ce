//! Any bytes give an answer or an error: the answer is JSON, the same each time, and projecting it changes nothing.
#![cfg_attr(fuzzing, no_main)]

use apus_core::json::{DEPTH, scan};
use apus_core::project::Outcome;
use apus_core::repairs::RepairKind;
use apus_core::request::Config;
use apus_core::splice::{Bytes, project_bytes};
use apus_fuzz::setting::Setting;

/// Configurations that one input is run with.
const SETTINGS: u64 = 3;

apus_fuzz::target!(|data: &[u8]| (0..SETTINGS).for_each(|number| check(data, number)));

fn check(data: &[u8], number: u64) {
    let setting = Setting::of(data, number.wrapping_add(data.len() as u64));
    let run = |data: &[u8], config: &Config| project_bytes(data, config, setting.facts(), None);
    let first = match run(data, &setting.config) {
        Ok(first) => first,
        Err(error) => {
            assert!(error.message.starts_with(|c: char| c.is_ascii_lowercase()), "{error}");
            assert_eq!(run(data, &setting.config).expect_err("deterministic"), error);
            return;
        }
    };
    let second = run(data, &setting.config).expect("deterministic");
    assert_eq!(format!("{first:?}"), format!("{second:?}"));
    let payload = payload(&first, data);
    assert!(scan(&payload, DEPTH + 1).is_ok(), "no JSON: {}", String::from_utf8_lossy(&payload));

    let again = setting.again(&first);
    let again = project_bytes(&payload, &again, setting.facts(), None).expect("an answer is a transcript");
    let is_required = |kind| matches!(kind, RepairKind::ThinkingMustBeOff | RepairKind::ToolConfigRequired);
    assert!(
        again.made.whole.is_none() && !again.changed && again.repairs.iter().all(|repair| is_required(repair.kind)),
        "projected again, {} changes: {:?}\n{:?}",
        String::from_utf8_lossy(&payload),
        again.repairs,
        again.made.whole.map(|whole| String::from_utf8_lossy(&whole).into_owned()),
    );
}

/// What goes into the request: the body; of a list its messages, with the system field where there is one.
fn payload(outcome: &Outcome<Bytes>, data: &[u8]) -> Vec<u8> {
    let made = &outcome.made;
    let whole = made.whole.as_deref().unwrap_or(data);
    match &made.system {
        Some(system) if !made.is_body => {
            [b"{\"system\":", system.as_slice(), b",\"messages\":", &whole[made.messages.clone()], b"}"].concat()
        }
        _ => whole.to_vec(),
    }
}
