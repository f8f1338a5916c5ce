"""Projector: the configuration, checked once; projecting is one call into a core."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from types import ModuleType
from typing import Any, Literal, NamedTuple, Unpack, overload

from . import _backend
from ._facts import Facts, check, dialect, dialect_of, facts, refusals
from ._facts import texts as laid_over
from ._objects import plain
from ._pure.request import Limits
from .errors import ApusError, InternalError, RepairRefused, TranscriptError
from .kinds import RepairKind, Severity
from .policy import Tables, Target, policy_for, policy_json
from .projection import Projection

__all__ = ["ALGORITHM", "Limits", "Projector"]

# Counts the releases that changed what comes out of the same input.
ALGORITHM = 1
# None of the cores decodes images yet.
IMAGE_BACKEND: str | None = None


class Projector:
    """Projects transcripts for one target: reusable, immutable, thread-safe, callable.

    `target` is a `Target` or its text (`anthropic/claude-opus-4-6`); `source` the dialect of the transcripts (None:
    detected); `hygiene` `"wire"` or `"full"` (None: as the source's dialect has it); `write` the dialect of the answer
    (None: the target's, `"source"`: the source's); `refuse` repair kinds or severities that raise `RepairRefused`;
    `on_error="pass"` gives the input back with `projection.error` set. Raises `TargetError` for an unknown target.
    """

    __slots__ = ("_compiled", "_config", "_core", "_fingerprint", "_on_error", "_refuse", "_tables", "_target")

    def __init__(
        self,
        target: Target | str,
        *,
        source: str | None = None,
        hygiene: Literal["wire", "full"] | None = None,
        strict: bool = False,
        write: str | None = None,
        trailing: Literal["continue", "strip"] | None = None,
        orphans: Literal["drop", "note"] = "drop",
        refuse: Iterable[RepairKind | Severity | str] = (),
        on_error: Literal["raise", "pass"] = "raise",
        limits: Limits | None = None,
        tables: Tables | None = None,
        texts: Mapping[str, Mapping[str, Any]] | None = None,
        _fault_in: str | None = None,
        _core: ModuleType | None = None,
    ) -> None:
        self._target = Target.parse(target, tables=tables) if isinstance(target, str) else target
        check(hygiene=hygiene, trailing=trailing, orphans=orphans, on_error=on_error)
        known = Tables.load() if tables is None else tables
        self._config = {
            **_about(self._target, known),
            "source": dialect(source),
            "write": write if write == "source" else dialect(write),
            "full": None if hygiene is None else hygiene == "full",
            "strict": strict,
            "trailing": trailing,
            "orphans": orphans,
            "limits": asdict(limits if limits is not None else Limits()),
            "texts": laid_over(texts),
            "fault_in": _fault_in,
        }
        # Tests and benches name a core of their own.
        self._core = _backend.core if _core is None else _core
        self._compiled = self._core.compile(json.dumps(self._config, ensure_ascii=False))
        self._tables = known.version
        self._refuse = refusals(refuse)
        self._on_error = on_error
        self._fingerprint: str | None = None

    @property
    def target(self) -> Target:
        """Who receives the request."""
        return self._target

    @property
    def fingerprint(self) -> str:
        """Hash of all that the answer depends on beside the input: algorithm, tables, texts, options. 32 hex digits."""
        if self._fingerprint is None:
            import hashlib

            from ._pure.texts import table

            config = {**self._config, "texts": self._config["texts"] or table()}
            parts = [ALGORITHM, self._tables, IMAGE_BACKEND, sorted(self._refuse), self._on_error, config]
            text = json.dumps(parts, sort_keys=True, ensure_ascii=False)
            self._fingerprint = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        return self._fingerprint

    def __repr__(self) -> str:
        return f"<Projector {self._target.provider}/{self._target.model or '*'} {self._config['api']}>"

    @overload
    def project(self, transcript: bytes | bytearray | memoryview, **given: Unpack[Facts]) -> Projection[bytes]: ...
    @overload
    def project(
        self, transcript: Sequence[Any] | Mapping[str, Any], **given: Unpack[Facts]
    ) -> Projection[list[Any]]: ...
    def project(self, transcript: Any, **given: Unpack[Facts]) -> Projection[Any]:
        """Project one transcript: messages, session entries or a whole body, as objects or as JSON bytes.

        Facts of this request are keywords: `thinking`, `store`, `tools`, `system`, `origin`, `open_calls`,
        `server_state`, `tenant`; a body's own fields fill in what is not given. Raises `TranscriptError` for what is no
        transcript, `LimitExceeded`, `RepairRefused`, and `InternalError` for a fault inside apus.
        """
        known = facts(given)
        if isinstance(transcript, (bytearray, memoryview)):
            transcript = bytes(transcript)
        try:
            projection: Projection[Any] = Projection(self._run(transcript, known), core=self._core)
            self._refuse_some(projection)
        except ApusError as error:
            if self._on_error == "raise":
                raise
            untouched = _untouched(transcript, self._config["source"], self._config["api"])
            return Projection(untouched, error, self._core)
        return projection

    __call__ = project

    def _run(self, transcript: Any, known: Mapping[str, Any]) -> Any:
        core = self._core
        try:
            if isinstance(transcript, bytes):
                return core.project_bytes(transcript, self._compiled, known)
            try:
                return core.project_objects(transcript, self._compiled, known)
            except TranscriptError:
                # The cores read dicts and lists; anything else is read here, once it turns out to be there.
                read = plain(transcript)
                if read is transcript:
                    raise
                return core.project_objects(read, self._compiled, known)
        except ApusError:
            raise
        except Exception as error:
            raise InternalError(f"found a fault inside apus: {type(error).__name__}: {error}") from error

    def _refuse_some(self, projection: Projection[Any]) -> None:
        if not self._refuse:
            return
        refused = tuple(r for r in projection.repairs if str(r.kind) in self._refuse or str(r.severity) in self._refuse)
        if refused:
            sentence = f"found {len(refused)} repairs that are refused, the first {refused[0].kind}, expected none"
            raise RepairRefused(sentence, repairs=projection.repairs)


def _about(target: Target, tables: Tables) -> dict[str, Any]:
    """What the cores are told of a target: both policies, and the dialect that it speaks."""
    wire, full = (json.loads(policy_json(policy_for(target, hygiene, tables))) for hygiene in ("wire", "full"))
    return {"policy": wire, "full_policy": full, "api": dialect_of(tables, target)}


class _Untouched(NamedTuple):
    """The answer where nothing was done."""

    messages: Any
    body: Any
    source: str
    dialect: str
    changed: bool = False
    system: Any = None
    first_change: int | None = None
    repairs: tuple[Any, ...] = ()
    id_map: Mapping[str, str | None] = {}
    moved_prefix: tuple[str, ...] = ()


def _untouched(transcript: Any, source: str | None, written: str) -> _Untouched:
    """The input as it is: a list as messages, a body with its list, bytes as both."""
    if isinstance(transcript, bytes):
        return _Untouched(transcript, transcript, source or written, written)
    listed = transcript.get("messages") if isinstance(transcript, Mapping) else transcript
    body = transcript if isinstance(transcript, Mapping) else None
    return _Untouched(listed, body, source or written, written)
