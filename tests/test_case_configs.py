"""What cargo test reads of the projection cases is up to date."""

from __future__ import annotations

import runpy
from pathlib import Path

TOOL = Path(__file__).parents[1] / "tools" / "case_configs.py"


def test_the_configurations_are_those_of_the_cases() -> None:
    tool = runpy.run_path(str(TOOL))
    assert tool["CONFIGS"].read_text(encoding="utf-8") == tool["configs"](), "run: python tools/case_configs.py --write"
