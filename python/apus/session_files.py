"""Session files: what a file holds, framed as the bytes of one transcript that a projector reads.

Read are session files of apus, OpenClaw and pi (JSONL of entries, torn ones too), JSONL of messages, a JSON array,
a request body, JSONL of bodies or of recorded requests, and Claude Code sessions. Nothing is rewritten: every number,
escape and key order is copied as it stands. Which entries of a session are on its active path is left to the core.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apus._files.claude_code import unwrap
from apus._files.records import Frames, Record, decode, frame, members, skip_space
from apus._files.shapes import FOREIGN, RECORDED_KINDS, Shape, shape_of
from apus.errors import TranscriptError

if TYPE_CHECKING:
    from collections.abc import Sequence

_EXPECTED = "expected a session file, messages, or a request body, as JSON or JSONL"
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class SessionFile:
    """One transcript of a file.

    `content` is a JSON array of messages or entries, or a whole request body (`is_body`); `dialect` is None where the
    file doesn't say it; `notes` says what was recovered, dropped or left out; `damaged` counts damaged lines; `lines`
    are the line numbers of the array's elements where each stands on a line of its own.
    """

    name: str
    content: bytes
    dialect: str | None = None
    notes: tuple[str, ...] = ()
    damaged: int = 0
    is_body: bool = False
    lines: tuple[int, ...] = ()


def read_session(data: bytes, name: str) -> SessionFile:
    """Read a file that holds one transcript; `name` is used in messages only.

    Raises `TranscriptError` if there is none, more than one, or one in a format that apus can't read.
    """
    found = read_sessions(data, name)
    if len(found) > 1:
        raise TranscriptError(f"{name} holds {len(found)} transcripts; expected one", kind="not_a_transcript")
    return found[0]


def read_sessions(data: bytes, name: str) -> tuple[SessionFile, ...]:
    """Read a file that holds one transcript or more, in the order of the file.

    Notes and the count of damaged lines stand on the first. Raises as `read_session` does.
    """
    if data.startswith(_UTF16):
        raise TranscriptError(f"{name} begins with a UTF-16 mark; expected UTF-8", kind="not_json", offset=0)
    data = data.removeprefix(_BOM)
    start = len(data) - len(data.lstrip(b" \t\r\n"))
    if start == len(data):
        raise TranscriptError(f"{name} is empty; {_EXPECTED}", kind="not_a_transcript")
    document = _document(data, name)
    if document is not None and document.shape is Shape.LIST:
        return (SessionFile(name, document.data),)
    if document is not None:
        return _assemble(Frames([document], [], 0), name)
    if data[start : start + 1] == b"[" and b"\n[" not in data[start:]:
        # A torn array: the core says at which byte it ends.
        return (SessionFile(name, data),)
    return _assemble(frame(data, name, shape_of), name)


def _document(data: bytes, name: str) -> Record | None:
    """Read the one JSON value that is the whole file; None if it holds more or less than that."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    start = skip_space(text, 0)
    found = decode(text, start, name)
    if found is None or skip_space(text, found[1]) < len(text):
        return None
    return Record(1 + text.count("\n", 0, start), text[start : found[1]].encode(), shape_of(found[0]))


def _assemble(frames: Frames, name: str) -> tuple[SessionFile, ...]:
    """Make the transcripts of a file, as its first telling record says."""
    records = frames.records
    telling = next((record for record in records if record.shape is not Shape.OTHER), None)
    if telling is None:
        seen = "JSON, but no transcript" if records else "no JSON"
        raise TranscriptError(f"{name} holds {seen}; {_EXPECTED}", kind="not_a_transcript")
    shape = telling.shape
    if shape in FOREIGN:
        raise TranscriptError(f"{name} is {shape}, which apus cannot read yet; {_EXPECTED}", kind="unknown_dialect")
    if shape in (Shape.BODY, Shape.RECORDED, Shape.LIST):
        return _several(frames, name)
    notes = list(frames.notes)
    if shape is Shape.CLAUDE_CODE:
        content, left_out = unwrap(records, name)
        notes += left_out
        return (SessionFile(name, content, "anthropic-messages", tuple(notes), frames.damaged),)
    dialect = "apus" if shape is Shape.ENTRY else None
    if shape is Shape.MESSAGE:
        kept = [record for record in records if not _is_bookkeeping(record)]
        if len(kept) < len(records):
            # Such rows stand in the context files of Kimi Code, between messages of its own dialect.
            notes.append(f"{len(records) - len(kept)} rows of bookkeeping left out")
            records, dialect = kept, "kimi"
    content = b"[" + b",".join(record.data for record in records) + b"]"
    lines = tuple(record.line for record in records)
    return (SessionFile(name, content, dialect, tuple(notes), frames.damaged, lines=lines),)


def _is_bookkeeping(record: Record) -> bool:
    return record.data.startswith((b'{"role": "_', b'{"role":"_'))


def _several(frames: Frames, name: str) -> tuple[SessionFile, ...]:
    """Make a transcript of each body, recorded request or list of a JSONL file."""
    notes = list(frames.notes)
    found: list[SessionFile] = []
    for record in frames.records:
        label = f"{name}:{record.line}" if len(frames.records) > 1 else name
        if record.shape is Shape.RECORDED:
            found.append(_recorded(record, label))
        elif record.shape in (Shape.BODY, Shape.LIST):
            found.append(SessionFile(label, record.data, is_body=record.shape is Shape.BODY))
        else:
            notes.append(f"line {record.line}: {record.shape} among requests left out ({len(record.data)} bytes)")
    return _with_notes(found, notes, frames.damaged)


def _recorded(record: Record, label: str) -> SessionFile:
    text = record.data.decode()
    spans = {key: text[start:end] for key, start, end in members(text, 0, label)}
    kind = decode(spans.get("kind", "null"), 0, label)
    dialect = RECORDED_KINDS.get(kind[0]) if kind is not None and isinstance(kind[0], str) else None
    return SessionFile(label, spans["request"].encode(), dialect, is_body=True)


def _with_notes(found: Sequence[SessionFile], notes: Sequence[str], damaged: int) -> tuple[SessionFile, ...]:
    first = found[0]
    noted = SessionFile(first.name, first.content, first.dialect, tuple(notes), damaged, first.is_body)
    return (noted, *found[1:])
