"""The public API: configuration and facts, refusals, limits, the fingerprint, own texts."""

from __future__ import annotations

import copy
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from apus import (
    InternalError,
    LimitExceeded,
    Limits,
    Projector,
    RepairKind,
    RepairRefused,
    Severity,
    Tables,
    Target,
    TargetError,
    TranscriptError,
    project,
    repair,
)
from apus._facts import FACTS, OPTIONS
from apus._pure.rules import RULES
from chats import ANSWERED, CHAT, GPT, dumped, user

# ---------------------------------------------------------------------------------------------------- configuration


def test_a_projector_is_reused_called_and_shared_by_threads() -> None:
    projector = Projector(GPT)
    expected = projector.project(CHAT).messages
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: projector(copy.deepcopy(CHAT)).messages, range(32)))
    assert all(answer == expected for answer in answers)
    assert projector.target == Target.parse(GPT)
    assert repr(projector) == "<Projector openai/gpt-5 openai-chat>"


def test_a_projector_cannot_be_given_new_attributes() -> None:
    with pytest.raises(AttributeError):
        Projector(GPT).strict = True  # type: ignore[attr-defined]


def test_options_and_facts_never_share_a_name() -> None:
    assert not OPTIONS & FACTS
    assert "source" in OPTIONS
    assert "thinking" in FACTS


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"hygiene": "none"}, "hygiene is 'none', expected one of None, wire, full"),
        ({"trailing": "cut"}, "trailing is 'cut', expected one of None, continue, strip"),
        ({"orphans": "keep"}, "orphans is 'keep', expected one of drop, note"),
        ({"on_error": "skip"}, "on_error is 'skip', expected one of raise, pass"),
        ({"refuse": ["losing"]}, "refuse holds 'losing', expected repair kinds or severities"),
        ({"texts": {"known": {}}}, "texts holds the section 'known', expected synthetic or note"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Projector(GPT, **options)


def test_a_wrong_dialect_is_a_target_error() -> None:
    with pytest.raises(TargetError, match="unknown dialect 'xml'"):
        Projector(GPT, source="xml")


def test_a_wrong_fact_is_named() -> None:
    with pytest.raises(TypeError, match="unknown fact 'thinkin'"):
        Projector(GPT).project(CHAT, thinkin=True)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="open_calls is 'drop', expected one of synthesize, keep, trim"):
        project(CHAT, GPT, open_calls="drop")  # type: ignore[call-overload]


def test_one_shot_takes_options_and_facts() -> None:
    kept = project(CHAT, GPT, source="openai-chat", strict=False, open_calls="keep", tenant="a")
    assert kept.messages is CHAT
    assert project(CHAT, GPT, open_calls="trim").messages[-1] == user("go")


def test_repair_is_a_drop_in() -> None:
    assert repair(ANSWERED, GPT) is ANSWERED
    fresh = repair(ANSWERED, GPT, copy=True)
    assert fresh == ANSWERED
    assert all(a is not b for a, b in zip(fresh, ANSWERED, strict=True))
    mended = repair(CHAT, GPT)
    assert mended[0] is CHAT[0]
    assert mended[2]["role"] == "tool"


# -------------------------------------------------------------------------------------------------- refused and passed


@pytest.mark.parametrize("refuse", ["result_synthesized", [RepairKind.RESULT_SYNTHESIZED], [Severity.INVENTED]])
def test_refused_repairs_raise_with_what_would_have_been_done(refuse: Any) -> None:
    with pytest.raises(RepairRefused, match="the first result_synthesized, expected none") as caught:
        Projector(GPT, refuse=refuse).project(CHAT)
    assert [r.kind for r in caught.value.repairs] == [RepairKind.RESULT_SYNTHESIZED]
    assert Projector(GPT, refuse=refuse).project(ANSWERED).messages is ANSWERED


def test_on_error_pass_gives_the_input_back() -> None:
    projector = Projector(GPT, refuse=["invented"], on_error="pass")
    objects = projector.project(CHAT)
    assert objects.messages is CHAT
    assert isinstance(objects.error, RepairRefused)
    assert not objects.changed
    body = {"model": "m", "messages": CHAT}
    assert projector.project(body).payload is body
    assert projector.project(body).messages is CHAT
    data = dumped(body)
    assert projector.project(data).body is data
    assert projector.project(b"{oops").body == b"{oops"
    assert objects.report.error == str(objects.error)
    assert "error" in repr(objects)


