"""The README: its examples run, its tables say what the code says."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import apus
import pytest
from apus.policy import known_providers

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def test_there_are_examples() -> None:
    assert len(BLOCKS) >= 3


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.splitlines()[2])
def test_example_runs(block: str) -> None:
    exec(compile(block, "README.md", "exec"), {"__name__": "readme"})  # noqa: S102 - that is the test


def test_the_table_of_kinds_is_that_of_the_code() -> None:
    spliced = runpy.run_path(str(ROOT / "tools" / "kinds_table.py"))["spliced"]
    assert spliced(README) == README, "run: python tools/kinds_table.py --write"


def test_the_known_providers_are_listed() -> None:
    listed = re.search(r"^Known providers: (.*?)\.\sAny other", README, re.DOTALL | re.MULTILINE)
    assert listed is not None
    assert sorted(re.findall(r"`(.*?)`", listed[1])) == sorted(known_providers())


def test_the_dialects_that_work_are_those_of_the_code() -> None:
    rows = re.findall(r"^\| (`.*?) \| (yes|not yet) \|", README, re.MULTILINE)
    said = {name: works == "yes" for names, works in rows for name in re.findall(r"`(.*?)`", names)}
    assert said == {name: works(name) for name in said}


def works(dialect: str) -> bool:
    try:
        apus.Projector("anthropic", source=dialect)
    except apus.TargetError:
        return False
    return True


def test_every_make_target_named_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"^\$ make ([a-z-]+)", README, re.MULTILINE))
    assert named
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in named)
