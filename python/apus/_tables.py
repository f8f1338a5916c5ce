"""Tables: what is known about apis, providers and model families, read from `tables/*.toml`.

A file holds `version`, `[api.NAME]`, `[provider.NAME]` and `[[row]]` tables. A row names an api, and a provider or
model patterns or both; it says what that server refuses, and under `full` what the reference system does beside that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from ._policy_values import FrozenMap, checked, known_fields, nearest
from ._pure.policy import Policy
from .errors import TargetError

if TYPE_CHECKING:
    import datetime as dt
    import os
    from pathlib import Path

BUNDLED = ("apis.toml", "providers.toml", "families.toml")
_VERSION = re.compile(r"\d{4}\.\d{1,2}(\.\d+)?")
_PLACE = ("provider", "api", "model")
_ROW_KEYS = frozenset({*_PLACE, "source", "date", "full"})
# The target says these two, a row can't.
_OF_THE_TARGET = frozenset({"model", "makers"})


@dataclass(frozen=True, slots=True)
class Api:
    """One api: the dialect that it speaks and its other names."""

    dialect: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Provider:
    """One provider: its default api (by model pattern first) and its other names, some of which say the api.

    Providers with one `signs_with` take each other's signed reasoning of the same model.
    """

    api: str
    aliases: tuple[str, ...] = ()
    api_aliases: Mapping[str, str] = field(default_factory=dict)
    api_by_model: Mapping[str, str] = field(default_factory=dict)
    signs_with: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """All other names."""
        return (*self.aliases, *self.api_aliases)


@dataclass(frozen=True, slots=True)
class Row:
    """Facts about one place: an api, and the providers and model patterns that they hold for (empty: any)."""

    provider: tuple[str, ...]
    api: tuple[str, ...]
    model: tuple[str, ...]
    source: str
    date: dt.date
    wire: Mapping[str, Any]
    full: Mapping[str, Any]

    @property
    def level(self) -> int:
        """How exact the row is: 0 api, 1 provider, 2 model pattern, 3 provider and model pattern."""
        return (1 if self.provider else 0) + (2 if self.model else 0)

    @property
    def name(self) -> str:
        """The row in words, for a person."""
        return " · ".join(", ".join(part) for part in (self.provider, self.model, self.api) if part)

    def holds(self, provider: str, api: str, model: str | None) -> bool:
        """Whether the row is about this target; `model` is normalised."""
        return (
            api in self.api
            and (not self.provider or provider in self.provider)
            and (not self.model or (model is not None and any(_matches(p, model) for p in self.model)))
        )


@dataclass(frozen=True, eq=False)
class Tables:
    """All tables of one projector: immutable, and never registered anywhere. A reload is a new object."""

    version: str
    digest: str
    apis: Mapping[str, Api]
    providers: Mapping[str, Provider]
    layers: tuple[tuple[Row, ...], ...]  # rows of the bundled tables, then of an own one

    @classmethod
    def load(cls, path: str | os.PathLike[str] | None = None) -> Tables:
        """The bundled tables, with those of the file `path` laid over them; `TargetError` if it is no such table."""
        from pathlib import Path

        return _bundled() if path is None else _parsed(_bundled(), Path(path).name, _bytes(Path(path)))

    def rows_for(self, provider: str, api: str, model: str | None) -> Iterator[Row]:
        """The rows about a target, the least exact first; of one level and layer only the first that holds."""
        for level in range(4):
            for rows in self.layers:
                found = (row for row in rows if row.level == level and row.holds(provider, api, model))
                yield from (row for row in [next(found, None)] if row is not None)

    @cached_property
    def api_names(self) -> Mapping[str, str]:
        """Every name of an api, and the api."""
        return {name: api for api, row in self.apis.items() for name in (api, *row.aliases)}

    @cached_property
    def provider_names(self) -> Mapping[str, tuple[str, str | None]]:
        """Every name of a provider, with the provider and the api that the name says."""
        names: dict[str, tuple[str, str | None]] = {}
        for provider, row in self.providers.items():
            names |= dict.fromkeys((provider, *row.aliases), (provider, None))
            names |= {name: (provider, api) for name, api in row.api_aliases.items()}
        return names

    def default_api(self, provider: str, model: str | None) -> str:
        """The api of a known provider where the caller names none."""
        row = self.providers[provider]
        return next((api for p, api in row.api_by_model.items() if model and _matches(p, model)), row.api)

    def makers(self, provider: str, model: str | None) -> tuple[str, ...]:
        """The provider under all its names, then the others whose signed reasoning of the same model it takes."""
        own = self.providers.get(provider)
        if own is None:
            return (provider.lower(),)
        names = (provider, *own.names)
        for other, row in self.providers.items() if own.signs_with and model is not None else ():
            if other != provider and row.signs_with == own.signs_with:
                names = (*names, other, *row.names)
        return names


def _matches(pattern: str, model: str) -> bool:
    from fnmatch import fnmatchcase

    return fnmatchcase(model, pattern)


@cache
def _bundled() -> Tables:
    from pathlib import Path

    tables = Tables("", "", {}, {}, ())
    for name in BUNDLED:
        tables = _parsed(tables, name, _bytes(Path(__file__).parent / "tables" / name))
    rows = tuple(row for layer in tables.layers for row in layer)
    return replace(tables, version=tables.version.split("+")[0], layers=(rows,))


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise TargetError(f"the table {path.name} can't be read: {error.strerror or error}") from error


def _parsed(base: Tables, name: str, data: bytes) -> Tables:
    """`base` with one file laid over it; `name` opens the sentences of errors."""
    import hashlib
    import tomllib

    try:
        table = tomllib.loads(data.decode())
    except ValueError as error:
        raise TargetError(f"{name} is no TOML: {error}") from error
    _only(table, ("version", "api", "provider", "row"), name)
    version = _text(table, "version", name)
    if not _VERSION.fullmatch(version):
        raise TargetError(f"{name}: version is {version!r}, expected a calendar version such as 2026.11.1")
    apis = {**base.apis, **{k: _api(v, f"{name}: api {k}") for k, v in _tables(table, "api", name)}}
    providers = {
        **base.providers,
        **{k: _provider(v, f"{name}: provider {k}") for k, v in _tables(table, "provider", name)},
    }
    rows = table.get("row", [])
    if not isinstance(rows, list):
        raise TargetError(f"{name}: row is {type(rows).__name__}, expected [[row]] tables")
    laid = replace(
        base,
        version="+".join(filter(None, (base.version, version))),
        digest=hashlib.sha256(base.digest.encode() + data).hexdigest(),
        apis=FrozenMap(apis),
        providers=FrozenMap(providers),
        layers=(*base.layers, tuple(_row(row, f"{name}: row {n}") for n, row in enumerate(rows, 1))),
    )
    _names_checked(laid, name)
    return laid


def _names_checked(tables: Tables, name: str) -> None:
    """Every api that a provider or a row names is one of the tables."""
    for provider, entry in tables.providers.items():
        for api in (entry.api, *entry.api_aliases.values(), *entry.api_by_model.values()):
            if api not in tables.apis:
                raise TargetError(
                    f"{name}: provider {provider} names the unknown api {api!r}{nearest(api, tables.apis)}"
                )
    for row in tables.layers[-1]:
        for api in row.api:
            if api not in tables.apis:
                raise TargetError(f"{name}: row {row.name!r} names the unknown api {api!r}{nearest(api, tables.apis)}")


def _api(table: Any, where: str) -> Api:
    _only(table, ("dialect", "aliases", "source", "date"), where)
    _sourced(table, where)
    return Api(_text(table, "dialect", where), _texts(table, "aliases", where))


def _provider(table: Any, where: str) -> Provider:
    _only(table, ("api", "aliases", "api_aliases", "api_by_model", "signs_with", "source", "date"), where)
    _sourced(table, where)
    by_name, by_model = (FrozenMap(dict(_tables(table, key, where, of=str))) for key in ("api_aliases", "api_by_model"))
    signs_with = _text(table, "signs_with", where) if "signs_with" in table else ""
    return Provider(_text(table, "api", where), _texts(table, "aliases", where), by_name, by_model, signs_with)


def _row(table: Any, where: str) -> Row:
    _only(table, (*_ROW_KEYS, *(f for f in known_fields() if f not in _OF_THE_TARGET)), where)
    provider, api, model = (_texts(table, key, where) for key in _PLACE)
    if not api:
        raise TargetError(f"{where} names no api, expected api = one name or a list")
    source, date = _sourced(table, where)
    wire = {key: value for key, value in table.items() if key not in _ROW_KEYS}
    full = dict(_tables(table, "full", where, of=object))
    _only(full, tuple(f for f in known_fields() if f not in _OF_THE_TARGET), f"{where}: full")
    for values, place in ((wire, where), (full, f"{where}: full")):
        checked(Policy(), values, place)
    return Row(provider, api, model, source, date, FrozenMap(wire), FrozenMap(full))


def _sourced(table: Mapping[str, Any], where: str) -> tuple[str, dt.date]:
    """Where a fact comes from and when it was seen: every table says it."""
    import datetime as dt

    date = table.get("date")
    if not isinstance(date, dt.date):
        raise TargetError(f"{where}: date is {date!r}, expected the day of the source such as 2026-11-30")
    return _text(table, "source", where), date


def _only(table: Any, known: tuple[str, ...], where: str) -> None:
    if not isinstance(table, Mapping):
        raise TargetError(f"{where} is {type(table).__name__}, expected a table")
    for key in table:
        if key not in known:
            raise TargetError(f"{where} has the unknown key {key!r}{nearest(key, known)}")


def _text(table: Mapping[str, Any], key: str, where: str) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value.strip():
        raise TargetError(f"{where}: {key} is {value!r}, expected a text")
    return value


def _texts(table: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    value = table.get(key, [])
    value = [value] if isinstance(value, str) else value
    if not isinstance(value, list) or not all(isinstance(x, str) and x for x in value):
        raise TargetError(f"{where}: {key} is {value!r}, expected a text or a list of texts")
    return tuple(value)


def _tables(table: Mapping[str, Any], key: str, where: str, *, of: type = dict) -> Iterator[tuple[str, Any]]:
    """The entries of the table `key`, each value of the type `of`."""
    value = table.get(key, {})
    if not isinstance(value, Mapping):
        raise TargetError(f"{where}: {key} is {type(value).__name__}, expected a table")
    for name, entry in value.items():
        if not isinstance(entry, of):
            raise TargetError(f"{where}: {key}.{name} is {type(entry).__name__}, expected {of.__name__}")
        yield name, entry
