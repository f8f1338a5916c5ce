//! Writing: what the dialects share when they build an answer. Mirrored by `apus._pure.dialects.writing`.

use std::borrow::Cow;

use super::edits::Edits;
use crate::json::keys::last_of_each;
use crate::outline::{Arguments, Block, BlockKind, Mark};
use crate::plan::{ArgumentsEdit, Piece, PieceId, Plan, Slot, SlotId};
use crate::request::Request;
use crate::source::{Flags, Kind, Source};
use crate::texts::Texts;
use crate::tree::{Key, RAW_ARGUMENTS, Tree};

const GAP: &str = "\n\n";

/// One block as it goes out: a piece of the plan, or a stored block inside a result that no rule opened.
#[derive(Clone, Copy)]
pub(super) struct Part<'t, N> {
    id: Option<PieceId>,
    piece: Option<&'t Piece>,
    pub(super) block: Option<&'t Block<'t, N>>,
}

impl<'t, N: Copy> Part<'t, N> {
    pub(super) fn kind(&self) -> BlockKind {
        let stored = || self.block.map_or(BlockKind::Unknown, |block| block.kind);
        self.piece.map_or_else(stored, |piece| piece.kind)
    }

    pub(super) fn is_text(&self) -> bool {
        self.kind() == BlockKind::Text
    }

    /// Whether its stored form no longer holds.
    pub(super) fn touched(&self) -> bool {
        self.piece.is_some_and(|piece| piece.touched)
    }

    pub(super) fn scrub(&self) -> bool {
        self.piece.is_some_and(|piece| piece.scrub)
    }

    pub(super) fn strip(&self) -> bool {
        self.piece.is_some_and(|piece| piece.strip)
    }

    pub(super) fn error(&self) -> bool {
        self.piece.map_or_else(|| self.block.is_some_and(|block| block.error), |piece| piece.error)
    }

    pub(super) fn mark(&self) -> Option<Mark> {
        self.piece.map_or_else(|| self.block.and_then(|block| block.mark), |piece| piece.mark)
    }

    /// The text that replaces the stored one.
    pub(super) fn said(&self) -> Option<&'t str> {
        self.piece.and_then(Piece::text)
    }

    pub(super) fn is_synthetic(&self) -> bool {
        self.block.is_none_or(|block| block.synthetic)
    }

    /// Whether it stood, or will stand, as a value of its own and not in a list.
    pub(super) fn is_bare(&self) -> bool {
        self.block.is_none_or(|block| block.index.is_none())
    }
}

/// What a dialect needs to write: the plan, and how strings are copied.
pub(crate) struct Writer<'t, S: Source> {
    pub(super) plan: &'t Plan<'t, 't, S>,
    pub(super) source: &'t S,
    pub(super) texts: &'t Texts,
    /// Source and written dialect are one.
    pub(super) same: bool,
    nul: bool,
}

impl<'t, S: Source> Writer<'t, S> {
    pub(crate) fn new(plan: &'t Plan<'t, 't, S>, request: &Request<'t, S::Node>) -> Self {
        let source = plan.outline.source;
        Self { plan, source, texts: request.texts, same: request.same, nul: request.policy.refuses_nul }
    }

    pub(super) fn slot(&self, slot: SlotId) -> &'t Slot<'t> {
        self.plan.slot(slot)
    }

