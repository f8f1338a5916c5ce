"""`apus project`: read, project, report, write; the stored files are only ever read."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apus._cli.outcome import Outcome, outcome_of
from apus._cli.output import console, is_same_file, one_line, os_sentence, write_whole
from apus.errors import ApusError
from apus.session_files import SessionFile, read_sessions

if TYPE_CHECKING:
    from apus.api import Projector

# Below this nobody waits long enough to want a bar.
_LONG_BYTES = 2_000_000
_LONG_COUNT = 50


def project(arguments: argparse.Namespace) -> int:
    """Project each transcript of each file; 1 if `--check` finds repairs, 2 if any file or transcript failed."""
    if arguments.out is not None:
        _refuse_to_overwrite(Path(arguments.out), arguments.files)
    make = _Projectors(arguments)
    make(None)  # an unknown target is one error, not one for each transcript
    sessions, failures = _read_all(arguments.files)
    thinking = {"on": True, "off": False, None: None}[arguments.thinking]
    outcomes = list(_project_all(sessions, make, {"thinking": thinking} | _given(arguments, "open_calls")))
    payloads = [outcome.payload for outcome in outcomes if outcome.error is None]
    failures += [outcome.error for outcome in outcomes if outcome.error is not None]
    if arguments.payload:
        _print_payloads(payloads)
    else:
        from apus._cli.report import print_report  # rich, only when something is printed

        print_report(outcomes, arguments.to, every=arguments.all)
    if arguments.out is not None and not failures:
        write_whole(Path(arguments.out), b"".join(payload + b"\n" for payload in payloads))
    for failure in failures:
        sys.stderr.write(f"apus: {one_line(failure)}\n")
    if failures:
        return 2
    return 1 if arguments.check and any(outcome.needed_repair for outcome in outcomes) else 0


def _read_all(names: list[str]) -> tuple[list[SessionFile], list[str]]:
    """The transcripts of all files that can be read, and a sentence for each that can't."""
    sessions: list[SessionFile] = []
    failures: list[str] = []
    for name in names:
        try:
            if name == "-":
                sessions += read_sessions(sys.stdin.buffer.read(), "standard input")
            else:
                sessions += read_sessions(Path(name).read_bytes(), name)
        except ApusError as error:
            failures.append(str(error))
        except OSError as error:
            failures.append(os_sentence(error, name))
    return sessions, failures


def _project_all(sessions: list[SessionFile], make: _Projectors, facts: dict[str, Any]) -> Iterator[Outcome]:
    """Project the transcripts one after the other, with a bar on a terminal if that takes a while."""
    with _progress(sessions) as progress:
        total = sum(len(session.content) for session in sessions)
        task = None if progress is None else progress.add_task("projecting", total=total)
        for session in sessions:
            yield outcome_of(session, make, facts)
            if progress is not None and task is not None:
                progress.advance(task, len(session.content))


class _Projectors:
    """One projector per dialect; made on first use."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.target = arguments.to
        self.source = arguments.source
        self.options: dict[str, Any] = {"strict": arguments.strict}
        self.options |= _given(arguments, "hygiene", "trailing", "orphans", "write")
        self.made: dict[str | None, Projector] = {}

    def __call__(self, dialect: str | None) -> Projector:
        """The projector for a dialect; `--from` wins over what the file says."""
        from apus.api import Projector

        source = self.source or dialect
        if source not in self.made:
            self.made[source] = Projector(self.target, source=source, **self.options)
        return self.made[source]


def _given(arguments: argparse.Namespace, *names: str) -> dict[str, Any]:
    """What the caller chose; the rest is left to the defaults of the API."""
    chosen = {name: getattr(arguments, name) for name in names}
    return {name: value for name, value in chosen.items() if value is not None}


def _progress(sessions: list[SessionFile]) -> Any:
    long = len(sessions) > _LONG_COUNT or sum(len(session.content) for session in sessions) > _LONG_BYTES
    if not long or not sys.stderr.isatty():
        return nullcontext()
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeElapsedColumn(),
    )
    return Progress(*columns, console=console(errors=True), transient=True)


def _print_payloads(payloads: list[bytes]) -> None:
    sys.stdout.flush()
    for payload in payloads:
        sys.stdout.buffer.write(payload + b"\n")
    sys.stdout.buffer.flush()


def _refuse_to_overwrite(out: Path, names: list[str]) -> None:
    for name in names:
        if name != "-" and is_same_file(out, Path(name)):
            raise ApusError(f"--out names {name}, which holds the stored transcript; expected another file")
