"""`apus policy show`: each field of a target's policy, its value, and where it comes from."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from apus._cli.output import console, styled


def show(name: str, *, hygiene: str) -> int:
    """Print the policy of a target, each field with the row that says it, and below each row with its source."""
    from rich.table import Table

    from apus.policy import Target, describe

    target = Target.parse(name)
    rows = describe(target, hygiene)
    table = Table(box=None, padding=(0, 1))
    table.add_column("field", no_wrap=True)
    table.add_column("value", overflow="fold")
    table.add_column("from", overflow="fold")
    for row in rows:
        style = "dim" if row.row == "default" else ""
        table.add_row(*(styled(cell, style) for cell in (row.field, _said(row.value), row.row)))
    out = console()
    out.print(styled(f"{target.provider}/{target.model or '*'}", "bold"), styled(f"{target.api}, hygiene {hygiene}"))
    out.print(table)
    for said, source, date in dict.fromkeys((row.row, row.source, row.date) for row in rows if row.source):
        out.print()
        out.print(styled(said, "bold"), styled(f"({date})"))
        out.print(styled(source.strip()))
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
        return ", ".join(f"{key} {_said(inner)}" for key, inner in value.items()) or "(empty)"
    if isinstance(value, tuple):
        return ", ".join(map(_said, value)) or "(empty)"
    return str(value)
