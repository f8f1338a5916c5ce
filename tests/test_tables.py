"""The tables as such: sources, known values, own tables over them, and the sentence of each error."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import FrozenInstanceError, fields
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, get_type_hints

import pytest
from apus._policy_values import CHOICES, MEMBERS
from apus._tables import BUNDLED, Row
from apus.errors import TargetError
from apus.policy import CallIds, Policy, Tables, Target, known_providers, policy_for

if TYPE_CHECKING:
    from collections.abc import Iterator

ROWS = [row for layer in Tables.load().layers for row in layer]


CHAT, MESSAGES, CONVERSE = "openai-chat", "anthropic-messages", "bedrock-converse"


def resolved(provider: str, model: str | None = None, api: str | None = None, *, hygiene: str = "wire") -> Policy:
    return policy_for(Target(provider, model, api), hygiene)


# ---------------------------------------------------------------------------------------------------- the bundled ones
def probes() -> Iterator[Target]:
    """A target for every provider, api, and model of a row."""
    named = ["gpt-5", "claude-opus-4-6", "mistral-large", "kimi-k2-thinking", "gemini-3-pro", "qwen3-8b"]
    for provider, api, model in product([*known_providers(), "someone"], Tables.load().apis, [None, *named]):
        yield Target(provider, model, api)


def test_every_row_is_in_force_for_some_target_and_every_flag_has_a_known_value() -> None:
    for target, hygiene in product(probes(), ("wire", "full")):
        policy = policy_for(target, hygiene)
        for name, choices in CHOICES.items():
            assert getattr(policy, name) in choices, (target, name)
        for name, members in MEMBERS.items():
            assert set(getattr(policy, name) or ()) <= members, (target, name)


def test_the_choices_cover_every_field_of_words() -> None:
    hints = get_type_hints(Policy)
    words = {f.name for f in fields(Policy) if hints[f.name] in (str, str | None)}
    assert words - set(CHOICES) == {"model"}
    assert set(CHOICES) <= words


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_row_says_where_it_comes_from_and_when(row: Row) -> None:
    assert len(row.source.strip()) > 10
    assert 2023 < row.date.year < 2100
    assert row.wire or row.full
    assert not {"model", "makers"} & {*row.wire, *row.full}


def test_rows_name_known_providers_and_no_place_twice() -> None:
    tables = Tables.load()
    places = [(p, a, m) for r in ROWS for p in r.provider or ("",) for a in r.api for m in r.model or ("",)]
    assert {p for r in ROWS for p in r.provider} <= set(tables.providers)
    assert len(places) == len(set(places))
    assert {a for r in ROWS if r.level == 0 for a in r.api} == set(tables.apis)


def test_model_patterns_are_normalised_themselves() -> None:
    for pattern in (p for r in ROWS for p in r.model):
        assert pattern == pattern.lower()
        assert not set(pattern) & set("._/@: ")


def test_names_are_unique() -> None:
    tables = Tables.load()
    apis = [name for key, row in tables.apis.items() for name in {key, *row.aliases}]
    providers = [name for key, row in tables.providers.items() for name in {key, *row.names}]
    for names in (apis, providers):
        assert len(names) == len(set(names))
        assert all(name == name.lower() and not set(name) & set("_ /") for name in names)


ONLY_TIGHTER = ("merge_users", "merge_assistants", "bridge_after_result", "single_pairs", "calls_last", "refuses_nul")
THE_SAME = ("prefill", "roles", "late_system", "media_types", "part_types", "tool_name", "image_limits", "makers")


def test_full_is_never_laxer_than_the_wire() -> None:
    for target in probes():
        wire, full = policy_for(target), policy_for(target, "full")
        for name in ONLY_TIGHTER:
            assert getattr(full, name) >= getattr(wire, name), (target, name)
        for name in THE_SAME:
            assert getattr(full, name) == getattr(wire, name), (target, name)
        assert full.call_id.max <= wire.call_id.max
        assert full.call_id.exact == wire.call_id.exact
        assert full.blank_text == "drop" or wire.blank_text == "keep"
        assert wire.first_role in ("any", full.first_role)
        if wire.thinking in ("refuse-field", "drop"):
            assert full.thinking in ("refuse-field", "drop"), target
        elif wire.thinking != "keep" and target.model != "mistral-large":  # whose family drops it at every host
            assert full.thinking == wire.thinking, target


def test_the_tables_carry_one_calendar_version() -> None:
    import tomllib

    folder = Path(find_spec("apus").origin).parent / "tables"  # type: ignore[union-attr, arg-type]
    versions = {tomllib.loads((folder / name).read_text())["version"] for name in BUNDLED}
    assert versions == {Tables.load().version}
    assert len(Tables.load().digest) == 64


def test_tables_are_loaded_once_and_policies_are_kept() -> None:
    assert Tables.load() is Tables.load()
    assert resolved("openai", "gpt-5") is resolved("openai", "gpt-5")
    with pytest.raises(FrozenInstanceError):
        Tables.load().version = "x"  # type: ignore[misc]


def test_importing_apus_reads_no_table() -> None:
    code = "import apus.policy, apus._tables; print(apus._tables._bundled.cache_info().currsize)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0"


def test_hygiene_is_one_of_two() -> None:
    with pytest.raises(TargetError, match="hygiene is 'clean', expected wire or full"):
        policy_for("openai", "clean")


# ---------------------------------------------------------------------------------------------------------- own tables
OWN = """
version = "2026.12"

