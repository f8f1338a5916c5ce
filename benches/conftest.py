"""Ratios: what the benches are for. Absolute times depend on the machine; a ratio within one run says something."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

_linear: dict[str, float] = {}
_times: dict[str, dict[str, float]] = defaultdict(dict)


@pytest.fixture
def timed(benchmark: Any) -> Any:
    """Time a function as one side of a comparison; the sides of one comparison share its name."""

    def run(comparison: str, side: str, function: Any, *arguments: Any) -> None:
        benchmark.group = comparison
        benchmark(function, *arguments)
        if benchmark.stats is not None:
            _times[comparison][side] = benchmark.stats.stats.median

    return run


@pytest.fixture
def linear() -> dict[str, float]:
    """Where the growth of the time per message goes, by what was measured."""
    return _linear


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print each comparison as a multiple of its `apus` side."""
    for comparison, sides in _times.items():
        base = sides.get("apus")
        if base is None:
            continue
        ratios = ", ".join(f"{side} {time / base:.1f}x" for side, time in sides.items() if side != "apus")
        terminalreporter.write_line(f"{comparison:40} apus {base * 1e6:9.0f} us   {ratios}")
    for name, growth in _linear.items():
        terminalreporter.write_line(f"{name:40} {growth:.2f}x the time per message at 50 times the messages")
