"""Every core in every lane: `projecting` runs one pair of them; HYPOTHESIS_PROFILE sizes the random tests."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from apus import Projector, _backend
from hypothesis import HealthCheck, settings

SLOW_TO_MAKE = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]
settings.register_profile(
    "fast", max_examples=60, deadline=None, derandomize=bool(os.environ.get("CI")), suppress_health_check=SLOW_TO_MAKE
)
settings.register_profile("slow", settings.get_profile("fast"), max_examples=1500)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))


class Answer(NamedTuple):
    """What one projection came to, in values that compare across cores and lanes."""

    payload: Any
    repairs: tuple[Any, ...]
    id_map: dict[str, str | None]
    moved_prefix: tuple[str, ...]
    first_change: int | None
    changed: bool
    tokens: int


@pytest.fixture(params=["native", "pure"])
def core(request: pytest.FixtureRequest) -> ModuleType:
    """A core, whatever APUS_CORE says."""
    return _backend.load(request.param)


@pytest.fixture(params=["objects", "json"])
def lane(request: pytest.FixtureRequest) -> str:
    """How the transcript goes in: dicts and lists, or JSON bytes."""
    return str(request.param)


FACTS = frozenset(["thinking", "store", "tools", "system", "origin", "open_calls", "server_state"])


@pytest.fixture
def projecting(core: ModuleType, lane: str) -> Callable[..., Answer]:
    """A function that projects in one core and lane."""

    def run(messages: Any, target: Any, **options: Any) -> Answer:
        facts = {k: options.pop(k) for k in list(options) if k in FACTS}
        given = messages if lane == "objects" else json.dumps(messages).encode()
        made = Projector(target, **options, _core=core).project(given, **facts)
        return Answer(
            made.payload, made.repairs, made.id_map, made.moved_prefix, made.first_change, made.changed, made.tokens
        )

    return run
