"""The command line: what it prints, what it writes, how it ends."""

from __future__ import annotations

import json
import os
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import NamedTuple

import pytest
from apus import cli
from apus._cli import project as project_command
from apus.kinds import SEVERITY, RepairKind, Severity

DEMO = str(Path(__file__).parent / "data" / "pi-session.jsonl")
CLAUDE = "anthropic/claude-opus-4-6"
USER = {"role": "user", "content": "hi"}
CALL = {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "ls", "input": {}}]}
CLEAN = {"max_tokens": 9, "messages": [USER]}
BROKEN = {"max_tokens": 9, "messages": [USER, CALL, USER]}


class Ran(NamedTuple):
    status: int
    out: str
    err: str


class Runner:
    """Runs the command line in this process; `file` makes an input."""

    def __init__(self, folder: Path, capture: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.capture = capture

    def __call__(self, *argv: str) -> Ran:
        self.capture.readouterr()
        status = cli.main(list(argv))
        out, err = self.capture.readouterr()
        return Ran(status, out, err)

    def file(self, *values: object, name: str = "in.jsonl") -> str:
        path = self.folder / name
        path.write_text("\n".join(json.dumps(value) for value in values))
        return str(path)


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runner:
    for name in ("COLUMNS", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return Runner(tmp_path, capsys)


def one_line(ran: Ran) -> str:
    """The sentence of an error: exit status 2, one line on standard error, no traceback."""
    assert ran.status == 2
    assert ran.err.startswith("apus: ")
    assert ran.err.endswith("\n")
    assert ran.err.count("\n") == 1
    return ran.err[6:-1]


class TestProject:
    def test_a_real_session(self, run: Runner) -> None:
        ran = run("project", DEMO, "--to", CLAUDE)
        assert (ran.status, ran.err) == (0, "")
        lines = ran.out.splitlines()
        assert lines[0].endswith(f"pi-session.jsonl → {CLAUDE}")
        assert lines[1].split() == ["severity", "repair", "count", "first", "places"]
        assert "incomplete_call_dropped" in ran.out
        assert "result_synthesized" in ran.out
        assert "\x1b" not in ran.out

    def test_the_report_is_the_same_every_time(self, run: Runner) -> None:
        assert run("project", DEMO, "--to", CLAUDE) == run("project", DEMO, "--to", CLAUDE)

    def test_repairs_come_by_severity_and_count_up(self, run: Runner) -> None:
        ran = run("project", DEMO, "--to", CLAUDE)
        rows = [line.split() for line in ran.out.splitlines() if line.startswith(tuple(f" {s}" for s in Severity))]
        severities = [list(Severity).index(Severity(row[0])) for row in rows]
        assert severities == sorted(severities)
        assert all(SEVERITY[RepairKind(row[1])] == row[0] for row in rows)
        verdict = next(line for line in ran.out.splitlines() if " repairs: " in line)
        assert int(verdict.split()[0]) == sum(int(row[2]) for row in rows)

    def test_all_lists_each_repair_with_its_pointer(self, run: Runner) -> None:
        ran = run("project", run.file(BROKEN), "--to", CLAUDE, "--all")
        assert "result_synthesized  1.0  /messages/1/content/0  toolu_1" in ran.out

    def test_what_is_accepted(self, run: Runner) -> None:
        ran = run("project", run.file(CLEAN), "--to", CLAUDE, "--check")
        assert ran.status == 0
        assert "accepted as it stands" in ran.out
        assert "messages 1 → 1" in ran.out
        assert "explain" not in ran.out

    def test_check_says_that_repairs_were_needed(self, run: Runner) -> None:
        assert run("project", run.file(BROKEN), "--to", CLAUDE, "--check").status == 1
        assert run("project", run.file(BROKEN), "--to", CLAUDE).status == 0

    def test_check_counts_a_torn_file(self, run: Runner) -> None:
        path = Path(run.file(USER, USER))
        path.write_bytes(path.read_bytes() + b'\n{"role":')
        ran = run("project", str(path), "--to", CLAUDE, "--check")
        assert ran.status == 1
        assert "line 3: half a record at the end was dropped (8 bytes)" in ran.out

    def test_many_notes_are_cut_short(self, run: Runner) -> None:
        path = Path(run.file(USER, name="many.jsonl"))
        path.write_bytes(path.read_bytes() + b"\n{torn" * 12)
        assert "… and 2 more (--all)" in run("project", str(path), "--to", CLAUDE).out
        assert "line 13:" in run("project", str(path), "--to", CLAUDE, "--all").out

    def test_several_transcripts(self, run: Runner) -> None:
        path = run.file(CLEAN, {"kind": "anthropic", "status": 400, "request": BROKEN}, {"input": 7, "messages": [{}]})
        ran = run("project", path, DEMO, "--to", CLAUDE)
        assert "in.jsonl:1" in ran.out
        assert "in.jsonl:2" in ran.out
        assert "4 transcripts: " in ran.out

    def test_standard_input(self, run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(json.dumps(BROKEN).encode())))
        assert run("project", "-", "--to", CLAUDE).out.startswith("standard input → ")

    def test_the_options_reach_the_projector(self, run: Runner) -> None:
        path = run.file(USER, CALL)
        assert "open_frame_trimmed" in run("project", path, "--to", CLAUDE, "--open-calls", "trim").out
        assert "result_synthesized" in run("project", path, "--to", CLAUDE, "--open-calls", "synthesize").out
        options = ["--from", "anthropic-messages", "--strict", "--hygiene", "full", "--thinking", "off"]
        more = ["--trailing", "strip", "--orphans", "note", "--write", "source"]
        assert run("project", path, "--to", CLAUDE, *options, *more).status == 0

    def test_what_is_stored_cannot_drive_the_terminal(self, run: Runner) -> None:
        call = {"type": "tool_use", "id": "a\x1b[31m\u202e[red]", "name": "ls", "input": {}}
        path = run.file(USER, {"role": "assistant", "content": [call]}, USER)
        for ran in (run("project", path, "--to", CLAUDE), run("project", path, "--to", CLAUDE, "--all")):
            assert "\x1b" not in ran.out
            assert "\u202e" not in ran.out
            assert "\\x1b[31m\\u202e[red]" in ran.out

    def test_colours_where_they_are_asked_for(self, run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("FORCE_COLOR", "1")
        assert "\x1b[" in run("project", run.file(BROKEN), "--to", CLAUDE).out

    def test_a_bar_on_long_input(self, run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(project_command, "_LONG_BYTES", 0)
        assert run("project", DEMO, "--to", CLAUDE).err == ""
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        ran = run("project", DEMO, "--to", CLAUDE)
        assert "projecting" in ran.err
        assert "projecting" not in ran.out


class TestOutput:
    def test_payload_and_nothing_else(self, run: Runner) -> None:
        ran = run("project", DEMO, "--to", CLAUDE, "--payload")
        assert ran.err == ""
        assert set(json.loads(ran.out)) >= {"messages"}

    def test_a_body_goes_out_whole(self, run: Runner) -> None:
        ran = run("project", run.file(BROKEN), "--to", CLAUDE, "--payload")
        assert json.loads(ran.out)["max_tokens"] == 9
        assert len(json.loads(ran.out)["messages"]) == 4

    def test_one_line_for_each_transcript(self, run: Runner) -> None:
        ran = run("project", run.file(CLEAN, BROKEN), "--to", CLAUDE, "--payload")
        assert [len(json.loads(line)["messages"]) for line in ran.out.splitlines()] == [1, 4]

    def test_a_file_and_the_report(self, run: Runner) -> None:
        out = run.folder / "out.json"
        out.write_text("old")
        ran = run("project", run.file(BROKEN), "--to", CLAUDE, "-o", str(out))
        assert "result_synthesized" in ran.out
        assert len(json.loads(out.read_bytes())["messages"]) == 4
        assert sorted(path.name for path in run.folder.iterdir()) == ["in.jsonl", "out.json"]

    def test_no_file_after_an_error(self, run: Runner) -> None:
        out = run.folder / "out.json"
        out.write_text("old")
        one_line(run("project", run.file(CLEAN), "nowhere.jsonl", "--to", CLAUDE, "-o", str(out)))
        assert out.read_text() == "old"

    def test_a_write_that_fails_leaves_nothing_behind(self, run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(_: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", fail)
        ran = run("project", run.file(CLEAN), "--to", CLAUDE, "-o", str(run.folder / "out.json"))
        assert "no space left on device" in one_line(ran)
        assert [path.name for path in run.folder.iterdir()] == ["in.jsonl"]

    def test_the_stored_file_is_never_written(self, run: Runner) -> None:
        path = run.file(BROKEN)
        before = Path(path).read_bytes()
        assert "holds the stored transcript" in one_line(run("project", path, "--to", CLAUDE, "-o", path))
        assert Path(path).read_bytes() == before


class TestErrors:
    def test_a_target_that_nobody_knows(self, run: Runner) -> None:
        assert "nobody" in one_line(run("project", run.file(CLEAN, BROKEN), "--to", "nobody"))

    def test_a_file_that_is_not_there(self, run: Runner) -> None:
        assert one_line(run("project", "nowhere.jsonl", "--to", CLAUDE)) == "nowhere.jsonl: no such file or directory"

    def test_a_folder(self, run: Runner) -> None:
        assert "is a directory" in one_line(run("project", str(run.folder), "--to", CLAUDE))

    def test_a_file_that_holds_no_transcript(self, run: Runner) -> None:
        path = run.folder / "notes.txt"
        path.write_text("hello")
        assert "holds no JSON" in one_line(run("project", str(path), "--to", CLAUDE))

    def test_a_transcript_that_cannot_be_read(self, run: Runner) -> None:
        path = run.folder / "torn.json"
        path.write_bytes(b'[{"role":"user"')
        ran = run("project", str(path), run.file(CLEAN), "--to", CLAUDE)
        assert str(path) in one_line(ran)
        assert "1 failed" in ran.out

    def test_arguments_that_make_no_sense(self, run: Runner) -> None:
        assert "--to" in one_line(run("project", DEMO))
        assert "COMMAND" in one_line(run())
        assert "--hygiene" in one_line(run("project", DEMO, "--to", CLAUDE, "--hygiene", "none"))

    def test_a_fault_is_a_sentence_too(self, run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(_: object) -> int:
            raise KeyError("x\ny")

        monkeypatch.setattr(project_command, "project", fail)
        assert one_line(run("project", DEMO, "--to", CLAUDE)) == "fault in apus: KeyError: 'x\\ny'"

    def test_an_interrupt(self, run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
        def interrupt(_: object) -> int:
            raise KeyboardInterrupt

        monkeypatch.setattr(project_command, "project", interrupt)
        assert run("project", DEMO, "--to", CLAUDE).status == 130


class TestExplain:
    def test_one_kind(self, run: Runner) -> None:
        ran = run("explain", "Result-Synthesized")
        assert ran.status == 0
        assert ran.out.splitlines()[0] == "result_synthesized invented"
        assert [line.split()[0] for line in ran.out.splitlines()[1:]] == ["what", "why", "fix"]

    def test_all_kinds(self, run: Runner) -> None:
        words = run("explain").out.split()
        assert all(kind in words for kind in RepairKind)

    def test_a_typo_gets_a_hint(self, run: Runner) -> None:
        assert "did you mean result_synthesized?" in one_line(run("explain", "result_sythesised"))
        assert "lists all kinds" in one_line(run("explain", "zzz"))


class TestPolicy:
    def test_each_field_with_its_source(self, run: Runner) -> None:
        ran = run("policy", "show", CLAUDE)
        assert ran.status == 0
        assert ran.out.startswith(f"{CLAUDE} anthropic-messages, hygiene wire")
        row = next(line for line in ran.out.splitlines() if line.split()[0] == "prefill")
        assert row.split()[1] == "never"

    def test_a_provider_without_a_model(self, run: Runner) -> None:
        assert run("policy", "show", "mistral", "--hygiene", "full").out.startswith(
            "mistral/* openai-chat, hygiene full"
        )

    def test_a_target_that_nobody_knows(self, run: Runner) -> None:
        assert "nobody" in one_line(run("policy", "show", "nobody"))
