"""Names: character classes of ids, tools and speakers. Mirrors `rust/core/src/names.rs`."""

from __future__ import annotations

import re
from functools import cache

from .ids import base62, digest
from .policy import CallIds, ToolNames

_CLASSES = re.compile(r"(\[[^\]]+\])?(\[[^\]]+\])[+*]")


@cache
def _classes(pattern: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The class of the first character and of the others."""
    found = _CLASSES.fullmatch(pattern)
    first, rest = (found[1] or found[2], found[2]) if found else ("[A-Za-z0-9_-]", "[A-Za-z0-9_-]")
    return re.compile(first), re.compile(rest)


def fits(name: str | None, rule: ToolNames) -> bool:
    """Whether the server takes `name`."""
    if not name or len(name) > rule.max:
        return False
    first, rest = _classes(rule.pattern)
    return first.match(name) is not None and all(rest.match(c) for c in name[1:])


def fitted(name: str, rule: ToolNames, fallback: str) -> str:
    """`name` with each illegal character as `_`, cut to the limit; `fallback` if nothing can be read in it."""
    first, rest = _classes(rule.pattern)
    made = "".join(c if rest.match(c) else "_" for c in name.strip()[: rule.max])
    if not made.strip("_"):
        return fallback
    return made if first.match(made) else ("_" + made)[: rule.max]


def suffixed(name: str, old: str, rule: ToolNames) -> str:
    """`name` made different from another in use: a hash of the old name stands at its end."""
    tail = "_" + base62(digest(old, 0, 0), 6)
    return name[: rule.max - len(tail)] + tail


@cache
def _alphabet(alphabet: str) -> re.Pattern[str]:
    return re.compile(r"[^\x00]+" if alphabet == "any" else f"[{alphabet}]+", re.DOTALL)


def accepts(rule: CallIds, id: str) -> bool:
    """Whether the server takes a call id."""
    if not id or (len(id) != rule.exact if rule.exact is not None else len(id) > rule.max):
        return False
    return _alphabet(rule.alphabet).fullmatch(id) is not None


def mint(rule: CallIds, old: str, occurrence: int, attempt: int) -> str:
    """A call id that the server takes: legal characters of the old one, then a hash; a function of the past alone."""
    if rule.exact is not None:
        return base62(digest(old, occurrence, attempt), rule.exact)
    size = min(rule.max, 40)
    legal = "".join(c for c in old if c.isascii() and c.isalnum())[: size - 12]
    return (legal or "call") + base62(digest(old, occurrence, attempt), 12)