    /// The pieces of a slot.
    pub(super) fn parts(&self, slot: SlotId) -> Vec<Part<'t, S::Node>> {
        self.plan.pieces(slot).map(|id| self.part(id)).collect()
    }

    /// The first piece of a slot: of a result, the only one.
    pub(super) fn first(&self, slot: SlotId) -> Part<'t, S::Node> {
        let none = Part { id: None, piece: None, block: None };
        self.plan.pieces(slot).next().map_or(none, |id| self.part(id))
    }

    pub(super) fn part(&self, id: PieceId) -> Part<'t, S::Node> {
        Part { id: Some(id), piece: Some(self.plan.piece(id)), block: self.plan.block_of(id) }
    }

    /// Whether a rule opened a result for editing.
    pub(super) fn is_opened(&self, result: &Part<'t, S::Node>) -> bool {
        result.id.is_some_and(|id| self.plan.opened(id).is_some())
    }

    /// The blocks of a result.
    pub(super) fn inner(&self, result: &Part<'t, S::Node>) -> Vec<Part<'t, S::Node>> {
        if let Some(opened) = result.id.and_then(|id| self.plan.opened(id)) {
            return opened.iter().map(|id| self.part(*id)).collect();
        }
        let range = result.block.map_or(0..0, |block| block.inner.start as usize..block.inner.end as usize);
        let stored = self.plan.outline.inner.get(range).unwrap_or_default();
        stored.iter().map(|block| Part { id: None, piece: None, block: Some(block) }).collect()
    }

    /// Whether a text has nothing to read in it.
    pub(super) fn is_blank(&self, part: &Part<'t, S::Node>) -> bool {
        part.id.map_or_else(|| part.block.is_none_or(|block| block.blank), |id| self.plan.is_blank(id))
    }

    /// The object that a block was stored as, if there is one and the dialect is the same.
    pub(super) fn stored(&self, part: &Part<'t, S::Node>) -> Option<&'t Block<'t, S::Node>> {
        part.block.filter(|block| self.same && self.source.kind(block.node) == Kind::Object)
    }

    /// A stored value as it stands, or with its broken strings cleaned.
    pub(super) fn copy(&self, node: Option<S::Node>, scrub: bool) -> Tree<'t, S::Node> {
        self.clean(node.map_or(Tree::Null, Tree::Copy), scrub)
    }

    pub(super) fn clean(&self, tree: Tree<'t, S::Node>, scrub: bool) -> Tree<'t, S::Node> {
        if scrub { tree.scrubbed(self.nul) } else { tree }
    }

    /// The text of a piece.
    pub(super) fn text(&self, part: &Part<'t, S::Node>) -> Tree<'t, S::Node> {
        let prefix = part.piece.and_then(Piece::prefix);
        match (part.said(), part.block, prefix) {
            (Some(said), _, None) => said.into(),
            (Some(said), _, Some(prefix)) => format!("{prefix}{said}").into(),
            (None, None, _) => prefix.unwrap_or_default().into(),
            (None, Some(block), Some(prefix)) => {
                let stored = block.text.and_then(|node| self.source.text(node)).unwrap_or_default();
                let said = format!("{prefix}{stored}");
                if part.scrub() && self.nul { said.replace('\0', "\u{fffd}").into() } else { said.into() }
            }
            (None, Some(block), None) => self.copy(block.text, part.scrub()),
        }
    }

    /// Texts as one string, joined by a blank line.
    pub(super) fn joined(&self, parts: &[Part<'t, S::Node>], lead: &'t str) -> Tree<'t, S::Node> {
        if let ([only], true) = (parts, lead.is_empty()) {
            return self.text(only);
        }
        let joined = Tree::joined(parts.iter().map(|part| self.text(part)).collect(), GAP);
        if lead.is_empty() { joined } else { Tree::joined(vec![lead.into(), joined], "") }
    }

    /// The arguments of a call as an object.
    pub(super) fn arguments_object(&self, call: &Part<'t, S::Node>) -> Tree<'t, S::Node> {
        let edit = call.piece.and_then(|piece| piece.args);
        match (call.block, edit) {
            (None, _) | (_, Some(ArgumentsEdit::Empty)) => Tree::Object(Vec::new()),
            (Some(block), Some(ArgumentsEdit::Wrap)) => self.wrapped(block, call.scrub()),
            (Some(block), None) => {
                let stored = self.copy(block.text, false);
                let is_text = matches!(block.args, Arguments::Text | Arguments::Big);
                self.clean(if is_text { stored.parsed() } else { stored }, call.scrub())
            }
        }
    }

    /// The arguments of a call as a JSON text.
    pub(super) fn arguments_text(&self, call: &Part<'t, S::Node>) -> Tree<'t, S::Node> {
        let edit = call.piece.and_then(|piece| piece.args);
        match (call.block, edit) {
            (None, _) | (_, Some(ArgumentsEdit::Empty)) => "{}".into(),
            (Some(block), Some(ArgumentsEdit::Wrap)) => self.wrapped(block, call.scrub()).stringified(),
            (Some(block), None) => {
                let stored = self.copy(block.text, false);
                let is_value = matches!(block.args, Arguments::Object | Arguments::Value);
                self.clean(if is_value { stored.stringified() } else { stored }, call.scrub())
            }
        }
    }

    fn wrapped(&self, block: &Block<'t, S::Node>, scrub: bool) -> Tree<'t, S::Node> {
        let stored = self.copy(block.text, false);
        let raw = if block.args == Arguments::Value { stored.stringified() } else { stored };
        Tree::object([(RAW_ARGUMENTS, self.clean(raw, scrub))])
    }

    /// The id that a call or result goes out with: a result has its call's.
    pub(super) fn call_id(&self, part: &Part<'t, S::Node>) -> Tree<'t, S::Node> {
        let owner = part.piece.and_then(|piece| piece.call).or(part.id);
        owner.and_then(|id| self.plan.id_of(id)).unwrap_or_default().into()
    }

    /// The tool name that a call or result goes out with.
    pub(super) fn call_name(&self, part: &Part<'t, S::Node>) -> Tree<'t, S::Node> {
        let owner = part.piece.and_then(|piece| piece.call).or(part.id);
        owner.and_then(|id| self.plan.name_of(id)).unwrap_or_default().into()
    }

    fn is_data_url(&self, block: &Block<'t, S::Node>) -> bool {
        let said = block.data().and_then(|data| self.source.text(data));
        said.is_some_and(|said| said.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:")))
    }

    /// The base64 text of a medium: its payload, or what stands behind the comma of its data URL.
    pub(super) fn media_payload(&self, block: &Block<'t, S::Node>, scrub: bool) -> Tree<'t, S::Node> {
        let payload = self.copy(block.data(), false);
        self.clean(if self.is_data_url(block) { payload.cut(",") } else { payload }, scrub)
    }

    /// A medium as a URL: its own, or a data URL of its payload.
    pub(super) fn data_url(&self, block: &'t Block<'t, S::Node>, scrub: bool) -> Tree<'t, S::Node> {
        let payload = self.copy(block.data(), scrub);
        if block.url().is_some() || self.is_data_url(block) {
            return payload;
        }
        let media_type = block.media_type().filter(|said| !said.is_empty()).unwrap_or("image/png");
        Tree::joined(vec![format!("data:{media_type};base64,").into(), payload], "")
    }

    /// A stored object with some keys replaced, some left out, and the others as they stand, in their order.
    pub(super) fn rewrite(
        &self,
        node: S::Node,
        mut edits: Edits<'t, S::Node>,
        gone: impl Fn(&str) -> bool,
        scrub: bool,
    ) -> Tree<'t, S::Node> {
        let mut made = Vec::new();
        let mut is_cleaned = false;
        for (key, value) in self.source.entries(node) {
            let name = self.source.text(key).unwrap_or_default();
            if let Some(edit) = edits.take(&name) {
                made.extend(edit.tree().map(|tree| (Key::Node(key), tree)));
            } else if !gone(&name) {
                let is_broken = scrub && self.source.flags(key).has(Flags::LONE_SURROGATE | Flags::NUL);
                is_cleaned |= is_broken;
                let key = if is_broken { Key::Text(cleaned(&name).into()) } else { Key::Node(key) };
                made.push((key, self.copy(Some(value), scrub)));
            }
        }
        made.extend(edits.rest());
        if is_cleaned {
            made = last_of_each(made.into_iter().map(|entry| (self.key_text(&entry.0), entry)));
        }
        Tree::Object(made)
    }

    fn key_text(&self, key: &Key<'t, S::Node>) -> Cow<'t, str> {
        match key {
            Key::Text(text) => text.clone(),
            Key::Node(node) => self.source.text(*node).unwrap_or_default(),
        }
    }
}

/// A cache mark as the wires write it.
pub(super) fn mark_value<'t, N>(mark: Mark) -> Tree<'t, N> {
    match mark {
        Mark::Short => Tree::object([("type", "ephemeral".into())]),
        Mark::Long => Tree::object([("type", "ephemeral".into()), ("ttl", "1h".into())]),
    }
}

/// A key without NUL; the text of a node has no lone surrogates.
fn cleaned(key: &str) -> String {
    key.replace('\0', "\u{fffd}")
}
