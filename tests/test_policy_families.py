"""Each fact about a model family, wherever the model is hosted."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from apus.policy import Policy, Target, policy_for

CHAT, MESSAGES, CONVERSE = "openai-chat", "anthropic-messages", "bedrock-converse"


def resolved(provider: str, model: str | None = None, api: str | None = None, *, hygiene: str = "wire") -> Policy:
    return policy_for(Target(provider, model, api), hygiene)


@pytest.mark.parametrize(
    "model",
    [
        "claude-3-haiku-20240307",
        "claude-3-5-haiku-latest",
        "claude-3-7-sonnet-20250219",
        "claude-2.1",
        "claude-instant-v1",
        "claude-sonnet-4-0",
        "claude-sonnet-4-20250514",
        "claude-opus-4",
        "claude-opus-4-1",
        "claude-opus-4-5",
        "claude-sonnet-4-5-20250929",
        "claude-haiku-4-5",
        "claude-4-sonnet",
        "claude-4.5-haiku",
        "claude-opus-4-5-fast",
        "databricks-claude-sonnet-4-1",
        "claude-sonnet-4-thinking",
    ],
)
def test_claude_up_to_4_5_takes_a_prefill(model: str) -> None:
    policy = resolved("anthropic", model)
    assert (policy.prefill, policy.trim_prefill, policy.prefill_with_thinking) == ("allowed", True, False)
    assert (policy.late_system, policy.roles) == ("user-note", ("user", "assistant"))
    assert (policy.thinking_binds_prefix, policy.thinking_starts_loop) == (False, True)
    assert policy.image_limits.max_count == 100
    assert resolved("openrouter", f"anthropic/{model}").prefill == "allowed"
    assert resolved("amazon-bedrock", model).prefill == "allowed"


NO_PREFILL = {  # model: takes system messages, binds its reasoning to the prefix, reasoning must start a loop
    "claude-opus-4-6": (False, False, True),
    "claude-sonnet-4-6": (False, False, True),
    "claude-opus-4-6-fast": (False, False, True),
    "claude-opus-4-7-20260416": (False, False, False),
    "claude-mythos-preview": (False, False, False),
    "claude-opus-4-8": (True, False, False),
    "claude-fable-5": (True, False, False),
    "claude-mythos-5": (True, False, False),
    "claude-opus-5": (True, False, False),
    "claude-sonnet-5": (True, False, False),
    "claude-fable-5-1": (True, True, False),
    "claude-fable-5-2": (True, True, False),
    "claude-mythos-5-1": (True, True, False),
    "claude-opus-5-5": (True, True, False),
    "claude-opus-5-5-fast": (True, True, False),
    "claude-sonnet-5-5": (True, True, False),
    "claude-haiku-5-5": (True, True, False),
    "claude-opus-6": (True, True, False),
    "claude-opus-6-1": (True, True, False),
    "claude-next": (False, True, True),
    "claude-x": (False, True, True),
}


@pytest.mark.parametrize("model", NO_PREFILL)
def test_claude_from_4_6_on_takes_none(model: str) -> None:
    system, binds, starts = NO_PREFILL[model]
    policy = resolved("anthropic", model)
    assert policy.prefill == "never"
    assert policy.late_system == ("keep" if system else "user-note")
    assert policy.system_placement == ("after-user" if system else "any")
    assert ("system" in policy.roles) is system
    assert policy.thinking_binds_prefix is binds
    assert policy.thinking_starts_loop is starts
    assert resolved("openrouter", f"anthropic/{model}").prefill == "never"
    assert resolved("vertex", model).prefill == "never"
    converse = resolved("amazon-bedrock", f"us.anthropic.{model}-v1:0")
    assert (converse.prefill, "system" in converse.roles) == ("never", system)


def test_no_model_is_the_tightest_but_for_what_rests_on_a_model() -> None:
    policy = resolved("anthropic")
    assert (policy.prefill, policy.late_system, policy.thinking_binds_prefix) == ("never", "user-note", False)
    assert policy.model is None
    assert policy.makers[0] == "anthropic"
    assert "amazon-bedrock" not in policy.makers
    assert not resolved("google").signatures_required
    assert resolved("amazon-bedrock").thinking == "signed"


def test_signed_reasoning_of_one_model_holds_across_the_claude_platforms() -> None:
    makers = {name: resolved(name, "claude-opus-4-6", MESSAGES).makers for name in ("anthropic", "bedrock", "vertex")}
    assert all({"anthropic", "amazon-bedrock", "google-vertex"} <= set(m) for m in makers.values())
    assert makers["bedrock"][0] == "amazon-bedrock"
    assert resolved("openrouter", "anthropic/claude-opus-4.6").makers == ("openrouter", "open-router")
    assert "anthropic" not in resolved("minimax", "MiniMax-M2").makers


def test_models_are_compared_by_their_normalised_id() -> None:
    ids = ("claude-sonnet-4-5-20250929", "us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5@20250929")
    assert {resolved("anthropic", model).model for model in ids} == {"claude-sonnet-4-5"}


@pytest.mark.parametrize(
    ("model", "joins", "signed"),
    [
        ("gemini-1.5-pro", False, False),
        ("gemini-2.0-flash", True, False),
        ("gemini-2.5-pro", True, False),
        ("gemini-3-flash-preview", True, True),
        ("models/gemini-3.6-flash", True, True),
    ],
)
def test_gemini(model: str, *, joins: bool, signed: bool) -> None:
    policy = resolved("google", model)
    assert (policy.joins_neighbours, policy.signatures_required) == (joins, signed)
    assert policy.thinking == "signature-part"


@pytest.mark.parametrize("model", ["kimi-k2.5", "kimi-k2.6", "kimi-k2-thinking", "kimi-for-coding", "kimi-k3"])
def test_kimi_thinking_models_need_their_reasoning(model: str) -> None:
    assert resolved("moonshot", model).thinking == "keep-field"
    assert resolved("together", f"moonshotai/{model}", hygiene="full").thinking == "keep-field"
    assert resolved("groq", f"moonshotai/{model}").thinking == "refuse-field"
    assert resolved("groq", f"moonshotai/{model}", hygiene="full").thinking == "refuse-field"


@pytest.mark.parametrize("model", ["kimi-k2-0905-preview", "kimi-k2-instruct", "moonshot-v1-128k"])
def test_kimi_models_without_thinking_do_not(model: str) -> None:
    assert resolved("moonshot", model).thinking == "keep"


@pytest.mark.parametrize(
    "model",
    [
        "mistral-large-latest",
        "open-mixtral-8x7b",
        "codestral-2501",
        "devstral-2512",
        "ministral-8b",
        "magistral-medium",
        "pixtral-large-2411",
        "voxtral-small",
    ],
)
@pytest.mark.parametrize("provider", ["mistral", "openrouter", "vllm", "github-copilot", "someone"])
def test_the_mistral_family_is_strict_at_every_host(provider: str, model: str) -> None:
    policy = resolved(provider, f"mistralai/{model}", CHAT)
    assert (policy.call_id.exact, policy.call_id.alphabet) == (9, "A-Za-z0-9")
    assert policy.bridge_after_result
    assert policy.prefill == "flag"
    assert resolved(provider, model, CHAT, hygiene="full").thinking == "drop"


def test_converse_beside_claude() -> None:
    nova, llama = (resolved("bedrock", model) for model in ("us.amazon.nova-pro-v1:0", "us.meta.llama4-maverick-v1:0"))
    assert (nova.thinking, nova.text_beside_result) == ("drop", True)
    assert (llama.thinking, llama.text_beside_result) == ("drop", False)
    assert resolved("bedrock", "us.anthropic.claude-opus-4-6-v1:0").text_beside_result


@pytest.mark.parametrize("model", ["o1-mini", "o1-preview-2024-09-12"])
def test_the_first_reasoning_models_of_openai_take_no_system(model: str) -> None:
    assert resolved("openai", model).roles == ("user", "assistant", "result")
    assert resolved("openai", "o1").roles == ()


def test_audio_goes_to_audio_models_alone() -> None:
    assert resolved("openai", "gpt-5-mini").part_types == ("image", "document")
    assert resolved("openai", "gpt-4o-audio-preview").part_types == ("audio", "document")
    assert resolved("openai").part_types == ("image", "audio", "document")
    assert resolved("someone", api=CHAT).part_types == ("image", "audio", "document")


# -------------------------------------------------------------------------------------------------------- second source
@pytest.mark.skipif(find_spec("litellm") is None, reason="the second source is not installed")
def test_the_model_map_of_litellm_agrees_about_claude() -> None:
    spec = find_spec("litellm")
    assert spec is not None
    folder = Path(list(spec.submodule_search_locations or ())[0])  # noqa: RUF015
    models = json.loads((folder / "model_prices_and_context_window_backup.json").read_text())
    hosts = ("anthropic", "bedrock", "vertex_ai-anthropic_models", "azure_ai")
    known = {m: v for m, v in models.items() if "claude" in m and v.get("litellm_provider") in hosts}
    assert len(known) > 50
    for model, facts in known.items():
        policy = resolved("anthropic", model)
        if "supports_assistant_prefill" in facts:
            assert policy.prefill == ("allowed" if facts["supports_assistant_prefill"] else "never"), model
        if facts.get("supports_mid_conversation_system"):
            assert policy.late_system == "keep", model
        if facts.get("supports_legacy_thinking"):
            assert policy.thinking_starts_loop, model
