"""Outline: all that a rule may see of a transcript. Mirrors `rust/core/src/outline.rs`.

The outline holds kinds, ids, names, flags and places; contents stay where they are. Dialects write it, rules read it.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

Loc = tuple[int, int | None]


class Role(IntEnum):
    """Who speaks in a message."""

    SYSTEM = 0
    DEVELOPER = 1
    USER = 2
    ASSISTANT = 3
    RESULT = 4  # a message of its own that holds one tool result
    OTHER = 5


class BlockKind(IntEnum):
    """What a block is."""

    TEXT = 0
    REASONING = 1
    CALL = 2
    RESULT = 3
    IMAGE = 4
    AUDIO = 5
    VIDEO = 6
    DOCUMENT = 7
    SERVER_CALL = 8
    SERVER_RESULT = 9
    REFERENCE = 10  # names something of the provider's: a tool, a file, an upload
    OPAQUE = 11  # known to the dialect, passed as it stands
    UNKNOWN = 12


MEDIA = frozenset([BlockKind.IMAGE, BlockKind.AUDIO, BlockKind.VIDEO, BlockKind.DOCUMENT])
SERVER = frozenset([BlockKind.SERVER_CALL, BlockKind.SERVER_RESULT])


class Arguments(IntEnum):
    """How the arguments of a call stand."""

    OBJECT = 0
    MISSING = 1  # no key at all
    EMPTY = 2  # null, blank text, or the text `null`
    TEXT = 3  # text of a strict JSON object
    BROKEN = 4  # text that is not a strict JSON object
    VALUE = 5  # a value that is neither an object nor a text
    BIG = 6  # text of a strict JSON object with a number beyond a double
    FREE = 7  # free text by design (custom tools)


class Stop(IntEnum):
    """Why an assistant turn ended."""

    UNKNOWN = 0
    NORMAL = 1
    LENGTH = 2
    ERROR = 3
    ABORTED = 4
    PAUSE = 5


class Block:
    """One block and where it stands: `key`/`index` inside its message, `node` its value."""

    __slots__ = (
        "args", "blank", "data", "error", "exact", "extra", "field", "flags", "foreign", "id", "index", "inner",
        "key", "kind", "label", "mark", "media_type", "name", "node", "note", "order", "partial", "private",
        "redacted", "shape", "signature", "signed", "synthetic", "text", "url",
    )  # fmt: skip

    def __init__(self, kind: BlockKind, node: Any, key: str, index: int | None, order: int) -> None:
        self.kind = kind
        self.node = node
        self.key = key  # the message's key it stands under
        self.index = index  # its place in that list; None: the value itself
        self.order = order  # number of the block in its message
        self.flags = 0  # deep flags of the node
        self.id: str | None = None  # trimmed; None: missing or empty
        self.exact = True  # the stored id is the trimmed one, letter by letter
        self.name: str | None = None
        self.text: Any = None  # node of the text of TEXT and REASONING, of the arguments of a CALL
        self.blank = False
        self.signed = False
        self.signature: Any = None  # node of the signature, or of the redacted data
        self.data: Any = None  # node of the payload of a medium: base64 text, data URL or URL
        self.redacted = False
        self.args = Arguments.OBJECT
        self.partial = False  # a call whose stream was never finalised
        self.error = False
        self.synthetic = False  # a result that a system inserted
        self.inner: list[Block] = []  # of results
        self.mark: str | None = None  # cache mark: "5m" or "1h"
        self.media_type: str | None = None
        self.url: str | None = None
        self.label: str | None = None  # type text of a block that only its dialect knows
        self.field: str | None = None  # name of the field that reasoning stood in on the wire
        self.foreign = False  # of another dialect than its message
        self.note: str | None = None  # what a text note says in its place
        self.private: tuple[str, ...] = ()  # keys that start with `_`: they never leave the store
        self.extra: tuple[str, ...] = ()  # keys that the dialect's table does not list
        self.shape: tuple[str, ...] = ()  # fields that the wire's schema refuses as they stand


class Message:
    """One stored message."""

    __slots__ = (
        "asynchronous",
        "beside",
        "blocks",
        "content",
        "excluded",
        "extra",
        "failed",
        "flags",
        "index",
        "maker",
        "mirror",
        "name",
        "node",
        "own",
        "path",
        "prefix",
        "private",
        "provenance",
        "role",
        "role_text",
        "runtime",
        "shape",
        "silent",
        "stop",
        "stored",
        "summary",
        "void",
    )  # fmt: skip

    def __init__(self, role: Role, node: Any, index: int) -> None:
        self.role = role
        self.role_text: str | None = None
        self.node = node
        self.stored = node  # what stands for it in a list of messages; None: it has to be rendered
        self.index = index  # place in the stored list
        self.path = ""  # JSON pointer of the message inside its list element
        self.blocks: list[Block] = []
        self.content = "absent"  # string | list | object | null | absent | other
        self.flags = 0
        self.maker: tuple[str | None, str | None, str | None] | None = None
        self.own = True  # made by the target
        self.stop = Stop.UNKNOWN
        self.name: str | None = None  # speaker
        self.extra: tuple[str, ...] = ()  # keys that the dialect's table does not list
        self.beside: tuple[str, ...] = ()  # listed keys that hold neither blocks nor ids: not every server knows them
        self.shape: tuple[str, ...] = ()
        self.private: tuple[str, ...] = ()
        self.prefix = False  # marked as the start of the answer
        # Facts that only stored transcripts carry.
        self.excluded = False
        self.mirror = False
        self.runtime = False
        self.summary: str | None = None  # name of the note that introduces a rendered message
        self.void = False  # older than the last compaction: what is bound to the prefix no longer holds
        self.failed = False
        self.silent = False
        self.asynchronous = False
        self.provenance: tuple[str, ...] | None = None  # the known parts of a message of another session


class Outline:
    """The messages of a transcript, the system blocks beside it, and what was dropped while reading."""

    __slots__ = ("dropped", "messages", "pointer", "same", "system")

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.system: list[Block] = []
        self.dropped: list[tuple[int, str]] = []  # (index, what it was)
        self.pointer = ""  # JSON pointer of the list in the stored document
        self.same = True  # source and written dialect are one

    def pointer_of(self, message: Message, block: Block | None) -> str:
        """JSON pointer of a message or block in the stored document."""
        base = f"{self.pointer}/{message.index}{message.path}"
        if block is None:
            return base
        return f"{base}/{block.key}" if block.index is None else f"{base}/{block.key}/{block.index}"
