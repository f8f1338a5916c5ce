"""Each fact about a provider, and what the reference system does beside it."""

from __future__ import annotations

from typing import Any

import pytest
from apus.policy import Policy, Target, policy_for

CHAT, MESSAGES, CONVERSE = "openai-chat", "anthropic-messages", "bedrock-converse"


def resolved(provider: str, model: str | None = None, api: str | None = None, *, hygiene: str = "wire") -> Policy:
    return policy_for(Target(provider, model, api), hygiene)


def test_anthropic_itself_joins_neighbours_and_takes_an_assistant_first() -> None:
    policy = resolved("anthropic")
    assert (policy.joins_neighbours, policy.merge_users, policy.first_role) == (True, False, "any")
    assert policy.private_blocks == "keep"
    assert resolved("anthropic", hygiene="full").merge_users
    for other in ("vertex", "cloudflare", "vercel", "minimax", "moonshot", "someone"):
        assert not resolved(other, "claude-opus-4-6", MESSAGES).joins_neighbours


def test_invoke_model_alternates() -> None:
    policy = resolved("bedrock-invoke")
    assert (policy.merge_users, policy.merge_assistants, policy.first_role) == (True, True, "user")
    assert policy.max_request_bytes == 20_000_000
    assert resolved("anthropic").max_request_bytes == 32_000_000


def test_compatibles_of_messages() -> None:
    minimax = resolved("minimax")
    assert (minimax.single_pairs, minimax.text_beside_result) == (True, False)
    deepseek = resolved("deepseek", api=MESSAGES)
    assert (deepseek.media_types, deepseek.reasoning_with_calls) == ((), True)
    assert resolved("modelscope", api=MESSAGES).thinking == "drop"
    assert resolved("moonshot", api=MESSAGES).private_blocks == "note"
    assert (resolved("xiaomi", api=MESSAGES).thinking, resolved("xiaomi", api=MESSAGES).reasoning_with_calls) == (
        "keep",
        True,
    )


@pytest.mark.parametrize("provider", ["openai", "azure"])
def test_openai_counts_forty_characters_and_leaves_turns_alone(provider: str) -> None:
    for hygiene in ("wire", "full"):
        policy = resolved(provider, "gpt-5", hygiene=hygiene)
        assert (policy.call_id.max, policy.call_id.alphabet) == (40, "A-Za-z0-9_-")
        assert (policy.merge_users, policy.merge_assistants, policy.first_role) == (False, False, "any")
        assert (policy.prefill, policy.late_system, policy.media_roles) == ("allowed", "keep", ("user",))


def test_an_unknown_compatible_is_left_alone_in_wire_and_alternates_in_full() -> None:
    wire, full = (resolved("someone", api=CHAT, hygiene=h) for h in ("wire", "full"))
    assert (wire.call_id.alphabet, wire.merge_users, wire.first_role, wire.thinking) == (
        "A-Za-z0-9_-",
        False,
        "any",
        "keep",
    )
    assert (full.call_id.alphabet, full.call_id.max) == ("A-Za-z0-9", 64)
    assert (full.merge_users, full.merge_assistants, full.first_role) == (True, True, "user")
    assert (full.thinking, full.unique_ids) == ("current-turn", "history")


@pytest.mark.parametrize("provider", ["moonshot", "openrouter", "github-copilot"])
def test_who_takes_any_id(provider: str) -> None:
    for hygiene in ("wire", "full"):
        policy = resolved(provider, api=CHAT, hygiene=hygiene)
        assert (policy.call_id.alphabet, policy.call_id.max) == ("any", 64)
        assert not policy.merge_users
    assert resolved("moonshot", hygiene="full").unique_ids == "off"


@pytest.mark.parametrize("provider", ["vllm", "llama.cpp", "tgi", "perplexity"])
def test_templates_and_gateways_that_alternate(provider: str) -> None:
    policy = resolved(provider)
    assert (policy.merge_users, policy.merge_assistants, policy.first_role) == (True, True, "user")
    assert policy.bridge_after_result


