"""apus projects a stored agent transcript into the history that one LLM provider accepts.

>>> messages = [{"role": "user", "content": "hi"}]
>>> repair(messages, "anthropic/claude-opus-4-6") is messages
True
"""

from __future__ import annotations

from ._backend import name as core
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