[provider.my-gateway]
api = "openai-chat"
aliases = ["mine"]
source = "our gateway"
date = 2026-12-01

[[row]]
provider = "my-gateway"
api = "openai-chat"
source = "our gateway"
date = 2026-12-01
call_id = { max = 20 }
speaker_name = false
[row.full]
merge_users = false

[[row]]
model = "*house-model*"
api = ["openai-chat", "anthropic-messages"]
source = "our model"
date = 2026-12-01
prefill = "never"

[[row]]
provider = "mistral"
api = "openai-chat"
source = "our contract"
date = 2026-12-01
bridge_after_result = false
"""


@pytest.fixture
def own(tmp_path: Path) -> Tables:
    path = tmp_path / "own.toml"
    path.write_text(OWN)
    return Tables.load(path)


def test_own_tables_lie_over_the_bundled_ones(own: Tables) -> None:
    target = Target.parse("mine/acme/House-Model-2", tables=own)
    policy = policy_for(target, tables=own)
    assert (target.provider, target.api) == ("my-gateway", CHAT)
    assert (policy.call_id, policy.speaker_name, policy.prefill) == (CallIds(max=20), None, "never")
    assert not policy_for(target, "full", own).merge_users
    assert policy_for(target, "full", own).merge_assistants
    mistral = policy_for(Target("mistral"), tables=own)
    assert (mistral.bridge_after_result, mistral.call_id.exact) == (False, 9)
    assert policy_for("mistral/mistral-large", tables=own).bridge_after_result  # the family is more exact
    assert policy_for("mine/x", tables=own).makers == ("my-gateway", "mine")


def test_own_tables_change_nothing_else(own: Tables) -> None:
    assert own.version == f"{Tables.load().version}+2026.12"
    assert own.digest != Tables.load().digest
    assert resolved("mistral").bridge_after_result
    with pytest.raises(TargetError, match="unknown provider 'my-gateway'"):
        Target("my-gateway")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("version = 'x", "own.toml is no TOML: "),
        ("", "own.toml: version is None, expected a text"),
        ("version = 'v1'", "own.toml: version is 'v1', expected a calendar version such as 2026.11.1"),
        ("version = '2026.12'\nrows = 1", "own.toml has the unknown key 'rows'; did you mean 'row'?"),
        ("row = 1", "own.toml: row is int, expected [[row]] tables"),
        ("row = [1]", "own.toml: row 1 is int, expected a table"),
        ("[[row]]\nsource = 's'\ndate = 2026-01-01", "own.toml: row 1 names no api, expected api = one name or a list"),
        ("[[row]]\napi = 1", "own.toml: row 1: api is 1, expected a text or a list of texts"),
        ("[[row]]\napi = 'openai-chat'", "own.toml: row 1: date is None, expected the day of the source such as"),
        ("[[row]]\napi = 'openai-chat'\ndate = 2026-01-01", "own.toml: row 1: source is None, expected a text"),
        ("[[row]]\napi = 'chatt'\nsource = 's'\ndate = 2026-01-01", "own.toml: row 'chatt' names the unknown api"),
        ("[[row]]\nprefil = 'never'", "own.toml: row 1 has the unknown key 'prefil'; did you mean 'prefill'?"),
        ("[[row]]\nmodel = 'x'\nmakers = ['x']", "own.toml: row 1 has the unknown key 'makers'"),
        (
            "[[row]]\napi = 'openai-chat'\nsource = 's'\ndate = 2026-01-01\nprefill = 'no'",
            "own.toml: row 1: prefill is 'no', expected one of allowed, never, flag",
        ),
        (
            "[[row]]\napi = 'openai-chat'\nsource = 's'\ndate = 2026-01-01\nfull = { merge_users = 'yes' }",
            "own.toml: row 1: full: merge_users is 'yes', expected true or false",
        ),
        (
            "[[row]]\napi = 'openai-chat'\nsource = 's'\ndate = 2026-01-01\nfull = 1",
            "own.toml: row 1: full is int, expected a table",
        ),
        ("[provider]\nx = 1", "own.toml: provider.x is int, expected dict"),
        ("[provider.x]\nsource = 's'\ndate = 2026-01-01", "own.toml: provider x: api is None, expected a text"),
        (
            "[provider.x]\napi = 'nope'\nsource = 's'\ndate = 2026-01-01",
            "own.toml: provider x names the unknown api 'nope'",
        ),
        ("[api.x]\ndialect = ''\nsource = 's'\ndate = 2026-01-01", "own.toml: api x: dialect is '', expected a text"),
    ],
)
def test_a_broken_table_is_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text if "version" in text or not text else f"version = '2026.12'\n{text}")
    with pytest.raises(TargetError) as caught:
        Tables.load(path)
    assert str(caught.value).startswith(sentence)


def test_a_missing_table_is_a_sentence_too(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match=r"the table gone\.toml can't be read: No such file"):
        Tables.load(tmp_path / "gone.toml")
