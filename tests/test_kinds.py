"""Kinds of repair: every one has a severity and an explanation, and the module stays light."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from apus import kinds
from apus.kinds import SEVERITY, RepairKind, Severity, explain

TABLE = Path(kinds.__file__).parent / "tables" / "kinds.toml"


def test_every_kind_has_one_severity() -> None:
    assert set(SEVERITY) == set(RepairKind)
    listed = [name for names in kinds._KINDS_BY_SEVERITY.values() for name in names.split()]
    assert len(listed) == len(set(listed))


def test_every_severity_is_used() -> None:
    assert set(SEVERITY.values()) == set(Severity)


def test_every_kind_has_an_explanation_in_the_order_of_the_list() -> None:
    assert list(tomllib.loads(TABLE.read_text())) == list(RepairKind)


@pytest.mark.parametrize("kind", list(RepairKind))
def test_explanations_are_sentences(kind: RepairKind) -> None:
    row = explain(kind)
    assert (row.kind, row.severity) == (kind, SEVERITY[kind])
    for text in (row.what, row.why, row.fix):
        assert text[0].isupper() or text[0] == "`"
        assert text.endswith((".", ")"))
        assert "|" not in text  # it goes into a Markdown table
        assert len(text) < 160


def test_names_are_their_values() -> None:
    assert all(kind.name.lower() == kind.value for kind in RepairKind)


def test_the_requirements_change_nothing() -> None:
    required = [kind for kind in RepairKind if SEVERITY[kind] is Severity.REQUIREMENT]
    assert required == [RepairKind.THINKING_MUST_BE_OFF, RepairKind.TOOL_CONFIG_REQUIRED]


def test_importing_the_package_reads_no_texts() -> None:
    script = "import sys, apus; sys.exit(apus.kinds._texts.cache_info().currsize)"
    environment = {**os.environ, "PYTHONPATH": str(Path(kinds.__file__).parents[1])}
    assert subprocess.run([sys.executable, "-c", script], env=environment, check=False).returncode == 0
