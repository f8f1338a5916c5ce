"""What became of one transcript: the payload, the repairs, and the sizes before and after."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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
        # A body goes out whole, with the caller's own sampling and tools; a bare history as the fields of the target.
        payload = projection.body if session.is_body else projection.payload_json
        after = Size(_count(projection.payload), projection.tokens)
        return Outcome(session, payload, projection.repairs, _size_before(session), after)
    except ApusError as error:
        return Outcome(session, error=f"{session.name}: {error}")


def _size_before(session: SessionFile) -> Size:
    from apus.api import estimate_tokens

    try:
        return Size(_count(json.loads(session.content)), estimate_tokens(session.content))
    except (ApusError, ValueError):
        return Size()


def _count(value: Any) -> int | None:
    if isinstance(value, dict):
        value = next((value[field] for field in ("messages", "input", "contents") if field in value), None)
    return len(value) if isinstance(value, list) else None
