"""The report of `apus project`: what was wrong, what was done, and how much is sent."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from apus._cli.explain import STYLES
from apus._cli.outcome import Outcome, Size
from apus._cli.output import console, one_line, shorten, styled
from apus.kinds import SEVERITY, RepairKind, Severity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console
    from rich.table import Table

_PLACES = 3
_NOTES = 10
_PLACE_WIDTH = 100
_ORDER = {kind: (list(Severity).index(SEVERITY[kind]), place) for place, kind in enumerate(RepairKind)}


def print_report(outcomes: Sequence[Outcome], target: str, *, every: bool) -> None:
    """Print one section for each transcript, and a line for all if there are several."""
    out = console()
    for outcome in outcomes:
        if outcome.error is None:
            _print_one(out, outcome, target, every=every)
    if len(outcomes) > 1:
        _print_total(out, outcomes)
    if any(outcome.repairs for outcome in outcomes):
        out.print(styled("`apus explain KIND` says why, and what to fix where the transcript is written.", "dim"))


def _print_one(out: Console, outcome: Outcome, target: str, *, every: bool) -> None:
    out.print(styled(outcome.session.name, "bold"), styled(f"→ {target}"))
    notes = outcome.session.notes
    for note in notes if every else notes[:_NOTES]:
        out.print(styled(f"  {note}", "yellow"))
    if len(notes) > _NOTES and not every:
        out.print(styled(f"  … and {len(notes) - _NOTES} more (--all)", "yellow"))
    if outcome.repairs:
        out.print(_every_repair(outcome) if every else _repairs_by_kind(outcome))
    out.print(styled("  " + _sizes(outcome.before, outcome.after)))
    out.print(styled("  " + _verdict(outcome.repairs), "bold" if outcome.repairs else "green"))
    out.print()


def _new_table(*titles: str) -> Table:
    from rich.table import Table  # only when something is printed

    table = Table(box=None, padding=(0, 1))
    for title in titles:
        last = title == titles[-1]  # gives way on a narrow terminal
        table.add_column(title, no_wrap=not last, overflow="fold", justify="right" if title == "count" else "left")
    return table


def _repairs_by_kind(outcome: Outcome) -> Table:
    """One row a kind: how many, and the first few with place, id and detail."""
    table = _new_table("severity", "repair", "count", "first places")
    groups: dict[RepairKind, list[Any]] = {}
    for repair in outcome.repairs:
        groups.setdefault(repair.kind, []).append(repair)
    for kind, group in sorted(groups.items(), key=lambda item: _ORDER[item[0]]):
        severity = SEVERITY[kind]
        first = [shorten(one_line(_place(repair, outcome)), _PLACE_WIDTH) for repair in group[:_PLACES]]
        if len(group) > _PLACES:
            first.append(f"… {len(group) - _PLACES} more")
        table.add_row(styled(severity, STYLES[severity]), kind, str(len(group)), "\n".join(first))
    return table


def _every_repair(outcome: Outcome) -> Table:
    """One row a repair, in the order in which they were made."""
    table = _new_table("severity", "repair", "place")
    for repair in outcome.repairs:
        severity = SEVERITY[repair.kind]
        table.add_row(styled(severity, STYLES[severity]), repair.kind, styled(_place(repair, outcome, pointer=True)))
    return table


def _place(repair: Any, outcome: Outcome, *, pointer: bool = False) -> str:
    """Where a repair was made, and on what: line of the file or message and block from 0, id, detail."""
    lines = outcome.session.lines
    index = (repair.pointer or "").split("/")[1:2]
    if lines and index and index[0].isdecimal() and int(index[0]) < len(lines):
        place = f"line {lines[int(index[0])]}"
    elif repair.loc is not None:
        place = ".".join(str(number) for number in repair.loc if number is not None)
    else:
        place = "-"
    return "  ".join(filter(None, (place, repair.pointer if pointer else None, repair.id, repair.detail)))


def _sizes(before: Size, after: Size) -> str:
    return f"messages {_span(before.messages, after.messages)}   tokens {_span(before.tokens, after.tokens)}"


def _span(before: int | None, after: int | None) -> str:
    left, right = ("?" if count is None else f"{count:,}" for count in (before, after))
    return f"{left} → {right}"


def _verdict(repairs: Sequence[Any]) -> str:
    if not repairs:
        return "accepted as it stands"
    counts = Counter(SEVERITY[repair.kind] for repair in repairs)
    said = ", ".join(f"{counts[severity]} {severity}" for severity in Severity if severity in counts)
    return f"{len(repairs)} {'repair' if len(repairs) == 1 else 'repairs'}: {said}"


def _print_total(out: Console, outcomes: Sequence[Outcome]) -> None:
    failed = sum(outcome.error is not None for outcome in outcomes)
    repaired = sum(bool(outcome.repairs) for outcome in outcomes)
    accepted = len(outcomes) - failed - repaired
    line = f"{len(outcomes)} transcripts: {accepted} accepted as they stand, {repaired} repaired, {failed} failed"
    out.print(styled(line, "bold"))
