"""SDK objects: messages and blocks that are no dicts become dicts, before a core sees them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._pure.error import error, foreign_type, located

_PLAIN = (str, int, float, bool, type(None))
# Deep enough for every SDK; what nests deeper is left to the core, which refuses it by name.
_DEPTH = 100


class _ForeignError(Exception):
    """A value that is neither JSON nor a message object; the steps to it are added on the way out."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name
        self.path: list[int | str] = []


def plain(value: Any) -> Any:
    """The value with every `Mapping`, SDK object and dataclass in it as a dict; the same object if there was none.

    Raises `TranscriptError` (`not_json`) with the place of an object that is none of these.
    """
    try:
        return _plain(value, 0)
    except _ForeignError as fault:
        with located():
            raise error(foreign_type(fault.name), fault.path[::-1]) from None


def _plain(value: Any, depth: int) -> Any:
    if isinstance(value, _PLAIN) or depth > _DEPTH:
        return value
    if isinstance(value, (list, tuple)):
        made = [_inner(item, number, depth) for number, item in enumerate(value)]
        return made if any(a is not b for a, b in zip(made, value, strict=True)) else value
    if isinstance(value, dict):
        entries = {key: _inner(item, key, depth) for key, item in value.items()}
        return entries if any(entries[k] is not value[k] for k in entries) else value
    return _plain(_fields(value), depth + 1)


def _inner(value: Any, step: int | str, depth: int) -> Any:
    try:
        return _plain(value, depth + 1)
    except _ForeignError as fault:
        fault.path.append(step)
        raise


def _fields(value: Any) -> dict[str, Any]:
    """The fields of an object as a dict, without those that are None: SDKs set each field that was not sent to it."""
    if isinstance(value, Mapping):
        return dict(value)
    if not isinstance(value, type):
        for name in ("model_dump", "to_dict"):
            method = getattr(value, name, None)
            if callable(method) and isinstance(made := _dumped(method, name), Mapping):
                return dict(made)
        names = getattr(value, "__dataclass_fields__", None)
        if isinstance(names, dict):
            return {k: v for k in names if (v := getattr(value, k, None)) is not None}
    raise _ForeignError(type(value).__name__)


def _dumped(method: Any, name: str) -> Any:
    """What the method gives, without empty fields where it can leave them out."""
    if name == "model_dump":
        try:
            return method(exclude_none=True)
        except TypeError:
            pass
    return method()
