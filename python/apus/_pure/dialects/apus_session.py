"""Session files of the dialect `apus`: the messages on the active path. Mirrors `rust/core/src/dialects/apus_session.rs`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..source import Kind, kind, number, text

# Entries that no model ever sees.
SILENT = frozenset(["session", "model_change", "thinking_level_change", "custom", "label", "session_info"])
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
    """The entries from the root to the last one, cut at the last compaction."""
    numbers = _path_numbers(items)
    entries: list[Entry] = []
    for number in numbers:
        label = text(items[number].get("type"))
        if label == "message" and isinstance(items[number].get("message"), dict):
            entries.append(Entry(number, items[number]["message"], "/message", None))
        elif label == "custom_message":
            entries.append(Entry(number, items[number], "", "custom"))
        elif label == "branch_summary":
            entries.append(Entry(number, items[number], "", "branchSummary"))
        elif label == "compaction":
            entries = _compacted(items, number, numbers, entries)
    return entries


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


def _compacted(items: Sequence[Any], number: int, numbers: list[int], entries: list[Entry]) -> list[Entry]:
    """The summary takes the place of what came before the first kept entry."""
    item = items[number]
    summary = Entry(number, item, "", "compactionSummary")
    first = text(item.get("firstKeptEntryId"))
    kept: list[Entry] = []
    if first is not None:
        at = next((n for n in numbers if text(items[n].get("id")) == first), None)
        kept = [e for e in entries if at is not None and e.index >= at]
    elif (old := _index(item.get("firstKeptEntryIndex"))) is not None:
        kept = [e for e in entries if e.index >= old]
    else:
        kept = entries
    for entry in kept:
        # What is signed over a prefix does not survive the change of that prefix.
        entry.void = True
    return [summary, *(e for e in kept if e.role != "compactionSummary")]


def _index(value: Any) -> int | None:
    """A place in the file, as older files name it."""
    said = number(value) if kind(value) is Kind.NUMBER else None
    return int(said) if said is not None and said.isdigit() and len(said) < 10 else None
