"""The functions that need no projector of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack, overload

from . import _backend
from ._facts import OPTIONS, Options
from ._objects import plain
from ._pure.request import Limits
from .errors import ApusError, InternalError
from .policy import Tables, Target
from .projection import Projection, Repair, Report
from .projector import IMAGE_BACKEND, Projector

__all__ = ["Limits", "Projection", "Projector", "Repair", "Report", "estimate_tokens", "info", "project", "repair"]


@overload
def project(
    transcript: bytes | bytearray | memoryview, target: Target | str, **given: Unpack[Options]
) -> Projection[bytes]: ...
@overload
def project(
    transcript: Sequence[Any] | Mapping[str, Any], target: Target | str, **given: Unpack[Options]
) -> Projection[list[Any]]: ...
def project(transcript: Any, target: Target | str, **given: Unpack[Options]) -> Projection[Any]:
    """Project one transcript for one target; takes the options of `Projector` and the facts of `Projector.project`."""
    keywords: dict[str, Any] = dict(given)
    configuration = {k: keywords.pop(k) for k in list(keywords) if k in OPTIONS}
    projection: Projection[Any] = Projector(target, **configuration).project(transcript, **keywords)
    return projection


def repair(messages: Sequence[Any], target: Target | str, *, copy: bool = False, **given: Unpack[Options]) -> list[Any]:
    """The messages that the target accepts: a list in, a list out.

    The same list comes back if nothing had to change, and untouched messages are the same objects; `copy=True` gives
    fresh message dicts.
    """
    made: list[Any] = project(messages, target, **given).messages
    return [dict(m) if isinstance(m, dict) else m for m in made] if copy else made


def estimate_tokens(value: Any, *, dialect: str | None = None) -> int:
    """Estimated tokens of a text, of one message, of a list, of a body, or of the JSON bytes of any of these.

    `dialect` says how messages are read, None: detected. Raises `TranscriptError` for what is none of these.
    """
    try:
        value = bytes(value) if isinstance(value, (bytearray, memoryview)) else value
        if isinstance(value, str):
            return int(_backend.core.text_tokens(value))
        counts, system, tools = _backend.core.estimate(value if isinstance(value, bytes) else plain(value), dialect)
    except ApusError:
        raise
    except Exception as error:
        raise InternalError(f"found a fault inside apus: {type(error).__name__}: {error}") from error
    return int(sum(counts)) + int(system) + int(tools)


def info() -> dict[str, Any]:
    """What runs here: version, core, build, tables, image backend."""
    from ._version import version

    found = {"version": version, "core": _backend.name, "tables": Tables.load().version}
    return {**found, "image_backend": IMAGE_BACKEND, **_backend.core.info()}
