"""Command line: project a stored session, explain a repair, show what a target's policy says.

Exit status: 0 clean or repaired, 1 repairs were needed (`--check`), 2 an error, said in one line on standard error.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from typing import TYPE_CHECKING, NoReturn

from apus.errors import ApusError

if TYPE_CHECKING:
    from collections.abc import Sequence

_EPILOG = "exit status: 0 clean or repaired, 1 repairs were needed (--check), 2 error"


class _UsageError(Exception):
    """The arguments make no sense; the message is one line."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise _UsageError(f"{message} (see `{self.prog} --help`)")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; nothing but `--help` and `--version` raises `SystemExit`."""
    try:
        arguments = _parser().parse_args(argv)
        status = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the pipe has gone; what Python flushes at exit must not raise once more.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except KeyboardInterrupt:
        return 130
    except (_UsageError, ApusError) as error:
        return _fail(str(error))
    except OSError as error:
        from apus._cli.output import os_sentence

        return _fail(os_sentence(error, error.filename))
    except Exception as error:  # noqa: BLE001 - a person with a bricked session gets a sentence, never a traceback
        return _fail(f"fault in apus: {type(error).__name__}: {error}")
    return status


def _fail(message: str) -> int:
    from apus._cli.output import one_line  # only on failure

    sys.stderr.write(f"apus: {one_line(message)}\n")
    return 2


def _run(arguments: argparse.Namespace) -> int:
    # Each command imports what it needs: `apus explain` loads no core.
    match arguments.command:
        case "project":
            from apus._cli.project import project

            return project(arguments)
        case "explain":
            from apus._cli.explain import explain

            return explain(arguments.kind)
        case _:
            from apus._cli.policy import show

            return show(arguments.target, hygiene=arguments.hygiene)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="apus",
        description="Project a stored agent transcript into the history that one LLM provider accepts.",
        epilog=_EPILOG,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print version and core")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_project(commands)
    explain = commands.add_parser("explain", help="what a kind of repair means, why it is done, what to fix")
    explain.add_argument("kind", nargs="*", metavar="KIND", help="a kind of repair; none: list all")
    policy = commands.add_parser("policy", help="what is known about a target")
    actions = policy.add_subparsers(dest="action", required=True, metavar="ACTION")
    show = actions.add_parser("show", help="each field of the policy, its value, and where it comes from")
    show.add_argument("target", metavar="TARGET", help="provider/model, such as anthropic/claude-opus-4-6")
    show.add_argument("--hygiene", choices=("wire", "full"), default="wire")
    return parser


def _add_project(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = commands.add_parser(
        "project",
        help="say what is wrong with a session and what is done about it",
        description="Project stored transcripts (session JSONL, JSON arrays, request bodies; - is standard input).",
        epilog=_EPILOG,
    )
    add = command.add_argument
    add("files", nargs="+", metavar="FILE", help="a session file, or - for standard input")
    add("--to", required=True, metavar="TARGET", help="provider/model, such as anthropic/claude-opus-4-6")
    add("--from", dest="source", metavar="DIALECT", help="the dialect of the file (default: detected)")
    add("--strict", action="store_true", help="the tightest form, for the resend after a 400")
    add("--hygiene", choices=("wire", "full"), help="change what is refused, or tidy up too (default: by dialect)")
    add("--open-calls", choices=("synthesize", "keep", "trim"), help="calls still open at the very end")
    add("--thinking", choices=("on", "off"), help="whether the request turns thinking on")
    add("--trailing", choices=("continue", "strip"), help="an assistant message at the very end")
    add("--orphans", choices=("drop", "note"), help="results that no call can own")
    add("--write", choices=("source",), help="keep the dialect of the file in the answer")
    add("--check", action="store_true", help="exit with 1 if repairs are needed")
    add("--all", action="store_true", help="list each repair, not each kind")
    output = command.add_mutually_exclusive_group()
    output.add_argument("-o", "--out", metavar="OUT", help="write the request JSON to a file")
    output.add_argument("--payload", action="store_true", help="print the request JSON and nothing else")


class _Version(argparse.Action):
    """`--version`: the number and the core, found out only when asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from importlib import metadata

        import apus

        try:
            version = metadata.version("apus-projection")
        except metadata.PackageNotFoundError:
            version = "of a source tree"
        sys.stdout.write(f"apus {version} ({apus.core} core)\n")
        parser.exit()
