"""Project: read, outline, rules, plan, apply. Mirrors `rust/core/src/project.rs`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from apus.errors import LimitExceeded, TranscriptError
from apus.kinds import RepairKind

from .applying import Outcome, apply
from .bodies import facts_of
from .dialects import DIALECTS, Dialect
from .dialects.detect import detect
from .dialects.reading import Reader
from .plan import Repair, lay_out
from .policy import Policy, ToolNames
from .reading import list_of, put_system, read
from .request import Config, Facts, Request
from .rules import run


def project(value: Any, config: Config, facts: Facts, *, clean: bool = False) -> Outcome:
    """Project a transcript: a list of messages or session entries, or a whole request body."""
    body, items, key = list_of(value)
    if len(items) > config.limits.messages:
        raise LimitExceeded(f"found {len(items)} messages, expected at most {config.limits.messages} (limits.messages)")
    name = config.source or detect(items, body, config.api)
    dialect = DIALECTS[name]
    written = DIALECTS[name if config.write == "source" else config.write or config.api]
    if body is not None:
        facts = facts_of(body, facts)
    request = _request(config, facts, dialect, written)
    reader = Reader(request.texts, clean=clean)
    outline = read(items, body, key, dialect, request, reader)
    if request.facts.server_state and not request.same:
        sentence = (
            "found a request whose earlier history the provider holds, expected a whole history for another dialect"
        )
        raise TranscriptError(sentence, kind="server_state")
    plan = lay_out(outline, request.texts, results_in_user=written.results_in_user)
    for index, what in outline.dropped:
        plan.repairs.append(
            Repair(RepairKind.INVALID_MESSAGE_DROPPED, (index, None), f"{outline.pointer}/{index}", None, what)
        )
    put_system(plan, request, body, written, reader)
    run(plan, request, config.fault_in)
    return apply(plan, request, dialect, written, items, body, key, config.limits.growth)


def _request(config: Config, facts: Facts, dialect: Dialect, written: Dialect) -> Request:
    full = (dialect.stored or written.stored) if config.full is None else config.full
    policy = config.full_policy if full and config.full_policy is not None else config.policy
    if config.strict:
        policy = _strict(policy)
    if written.name != DIALECTS[config.api].name:
        policy = _for_runner(policy, written)
    return Request(
        policy=policy,
        full=full,
        strict=config.strict,
        trailing=config.trailing or ("strip" if full else "continue"),
        orphans=config.orphans,
        facts=facts,
        texts=config.wording,
        results_in_user=written.results_in_user,
        stored=dialect.stored,
        same=dialect.name == written.name,
        beside_content=written.beside_content,
        writable=written.writable,
        urls=written.urls,
    )


def _strict(policy: Policy) -> Policy:
    """The tightest flags, whatever the provider is."""
    return replace(
        policy, unique_ids="history", merge_users=True, merge_assistants=True, first_role="user", blank_text="drop"
    )


def _for_runner(policy: Policy, written: Dialect) -> Policy:
    """For a runner that does its own wire conversion: its dialect's shape, and turns as they stand."""
    return replace(
        policy,
        arguments=written.arguments,
        system_slot="messages",
        late_system="keep",
        system_placement="any",
        merge_users=False,
        merge_assistants=False,
        images_in_results=True,
        error_results_text_only=False,
        speaker_name=ToolNames(),
        prefill="allowed" if policy.prefill == "flag" else policy.prefill,
        unknown_fields="keep",
        max_cache_marks=None,
    )
