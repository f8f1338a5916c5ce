"""Projection: what a projector gives back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from . import _backend
from .kinds import SEVERITY, RepairKind, Severity

if TYPE_CHECKING:
    from types import ModuleType

    import numpy as np

    from .errors import ApusError

M = TypeVar("M", list[Any], bytes)
Loc = tuple[int, int | None]


@dataclass(frozen=True, slots=True)
class Repair:
    """One change. `loc` is (message, block or None) and `pointer` a JSON pointer, both in the stored transcript."""

    kind: RepairKind
    severity: Severity
    loc: Loc | None
    pointer: str | None
    id: str | None
    detail: str | None


@dataclass(frozen=True, slots=True)
class Report:
    """The figures of one projection, small enough to keep."""

    core: str
    source: str
    dialect: str
    changed: bool
    lossless: bool
    repair_counts: Mapping[str, int]
    first_change: int | None
    error: str | None


class Projection(Generic[M]):
    """The history that a target accepts, and the record of what was done.

    In the objects lane (`M` is `list`) values are Python objects, in the json lane (`M` is `bytes`) JSON text.
    """

    __slots__ = ("_answer", "_core", "_counts", "_parts", "_repairs", "error")

    def __init__(self, answer: Any, error: ApusError | None = None, core: ModuleType | None = None) -> None:
        self._core = _backend.core if core is None else core
        self._answer = answer
        self._repairs: tuple[Repair, ...] | None = None
        self._parts: tuple[list[int], int, int] | None = None
        self._counts: np.ndarray[Any, Any] | None = None
        self.error = error
        """The error, where `on_error="pass"` gave the input back as it is; else None."""

    def __repr__(self) -> str:
        state = "error" if self.error is not None else "changed" if self.changed else "unchanged"
        return f"<Projection {state}, {len(self.repairs)} repairs, core {self.core}>"

    @property
    def messages(self) -> M:
        """The target's list; the very same object as the input when nothing had to change."""
        messages: M = self._answer.messages
        return messages

    @property
    def payload(self) -> dict[str, Any]:
        """The request fields as a dict: the whole body for a body of the same dialect, else the history fields."""
        if isinstance(self._answer.messages, bytes):
            import json

            made: dict[str, Any] = json.loads(self.payload_json)
            return made
        if self._answer.body is not None:
            body: dict[str, Any] = self._answer.body
            return body
        head = {"system": self._answer.system} if self._answer.system is not None else {}
        return {**head, "messages": self._answer.messages}

    @property
    def payload_json(self) -> bytes:
        """The request fields as JSON bytes."""
        answer = self._answer
        if not isinstance(answer.messages, bytes):
            return bytes(self._core.dumps_objects(self.payload))
        if answer.body is not None:
            return bytes(answer.body)
        head = b'"system":' + answer.system + b"," if answer.system is not None else b""
        return b"{" + head + b'"messages":' + answer.messages + b"}"

    @property
    def body(self) -> bytes:
        """The whole request body with the history replaced; for a bare list the request fields."""
        return self.payload_json

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """Every change, in the order of the rules."""
        if self._repairs is None:
            self._repairs = tuple(_repair(r) for r in self._answer.repairs)
        return self._repairs

    @property
    def repair_counts(self) -> dict[str, int]:
        """How many repairs there are of each kind."""
        return dict(Counter(r[0] for r in self._answer.repairs))

    @property
    def changed(self) -> bool:
        """Whether the answer differs from the input."""
        return bool(self._answer.changed)

    @property
    def lossless(self) -> bool:
        """Whether no repair left out anything that the transcript holds."""
        return not any(r.severity == Severity.LOST for r in self.repairs)

    @property
    def id_map(self) -> dict[str, str | None]:
        """New call id → stored call id, for each call that was renamed; None where the stored one was missing."""
        return dict(self._answer.id_map)

    @property
    def moved_prefix(self) -> tuple[str, ...]:
        """Why the projection of an earlier part may differ from the start of this one; mostly empty."""
        moved: tuple[str, ...] = self._answer.moved_prefix
        return moved

    @property
    def first_change(self) -> int | None:
        """Index of the first projected message that differs from the stored one, or None."""
        first: int | None = self._answer.first_change
        return first

    @property
    def source(self) -> str:
        """The dialect that was read."""
        return str(self._answer.source)

    @property
    def dialect(self) -> str:
        """The dialect that was written."""
        return str(self._answer.dialect)

    @property
    def token_parts(self) -> dict[str, int]:
        """Estimated tokens of the system prompt, the tools and the messages."""
        counts, system, tools = self._estimate()
        return {"system": system, "tools": tools, "messages": sum(counts)}

    @property
    def tokens(self) -> int:
        """Estimated tokens of the request: system, tools and messages; counted on first access."""
        return sum(self.token_parts.values())

    @property
    def token_counts(self) -> np.ndarray[Any, Any]:
        """Estimated tokens of each projected message, as uint32; imports numpy on first access."""
        if self._counts is None:
            import numpy as np

            self._counts = np.array(self._estimate()[0], dtype=np.uint32)
        return self._counts

    def _estimate(self) -> tuple[list[int], int, int]:
        if self._parts is None:
            answer = self._answer
            if answer.body is not None:
                self._parts = self._core.estimate(answer.body, answer.dialect)
            elif isinstance(answer.messages, bytes):
                self._parts = self._core.estimate(self.payload_json, answer.dialect)
            else:
                self._parts = self._core.estimate(answer.messages, answer.dialect, answer.system)
        return self._parts

    @property
    def nbytes(self) -> int:
        """Size of the answer as JSON, in bytes."""
        return len(self.payload_json)

    @property
    def core(self) -> str:
        """The core that ran: `native` or `pure`."""
        return str(self._core.NAME)

    @property
    def report(self) -> Report:
        """The figures, without the messages."""
        error = None if self.error is None else str(self.error)
        counts = self.repair_counts
        return Report(
            self.core, self.source, self.dialect, self.changed, self.lossless, counts, self.first_change, error
        )

    def detach(self) -> Projection[M]:
        """Let the source go: nothing of it is held but what stands in the answer itself."""
        error: BaseException | None = self.error
        while error is not None:
            # The frames of a traceback hold the input.
            error.__traceback__ = None
            error = error.__cause__ or error.__context__
        return self


def _repair(record: tuple[str, Loc | None, str | None, str | None, str | None]) -> Repair:
    kind = RepairKind(record[0])
    return Repair(kind, SEVERITY[kind], *record[1:])
