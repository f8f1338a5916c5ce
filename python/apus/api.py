"""The functions that need no projector of their own."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any, overload

from . import _backend
from ._objects import plain
from .errors import ApusError, InternalError
from .policy import Target
from .projection import Projection, Repair, Report
from .projector import Limits, Projector

__all__ = ["Limits", "Projection", "Projector", "Repair", "Report", "estimate_tokens", "info", "project", "repair"]

_OPTIONS = frozenset(inspect.signature(Projector).parameters) - {"target"}


@overload
def project(transcript: bytes | bytearray | memoryview, target: Target | str, **options: Any) -> Projection[bytes]: ...
@overload
def project(
    transcript: Sequence[Any] | Mapping[str, Any], target: Target | str, **options: Any
) -> Projection[list[Any]]: ...
def project(transcript: Any, target: Target | str, **options: Any) -> Projection[Any]:
    """Project one transcript for one target; takes the options of `Projector` and the facts of `Projector.project`."""
    configuration = {k: options.pop(k) for k in list(options) if k in _OPTIONS}
    return Projector(target, **configuration).project(transcript, **options)


def repair(messages: Sequence[Any], target: Target | str, *, copy: bool = False, **options: Any) -> list[Any]:
    """The messages that the target accepts: a list in, a list out.

    The same list comes back if nothing had to change, and untouched messages are the same objects; `copy=True` gives
    fresh message dicts.
    """
    made: list[Any] = project(messages, target, **options).messages
    return [dict(m) if isinstance(m, dict) else m for m in made] if copy else made


def estimate_tokens(value: Any, *, dialect: str | None = None) -> int:
    """Estimated tokens of a text, of one message, of a list, of a body, or of the JSON bytes of any of these."""
    if isinstance(value, str):
        return int(_backend.core.text_tokens(value))
    try:
        value = plain(value) if not isinstance(value, bytes) else value
        if isinstance(value, Mapping) and "role" in value:
            value = [value]
        counts, system, tools = _backend.core.estimate(value, dialect)
    except ApusError:
        raise
    except Exception as error:
        raise InternalError(f"found a fault inside apus: {type(error).__name__}: {error}") from error
    return int(sum(counts)) + int(system) + int(tools)


def info() -> dict[str, Any]:
    """What runs here: version, core, build, tables, image backend."""
    from .policy import Tables

    found: dict[str, Any] = {"core": _backend.name, "tables": Tables.load().version, "image_backend": None}
    return {**found, **_backend.core.info()}
