"""`apus policy show`: each field of a target's policy, its value, and where it comes from."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from apus._cli.output import console, styled


def show(name: str, *, hygiene: str) -> int:
    """Print the policy of a target as a table; what no row about it says is dim."""
    from rich.table import Table

    from apus.policy import Target, describe

    target = Target.parse(name)
    table = Table(box=None, padding=(0, 1))
    table.add_column("field", no_wrap=True)
    table.add_column("value", overflow="fold", ratio=2)
    table.add_column("from", overflow="fold", ratio=3)
    for row in describe(target, hygiene):
        style = "dim" if row.row == "default" else ""
        origin = ", ".join(filter(None, (row.row, row.source, row.date)))
        table.add_row(styled(row.field, style), styled(_said(row.value), style), styled(origin, style))
    out = console()
    out.print(styled(f"{target.provider}/{target.model or '*'}", "bold"), styled(f"{target.api}, hygiene {hygiene}"))
    out.print(table)
    return 0


def _said(value: Any) -> str:
    """A value in the words of the tables."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if is_dataclass(value):
        return ", ".join(f"{field.name} {_said(getattr(value, field.name))}" for field in fields(value))
    if isinstance(value, dict):
        return ", ".join(f"{key} {_said(inner)}" for key, inner in value.items()) or "none"
    if isinstance(value, tuple):
        return ", ".join(map(_said, value)) or "none"
    return str(value)
