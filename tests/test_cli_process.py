"""The command line as a process: what only one of its own can show."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from apus import cli

DEMO = str(Path(__file__).parent / "data" / "pi-session.jsonl")
CLAUDE = "anthropic/claude-opus-4-6"


def start(*argv: str, stdout: int = subprocess.PIPE, **variables: str) -> subprocess.CompletedProcess[bytes]:
    # The package is found where this test found it, installed or not.
    environment = {**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[1]), **variables}
    command = [sys.executable, *argv]
    return subprocess.run(command, env=environment, stdout=stdout, stderr=subprocess.PIPE, check=False)


def test_the_version() -> None:
    ran = start("-m", "apus", "--version")
    assert ran.returncode == 0
    assert ran.stdout.startswith(b"apus ")
    assert b" core)" in ran.stdout


def test_the_help() -> None:
    assert b"exit status: 0 clean or repaired" in start("-m", "apus", "project", "--help").stdout


@pytest.mark.parametrize("options", [[], ["--payload"]])
def test_a_reader_that_has_gone(options: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    ran = start("-m", "apus", "project", DEMO, "--to", CLAUDE, *options, stdout=writer)
    os.close(writer)
    assert (ran.returncode, ran.stderr) == (141, b"")


def test_an_ascii_locale() -> None:
    ran = start("-m", "apus", "project", DEMO, "--to", CLAUDE, PYTHONIOENCODING="ascii")
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_rich_is_loaded_only_to_print() -> None:
    command = f"main(['project', {DEMO!r}, '--to', {CLAUDE!r}, '--payload'])"
    script = f"import sys; from apus.cli import main; {command}; sys.exit('rich' in sys.modules)"
    ran = start("-c", script)
    assert (ran.returncode, ran.stderr) == (0, b"")
