"""Kinds of repair: the closed list, the severity of each, and the words that explain them.

This module is the one place for severities, `tables/kinds.toml` the one place for explanations; the cores mirror the
list, the command line and the README read it from here. `import apus` loads it, so the texts wait for `explain`.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Severity(StrEnum):
    """What a repair does to the conversation, mildest last."""

    REQUIREMENT = "requirement"  # changes nothing; the caller must change something outside the history
    TRUST = "trust"  # changes who seems to speak
    LOST = "lost"  # something the transcript holds is not sent
    INVENTED = "invented"  # something is sent that the transcript doesn't hold
    PLACED = "placed"  # same content elsewhere
    FORMAT = "format"  # same content in another form


class RepairKind(StrEnum):
    """What one repair did; never renamed, never reused."""

    TRANSCRIPT_ONLY_DROPPED = "transcript_only_dropped"
    PROVENANCE_MARKED = "provenance_marked"
    FAILED_TURN_DROPPED = "failed_turn_dropped"
    INCOMPLETE_TURN_DROPPED = "incomplete_turn_dropped"
    SILENT_TURN_DROPPED = "silent_turn_dropped"
    INCOMPLETE_CALL_DROPPED = "incomplete_call_dropped"
    MALFORMED_CALL_DROPPED = "malformed_call_dropped"
    DUPLICATE_CALL_DROPPED = "duplicate_call_dropped"
    TOOL_NAME_REWRITTEN = "tool_name_rewritten"
    SPEAKER_NAME_REWRITTEN = "speaker_name_rewritten"
    DOCUMENT_RENAMED = "document_renamed"
    ARGUMENTS_WRAPPED = "arguments_wrapped"
    ARGUMENTS_REWRITTEN = "arguments_rewritten"
    SHAPE_FIXED = "shape_fixed"
    ROLE_REWRITTEN = "role_rewritten"
    UNKNOWN_FIELD_DROPPED = "unknown_field_dropped"
    UNSUPPORTED_BLOCK_DROPPED = "unsupported_block_dropped"
    INVALID_MESSAGE_DROPPED = "invalid_message_dropped"
    REQUEST_FIELDS_DROPPED = "request_fields_dropped"
    THINKING_DROPPED = "thinking_dropped"
    SIGNATURE_DROPPED = "signature_dropped"
    SIGNATURE_PLACEHOLDER_INSERTED = "signature_placeholder_inserted"
    REASONING_REPEATED = "reasoning_repeated"
    REASONING_FIELD_ADDED = "reasoning_field_added"
    SEPARATOR_REPLACED = "separator_replaced"
    RESULT_MOVED = "result_moved"
    RESULT_ADOPTED = "result_adopted"
    LATE_RESULT_NOTED = "late_result_noted"
    SYNTHETIC_REPLACED = "synthetic_replaced"
    DUPLICATE_RESULT_DROPPED = "duplicate_result_dropped"
    ORPHAN_RESULT_DROPPED = "orphan_result_dropped"
    AMBIGUOUS_RESULT_DROPPED = "ambiguous_result_dropped"
    ORPHAN_RESULT_NOTED = "orphan_result_noted"
    MESSAGE_DISPLACED_BY_RESULT = "message_displaced_by_result"
    RESULT_SYNTHESIZED = "result_synthesized"
    OPEN_FRAME_TRIMMED = "open_frame_trimmed"
    CALL_ID_REWRITTEN = "call_id_rewritten"
    ITEM_ID_DROPPED = "item_id_dropped"
    BLANK_TEXT_DROPPED = "blank_text_dropped"
    EMPTY_TURN_DROPPED = "empty_turn_dropped"
    PLACEHOLDER_INSERTED = "placeholder_inserted"
    TEXT_SCRUBBED = "text_scrubbed"
    TEXT_TRIMMED = "text_trimmed"
    CACHE_MARK_MOVED = "cache_mark_moved"
    CACHE_MARK_DROPPED = "cache_mark_dropped"
    CACHE_MARK_SHORTENED = "cache_mark_shortened"
    MEDIA_OMITTED = "media_omitted"
    MEDIA_RELABELLED = "media_relabelled"
    MEDIA_MOVED = "media_moved"
    TEXT_MEDIA_OMITTED = "text_media_omitted"
    IMAGE_RESIZED = "image_resized"
    IMAGE_CONVERTED = "image_converted"
    SYSTEM_MOVED = "system_moved"
    BOOTSTRAP_INSERTED = "bootstrap_inserted"
    BRIDGE_INSERTED = "bridge_inserted"
    NOTE_INSERTED = "note_inserted"
    TURNS_MERGED = "turns_merged"
    BATCH_SPLIT = "batch_split"
    BLOCKS_REORDERED = "blocks_reordered"
    PREFILL_MARKED = "prefill_marked"
    PREFILL_STRIPPED = "prefill_stripped"
    CONTINUATION_INSERTED = "continuation_inserted"
    THINKING_MUST_BE_OFF = "thinking_must_be_off"
    TOOL_CONFIG_REQUIRED = "tool_config_required"


# A kind that sometimes loses content counts as `lost`: a caller who refuses loss must not be surprised by it.
_KINDS_BY_SEVERITY: dict[Severity, str] = {
    Severity.REQUIREMENT: "thinking_must_be_off tool_config_required",
    Severity.TRUST: """provenance_marked speaker_name_rewritten role_rewritten late_result_noted orphan_result_noted
        system_moved""",
    Severity.LOST: """incomplete_turn_dropped silent_turn_dropped incomplete_call_dropped malformed_call_dropped
        unknown_field_dropped unsupported_block_dropped invalid_message_dropped request_fields_dropped thinking_dropped
        signature_dropped duplicate_result_dropped orphan_result_dropped ambiguous_result_dropped open_frame_trimmed
        text_scrubbed media_omitted text_media_omitted image_resized prefill_stripped""",
    Severity.INVENTED: """signature_placeholder_inserted separator_replaced result_synthesized placeholder_inserted
        bootstrap_inserted bridge_inserted note_inserted continuation_inserted""",
    Severity.PLACED: """reasoning_repeated result_moved result_adopted synthetic_replaced message_displaced_by_result
        cache_mark_moved media_moved batch_split blocks_reordered""",
    Severity.FORMAT: """transcript_only_dropped failed_turn_dropped duplicate_call_dropped tool_name_rewritten
        document_renamed arguments_wrapped arguments_rewritten shape_fixed reasoning_field_added call_id_rewritten
        item_id_dropped blank_text_dropped empty_turn_dropped text_trimmed cache_mark_dropped cache_mark_shortened
        media_relabelled image_converted turns_merged prefill_marked""",
}

SEVERITY: Mapping[RepairKind, Severity] = MappingProxyType(
    {RepairKind(name): severity for severity, names in _KINDS_BY_SEVERITY.items() for name in names.split()}
)


class Explanation(NamedTuple):
    """One row of the table: what was done, the wire rule that demands it, and what to change where it came from."""

    kind: RepairKind
    severity: Severity
    what: str
    why: str
    fix: str


def explain(kind: RepairKind) -> Explanation:
    """Say what a kind means; the texts are read on the first call."""
    row = _texts()[kind]
    return Explanation(kind, SEVERITY[kind], row["what"], row["why"], row["fix"])


@cache
def _texts() -> dict[str, dict[str, str]]:
    import tomllib  # `import apus` stays light
    from pathlib import Path

    path = Path(__file__).parent / "tables" / "kinds.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))
