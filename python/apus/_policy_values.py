"""Values of a policy: which a field may take, and laying a table of them over a policy.

Rows of the tables, own tables and `Target(policy=…)` all pass here. A value that is no such value is a `TargetError`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from ._pure.policy import CallIds, Policy, ToolNames
from .errors import TargetError

CHOICES: dict[str, tuple[str | None, ...]] = {
    "unique_ids": ("frame", "history", "off"),
    "synthetic_text": ("default", "aborted"),
    "blank_text": ("keep", "drop"),
    "blank_result": ("keep", "placeholder"),
    "empty_assistant": ("keep", "drop"),
    "call_only_content": ("keep", "any", "null", "empty", "omit"),
    "thinking": ("signed", "drop", "keep", "refuse-field", "current-turn", "keep-field", "items", "signature-part"),
    "thinking_binding": ("drop", "drop_block"),
    "reasoning_field": ("calls", "all"),
    "reasoning_items": ("once", "per-call"),
    "system_slot": ("top", "messages", "instruction"),
    "late_system": ("keep", "user-note"),
    "system_placement": ("any", "after-user", "after-input"),
    "developer_role": ("keep", "system"),
    "first_role": ("any", "user", "not-call"),
    "last_role": ("any", "user-or-result"),
    "prefill": ("allowed", "never", "flag"),
    "arguments": ("object", "string"),
    "unknown_fields": ("keep", "strip"),
    "private_blocks": ("keep", "note"),
}
"""The values of each field that takes one of a few words."""

MEMBERS: dict[str, frozenset[str]] = {
    "roles": frozenset({"system", "developer", "user", "assistant", "result"}),
    "media_roles": frozenset({"system", "developer", "user", "assistant", "result"}),
    "part_types": frozenset({"image", "audio", "video", "document", "audio_url", "video_url", "document_url"}),
}
"""The words that each of these lists may hold."""

# What the Python API says in its own words: the content of a message that only calls.
_SPELLINGS: dict[tuple[str, str | None], str] = {
    ("call_only_content", None): "null",
    ("call_only_content", ""): "empty",
}
_NAME_PATTERN = re.compile(r"(\[[^\[\]]+\]){1,2}[+*]")


class FrozenMap(Mapping[str, Any]):
    """A mapping that never changes and can be hashed; lists in it are tuples, mappings are maps of this kind."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = {key: _frozen(value) for key, value in values.items()}

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def __repr__(self) -> str:
        return repr(self._values)


def _frozen(value: Any) -> Any:
    if isinstance(value, Mapping):
        return FrozenMap(value)
    if isinstance(value, (list, tuple, set, frozenset)):
        items = sorted(value) if isinstance(value, (set, frozenset)) else value
        return tuple(_frozen(item) for item in items)
    return value


def nearest(word: str, known: Mapping[str, Any] | tuple[str, ...] | list[str]) -> str:
    """`; did you mean '…'?` with the known word nearest to `word`, or nothing."""
    from difflib import get_close_matches

    found = get_close_matches(word, list(known), n=1)
    return f"; did you mean {found[0]!r}?" if found else ""


@cache
def _hints(kind: Any) -> dict[str, Any]:
    """Type of each field of a dataclass."""
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def known_fields() -> tuple[str, ...]:
    """Names of all fields of a policy, in order."""
    return tuple(_hints(Policy))


def laid_over(policy: Policy, values: Mapping[str, Any], where: str) -> Policy:
    """`policy` with `values` over it; the parts of `call_id`, `tool_name` and their like one by one."""
    return replace(policy, **checked(policy, values, where))


def checked(base: Any, values: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The values as fields of `base` hold them, each checked. `where` opens the sentence of an error."""
    hints = _hints(base.__class__)
    made: dict[str, Any] = {}
    for name, value in values.items():
        if name not in hints:
            raise TargetError(f"{where} has the unknown key {name!r}{nearest(str(name), tuple(hints))}")
        made[name] = _value(hints[name], value, getattr(base, name), f"{where}: {name}", name)
    return made


def _value(hint: Any, value: Any, base: Any, where: str, name: str) -> Any:
    """One value as the type of its field wants it."""
    if name in CHOICES:
        return _choice(value, where, name)
    options = get_args(hint) if get_origin(hint) is UnionType else (hint,)
    if NoneType in options and (value is None or value is False):
        return None  # TOML has no null, so there `false` says it
    for option in options:
        if is_dataclass(option) and isinstance(option, type) and isinstance(value, Mapping):
            part = base if isinstance(base, option) else option()
            return _patterns_checked(replace(part, **checked(part, value, where)), where)
        if get_origin(option) is tuple and isinstance(value, (list, tuple)) and all(isinstance(x, str) for x in value):
            return _members(tuple(value), where, name)
        if (
            get_origin(option) is dict
            and isinstance(value, Mapping)
            and all(isinstance(x, str) for x in value.values())
        ):
            return dict(sorted(value.items()))
        if option is int and isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
        if option in (bool, str) and isinstance(value, option):
            return value
    raise TargetError(f"{where} is {value!r}, expected {_wanted(options)}")


def _choice(value: Any, where: str, name: str) -> str:
    value = _SPELLINGS.get((name, value), value) if isinstance(value, (str, NoneType)) else value
    if not isinstance(value, str) or value not in CHOICES[name]:
        expected = ", ".join(str(choice) for choice in CHOICES[name])
        raise TargetError(f"{where} is {value!r}, expected one of {expected}")
    return value


def _members(value: tuple[str, ...], where: str, name: str) -> tuple[str, ...]:
    wrong = [x for x in value if x not in MEMBERS.get(name, value)]
    if wrong:
        raise TargetError(f"{where} holds {wrong[0]!r}, expected only {', '.join(sorted(MEMBERS[name]))}")
    return value


def _patterns_checked(part: Any, where: str) -> Any:
    """`part` itself, if the character classes in it are such."""
    text = part.alphabet if isinstance(part, CallIds) else part.pattern if isinstance(part, ToolNames) else "any"
    shape = f"[{text}]+" if isinstance(part, CallIds) and text != "any" else text
    if shape != "any" and not _is_pattern(shape):
        raise TargetError(f"{where} has the pattern {text!r}, expected one or two character classes")
    return part


def _is_pattern(text: str) -> bool:
    try:
        re.compile(text)
    except re.error:
        return False
    return _NAME_PATTERN.fullmatch(text) is not None


def _wanted(options: tuple[Any, ...]) -> str:
    words = {bool: "true or false", int: "a number from 0 on", str: "a text", NoneType: "none"}
    return " or ".join(words.get(o) or ("a list of texts" if get_origin(o) is tuple else "a table") for o in options)
