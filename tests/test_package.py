"""The package as a whole: one version, a light import, an honest public list, a complete `make help`."""

from __future__ import annotations

import importlib.metadata
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import apus
from apus import _native

ROOT = Path(__file__).parents[1]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def test_cargo_says_the_version_for_everyone() -> None:
    version = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]["version"]
    assert importlib.metadata.version("apus-projection") == version
    assert _native.version == version
    assert _native.info()["version"] == version


def test_the_extension_is_a_release_build() -> None:
    assert _native.build_profile == "release"


def test_import_loads_nothing_heavy() -> None:
    code = "import sys, json, apus; print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"
    result = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    loaded = set(json.loads(result.stdout))
    assert "apus" in loaded
    assert not loaded & {"numpy", "PIL", "rich", "opentelemetry"}


def test_every_public_name_exists() -> None:
    assert set(apus.__all__) <= set(dir(apus))


def test_make_help_lists_every_target() -> None:
    phony = set(re.findall(r"^\.PHONY: ([a-z-]+)$", MAKEFILE, flags=re.MULTILINE))
    result = subprocess.run(
        ["make", "--no-print-directory", "help"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    listed = dict(line.split(maxsplit=1) for line in result.stdout.splitlines())
    assert set(listed) == phony
    assert {"build", "demo", "test", "lint", "bench", "help"} <= phony
