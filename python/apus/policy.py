"""Who receives the request, and what that receiver accepts: targets, tables and policies.

>>> policy_for(Target("anthropic", "claude-opus-4-6")).prefill
'never'
>>> Target.parse("openrouter/anthropic/claude-opus-4.6").api
'openai-chat'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import InitVar, asdict, dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple

from ._policy_values import CHOICES, FrozenMap, checked, known_fields, laid_over, nearest
from ._pure.models import normalise
from ._pure.policy import CallIds, ImageLimits, Policy, ToolNames
from ._tables import Api, Provider, Row, Tables
from .errors import TargetError

__all__ = [
    "CHOICES",
    "Api",
    "CallIds",
    "FieldRow",
    "ImageLimits",
    "Policy",
    "Provider",
    "Row",
    "Tables",
    "Target",
    "ToolNames",
    "describe",
    "known_fields",
    "known_providers",
    "normalise",
    "policy_for",
    "policy_json",
]

HYGIENES = ("wire", "full")


@dataclass(frozen=True, slots=True)
class Target:
    """Who receives the request: a provider, the model there, and the api that it speaks.

    An alias of a provider becomes its name, and `api` the provider's default where none is given. `family` is the
    model whose facts hold where `model` is an alias or a deployment. `policy` overrides single fields of the policy. A
    provider that no table knows needs `api`. `tables` is where names are looked up, the bundled ones by default.
    """

    provider: str
    model: str | None = None
    api: str | None = None
    family: str | None = None
    policy: Mapping[str, Any] = field(default_factory=dict)
    tables: InitVar[Tables | None] = None

    def __post_init__(self, tables: Tables | None) -> None:
        """Check every part and put it into its one form; `TargetError` if a part is unknown."""
        known = Tables.load() if tables is None else tables
        for name in ("provider", "model", "api", "family"):
            self._strip(name)
        provider, said = _provider(self.provider, self.api, known)
        api = known.default_api(provider, self._family()) if self.api is None and said is None else self.api or said
        object.__setattr__(self, "provider", provider)
        object.__setattr__(self, "api", _api(str(api), known))
        if not isinstance(self.policy, Mapping):
            raise TargetError(f"policy is {type(self.policy).__name__}, expected a mapping of fields")
        checked(Policy(), self.policy, "policy")
        object.__setattr__(self, "policy", FrozenMap(self.policy))

    @classmethod
    def parse(cls, text: str, *, tables: Tables | None = None) -> Target:
        """The target of `provider` or `provider/model`; the model may hold further slashes."""
        provider, _, model = text.partition("/")
        return cls(provider, model or None, tables=tables)

    @property
    def dialect(self) -> str:
        """The dialect that the target's api speaks."""
        return Tables.load().apis[self.api].dialect if self.api is not None else ""

    def _family(self) -> str | None:
        """The id that model patterns are compared with."""
        name = self.family if self.family is not None else self.model
        return (normalise(name) or None) if name is not None else None

    def _strip(self, name: str) -> None:
        """Take space from around a part; only the provider must be there."""
        value = getattr(self, name)
        if value is not None and not isinstance(value, str):
            raise TargetError(f"{name} is {type(value).__name__}, expected a text")
        if not (value or "").strip() and (name == "provider" or value is not None):
            raise TargetError(f"{name} is blank, expected a name")
        object.__setattr__(self, name, value.strip() if value is not None else None)


def _provider(name: str, api: str | None, tables: Tables) -> tuple[str, str | None]:
    """The provider of a name, and the api that the name says."""
    spelled = name.lower().replace("_", "-").replace(" ", "-")
    found = tables.provider_names.get(spelled)
    if found is None and api is None:
        listed = ", ".join(tables.providers)
        hint = nearest(spelled, tuple(tables.provider_names))
        raise TargetError(f"unknown provider {name!r}{hint} (known: {listed}; any other needs api=)")
    return found or (name, None)


def _api(name: str, tables: Tables) -> str:
    """The api of one of its names."""
    found = tables.api_names.get(name.lower().replace("_", "-"))
    if found is None:
        hint = nearest(name, tuple(tables.api_names))
        raise TargetError(f"unknown api {name!r}{hint} (known: {', '.join(tables.apis)})")
    return found


def known_providers(tables: Tables | None = None) -> tuple[str, ...]:
    """Names of the providers that need no `api`, without their aliases."""
    return tuple((Tables.load() if tables is None else tables).providers)


class FieldRow(NamedTuple):
    """One field of a policy, and the row that said it; `default`, `target` and `policy=` have no source and date."""

    field: str
    value: Any
    row: str
    source: str
    date: str


def policy_for(target: Target | str, hygiene: str = "wire", tables: Tables | None = None) -> Policy:
    """The policy of a target: the rows about it, the least exact first, then the target's own overrides."""
    target = Target.parse(target, tables=tables) if isinstance(target, str) else target
    return _resolved(target, hygiene, Tables.load() if tables is None else tables)[0]


def describe(target: Target | str, hygiene: str = "wire", tables: Tables | None = None) -> tuple[FieldRow, ...]:
    """Each field of the policy with the row that its value comes from, in the order of the fields."""
    target = Target.parse(target, tables=tables) if isinstance(target, str) else target
    policy, said = _resolved(target, hygiene, Tables.load() if tables is None else tables)
    rows = []
    for name in known_fields():
        row = said.get(name, "default")
        source, date = (row.source, row.date.isoformat()) if isinstance(row, Row) else ("", "")
        rows.append(FieldRow(name, getattr(policy, name), row.name if isinstance(row, Row) else row, source, date))
    return tuple(rows)


@lru_cache(maxsize=512)
def _resolved(target: Target, hygiene: str, tables: Tables) -> tuple[Policy, Mapping[str, Row | str]]:
    """The policy, and for each field that something said the last that said it."""
    if hygiene not in HYGIENES:
        raise TargetError(f"hygiene is {hygiene!r}, expected wire or full")
    family, api = target._family(), str(target.api)  # noqa: SLF001
    named = normalise(target.model) if target.model is not None else family
    policy = replace(Policy(), model=named or None, makers=tables.makers(target.provider, named or None))
    said: dict[str, Row | str] = {"model": "target", "makers": "target"}
    for row in tables.rows_for(target.provider, api, family):
        for values in (row.wire, row.full) if hygiene == "full" else (row.wire,):
            policy = laid_over(policy, values, row.name)
            said |= dict.fromkeys(values, row)
    policy = laid_over(policy, target.policy, "policy")
    return policy, said | dict.fromkeys(target.policy, "policy=")


def policy_json(policy: Policy) -> str:
    """The fields as compact JSON, in their order: what the native core reads."""
    import json

    return json.dumps(asdict(policy), separators=(",", ":"), ensure_ascii=False)
