"""The case corpus of projections: each case in both lanes, and its answer projected again."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from apus import Projection, Projector, project
from apus._facts import FACTS

CORPUS = Path(__file__).parent / "corpus" / "projections"
CASES = [case for path in sorted(CORPUS.glob("*.json")) for case in json.loads(path.read_text(encoding="utf-8"))]


def names() -> list[str]:
    return [case["name"] for case in CASES]


def repairs(projection: Projection[Any]) -> list[list[str | None]]:
    return [[str(r.kind), r.pointer, r.detail] for r in projection.repairs]


def test_each_case_has_a_name_of_its_own() -> None:
    assert len(set(names())) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=names())
def test_objects(case: dict[str, Any]) -> None:
    given = copy.deepcopy(case["input"])
    projection = project(given, case["target"], source=case["source"], **case["options"])
    assert repairs(projection) == case["expect"]["repairs"]
    assert given == case["input"]
    if case["expect"].get("unchanged"):
        assert projection.messages is (given["messages"] if isinstance(given, dict) else given)
        assert not projection.changed
    else:
        assert projection.payload == case["expect"]["payload"]


@pytest.mark.parametrize("case", CASES, ids=names())
def test_bytes(case: dict[str, Any]) -> None:
    data = json.dumps(case["input"], indent=1).encode()
    projection = project(data, case["target"], source=case["source"], **case["options"])
    assert repairs(projection) == case["expect"]["repairs"]
    if case["expect"].get("unchanged"):
        assert (projection.body if isinstance(case["input"], dict) else projection.messages) is data
    else:
        assert json.loads(projection.payload_json) == case["expect"]["payload"]


@pytest.mark.parametrize("case", CASES, ids=names())
def test_again(case: dict[str, Any]) -> None:
    first = project(case["input"], case["target"], source=case["source"], **case["options"])
    facts = {key: value for key, value in case["options"].items() if key in FACTS}
    options = {key: value for key, value in case["options"].items() if key not in FACTS}
    hygiene = "full" if case["source"] == "apus" else None
    again = Projector(case["target"], source=first.dialect, hygiene=hygiene, **options).project(first.payload, **facts)
    assert not again.changed
    assert not again.repairs
