"""Texts: what apus inserts and recognises. Mirrors `rust/core/src/texts.rs`; both read `tables/texts.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

# What is interpolated comes from the transcript, so it is held to this alphabet and length.
_SAFE = re.compile(r"[A-Za-z0-9_.:@/-]{1,64}")


@dataclass(frozen=True, slots=True)
class Texts:
    """The wordings of one projector."""

    synthetic: Mapping[str, str]
    note: Mapping[str, str]
    known_synthetic: frozenset[str]
    own: frozenset[str]
    silent: str

    def fill(self, note: str, /, **values: str | None) -> str:
        """The note of that name with each value put in, `unknown` for one that is missing or not plain."""
        text = self.note[note]
        for key, value in values.items():
            text = text.replace("{" + key + "}", safe(value))
        return text


def safe(value: str | None) -> str:
    """`value` if it is plain enough to stand in an inserted text, else `unknown`."""
    return value if value is not None and _SAFE.fullmatch(value) else "unknown"


def texts_of(given: Mapping[str, Mapping[str, Any]]) -> Texts:
    """The texts of a parsed table; own wordings are always recognised as well."""
    synthetic = {k: str(v) for k, v in given["synthetic"].items()}
    note = {k: str(v) for k, v in given["note"].items()}
    known = given["known"]
    cut_off = synthetic["default"] + synthetic["cut_off"]
    stored = _strings(known["synthetic"])
    return Texts(
        synthetic=synthetic,
        note=note,
        known_synthetic=frozenset([synthetic["default"], cut_off, *stored]),
        own=frozenset(
            [note["empty_user"], note["bootstrap"], note["bridge"], note["continuation"], *_strings(known["own"])]
        ),
        silent=str(given["silent"]["token"]),
    )


def _strings(value: object) -> list[str]:
    return [str(x) for x in value] if isinstance(value, list) else []


@cache
def table() -> dict[str, Any]:
    """The table of texts that ships with apus."""
    path = Path(__file__).resolve().parent.parent / "tables" / "texts.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


@cache
def bundled() -> Texts:
    """The texts that ship with apus."""
    return texts_of(table())
