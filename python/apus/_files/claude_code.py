"""Claude Code session files: one line a block, unwrapped to `anthropic-messages`, the blocks byte for byte.

Lines are read in file order: parallel calls fork the chain of parents, so a walk from the last line to the root would
lose results that the file holds. Lines of one `message.id` are one message, at the place of the first of them.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from .records import Record, decode, items, members

if TYPE_CHECKING:
    from collections.abc import Iterable


class _Line(NamedTuple):
    """One line that holds a message; `content` is the JSON text of its content."""

    value: dict[str, Any]
    role: str
    content: str


class _Message:
    """A message of the answer; `blocks` are JSON texts, or None where the content is one string."""

    def __init__(self, role: str, content: str, name: str) -> None:
        self.role = role
        self.content = content
        self.blocks = [content[a:b] for a, b in items(content, 0, name)] if content.startswith("[") else None

    def absorb(self, other: _Message) -> None:
        self.blocks = self.as_blocks() + other.as_blocks()

    def as_blocks(self) -> list[str]:
        return self.blocks if self.blocks is not None else ['{"type":"text","text":' + self.content + "}"]

    def text(self) -> str:
        content = self.content if self.blocks is None else "[" + ",".join(self.blocks) + "]"
        return f'{{"role":"{self.role}","content":{content}}}'


def unwrap(records: Iterable[Record], name: str) -> tuple[bytes, list[str]]:
    """Make a JSON array of the messages of a session file, and a note for each group of lines left out."""
    skipped: Counter[str] = Counter()
    lines = [line for record in records if (line := _read(record, name, skipped)) is not None]
    # The file of a sub-agent holds nothing but its side chain: there it is the session.
    side_only = all(line.value.get("isSidechain") is True for line in lines)
    seen: set[str] = set()
    messages: list[_Message] = []
    by_id: dict[str, _Message] = {}
    for line in lines:
        reason = _reason_to_skip(line, seen, side_only=side_only)
        if reason is not None:
            skipped[reason] += 1
            continue
        if line.value.get("isCompactSummary") is True and messages:
            skipped["that a later summary stands for"] += len(messages)
            messages.clear()
            by_id.clear()
        message = _Message(line.role, line.content, name)
        identity = line.value["message"].get("id")
        if line.role == "assistant" and isinstance(identity, str):
            if identity in by_id:
                by_id[identity].absorb(message)
                continue
            by_id[identity] = message
        messages.append(message)
    notes = [f"{count} {'line' if count == 1 else 'lines'} {reason} left out" for reason, count in skipped.items()]
    return ("[" + ",".join(message.text() for message in messages) + "]").encode(), notes


def _read(record: Record, name: str, skipped: Counter[str]) -> _Line | None:
    """Read a line with a message; count it if it has none."""
    text = record.data.decode()
    found = decode(text, 0, name)
    value: dict[str, Any] = found[0] if found is not None and isinstance(found[0], dict) else {}
    message = value.get("message") if value.get("type") in ("user", "assistant") else None
    if not isinstance(message, dict) or message.get("role") not in ("user", "assistant"):
        skipped["without a message"] += 1
        return None
    spans = {key: (start, end) for key, start, end in members(text, 0, name)}
    start, _ = spans["message"]
    inner = {key: text[a:b] for key, a, b in members(text, start, name)}
    return _Line(value, message["role"], inner.get("content", "null"))


def _reason_to_skip(line: _Line, seen: set[str], *, side_only: bool) -> str | None:
    value = line.value
    if value.get("isSidechain") is True and not side_only:
        return "of side chains"
    if value.get("isApiErrorMessage") is True:
        return "with an error of the provider"
    identity = value.get("uuid")
    if isinstance(identity, str):
        if identity in seen:
            return "stored twice"
        seen.add(identity)
    return None
