"""A defect inside a rule: an error of one call, in each core and lane, and nothing else."""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

import pytest
from apus import ApusError, InternalError, Projector
from apus._pure.rules import RULES
from chats import CHAT, GPT, dumped, user

NAMES = [name for name, _ in RULES]


@pytest.fixture
def transcript(lane: str) -> Any:
    return CHAT if lane == "objects" else dumped(CHAT)


@pytest.mark.parametrize("rule", NAMES)
def test_a_fault_is_an_internal_error(
    rule: str, core: ModuleType, transcript: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    projector = Projector(GPT, _fault_in=rule, _core=core)
    with pytest.raises(InternalError, match=r"^found a fault inside apus: ") as caught:
        projector.project(transcript)
    assert isinstance(caught.value, ApusError)
    assert isinstance(caught.value, RuntimeError)
    assert not hasattr(caught.value, "kind")
    printed = capfd.readouterr()
    assert (printed.out, printed.err) == ("", "")


@pytest.mark.parametrize("rule", NAMES)
def test_a_fault_passes_the_input_on(rule: str, core: ModuleType, lane: str) -> None:
    projector = Projector(GPT, _fault_in=rule, on_error="pass", _core=core)
    for given in (CHAT, {"model": "m", "messages": CHAT}):
        before = json.dumps(given)
        transcript: Any = given if lane == "objects" else dumped(given)
        passed = projector.project(transcript)
        assert isinstance(passed.error, InternalError)
        assert not passed.changed
        assert not passed.repairs
        assert passed.core == core.NAME
        if lane == "json":
            assert passed.body is transcript
        elif isinstance(given, dict):
            assert passed.payload is transcript
        else:
            assert passed.messages is transcript
        assert json.dumps(given) == before


def test_a_fault_leaves_the_projector_usable(core: ModuleType, transcript: Any) -> None:
    faulty = Projector(GPT, _fault_in="pairing", _core=core)
    sound = Projector(GPT, _core=core)
    expected = sound.project(transcript).messages
    for _ in range(50):
        with pytest.raises(InternalError):
            faulty.project(transcript)
    assert sound.project(transcript).messages == expected


def test_a_fault_does_not_quote_the_transcript(core: ModuleType, lane: str) -> None:
    given: Any = [user("my secret"), *CHAT]
    with pytest.raises(InternalError) as caught:
        Projector(GPT, _fault_in="turns", _core=core).project(given if lane == "objects" else dumped(given))
    assert "secret" not in str(caught.value)


def test_a_fault_in_an_sdk_object_is_an_internal_error(core: ModuleType) -> None:
    class Message:
        def model_dump(self, **_: Any) -> dict[str, Any]:
            raise LookupError("broken")

    with pytest.raises(InternalError, match="LookupError"):
        Projector(GPT, _core=core).project([Message()])
