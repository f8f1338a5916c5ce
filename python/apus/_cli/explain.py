"""`apus explain`: what a kind of repair means, why it is done, what to fix upstream."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from apus._cli.output import console, styled
from apus.errors import ApusError
from apus.kinds import SEVERITY, RepairKind, Severity
from apus.kinds import explain as explanation_of

if TYPE_CHECKING:
    from collections.abc import Sequence

STYLES = {
    Severity.REQUIREMENT: "bold red",
    Severity.TRUST: "magenta",
    Severity.LOST: "yellow",
    Severity.INVENTED: "cyan",
    Severity.PLACED: "blue",
    Severity.FORMAT: "green",
}


def explain(names: Sequence[str]) -> int:
    """Print the rows of the kinds named, or a list of all."""
    kinds = [_kind_of(name) for name in names]
    if not kinds:
        _list_all()
    for kind in kinds:
        _print_one(kind)
    return 0


def _kind_of(name: str) -> RepairKind:
    wanted = name.strip().lower().replace("-", "_")
    if wanted in list(RepairKind):
        return RepairKind(wanted)
    near = get_close_matches(wanted, list(RepairKind), 1, 0.5)
    hint = f"did you mean {near[0]}?" if near else "`apus explain` lists all kinds"
    raise ApusError(f"no kind of repair is called {name!r}; {hint}")


def _print_one(kind: RepairKind) -> None:
    from rich.table import Table  # only when something is printed

    row = explanation_of(kind)
    out = console()
    out.print(styled(kind, "bold"), styled(row.severity, STYLES[row.severity]))
    table = Table(box=None, show_header=False, padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(max_width=100)
    for label, text in (("what", row.what), ("why", row.why), ("fix", row.fix)):
        table.add_row(label, styled(text))
    out.print(table)


def _list_all() -> None:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2))
    table.add_column("severity", no_wrap=True)
    table.add_column("kind", no_wrap=True)
    table.add_column("what was done")
    for severity in Severity:
        for kind in RepairKind:
            if SEVERITY[kind] is severity:
                table.add_row(styled(severity, STYLES[severity]), kind, styled(explanation_of(kind).what))
    console().print(table)