def test_templates_of_known_families() -> None:
    qwen = resolved("vllm", "Qwen/Qwen3.5-27B")
    assert (qwen.merge_users, qwen.bridge_after_result, qwen.late_system) == (False, False, "user-note")
    assert resolved("vllm", "Qwen/Qwen3-8B").late_system == "keep"
    assert resolved("vllm", "meta-llama/Llama-3.1-8B-Instruct").single_pairs
    assert not resolved("vllm", "meta-llama/Llama-3-8B").single_pairs
    assert resolved("vllm", "google/gemma-2-9b-it").roles == ("user", "assistant", "result")
    assert resolved("vllm", "google/gemma-3-27b-it").merge_users
    assert not resolved("vllm").prefill_with_thinking


@pytest.mark.parametrize(
    ("provider", "facts"),
    [
        (
            "mistral",
            {
                "bridge_after_result": True,
                "prefill": "flag",
                "first_role": "user",
                "thinking": "refuse-field",
                "empty_assistant": "drop",
                "speaker_name": None,
                "unknown_fields": "strip",
                "developer_role": "system",
            },
        ),
        (
            "deepseek",
            {"thinking": "keep-field", "reasoning_field": "all", "media_types": (), "developer_role": "system"},
        ),
        (
            "moonshot",
            {"thinking": "keep-field", "empty_assistant": "drop", "part_types": ("image",), "unique_ids": "off"},
        ),
        ("groq", {"thinking": "refuse-field", "unknown_fields": "strip", "reasoning_keys": ("reasoning",)}),
        ("cerebras", {"thinking": "refuse-field", "unknown_fields": "keep", "reasoning_keys": ("reasoning",)}),
        (
            "xai",
            {
                "call_only_content": "empty",
                "empty_assistant": "drop",
                "blank_text": "drop",
                "blank_result": "placeholder",
            },
        ),
        ("xiaomi", {"thinking": "keep-field", "reasoning_field": "calls"}),
        ("cohere", {"empty_assistant": "drop", "blank_text": "drop"}),
        ("ollama", {"call_only_content": "empty", "max_trailing_assistants": 1}),
        ("lm-studio", {"call_only_content": "empty"}),
        ("github-copilot", {"thinking": "keep"}),
    ],
)
def test_compatibles_of_chat(provider: str, facts: dict[str, Any]) -> None:
    policy = resolved(provider, api=CHAT)
    assert {name: getattr(policy, name) for name in facts} == facts


def test_minimax_takes_one_system_message_over_chat() -> None:
    assert resolved("minimax", api=CHAT).late_system == "user-note"


@pytest.mark.parametrize(
    "provider",
    ["deepseek", "moonshot", "mistral", "minimax", "vllm", "ollama", "dashscope", "glm", "perplexity", "cohere"],
)
def test_who_has_no_developer(provider: str) -> None:
    assert resolved(provider, api=CHAT).developer_role == "system"
    assert resolved("openai").developer_role == "keep"


def test_responses() -> None:
    policy = resolved("openai", api="openai-responses")
    assert (policy.thinking, policy.synthetic_text, policy.unique_ids) == ("items", "aborted", "history")
    assert policy.call_id.item_prefixes["reasoning"] == "rs"
    deepseek = resolved("deepseek", api="openai-responses")
    assert (deepseek.reasoning_items, deepseek.call_id.item_prefixes) == ("per-call", {})
    assert resolved("bedrock", "openai.gpt-5.6-luna", "openai-responses").unique_ids == "off"


def test_the_stored_transcript_is_its_own_target() -> None:
    for hygiene in ("wire", "full"):
        policy = policy_for(Target("apus", api="apus"), hygiene)
        assert (policy.call_id.alphabet, policy.merge_users, policy.first_role) == ("any", False, "any")
        assert (policy.images_in_results, policy.media_types, policy.thinking) == (True, None, "keep")
