"""Hypothesis strategies over the generators: one random stream each, which Hypothesis records and shrinks."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from histories import Teller, valid
from hypothesis import strategies as st
from promises import Example, example


def examples(dialect: str, core: ModuleType) -> st.SearchStrategy[Example]:
    """Damaged histories of a dialect with a target and options."""
    return st.randoms(use_true_random=False).map(lambda random: example(random, dialect, core=core))


def valid_histories(dialect: str, *, reasoning: bool = False, images: bool = False) -> st.SearchStrategy[list[Any]]:
    """Histories that every target of the dialect takes."""
    return st.builds(
        lambda random, turns: valid(Teller(random, dialect), turns, reasoning=reasoning, images=images),
        st.randoms(use_true_random=False),
        st.integers(0, 3),
    )
