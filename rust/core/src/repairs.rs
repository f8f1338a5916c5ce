//! Repairs: the record of each change. The kinds are those of `apus.kinds`, in the same order; a test compares them.

use std::fmt;

macro_rules! kinds {
    ($($variant:ident = $name:literal),+ $(,)?) => {
        /// What one repair did; never renamed, never reused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum RepairKind {
            $(#[doc = concat!("`", $name, "`")] $variant),+
        }

        impl RepairKind {
            /// Every kind, in order.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name that callers see.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }
    };
}

kinds! {
    TranscriptOnlyDropped = "transcript_only_dropped",
    ProvenanceMarked = "provenance_marked",
    FailedTurnDropped = "failed_turn_dropped",
    IncompleteTurnDropped = "incomplete_turn_dropped",
    SilentTurnDropped = "silent_turn_dropped",
    IncompleteCallDropped = "incomplete_call_dropped",
    MalformedCallDropped = "malformed_call_dropped",
    DuplicateCallDropped = "duplicate_call_dropped",
    ToolNameRewritten = "tool_name_rewritten",
    SpeakerNameRewritten = "speaker_name_rewritten",
    DocumentRenamed = "document_renamed",
    ArgumentsWrapped = "arguments_wrapped",
    ArgumentsRewritten = "arguments_rewritten",
    ShapeFixed = "shape_fixed",
    RoleRewritten = "role_rewritten",
    UnknownFieldDropped = "unknown_field_dropped",
    UnsupportedBlockDropped = "unsupported_block_dropped",
    InvalidMessageDropped = "invalid_message_dropped",
    RequestFieldsDropped = "request_fields_dropped",
    ThinkingDropped = "thinking_dropped",
    SignatureDropped = "signature_dropped",
    SignaturePlaceholderInserted = "signature_placeholder_inserted",
    ReasoningRepeated = "reasoning_repeated",
    ReasoningFieldAdded = "reasoning_field_added",
    SeparatorReplaced = "separator_replaced",
    ResultMoved = "result_moved",
    ResultAdopted = "result_adopted",
    LateResultNoted = "late_result_noted",
    SyntheticReplaced = "synthetic_replaced",
    DuplicateResultDropped = "duplicate_result_dropped",
    OrphanResultDropped = "orphan_result_dropped",
    AmbiguousResultDropped = "ambiguous_result_dropped",
    OrphanResultNoted = "orphan_result_noted",
    MessageDisplacedByResult = "message_displaced_by_result",
    ResultSynthesized = "result_synthesized",
    OpenFrameTrimmed = "open_frame_trimmed",
    CallIdRewritten = "call_id_rewritten",
    ItemIdDropped = "item_id_dropped",
    BlankTextDropped = "blank_text_dropped",
    EmptyTurnDropped = "empty_turn_dropped",
    PlaceholderInserted = "placeholder_inserted",
    TextScrubbed = "text_scrubbed",
    TextTrimmed = "text_trimmed",
    CacheMarkMoved = "cache_mark_moved",
    CacheMarkDropped = "cache_mark_dropped",
    CacheMarkShortened = "cache_mark_shortened",
    MediaOmitted = "media_omitted",
    MediaRelabelled = "media_relabelled",
    MediaMoved = "media_moved",
    TextMediaOmitted = "text_media_omitted",
    ImageResized = "image_resized",
    ImageConverted = "image_converted",
    SystemMoved = "system_moved",
    BootstrapInserted = "bootstrap_inserted",
    BridgeInserted = "bridge_inserted",
    NoteInserted = "note_inserted",
    TurnsMerged = "turns_merged",
    BatchSplit = "batch_split",
    BlocksReordered = "blocks_reordered",
    PrefillMarked = "prefill_marked",
    PrefillStripped = "prefill_stripped",
    ContinuationInserted = "continuation_inserted",
    ThinkingMustBeOff = "thinking_must_be_off",
    ToolConfigRequired = "tool_config_required",
}

impl fmt::Display for RepairKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Message, and block or none.
pub type Loc = (u32, Option<u32>);

/// One change; `loc` and `pointer` are places in the stored transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// What was done.
    pub kind: RepairKind,
    /// Where.
    pub loc: Option<Loc>,
    /// Where, as a JSON pointer.
    pub pointer: Option<String>,
    /// The id of the call.
    pub id: Option<String>,
    /// What else there is to say.
    pub detail: Option<String>,
}
