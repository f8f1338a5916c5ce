"""Bodies: the facts that a whole request body says itself. Mirrors `rust/core/src/bodies.rs`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from .request import Facts
from .source import text

SERVER_STATE = ("previous_response_id", "conversation", "cachedContent", "container")


def facts_of(body: Mapping[str, Any], facts: Facts) -> Facts:
    """The facts of a request; what the caller said wins over what the body says."""
    thinking, adaptive = _thinking(body.get("thinking"))
    tools = body.get("tools")
    listed = list(tools) if isinstance(tools, (list, tuple)) else []
    marks = [m for t in listed if isinstance(t, dict) and isinstance(m := t.get("cache_control"), dict)]
    return replace(
        facts,
        thinking=facts.thinking if facts.thinking is not None else thinking,
        adaptive=facts.adaptive or (facts.thinking is None and adaptive),
        store=facts.store if facts.store is not None else _boolean(body.get("store")),
        tools=facts.tools
        if facts.tools is not None
        else frozenset(n for t in listed if (n := _tool_name(t)) is not None),
        server_state=facts.server_state or any(body.get(key) is not None for key in SERVER_STATE),
        marks_beside=len(marks),
        short_mark_beside=any(text(m.get("ttl")) != "1h" for m in marks),
    )


def _thinking(value: Any) -> tuple[bool | None, bool]:
    """Whether thinking is on, and whether a turn may go without."""
    said = text(value.get("type")) if isinstance(value, dict) else None
    return {"enabled": True, "adaptive": True, "disabled": False}.get(said or ""), said == "adaptive"


def _boolean(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _tool_name(tool: Any) -> str | None:
    if not isinstance(tool, dict):
        return None
    for holder in (tool.get("function"), tool.get("custom"), tool):
        if isinstance(holder, dict) and (name := text(holder.get("name"))) is not None:
            return name
    return None
