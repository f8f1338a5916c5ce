"""apus projects a stored agent transcript into the history that one LLM provider accepts.

>>> import apus
>>> messages = [{"role": "user", "content": "hi"}]
>>> apus.repair(messages, "anthropic/claude-opus-4-6") is messages
True
"""

from __future__ import annotations

from importlib import import_module

# What `typing` says, without the time that its import takes.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._backend import name as core
    from ._version import version as __version__  # noqa: F401 - no name to star-import
    from .api import Limits, Projection, Projector, Repair, estimate_tokens, info, project, repair
    from .errors import ApusError, InternalError, LimitExceeded, RepairRefused, TargetError, TranscriptError
    from .kinds import RepairKind, Severity
    from .policy import Policy, Tables, Target, policy_for

__all__ = [
    "ApusError",
    "InternalError",
    "LimitExceeded",
    "Limits",
    "Policy",
    "Projection",
    "Projector",
    "Repair",
    "RepairKind",
    "RepairRefused",
    "Severity",
    "Tables",
    "Target",
    "TargetError",
    "TranscriptError",
    "core",
    "estimate_tokens",
    "info",
    "policy_for",
    "project",
    "repair",
]

# Where each public name lives. A gateway that forks, or a command that only prints its help, pays for what it uses.
_HOMES = {
    "_backend": ("core",),
    "_version": ("__version__",),
    "api": ("Limits", "Projection", "Projector", "Repair", "estimate_tokens", "info", "project", "repair"),
    "errors": ("ApusError", "InternalError", "LimitExceeded", "RepairRefused", "TargetError", "TranscriptError"),
    "kinds": ("RepairKind", "Severity"),
    "policy": ("Policy", "Tables", "Target", "policy_for"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_OTHER_NAMES = {"core": "name", "__version__": "version"}
_MODULES = frozenset(["api", "cli", "errors", "kinds", "policy", "projection", "projector", "session_files"])


def __getattr__(name: str) -> Any:
    """A public name or module, loaded when it is first asked for."""
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{home}"), _OTHER_NAMES.get(name, name))
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_MODULES})
