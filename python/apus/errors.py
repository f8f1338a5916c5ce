"""The errors of apus. Every message is one lower-case sentence: what was found, where, what was expected."""

from __future__ import annotations

from typing import Any


class ApusError(Exception):
    """Base of every error that apus raises on purpose."""


class TranscriptError(ApusError, ValueError):
    """The input is not a transcript that apus can read.

    `kind` is one of `not_json`, `too_deep`, `not_a_transcript`, `unknown_dialect`, `mixed_dialects`, `not_json_value`
    or `server_state`; `loc` is (message, block or None), `pointer` a JSON pointer into the stored transcript, and
    `offset` a byte offset in the json lane; each is None where it says nothing.
    """

    def __init__(
        self,
        message: str,
        *,
        kind: str,
        loc: tuple[int, int | None] | None = None,
        pointer: str | None = None,
        offset: int | None = None,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.loc = loc
        self.pointer = pointer
        self.offset = offset


class TargetError(ApusError, ValueError):
    """The target, a policy override or a table is unknown or malformed."""


class LimitExceeded(ApusError):
    """The input or the answer is over one of `Limits`."""


class RepairRefused(ApusError):
    """A repair of a kind or severity in `refuse=` was needed; `repairs` holds what would have been done."""

    def __init__(self, message: str, *, repairs: tuple[Any, ...] = ()) -> None:
        super().__init__(message)
        self.repairs = repairs


class InternalError(ApusError, RuntimeError):
    """A fault inside apus: a panic, or a defect of a codec. The input was not at fault."""
