"""Output: consoles, text that is safe to print, and files that appear whole or not at all."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console
    from rich.text import Text

# What a stored session holds must not drive the terminal: control characters, and those that turn text around.
_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_PLAIN_WIDTH = 160  # of a table in a file or a pipe


def one_line(text: str) -> str:
    """Write what could steer a terminal as escapes."""
    return _UNSAFE.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def os_sentence(error: OSError, name: object) -> str:
    """Say what the system refused, and for which file."""
    said = (error.strerror or str(error)).lower()
    return f"{name}: {said}" if name else said


def shorten(text: str, limit: int) -> str:
    """Cut to `limit` characters, the last a dot-dot-dot."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def console(*, errors: bool = False) -> Console:
    """Open a console on standard output or error: colours on a terminal, plain wide text elsewhere."""
    from rich.console import Console  # only when something is printed

    class Piped(Console):
        def on_broken_pipe(self) -> None:
            raise  # noqa: PLE0704 - rich would exit with 1, which here means that repairs were needed

    stream = sys.stderr if errors else sys.stdout
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="backslashreplace")  # an ASCII locale must not end in a traceback
    width = None if stream.isatty() or "COLUMNS" in os.environ else _PLAIN_WIDTH
    return Piped(file=stream, width=width, highlight=False, emoji=False, markup=False)


def styled(text: str, style: str = "") -> Text:
    """Make text of a session printable, never read as markup."""
    from rich.text import Text

    return Text(one_line(text), style=style)


def write_whole(path: Path, data: bytes) -> None:
    """Write beside the target, then rename: a reader sees the old file or the new one, never half of it."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def is_same_file(left: Path, right: Path) -> bool:
    """Tell whether both names mean one existing file."""
    return left.exists() and right.exists() and left.samefile(right)
