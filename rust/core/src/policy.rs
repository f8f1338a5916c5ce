//! Policy: what one target accepts, as plain values. Mirrored by `apus._pure.policy`, which documents each field.
//!
//! No name of a provider or of a model is ever compared with a literal here; Python resolves the tables to these values.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::names::{Alphabet, Classes};

/// Which call ids the server takes.
#[derive(Clone, Debug, Deserialize)]
#[serde(default)]
pub struct CallIds {
    /// A character class such as `A-Za-z0-9_-`, or `any`.
    pub alphabet: Alphabet,
    /// The longest id.
    pub max: usize,
    /// The one length that is taken.
    pub exact: Option<usize>,
    /// Prefixes of item ids, by item type.
    pub item_prefixes: BTreeMap<String, String>,
}

impl Default for CallIds {
    fn default() -> Self {
        Self {
            alphabet: Alphabet::from("A-Za-z0-9_-".to_owned()),
            max: 64,
            exact: None,
            item_prefixes: BTreeMap::default(),
        }
    }
}

/// Which tool names the server takes.
#[derive(Clone, Debug, Deserialize)]
#[serde(default)]
pub struct ToolNames {
    /// One or two character classes.
    pub pattern: Classes,
    /// The longest name.
    pub max: usize,
}

impl Default for ToolNames {
    fn default() -> Self {
        Self { pattern: Classes::from("[A-Za-z0-9_-]+".to_owned()), max: 64 }
    }
}

/// Limits of images in one request.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct ImageLimits {
    /// Base64 bytes of one image.
    pub max_bytes: Option<u64>,
    /// Pixels of the longer side.
    pub max_side: Option<u32>,
    /// The same where there are many images.
    pub many_side: Option<u32>,
    /// How many are many.
    pub many_from: Option<u32>,
    /// Images in one request.
    pub max_count: Option<usize>,
}

/// URLs that the target can't reach.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Unreachable {
    /// All of them, or none.
    All(bool),
    /// These.
    Some(Vec<String>),
}

impl Default for Unreachable {
    fn default() -> Self {
        Self::All(false)
    }
}

macro_rules! choices {
    ($(#[$doc:meta])* $name:ident { $($(#[$default:meta])? $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
        pub enum $name {
            $(#[doc = concat!("`", $text, "`")] #[serde(rename = $text)] $(#[$default])? $variant),+
        }
    };
}

choices!(/// Where an id may not come back.
    UniqueIds { #[default] Frame = "frame", History = "history", Off = "off" });
choices!(/// The text of a synthetic result.
    SyntheticText { #[default] Default = "default", Aborted = "aborted" });
choices!(/// What becomes of blank texts.
    BlankText { #[default] Keep = "keep", Drop = "drop" });
choices!(/// What becomes of blank results.
    BlankResult { #[default] Keep = "keep", Placeholder = "placeholder" });
choices!(/// What becomes of an assistant message without content.
    EmptyAssistant { #[default] Keep = "keep", Drop = "drop" });
choices!(/// Which reasoning stays.
Thinking {
    Signed = "signed", Drop = "drop", #[default] Keep = "keep", RefuseField = "refuse-field", CurrentTurn = "current-turn",
    KeepField = "keep-field", Items = "items", SignaturePart = "signature-part",
});
choices!(/// Who deals with reasoning that is bound to another prefix.
    ThinkingBinding { #[default] Drop = "drop", DropBlock = "drop_block" });
choices!(/// Which assistant messages need the reasoning field.
    ReasoningField { #[default] Calls = "calls", All = "all" });
choices!(/// How often a reasoning item stands before a batch.
    ReasoningItems { #[default] Once = "once", PerCall = "per-call" });
choices!(/// Where the system prompt goes.
    SystemSlot { Top = "top", #[default] Messages = "messages", Instruction = "instruction" });
choices!(/// What becomes of a late system message.
    LateSystem { #[default] Keep = "keep", UserNote = "user-note" });
choices!(/// Where a kept late system message may stand.
    SystemPlacement { #[default] Any = "any", AfterUser = "after-user", AfterInput = "after-input" });
choices!(/// What becomes of the developer role.
    DeveloperRole { #[default] Keep = "keep", System = "system" });
choices!(/// What the history may start with.
    FirstRole { #[default] Any = "any", User = "user", NotCall = "not-call" });
choices!(/// What the history may end with.
    LastRole { #[default] Any = "any", UserOrResult = "user-or-result" });
choices!(/// Whether a trailing assistant message is taken.
    Prefill { #[default] Allowed = "allowed", Never = "never", Flag = "flag" });
choices!(/// The form of arguments.
    ArgumentsForm { Object = "object", #[default] String = "string" });
choices!(/// What becomes of keys that no table lists.
    UnknownFields { #[default] Keep = "keep", Strip = "strip" });
choices!(/// What becomes of blocks that only the api's owner takes.
    PrivateBlocks { #[default] Keep = "keep", Note = "note" });

/// The limits and habits of one target.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "each field is documented once, in the policy module of the Python package")]
#[expect(clippy::struct_excessive_bools, reason = "a policy is a table row; its flags are data")]
pub struct Policy {
    pub call_id: CallIds,
    pub unique_ids: UniqueIds,
    pub tool_name: ToolNames,
    pub speaker_name: Option<ToolNames>,
    pub pairing: bool,
    pub synthetic_text: SyntheticText,
    pub results_in_call_order: bool,
    pub single_pairs: bool,
    pub text_beside_result: bool,
    pub joins_neighbours: bool,
    pub calls_last: bool,
    pub blank_text: BlankText,
    pub blank_result: BlankResult,
    pub empty_assistant: EmptyAssistant,
    /// `None` means null, `""` means empty.
    pub call_only_content: Option<String>,
    pub refuses_nul: bool,
    pub max_cache_marks: Option<usize>,
    pub thinking: Thinking,
    pub thinking_binds_prefix: bool,
    pub thinking_binding: ThinkingBinding,
    pub keep_turn_shape: bool,
    pub reasoning_field: ReasoningField,
    pub reasoning_keys: Vec<String>,
    pub reasoning_items: ReasoningItems,
    pub thinking_starts_loop: bool,
    pub reasoning_with_calls: bool,
    pub signatures_required: bool,
    pub makers: Vec<String>,
    pub model: Option<String>,
    pub roles: Vec<String>,
    pub system_slot: SystemSlot,
    pub late_system: LateSystem,
    pub system_placement: SystemPlacement,
    pub developer_role: DeveloperRole,
    pub first_role: FirstRole,
    pub last_role: LastRole,
    pub merge_users: bool,
    pub merge_assistants: bool,
    pub bridge_after_result: bool,
    pub prefill: Prefill,
    pub prefill_with_thinking: bool,
    pub max_trailing_assistants: Option<usize>,
    pub trim_prefill: bool,
    pub arguments: ArgumentsForm,
    pub arguments_must_be_json: bool,
    pub unknown_fields: UnknownFields,
    pub message_keys: Option<Vec<String>>,
    pub private_blocks: PrivateBlocks,
    pub images_in_results: bool,
    pub error_results_text_only: bool,
    pub media_roles: Vec<String>,
    pub media_types: Option<Vec<String>>,
    pub part_types: Option<Vec<String>>,
    pub image_limits: ImageLimits,
    pub max_pdf_pages: Option<u32>,
    pub unreachable_urls: Unreachable,
    pub tools_required_with_calls: bool,
    pub max_request_bytes: Option<u64>,
}
