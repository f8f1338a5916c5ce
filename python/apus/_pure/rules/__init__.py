"""The rules, in order. Mirrors `rust/core/src/rules/mod.rs`.

Each rule reads the outline and the policy and writes the plan; none knows a provider or a dialect. Calls and results
are matched once, over what rule 1 selected.
"""

from __future__ import annotations

from collections.abc import Callable

from ..matching import match
from ..plan import Plan
from ..request import Request
from .binding import unbind
from .blank import settle_blank
from .cache_marks import settle_marks
from .call_ids import rewrite_ids
from .failed_turns import drop_failed_turns
from .fields import settle_fields
from .malformed_calls import repair_calls
from .media import settle_media
from .pairing import pair
from .private_blocks import note_private_blocks
from .provenance import mark_provenance
from .reasoning import settle_reasoning
from .scrub import scrub_texts
from .select import select
from .tail import settle_tail
from .text_media import omit_text_media
from .turns import settle_turns

Rule = Callable[[Plan, Request], None]


def match_results(plan: Plan, request: Request) -> None:
    """Match calls and results, once."""
    match(plan, strict=request.strict, server_state=request.facts.server_state)


RULES: tuple[tuple[str, Rule], ...] = (
    ("select", select),
    ("provenance", mark_provenance),
    ("matching", match_results),
    ("failed_turns", drop_failed_turns),
    ("private_blocks", note_private_blocks),
    ("malformed_calls", repair_calls),
    ("reasoning", settle_reasoning),
    ("scrub", scrub_texts),
    ("pairing", pair),
    ("call_ids", rewrite_ids),
    ("blank", settle_blank),
    ("media", settle_media),
    ("text_media", omit_text_media),
    ("turns", settle_turns),
    ("tail", settle_tail),
    ("fields", settle_fields),
    ("cache_marks", settle_marks),
    ("binding", unbind),
)


def run(plan: Plan, request: Request, fault_in: str | None = None) -> None:
    """Run every rule; `fault_in` names one to fail in, so that tests can see what a defect of a rule does."""
    for name, rule in RULES:
        if name == fault_in:
            raise RuntimeError(f"fault asked for in rule {name}")
        rule(plan, request)
