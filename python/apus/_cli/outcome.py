"""What became of one transcript: the payload, the repairs, and the sizes before and after."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from apus._files.shapes import HISTORY_FIELDS
from apus.errors import ApusError
from apus.session_files import SessionFile

if TYPE_CHECKING:
    from apus.api import Projector


@dataclass(frozen=True, slots=True)
class Size:
    """How much there is; None where it can't be counted."""

    messages: int | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """One transcript projected, or the sentence why not."""

    session: SessionFile
    payload: bytes = b""
    repairs: tuple[Any, ...] = ()
    before: Size = Size()
    after: Size = Size()
    error: str | None = None

    @property
    def needed_repair(self) -> bool:
        """Whether the file, or the transcript in it, was not fit to be sent as it stands."""
        return bool(self.repairs) or self.session.damaged > 0


def outcome_of(session: SessionFile, make: Callable[[str | None], Projector], facts: dict[str, Any]) -> Outcome:
    """Project one transcript; an error of apus becomes a sentence, so that the next one gets its turn."""
    try:
        projection = make(session.dialect).project(session.content, **facts)
        after = Size(_count(projection.payload), projection.tokens)
        before = _size_before(session, projection.source)
        # Of a body of the same dialect the payload is the whole body: tools and sampling are the caller's own.
        return Outcome(session, projection.payload_json, projection.repairs, before, after)
    except ApusError as error:
        return Outcome(session, error=f"{session.name}: {error}")


def _size_before(session: SessionFile, dialect: str) -> Size:
    """What a model would be sent if nothing were repaired: of a session the active path."""
    from apus.api import estimate_tokens

    try:
        stored = json.loads(session.content)
        if isinstance(stored, list):
            stored = _messages_of(stored)
        return Size(_count(stored), estimate_tokens(stored, dialect=dialect))
    except (ApusError, ValueError):
        return Size()  # a number that Python doesn't read, for one


def _messages_of(items: list[Any]) -> list[Any]:
    from apus._pure.dialects.apus_session import active_path, is_session

    if not is_session(items):
        return items
    return [entry.node if entry.role is None else {**entry.node, "role": entry.role} for entry in active_path(items)]


def _count(value: Any) -> int | None:
    if isinstance(value, dict):
        value = next((value[field] for field in HISTORY_FIELDS if field in value), None)
    return len(value) if isinstance(value, list) else None
