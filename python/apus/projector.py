"""Projector: the configuration, checked once; projecting is one call into a core."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from types import ModuleType
from typing import Any, overload

from . import _backend
from ._objects import plain
from ._pure.request import Limits
from .errors import ApusError, InternalError, RepairRefused, TargetError, TranscriptError
from .kinds import RepairKind, Severity
from .policy import Tables, Target, policy_for, policy_json
from .projection import Projection

# Counts the releases that changed what comes out of the same input.
ALGORITHM = 1

_CHOICES: dict[str, tuple[str | None, ...]] = {
    "hygiene": (None, "wire", "full"),
    "trailing": (None, "continue", "strip"),
    "orphans": ("drop", "note"),
    "on_error": ("raise", "pass"),
    "open_calls": ("synthesize", "keep", "trim"),
}
_DIALECTS = ("apus", "openai-chat", "anthropic-messages")
_DIALECT_ALIASES = {"openclaw": "apus", "pi": "apus"}

Origin = Target | str | Sequence[Target | str | None]


class Projector:
    """Projects transcripts for one target: reusable, immutable, thread-safe, callable.

    `target` is a `Target` or its text (`anthropic/claude-opus-4-6`); `source` the dialect of the transcripts (None:
    detected); `hygiene` `"wire"` or `"full"` (None: as the source's dialect has it); `write` the dialect of the answer
    (None: the target's, `"source"`: the source's); `refuse` repair kinds or severities that raise `RepairRefused`;
    `on_error="pass"` gives the input back with `projection.error` set. Raises `TargetError` for an unknown target.
    """

    __slots__ = ("_compiled", "_config", "_core", "_fingerprint", "_on_error", "_refuse", "_target")

    def __init__(
        self,
        target: Target | str,
        *,
        source: str | None = None,
        hygiene: str | None = None,
        strict: bool = False,
        write: str | None = None,
        trailing: str | None = None,
        orphans: str = "drop",
        refuse: Iterable[RepairKind | Severity | str] = (),
        on_error: str = "raise",
        limits: Limits | None = None,
        tables: Tables | None = None,
        texts: Mapping[str, Mapping[str, Any]] | None = None,
        _fault_in: str | None = None,
        _core: ModuleType | None = None,
    ) -> None:
        self._target = Target.parse(target, tables=tables) if isinstance(target, str) else target
        _check(hygiene=hygiene, trailing=trailing, orphans=orphans, on_error=on_error)
        known = Tables.load() if tables is None else tables
        self._config = {
            "policy": json.loads(policy_json(policy_for(self._target, "wire", known))),
            "full_policy": json.loads(policy_json(policy_for(self._target, "full", known))),
            "api": _dialect_of(known, self._target),
            "source": _dialect(source),
            "write": write if write == "source" else _dialect(write),
            "full": None if hygiene is None else hygiene == "full",
            "strict": strict,
            "trailing": trailing,
            "orphans": orphans,
            "limits": asdict(limits if limits is not None else Limits()),
            "texts": _texts(texts),
            "fault_in": _fault_in,
        }
        # Tests and benches name a core of their own.
        self._core = _backend.core if _core is None else _core
        self._compiled = self._core.compile(json.dumps(self._config, ensure_ascii=False))
        self._refuse = frozenset(map(str, refuse))
        unknown = self._refuse - {str(k) for k in RepairKind} - {str(s) for s in Severity}
        if unknown:
            raise ValueError(f"refuse holds {min(unknown)!r}, expected repair kinds or severities")
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
            text = json.dumps([ALGORITHM, self._config], sort_keys=True, ensure_ascii=False)
            self._fingerprint = hashlib.sha256(text.encode()).hexdigest()[:32]
        return self._fingerprint

    def __repr__(self) -> str:
        return f"<Projector {self._target.provider}/{self._target.model or '*'} {self._config['api']}>"

    @overload
    def project(self, transcript: bytes | bytearray | memoryview, **facts: Any) -> Projection[bytes]: ...
    @overload
    def project(self, transcript: Sequence[Any] | Mapping[str, Any], **facts: Any) -> Projection[list[Any]]: ...
    def project(self, transcript: Any, **facts: Any) -> Projection[Any]:
        """Project one transcript: messages, session entries or a whole body, as objects or as JSON bytes.

        Facts of this request are keywords: `thinking`, `store`, `tools`, `system`, `origin`, `open_calls`,
        `server_state`, `tenant`; a body's own fields fill in what is not given. Raises `TranscriptError` for what is no
        transcript, `LimitExceeded`, `RepairRefused`, and `InternalError` for a fault inside apus.
        """
        given = _facts(facts)
        if isinstance(transcript, (bytearray, memoryview)):
            transcript = bytes(transcript)
        try:
            answer = self._run(transcript, given)
            projection: Projection[Any] = Projection(transcript, answer, core=self._core)
            self._refuse_some(projection)
        except ApusError as error:
            if self._on_error == "raise":
                raise
            return Projection(transcript, _untouched(transcript, self._config["source"], self._config["api"]), error, self._core)
        return projection

    __call__ = project

    def _run(self, transcript: Any, facts: Mapping[str, Any]) -> Any:
        core = self._core
        try:
            if isinstance(transcript, bytes):
                return core.project_bytes(transcript, self._compiled, facts)
            try:
                return core.project_objects(transcript, self._compiled, facts)
            except TranscriptError:
                # The cores read dicts and lists; anything else is read here, once it turns out to be there.
                read = plain(transcript)
                if read is transcript:
                    raise
                return core.project_objects(read, self._compiled, facts)
        except ApusError:
            raise
        except Exception as error:
            raise InternalError(f"found a fault inside apus: {type(error).__name__}: {error}") from error

    def _refuse_some(self, projection: Projection[Any]) -> None:
        if not self._refuse:
            return
        refused = tuple(r for r in projection.repairs if str(r.kind) in self._refuse or str(r.severity) in self._refuse)
        if refused:
            sentence = f"found a transcript that needs {len(refused)} refused repairs, the first {refused[0].kind}, expected none"
            raise RepairRefused(sentence, repairs=projection.repairs)


class _Untouched:
    """The answer where nothing was done."""

    __slots__ = (
        "body",
        "changed",
        "dialect",
        "first_change",
        "id_map",
        "messages",
        "moved_prefix",
        "repairs",
        "source",
        "system",
    )

    def __init__(self, messages: Any, body: Any, source: str, dialect: str) -> None:
        self.messages = messages
        self.body = body
        self.source = source
        self.dialect = dialect
        self.changed = False
        self.system = None
        self.first_change = None
        self.repairs: tuple[Any, ...] = ()
        self.id_map: dict[str, str | None] = {}
        self.moved_prefix: tuple[str, ...] = ()


def _untouched(transcript: Any, source: str | None, dialect: str) -> _Untouched:
    return _Untouched(
        transcript, transcript if isinstance(transcript, (dict, bytes)) else None, source or dialect, dialect
    )


def _check(**options: str | None) -> None:
    for name, value in options.items():
        if value not in _CHOICES[name]:
            listed = ", ".join(str(v) for v in _CHOICES[name])
            raise ValueError(f"{name} is {value!r}, expected one of {listed}")


def _dialect(name: str | None) -> str | None:
    if name is None:
        return None
    found = _DIALECT_ALIASES.get(name, name)
    if found not in _DIALECTS:
        raise TargetError(f"unknown dialect {name!r} (known: {', '.join(_DIALECTS)})")
    return found


def _dialect_of(tables: Tables, target: Target) -> str:
    found = str(tables.apis[str(target.api)].dialect)
    if found not in _DIALECTS:
        raise TargetError(f"the api {target.api} speaks the dialect {found}, expected one of {', '.join(_DIALECTS)}")
    return found


def _texts(given: Mapping[str, Mapping[str, Any]] | None) -> dict[str, Any] | None:
    """Own wordings laid over the bundled ones, which stay recognised."""
    if given is None:
        return None
    from ._pure.texts import table

    base = table()
    for section, words in given.items():
        if section not in ("synthetic", "note"):
            raise ValueError(f"texts holds the section {section!r}, expected synthetic or note")
        unknown = set(words) - set(base[section])
        if unknown:
            raise ValueError(
                f"texts.{section} holds {min(unknown)!r}, expected one of {', '.join(sorted(base[section]))}"
            )
    known = {k: list(v) for k, v in base["known"].items()}
    known["synthetic"] += [base["synthetic"]["default"], base["synthetic"]["default"] + base["synthetic"]["cut_off"]]
    merged = {name: {**words, **given.get(name, {})} for name, words in base.items() if isinstance(words, dict)}
    return {**merged, "known": known}


def _facts(given: dict[str, Any]) -> dict[str, Any]:
    facts = dict(given)
    facts.pop("tenant", None)
    unknown = facts.keys() - _FACTS
    if unknown:
        raise TypeError(
            f"project() got an unknown fact {min(unknown)!r}, expected one of {', '.join(sorted(_FACTS | {'tenant'}))}"
        )
    if "open_calls" in facts:
        _check(open_calls=facts["open_calls"])
    if facts.get("origin") is not None:
        facts["origin"] = _origins(facts["origin"])
    if facts.get("tools") is not None:
        facts["tools"] = list(facts["tools"])
    return facts


_FACTS = {"thinking", "store", "tools", "system", "origin", "open_calls", "server_state"}


def _origins(origin: Origin) -> list[tuple[str | None, str | None, str | None] | None]:
    if isinstance(origin, (Target, str)):
        return [_maker(origin)]
    return [_maker(o) if o is not None else None for o in origin]


def _maker(origin: Target | str) -> tuple[str | None, str | None, str | None]:
    if isinstance(origin, Target):
        return origin.provider, origin.api, origin.model
    provider, _, model = origin.partition("/")
    return provider.strip().lower() or None, None, model or None
