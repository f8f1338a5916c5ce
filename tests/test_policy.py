"""Targets and what is resolved for them: names, overrides, normalised ids, and the sentence of each error."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import FrozenInstanceError, asdict, replace
from typing import Any

import pytest
from apus.errors import TargetError
from apus.policy import (
    CallIds,
    Policy,
    Target,
    describe,
    known_fields,
    known_providers,
    normalise,
    policy_for,
    policy_json,
)

CHAT, MESSAGES, CONVERSE = "openai-chat", "anthropic-messages", "bedrock-converse"


def resolved(provider: str, model: str | None = None, api: str | None = None, *, hygiene: str = "wire") -> Policy:
    return policy_for(Target(provider, model, api), hygiene)


def test_a_target_is_frozen_hashable_and_equal_by_value() -> None:
    one = Target("anthropic", "claude-opus-4-6", policy={"call_id": {"max": 40}, "media_types": []})
    two = Target(provider="anthropic", model="claude-opus-4-6", policy={"media_types": (), "call_id": {"max": 40}})
    assert one == two
    assert hash(one) == hash(two)
    assert one != Target("anthropic", "claude-opus-4-6")
    with pytest.raises(FrozenInstanceError):
        one.model = "other"  # type: ignore[misc]
    with pytest.raises(TypeError):
        one.policy["call_id"] = {}  # type: ignore[index]


def test_the_policy_of_a_target_is_a_copy() -> None:
    overrides: dict[str, Any] = {"call_id": {"max": 40}}
    target = Target("openai", policy=overrides)
    overrides["call_id"]["max"] = 1
    assert target.policy["call_id"]["max"] == 40
    assert policy_for(target).call_id.max == 40


def test_a_target_survives_pickling_and_copying() -> None:
    target = Target("openai", "gpt-5", family="gpt-4o", policy={"roles": ["user"]})
    assert pickle.loads(pickle.dumps(target)) == target  # noqa: S301
    assert copy.deepcopy(target) == target


@pytest.mark.parametrize(
    ("text", "provider", "model", "api"),
    [
        ("anthropic", "anthropic", None, MESSAGES),
        ("anthropic/claude-opus-4-6", "anthropic", "claude-opus-4-6", MESSAGES),
        ("openrouter/anthropic/claude-opus-4.6", "openrouter", "anthropic/claude-opus-4.6", CHAT),
        ("bedrock/us.anthropic.claude-opus-4-6-v1:0", "amazon-bedrock", "us.anthropic.claude-opus-4-6-v1:0", CONVERSE),
        ("bedrock-invoke/anthropic.claude-opus-4-6-v1", "amazon-bedrock", "anthropic.claude-opus-4-6-v1", MESSAGES),
        ("vertex/gemini-2.5-pro", "google-vertex", "gemini-2.5-pro", "google-generative-ai"),
        ("vertex/claude-opus-4-6@default", "google-vertex", "claude-opus-4-6@default", MESSAGES),
        ("Z.AI/glm-5.2", "glm", "glm-5.2", CHAT),
        ("kimi", "moonshot", None, CHAT),
        ("azure_openai/gpt-5", "azure", "gpt-5", CHAT),
        ("azure-openai-responses", "azure", None, "openai-responses"),
        ("codex", "openai-codex", None, "openai-codex-responses"),
        ("openclaw", "apus", None, "apus"),
    ],
)
def test_parse(text: str, provider: str, model: str | None, api: str) -> None:
    target = Target.parse(text)
    assert (target.provider, target.model, target.api) == (provider, model, api)


@pytest.mark.parametrize(
    ("alias", "api"),
    [
        ("openai-completions", CHAT),
        ("chat", CHAT),
        ("mistral-conversations", CHAT),
        ("azure-openai-responses", "openai-responses"),
        ("openai-chatgpt-responses", "openai-codex-responses"),
        ("bedrock-invoke", MESSAGES),
        ("vertex", MESSAGES),
        ("google-vertex", "google-generative-ai"),
        ("google-gemini-cli", "google-generative-ai"),
        ("google-antigravity", "google-generative-ai"),
        ("bedrock-converse-stream", CONVERSE),
    ],
)
def test_api_aliases(alias: str, api: str) -> None:
    assert Target("someone", api=alias).api == api


def test_the_dialect_of_a_target() -> None:
    assert Target("codex").dialect == "openai-responses"
    assert Target("apus").dialect == "apus"
    assert all(Target(name).dialect for name in known_providers())


def test_an_unknown_provider_needs_an_api_and_gets_its_row() -> None:
    with pytest.raises(
        TargetError, match=r"unknown provider 'antropic'; did you mean 'anthropic'\? \(known: anthropic, "
    ):
        Target("antropic")
    unknown = policy_for(Target("strict-openai-compatible", api=CHAT))
    assert unknown.makers == ("strict-openai-compatible",)
    assert policy_for(Target("My-Gateway", api=CHAT)).makers == ("my-gateway",)
    assert replace(unknown, makers=()) == replace(resolved("together"), makers=())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"provider": "x", "api": "openai-caht"}, "unknown api 'openai-caht'; did you mean 'openai-chat'"),
        ({"provider": ""}, "provider is blank, expected a name"),
        ({"provider": "openai", "model": " "}, "model is blank, expected a name"),
        ({"provider": "openai", "model": 4}, "model is int, expected a text"),
        ({"provider": "openai", "policy": ["call_id"]}, "policy is list, expected a mapping of fields"),
        ({"policy": {"cal_id": {}}}, "policy has the unknown key 'cal_id'; did you mean 'call_id'?"),
        ({"policy": {"call_id": {"maxx": 4}}}, "policy: call_id has the unknown key 'maxx'; did you mean 'max'?"),
        ({"policy": {"call_id": {"max": "4"}}}, "policy: call_id: max is '4', expected a number from 0 on"),
        ({"policy": {"call_id": 40}}, "policy: call_id is 40, expected a table"),
        ({"policy": {"call_id": {"alphabet": "a-"}}}, None),
        ({"policy": {"call_id": {"alphabet": "z-a"}}}, "policy: call_id has the pattern 'z-a'"),
        (
            {"policy": {"tool_name": {"pattern": ".*"}}},
            "policy: tool_name has the pattern '.*', expected one or two char",
        ),
        ({"policy": {"max_cache_marks": -1}}, "policy: max_cache_marks is -1, expected a number from 0 on or none"),
        ({"policy": {"max_cache_marks": True}}, "policy: max_cache_marks is True, expected a number from 0 on or none"),
        ({"policy": {"merge_users": 1}}, "policy: merge_users is 1, expected true or false"),
        ({"policy": {"prefill": "no"}}, "policy: prefill is 'no', expected one of allowed, never, flag"),
        ({"policy": {"prefill": []}}, "policy: prefill is [], expected one of allowed, never, flag"),
        (
            {"policy": {"part_types": ["img"]}},
            (
                "policy: part_types holds 'img', expected only "
                "audio, audio_url, document, document_url, image, video, video_url"
            ),
        ),
        (
            {"policy": {"media_types": "image/png"}},
            "policy: media_types is 'image/png', expected a list of texts or none",
        ),
    ],
)
def test_a_wrong_part_is_named(arguments: dict[str, Any], sentence: str | None) -> None:
    if sentence is None:
        Target(**{"provider": "openai", **arguments})
        return
    with pytest.raises(TargetError) as caught:
        Target(**{"provider": "openai", **arguments})
    assert str(caught.value).startswith(sentence)
    assert isinstance(caught.value, ValueError)


# ----------------------------------------------------------------------------------------------------------- overrides
def test_nested_overrides_are_merged_over_the_row() -> None:
    policy = policy_for(Target("anthropic", policy={"image_limits": {"max_count": 7}, "call_id": {"max": 40}}))
    assert policy.image_limits.max_count == 7
    assert policy.image_limits.max_side == 8000
    assert policy.call_id == CallIds(alphabet="A-Za-z0-9_-", max=40)
    prefixes = policy_for(
        Target("openai", policy={"call_id": {"item_prefixes": {"message": "msg"}}})
    ).call_id.item_prefixes
    assert prefixes == {"message": "msg"}


@pytest.mark.parametrize(
    ("given", "meant"), [(None, "null"), ("", "empty"), ("keep", "keep"), ("null", "null"), ("omit", "omit")]
)
def test_call_only_content_may_be_said_as_the_content_itself(given: str | None, meant: str) -> None:
    assert policy_for(Target("openai", policy={"call_only_content": given})).call_only_content == meant


@pytest.mark.parametrize(
    ("name", "given", "meant"),
    [
        ("media_types", [], ()),
        ("media_types", None, None),
        ("max_pdf_pages", 100, 100),
        ("unreachable_urls", True, True),
        ("unreachable_urls", False, False),
        ("unreachable_urls", ["https://img.example/gone.png"], ("https://img.example/gone.png",)),
        ("speaker_name", None, None),
        ("thinking_binds_prefix", True, True),
        ("makers", ["me"], ("me",)),
        ("late_system", "user-note", "user-note"),
    ],
)
def test_overrides(name: str, given: Any, meant: Any) -> None:
    policy = policy_for(Target("anthropic", "claude-opus-4-8", policy={name: given}))
    assert getattr(policy, name) == meant
    assert type(getattr(policy, name)) is type(meant)


def test_the_alternation_override_of_a_strict_template() -> None:
    facts = {"merge_users": True, "merge_assistants": True, "first_role": "user", "bridge_after_result": True}
    policy = policy_for(Target("sglang", "any", policy=facts))
    assert {name: getattr(policy, name) for name in facts} == facts


# ------------------------------------------------------------------------------------------------------- normalisation
@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("anthropic/claude-opus-4.6", "claude-opus-4-6"),
        ("us.anthropic.claude-opus-4-6-v1:0", "claude-opus-4-6"),
        ("us-gov.anthropic.claude-opus-4-6-v1", "claude-opus-4-6"),
        ("claude-opus-4-6", "claude-opus-4-6"),
        ("  Claude_Opus_4.6 ", "claude-opus-4-6"),
        ("arn:aws:bedrock:us-east-1:1:inference-profile/global.anthropic.claude-opus-4-6-v1:0", "claude-opus-4-6"),
        ("anthropic.claude-3-5-sonnet-20241022-v2:0", "claude-3-5-sonnet"),
        ("anthropic.claude-3-sonnet-20240229-v1:0:28k", "claude-3-sonnet"),
        ("claude-3-7-sonnet-latest", "claude-3-7-sonnet"),
        ("claude-sonnet-4@20250514", "claude-sonnet-4"),
        ("claude-sonnet-4-20250514", "claude-sonnet-4"),
        ("claude-sonnet-4-0", "claude-sonnet-4"),
        ("gpt-4o-2024-08-06", "gpt-4o"),
        ("ft:gpt-4o-mini-2024-07-18:org::id", "gpt-4o-mini"),
        ("gpt-4.1-mini", "gpt-4-1-mini"),
        ("openai.gpt-5.6-luna", "gpt-5-6-luna"),
        ("us.deepseek.r1-v1:0", "deepseek-r1"),
        ("deepseek-v3:671b", "deepseek-v3"),
        ("accounts/fireworks/models/kimi-k2-thinking", "kimi-k2-thinking"),
        ("qwen3:8b", "qwen3"),
        ("mimo-v2", "mimo-v2"),
        ("", ""),
        ("a/", ""),
    ],
)
def test_normalised_ids(model: str, family: str) -> None:
    assert normalise(model) == family
    assert normalise(family) == family


def test_a_family_gives_the_facts_and_the_model_stays_the_name() -> None:
    policy = policy_for(Target("azure", "prod-chat", MESSAGES, family="claude-sonnet-4-5"))
    assert policy.prefill == "allowed"
    assert policy.model == "prod-chat"
    assert policy_for(Target("anthropic", family="claude-opus-4.6")).model == "claude-opus-4-6"


# -------------------------------------------------------------------------------------------- json and the long answer
def test_the_json_holds_every_field_in_order() -> None:
    policy = resolved("openai", api="openai-responses")
    text = policy_json(policy)
    read = json.loads(text)
    assert list(read) == list(known_fields())
    assert read == json.loads(json.dumps(asdict(policy)))
    assert ": " not in text
    assert policy_json(policy) == text


def test_describe_says_which_row_each_value_comes_from() -> None:
    target = Target("bedrock-invoke", "claude-sonnet-4-5", policy={"max_pdf_pages": 100})
    rows = {row.field: row for row in describe(target)}
    assert tuple(rows) == known_fields()
    assert (rows["merge_users"].value, rows["merge_users"].row) == (True, "amazon-bedrock · anthropic-messages")
    assert "InvokeModel" in rows["merge_users"].source
    assert rows["merge_users"].date == "2026-11-01"
    assert rows["prefill"].row.startswith("*claude-")
    assert rows["arguments"].row == "anthropic-messages"
    assert (rows["max_pdf_pages"].value, rows["max_pdf_pages"].row) == (100, "policy=")
    assert rows["bridge_after_result"].row == "default"
    assert rows["model"] == ("model", "claude-sonnet-4-5", "target", "", "")
    assert {row.field: row for row in describe(target, "full")}["keep_turn_shape"].value is True
    assert describe("openai/gpt-5")[0].value.max == 40
