"""Estimate: tokens of messages, of the system prompt and of tools. Mirrors `rust/core/src/estimate.rs`.

Media count a fixed number whatever their payload is; ids and signatures are free; every kind has its line here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .dialects import DIALECTS
from .dialects.apus_session import active_path, is_session
from .dialects.reading import Reader
from .outline import MEDIA, Arguments, Block, BlockKind
from .source import text
from .texts import Texts
from .tokens import compact_tokens, text_tokens

MEDIUM = 2000


def message_tokens(items: Sequence[Any], dialect: str, texts: Texts) -> list[int]:
    """The estimate for each message of a list; of session entries, for each message on the active path."""
    read = DIALECTS[dialect].read_message
    reader = Reader(texts, clean=True)
    counts: list[int] = []
    if is_session(items):
        items = [e.node if e.role is None else {**e.node, "role": e.role} for e in active_path(items)]
    for index, item in enumerate(items):
        if not isinstance(item, dict):
            counts.append(compact_tokens(item))
            continue
        message = read(item, index, reader)
        counts.append(text_tokens(message.role_text or "") + sum(map(block_tokens, message.blocks)))
    return counts


def block_tokens(block: Block) -> int:
    """The estimate for one block."""
    if block.kind in MEDIA:
        return MEDIUM
    if block.kind in (BlockKind.TEXT, BlockKind.REASONING):
        return text_tokens(text(block.text) or "") if block.text is not None else 0
    if block.kind == BlockKind.CALL:
        return text_tokens(block.name or "") + _argument_tokens(block)
    if block.kind == BlockKind.RESULT:
        return sum(map(block_tokens, block.inner))
    return compact_tokens(block.node)


def _argument_tokens(block: Block) -> int:
    if block.text is None or block.args == Arguments.MISSING:
        return 0
    said = text(block.text)
    return text_tokens(said) if said is not None else compact_tokens(block.text)


def system_tokens(node: Any) -> int:
    """The estimate for a system prompt: a text, or blocks with texts."""
    if node is None:
        return 0
    said = text(node)
    if said is not None:
        return text_tokens(said)
    items = node if isinstance(node, (list, tuple)) else [node]
    return sum(_part_tokens(item) for item in items)


def _part_tokens(item: Any) -> int:
    said = text(item.get("text")) if isinstance(item, dict) else text(item)
    return text_tokens(said) if said is not None else compact_tokens(item)


def tool_tokens(tools: Any) -> int:
    """The estimate for tool definitions: name, description and the compact text of the schema."""
    total = 0
    for tool in tools if isinstance(tools, (list, tuple)) else ():
        inner = (
            next((tool[k] for k in ("function", "custom", "toolSpec") if isinstance(tool.get(k), dict)), tool)
            if isinstance(tool, dict)
            else {}
        )
        total += text_tokens(text(inner.get("name")) or "") + text_tokens(text(inner.get("description")) or "")
        schema = next(
            (inner[k] for k in ("input_schema", "parameters", "inputSchema") if inner.get(k) is not None), None
        )
        total += compact_tokens(schema) if schema is not None else 0
    return total