@pytest.mark.parametrize("rule", [name for name, _ in RULES])
def test_a_fault_in_a_rule_is_an_internal_error(rule: str) -> None:
    for transcript in (CHAT, dumped(CHAT)):
        with pytest.raises(InternalError, match="fault inside apus"):
            Projector(GPT, _fault_in=rule).project(transcript)
        passed = Projector(GPT, on_error="pass", _fault_in=rule).project(transcript)
        assert passed.messages is transcript
        assert isinstance(passed.error, InternalError)


# --------------------------------------------------------------------------------------------------------------- limits


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        (Limits(messages=1), "found 2 messages, expected at most 1 .limits.messages."),
        (Limits(growth=10), "bytes of inserted texts, expected at most 10 .limits.growth."),
    ],
)
def test_limits_hold_in_both_lanes(limits: Limits, sentence: str) -> None:
    said = set()
    for transcript in (CHAT, dumped(CHAT)):
        with pytest.raises(LimitExceeded, match=sentence) as caught:
            Projector(GPT, limits=limits).project(transcript)
        said.add(str(caught.value))
    assert len(said) == 1


def test_growth_counts_what_is_inserted_and_nothing_else() -> None:
    long = [user("x" * 10_000)]
    assert Projector(GPT, limits=Limits(growth=0)).project(long).messages is long


def test_input_bytes_are_counted_before_they_are_read() -> None:
    with pytest.raises(LimitExceeded, match="found an input of 4 bytes, expected at most 3"):
        Projector(GPT, limits=Limits(input_bytes=3)).project(b"oops")


def test_depth_is_a_limit_in_both_lanes() -> None:
    deep: Any = "x"
    for _ in range(20):
        deep = [deep]
    errors = []
    for transcript in ([user(deep)], dumped([user(deep)])):
        with pytest.raises(TranscriptError) as caught:
            Projector(GPT, limits=Limits(depth=10)).project(transcript)
        errors.append((str(caught.value), caught.value.kind, caught.value.loc, caught.value.pointer))
    assert errors[0] == errors[1]
    assert errors[0][1] == "too_deep"
    assert Projector(GPT).project([user(deep)]) is not None


# ---------------------------------------------------------------------------------------------------------- fingerprint


def test_the_fingerprint_says_what_the_answer_depends_on() -> None:
    plain = Projector(GPT)
    assert plain.fingerprint == Projector(Target("openai", "gpt-5")).fingerprint
    assert len(plain.fingerprint) == 32
    others = [
        Projector("openai/gpt-4o"),
        Projector(GPT, strict=True),
        Projector(GPT, source="openai-chat"),
        Projector(GPT, hygiene="full"),
        Projector(GPT, refuse=["lost"]),
        Projector(GPT, limits=Limits(growth=1)),
        Projector(GPT, texts={"note": {"continuation": "(go on)"}}),
        Projector(Target("openai", "gpt-5", policy={"blank_text": "drop"})),
    ]
    assert len({plain.fingerprint, *(p.fingerprint for p in others)}) == len(others) + 1


def test_the_fingerprint_is_the_same_in_another_process() -> None:
    code = f"import apus; print(apus.Projector({GPT!r}).fingerprint)"
    result = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert result.stdout.strip() == Projector(GPT).fingerprint


def test_own_tables_change_the_fingerprint(tmp_path: Any) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        'version = "2030.1.1"\n[[row]]\nprovider = "openai"\napi = "openai-chat"\nsource = "x"\n'
        'date = 2030-01-01\nblank_text = "drop"\n'
    )
    tables = Tables.load(path)
    own = Projector(GPT, tables=tables)
    assert own.fingerprint != Projector(GPT).fingerprint
    assert own.project([user(" "), user("x")]).messages[0] == user("[empty content omitted]")


# ---------------------------------------------------------------------------------------------------------------- texts


def test_own_texts_are_inserted_and_the_shipped_ones_stay_known() -> None:
    own = Projector(GPT, texts={"synthetic": {"default": "no result"}})
    mended = own.project(CHAT).messages
    assert mended[-1]["content"] == "no result"
    shipped = repair(CHAT, GPT)
    real = [*shipped, {"role": "tool", "tool_call_id": "call_1", "content": "real"}]
    for projector in (own, Projector(GPT)):
        projection = projector.project(real)
        assert projection.messages[-1]["content"] == "real"
        assert projection.repair_counts == {"synthetic_replaced": 1}
