"""Request: the configuration of a projector and the facts of one request, as the core takes them.

Mirrors `rust/core/src/request.rs`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .outline import BlockKind
from .policy import Policy
from .texts import Texts, bundled

Maker = tuple[str | None, str | None, str | None]  # provider, api, model


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one call may take: bytes of input, messages, depth of nesting, growth of the answer, pixels decoded."""

    input_bytes: int = 1 << 30
    messages: int = 1_000_000
    depth: int = 500
    growth: int = 1 << 28
    decode_pixels: int = 50_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What a projector is made with."""

    policy: Policy
    api: str  # the dialect of the target
    source: str | None = None  # None: detected
    write: str | None = None  # None: the target's dialect; "source": the source's
    full: bool | None = None  # None: as the source's dialect has it
    strict: bool = False
    trailing: str | None = None  # continue | strip; None: continue in wire, strip in full
    orphans: str = "drop"  # drop | note
    limits: Limits = Limits()
    texts: Texts | None = None
    full_policy: Policy | None = None  # the policy of hygiene="full"
    fault_in: str | None = None  # a rule to fail in: for tests of what a defect does

    @property
    def wording(self) -> Texts:
        """The texts to insert."""
        return self.texts if self.texts is not None else bundled()


@dataclass(slots=True, kw_only=True)
class Facts:
    """Facts of one request; None is unknown. A body's own facts fill what the caller did not say."""

    thinking: bool | None = None
    adaptive: bool = False  # thinking is on, but a turn may go without
    store: bool | None = None
    tools: frozenset[str] | None = None
    system: Any = None
    origin: tuple[Maker | None, ...] | None = None  # one for all, or one per message
    open_calls: str = "synthesize"  # synthesize | keep | trim
    server_state: bool = False
    marks_beside: int = 0  # cache marks on tools
    short_mark_beside: bool = False  # one of them is a five-minute mark


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One call: what the rules may know beside the plan."""

    policy: Policy
    full: bool
    strict: bool
    trailing: str
    orphans: str
    facts: Facts
    texts: Texts
    results_in_user: bool
    stored: bool  # the source is a stored transcript that names its makers
    same: bool  # source and written dialect are one
    beside_content: bool = False  # in the written dialect calls and reasoning stand beside the content, as fields
    writable: frozenset[BlockKind] = frozenset()  # media that the written dialect can express for a foreign source
    urls: bool = True  # the written dialect can name media by URL
