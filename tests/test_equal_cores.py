"""What the cores say of themselves: each the same lists, and the ones that are written down."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

from apus import RepairKind, _backend
from apus._facts import DIALECTS
from apus._pure import core as pure

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_kinds_are_the_documented_ones(core: ModuleType) -> None:
    listed = core.listing()["repair_kinds"]
    assert listed == tuple(str(kind) for kind in RepairKind)
    table = README.partition("<!-- kinds: begin -->")[2].partition("<!-- kinds: end -->")[0]
    assert sorted(re.findall(r"^\| \w+ \| `(\w+)` \|", table, re.MULTILINE)) == sorted(listed)


def test_the_dialects_are_those_that_the_options_take(core: ModuleType) -> None:
    assert core.listing()["dialects"] == DIALECTS


def test_the_rules_are_the_same_in_the_same_order(core: ModuleType) -> None:
    assert core.listing() == pure.listing()
    assert len(set(core.listing()["rules"])) == len(core.listing()["rules"])


def test_each_core_has_its_name(core: ModuleType) -> None:
    assert core.NAME in {"native", "pure"}
    assert _backend.load(core.NAME) is core


def test_both_cores_have_the_same_functions(core: ModuleType) -> None:
    shared = ["Answer", "NAME", "compile", "dumps_objects", "estimate", "info", "listing", "project_bytes"]
    shared += ["project_objects", "text_tokens"]
    assert [name for name in shared if not hasattr(core, name)] == []
    assert core.info().keys() >= pure.info().keys()


def test_faults_are_worded_the_same_in_both_sources() -> None:
    native = (ROOT / "rust" / "core" / "src" / "error.rs").read_text(encoding="utf-8")
    python = (ROOT / "python" / "apus" / "_pure" / "error.py").read_text(encoding="utf-8")
    words = set(re.findall(r'Self::\w+ => \("([^"]+)", "([^"]+)"\)', native))
    assert words
    assert words == set(re.findall(r'= Fault\("([^"]+)", "([^"]+)"\)', python))
