"""Policy: what one target accepts, as plain values. Mirrors `rust/core/src/policy.rs`.

Neither core sees the name of a provider or of a model; `apus.policy` resolves the tables to these values.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class CallIds:
    """Which call ids the server takes. `alphabet` is a character class such as `A-Za-z0-9_-`, or `any`."""

    alphabet: str = "A-Za-z0-9_-"
    max: int = 64
    exact: int | None = None
    item_prefixes: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolNames:
    """Which tool names the server takes: `pattern` is one or two character classes, the last with `+` or `*`."""

    pattern: str = "[A-Za-z0-9_-]+"
    max: int = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageLimits:
    """Limits of images in one request; None is no limit. `max_bytes` counts base64 text, sides are pixels."""

    max_bytes: int | None = None
    max_side: int | None = None
    many_side: int | None = None
    many_from: int | None = None
    max_count: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The limits and habits of one target. The default is a server that refuses nothing but broken structure."""

    # ids and names
    call_id: CallIds = CallIds()
    unique_ids: str = "frame"  # frame | history | off
    tool_name: ToolNames = ToolNames()
    speaker_name: ToolNames | None = ToolNames()  # None: the wire has no `name` on messages
    # pairing
    pairing: bool = True
    synthetic_text: str = "default"  # default | aborted
    results_in_call_order: bool = False
    single_pairs: bool = False
    text_beside_result: bool = True
    joins_neighbours: bool = False  # the server joins neighbours of one role before it looks at pairing
    calls_last: bool = False
    # blank content
    blank_text: str = "keep"  # keep | drop
    blank_result: str = "keep"  # keep | placeholder
    empty_assistant: str = "keep"  # keep | drop: an assistant message without content and calls
    # keep | any (an empty list too) | null | empty | omit; None means null, "" means empty
    call_only_content: str | None = "keep"
    refuses_nul: bool = False
    max_cache_marks: int | None = None  # None: the wire has no cache marks, they are left alone
    # reasoning
    thinking: str = "keep"  # signed | drop | keep | refuse-field | current-turn | keep-field | items | signature-part
    thinking_binds_prefix: bool = False
    thinking_binding: str = "drop"  # drop | drop_block
    keep_turn_shape: bool = False
    reasoning_field: str = "calls"  # calls | all: which assistant messages need the field under keep-field
    reasoning_keys: tuple[str, ...] = ()  # keys of a message whose reasoning stays under refuse-field
    reasoning_items: str = "once"  # once | per-call
    thinking_starts_loop: bool = False  # with thinking on, the running tool loop must start with reasoning
    reasoning_with_calls: bool = False  # with thinking on, every assistant message with calls must carry reasoning
    signatures_required: bool = False  # the first call of each step of the current turn needs its signature
    makers: tuple[str, ...] = ()  # providers whose reasoning counts as made by the target, the target's own first
    model: str | None = None  # the target's model, normalised; None: each message of a maker counts as its own
    # turns
    roles: tuple[str, ...] = ()  # system developer user assistant result: what messages may be; empty: as the dialect
    system_slot: str = "messages"  # top | messages | instruction
    late_system: str = "keep"  # keep | user-note
    # Where a kept late system message may stand: any | after-user (behind a user turn, in front of an assistant or
    # last) | after-input (behind a user or system message).
    system_placement: str = "any"
    developer_role: str = "keep"  # keep | system
    first_role: str = "any"  # any | user | not-call
    last_role: str = "any"  # any | user-or-result
    merge_users: bool = False
    merge_assistants: bool = False
    bridge_after_result: bool = False
    prefill: str = "allowed"  # allowed | never | flag
    prefill_with_thinking: bool = True
    max_trailing_assistants: int | None = None
    trim_prefill: bool = False  # a trailing assistant text may not end in white space
    # content
    arguments: str = "string"  # object | string
    arguments_must_be_json: bool = True
    unknown_fields: str = "keep"  # keep | strip
    message_keys: tuple[str, ...] | None = None  # the keys of a message that strip leaves; None: those of the dialect
    private_blocks: str = "keep"  # keep | note
    images_in_results: bool = False
    error_results_text_only: bool = False  # a result with the error flag may hold text alone
    media_roles: tuple[str, ...] = ("user", "result")  # roles whose messages may hold media
    media_types: tuple[str, ...] | None = None  # None: any; `audio/*` is a whole family; empty: no media at all
    # image audio video document: beside text in user messages; audio_url video_url document_url are parts of their own
    # that only some servers of the chat wire know; None: any.
    part_types: tuple[str, ...] | None = None
    image_limits: ImageLimits = ImageLimits()
    max_pdf_pages: int | None = None
    unreachable_urls: bool | tuple[str, ...] = False
    # the request
    tools_required_with_calls: bool = False
    max_request_bytes: int | None = None
