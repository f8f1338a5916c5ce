"""Print the README's table of repair kinds; `--write` puts it between the marks in README.md."""

from __future__ import annotations

import sys
from pathlib import Path

from apus.kinds import RepairKind, Severity, explain

README = Path(__file__).parents[1] / "README.md"
BEGIN, END = "<!-- kinds: begin -->\n", "<!-- kinds: end -->\n"


def table() -> str:
    """The kinds in Markdown, by severity, then in the order of the list."""
    rows = sorted(map(explain, RepairKind), key=lambda row: list(Severity).index(row.severity))
    lines = [f"| {row.severity} | `{row.kind}` | {row.what} |" for row in rows]
    return "\n".join(["| severity | kind | what was done |", "|---|---|---|", *lines]) + "\n"


def spliced(readme: str) -> str:
    """The README with the table of today."""
    head, rest = readme.split(BEGIN)
    return head + BEGIN + table() + END + rest.split(END)[1]


if __name__ == "__main__":
    if "--write" in sys.argv:
        README.write_text(spliced(README.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        sys.stdout.write(table())
