"""Facts and options: what a projector and one projection are told, checked and in the form that the cores take."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from .errors import TargetError
from .kinds import RepairKind, Severity
from .policy import Tables, Target

if TYPE_CHECKING:
    from ._pure.request import Limits

DIALECTS = ("apus", "openai-chat", "anthropic-messages")
_DIALECT_ALIASES = {"openclaw": "apus", "pi": "apus"}
_CHOICES: dict[str, tuple[str | None, ...]] = {
    "hygiene": (None, "wire", "full"),
    "trailing": (None, "continue", "strip"),
    "orphans": ("drop", "note"),
    "on_error": ("raise", "pass"),
    "open_calls": ("synthesize", "keep", "trim"),
}

Maker = tuple[str | None, str | None, str | None]  # provider, api, model
Origin = Target | str | Sequence[Target | str | None]


class Facts(TypedDict, total=False):
    """Facts of one request, the keywords of `Projector.project`."""

    thinking: bool | None
    store: bool | None
    tools: Collection[str] | None
    system: Any
    origin: Origin | None
    open_calls: Literal["synthesize", "keep", "trim"]
    server_state: bool
    tenant: str | None


class Options(Facts, total=False):
    """The keywords of the one-shot functions: facts of the request, and what a `Projector` is made with."""

    source: str | None
    hygiene: Literal["wire", "full"] | None
    strict: bool
    write: str | None
    trailing: Literal["continue", "strip"] | None
    orphans: Literal["drop", "note"]
    refuse: Iterable[RepairKind | Severity | str]
    on_error: Literal["raise", "pass"]
    limits: Limits | None
    tables: Tables | None
    texts: Mapping[str, Mapping[str, Any]] | None


FACTS = frozenset(Facts.__annotations__)
OPTIONS = frozenset(Options.__annotations__) - FACTS


def check(**options: str | None) -> None:
    """Raise `ValueError` for a value that an option does not take."""
    for name, value in options.items():
        if value not in _CHOICES[name]:
            listed = ", ".join(str(v) for v in _CHOICES[name])
            raise ValueError(f"{name} is {value!r}, expected one of {listed}")


def refusals(given: Iterable[RepairKind | Severity | str]) -> frozenset[str]:
    """The kinds and severities of `refuse=`; one may stand alone. Raises `ValueError` for any other word."""
    wanted = frozenset([str(given)] if isinstance(given, str) else map(str, given))
    unknown = wanted - {str(k) for k in RepairKind} - {str(s) for s in Severity}
    if unknown:
        raise ValueError(f"refuse holds {min(unknown)!r}, expected repair kinds or severities")
    return wanted


def dialect(name: str | None) -> str | None:
    """The dialect of one of its names."""
    if name is None:
        return None
    found = _DIALECT_ALIASES.get(name, name)
    if found not in DIALECTS:
        raise TargetError(f"unknown dialect {name!r} (known: {', '.join(DIALECTS)})")
    return found


def dialect_of(tables: Tables, target: Target) -> str:
    """The dialect that the target's api speaks."""
    found = str(tables.apis[str(target.api)].dialect)
    if found not in DIALECTS:
        raise TargetError(f"the api {target.api} speaks the dialect {found}, expected one of {', '.join(DIALECTS)}")
    return found


def texts(given: Mapping[str, Mapping[str, Any]] | None) -> dict[str, Any] | None:
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
            listed = ", ".join(sorted(base[section]))
            raise ValueError(f"texts.{section} holds {min(unknown)!r}, expected one of {listed}")
    known = {k: list(v) for k, v in base["known"].items()}
    known["synthetic"] += [base["synthetic"]["default"], base["synthetic"]["default"] + base["synthetic"]["cut_off"]]
    merged = {name: {**words, **given.get(name, {})} for name, words in base.items() if isinstance(words, dict)}
    return {**merged, "known": known}


def facts(given: Mapping[str, Any]) -> dict[str, Any]:
    """The facts as the cores take them. Raises `TypeError` for an unknown one, `ValueError` for an unknown value."""
    unknown = given.keys() - FACTS
    if unknown:
        raise TypeError(f"project() got an unknown fact {min(unknown)!r}, expected one of {', '.join(sorted(FACTS))}")
    # Which caller's cache a projection may use says nothing about its content.
    made = {key: value for key, value in given.items() if key != "tenant"}
    if "open_calls" in made:
        check(open_calls=made["open_calls"])
    if made.get("origin") is not None:
        made["origin"] = _origins(made["origin"])
    if made.get("tools") is not None:
        made["tools"] = [str(name) for name in made["tools"]]
    return made


def _origins(origin: Origin) -> list[Maker | None] | None:
    """One maker for all messages, or one per message; None: not known."""
    if isinstance(origin, (Target, str)):
        return [_maker(origin)]
    return [_maker(o) if o is not None else None for o in origin] or None


def _maker(origin: Target | str) -> Maker:
    if isinstance(origin, Target):
        return origin.provider, origin.api, origin.model
    try:
        return _maker(Target.parse(origin))
    except TargetError:
        # A plain label names somebody that no table knows.
        provider, _, model = origin.partition("/")
        return provider.strip().lower() or None, None, model or None
