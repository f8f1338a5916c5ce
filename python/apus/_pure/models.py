"""Model ids: one spelling for the many that providers use. Mirrors `rust/core/src/models.rs`."""

from __future__ import annotations

_DAY = [8]  # lengths of the parts of `20260205`
_ISO_DAY = [4, 2, 2]  # and of `2026-02-05`


def normalise(model: str) -> str:
    """The family id of a model: `us.anthropic.claude-opus-4-6-v1:0` and `x/Claude-Opus-4.6@20260205` are one."""
    name = model.strip().lower().rpartition("/")[2].removeprefix("ft:").partition("@")[0]
    name, _, tag = name.partition(":")
    parts = _without_vendor(name).replace(".", "-").replace("_", "-").removesuffix("-latest").split("-")
    # `-v1` is a part of some names; in front of `:0`, and behind `claude`, it is the version of a listing.
    if (_digits(tag.partition(":")[0]) or "claude" in parts[:-1]) and parts[-1][:1] == "v" and _digits(parts[-1][1:]):
        parts.pop()
    for shape in (_DAY, _ISO_DAY):
        tail = parts[-len(shape) :]
        if len(parts) > len(shape) and [len(p) for p in tail] == shape and _digits("".join(tail)):
            del parts[-len(shape) :]
    # `claude-sonnet-4-0` names the snapshot that other hosts list as `claude-sonnet-4`.
    if parts[-1] == "0" and _digits("".join(parts[-2:-1])):
        parts.pop()
    return "-".join(parts)


def _without_vendor(name: str) -> str:
    """Cut `us.`, `anthropic.` and their like; a word before `r1` or `v3` is a part of the name."""
    head, dot, rest = name.partition(".")
    while dot and _word(head) and _word(rest[:1]) and not _digits(rest[1:2]):
        name = rest
        head, dot, rest = name.partition(".")
    return name


def _word(text: str) -> bool:
    letters = text.replace("-", "")
    return letters.isascii() and letters.isalpha()


def _digits(text: str) -> bool:
    return text.isascii() and text.isdigit()
