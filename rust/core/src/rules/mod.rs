//! The rules, in order. Mirrored by `apus._pure.rules`.
//!
//! Each rule reads the outline and the policy and writes the plan; none knows a provider or a dialect. Calls and results
//! are matched once, over what rule 1 selected.

use crate::json::JsonSource;
use crate::matching::match_all;
use crate::plan::Plan;
use crate::request::Request;
use crate::source::Source;

pub(crate) mod binding;
pub(crate) mod blank;
pub(crate) mod cache_marks;
pub(crate) mod call_ids;
pub(crate) mod failed_turns;
pub(crate) mod fields;
pub(crate) mod malformed_calls;
pub(crate) mod mark_homes;
pub(crate) mod media;
pub(crate) mod media_moves;
pub(crate) mod merging;
pub(crate) mod orphans;
pub(crate) mod overtaken;
pub(crate) mod pairing;
pub(crate) mod placing;
pub(crate) mod private_blocks;
pub(crate) mod provenance;
pub(crate) mod reasoning;
pub(crate) mod scrub;
pub(crate) mod select;
pub(crate) mod shared;
pub(crate) mod speakers;
pub(crate) mod systems;
pub(crate) mod tail;
pub(crate) mod text_media;
pub(crate) mod turns;

type Rule<S> = fn(&mut Plan<'_, '_, S>, &Request<'_, <S as Source>::Node>);

/// The list of the rules for a source.
struct Rules<S>(std::marker::PhantomData<S>);

impl<S: Source> Rules<S> {
    const RULES: [(&'static str, Rule<S>); 18] = [
        ("select", select::select),
        ("provenance", provenance::mark_provenance),
        ("matching", match_results),
        ("failed_turns", failed_turns::drop_failed_turns),
        ("private_blocks", private_blocks::note_private_blocks),
        ("malformed_calls", malformed_calls::repair_calls),
        ("reasoning", reasoning::settle_reasoning),
        ("scrub", scrub::scrub_texts),
        ("pairing", pairing::pair),
        ("call_ids", call_ids::rewrite_ids),
        ("blank", blank::settle_blank),
        ("media", media::settle_media),
        ("text_media", text_media::omit_text_media),
        ("turns", turns::settle_turns),
        ("tail", tail::settle_tail),
        ("fields", fields::settle_fields),
        ("cache_marks", cache_marks::settle_marks),
        ("binding", binding::unbind),
    ];
}

/// The names of the rules, in order.
#[must_use]
pub fn names() -> Vec<&'static str> {
    Rules::<JsonSource<'_>>::RULES.map(|(name, _)| name).to_vec()
}

/// Run every rule; `fault_in` names one to fail in, so that tests can see what a defect of a rule does.
#[expect(clippy::manual_assert, reason = "a fault that is asked for asserts nothing")]
pub(crate) fn run<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>, fault_in: Option<&str>) {
    for (name, rule) in Rules::<S>::RULES {
        if Some(name) == fault_in {
            panic!("fault asked for in rule {name}");
        }
        rule(plan, request);
    }
}

/// Match calls and results, once.
fn match_results<S: Source>(plan: &mut Plan<'_, '_, S>, request: &Request<'_, S::Node>) {
    match_all(plan, request.strict, request.facts.server_state);
}
