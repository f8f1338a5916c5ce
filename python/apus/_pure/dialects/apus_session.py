"""Session files of the dialect `apus`: the messages on the active path.

Mirrors `rust/core/src/dialects/apus_session.rs`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..source import Kind, kind, text
from ..source import number as number_of

# Entries that no model ever sees.
SILENT = frozenset(["session", "model_change", "thinking_level_change", "custom", "label", "session_info"])
ROLES = {"custom_message": "custom", "branch_summary": "branchSummary"}
MAX_DIGITS = 9  # of a place in a file
SPOKEN = frozenset(["message", "custom_message", "compaction", "branch_summary"])


class Entry:
    """One entry of the path: the message it stands for, its place in the file, and the pointer from there."""

    __slots__ = ("index", "node", "path", "role", "void")

    def __init__(self, index: int, node: Any, path: str, role: str | None) -> None:
        self.index = index
        self.node = node
        self.path = path
        self.role = role  # the message role that the entry stands for; None: the node says it
        self.void = False  # older than the last compaction


def is_session(items: Sequence[Any]) -> bool:
    """Whether a list holds session entries and not messages."""
    for item in items:
        if not isinstance(item, dict):
            continue
        label = text(item.get("type"))
        return label in SILENT or (label in SPOKEN and "role" not in item)
    return False


def active_path(items: Sequence[Any]) -> list[Entry]:
    """The entries from the root to the last one; the last compaction takes the place of what came before its cut."""
    path = _path_numbers(items)
    cuts = [n for n in path if text(items[n].get("type")) == "compaction"]
    if not cuts:
        return [e for n in path if (e := _entry(items[n], n)) is not None]
    places = {name: n for n in reversed(path) if (name := text(items[n].get("id"))) is not None}
    first = max(_first_kept(items[n], n, places) for n in cuts)
    summary = Entry(cuts[-1], items[cuts[-1]], "", "compactionSummary")
    last = path.index(cuts[-1])
    kept = [e for n in path[:last] if n >= first and (e := _entry(items[n], n)) is not None]
    for entry in kept:
        # What is signed over a prefix does not survive the change of that prefix.
        entry.void = True
    return [summary, *kept, *(e for n in path[last:] if (e := _entry(items[n], n)) is not None)]


def _entry(item: Any, number: int) -> Entry | None:
    """The message that an entry stands for; None for a compaction and for what no model sees."""
    label = text(item.get("type"))
    if label == "message" and isinstance(item.get("message"), dict):
        return Entry(number, item["message"], "/message", None)
    role = ROLES.get(label or "")
    return Entry(number, item, "", role) if role is not None else None


def _first_kept(item: Any, number: int, places: dict[str, int]) -> int:
    """The number of the first entry that a compaction keeps; its own, if it names one that is not there."""
    name = text(item.get("firstKeptEntryId"))
    if name is not None:
        return places.get(name, number)
    return _index(item.get("firstKeptEntryIndex")) or 0


def _path_numbers(items: Sequence[Any]) -> list[int]:
    """Numbers of the entries on the path, in order; files without parents are linear."""
    known: dict[str, int] = {}
    linear = True
    for number, item in enumerate(items):
        if (
            isinstance(item, dict)
            and (name := text(item.get("id"))) is not None
            and text(item.get("type")) != "session"
        ):
            known[name] = number
            linear = linear and "parentId" not in item
    if linear or not known:
        return [n for n, item in enumerate(items) if isinstance(item, dict)]
    path: list[int] = []
    seen: set[int] = set()
    at: int | None = max(known.values())
    while at is not None and at not in seen:
        seen.add(at)
        path.append(at)
        at = known.get(text(items[at].get("parentId")) or "")
    return path[::-1]


def _index(value: Any) -> int | None:
    """A place in the file, as older files name it."""
    said = number_of(value) if kind(value) is Kind.NUMBER else None
    return int(said) if said is not None and said.isdigit() and len(said) <= MAX_DIGITS else None
