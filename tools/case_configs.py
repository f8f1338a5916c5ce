"""Print what the projection cases are run with, for cores without tables; `--write` puts it into the corpus."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from apus import Projector
from apus._facts import FACTS, facts

CORPUS = Path(__file__).parents[1] / "tests" / "corpus"
CONFIGS = CORPUS / "configs.json"


def configs() -> str:
    """One line for each target and options: the configuration of a projector, without a source, and the facts."""
    used = {}
    for path in sorted((CORPUS / "projections").glob("*.json")):
        for case in json.loads(path.read_text(encoding="utf-8")):
            used[case["target"], json.dumps(case["options"], sort_keys=True)] = case["options"]
    rows = [_row(target, options) for (target, _), options in sorted(used.items(), key=lambda item: item[0])]
    lines = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)
    return f"[\n{lines}\n]\n"


def _row(target: str, options: dict[str, Any]) -> dict[str, Any]:
    said = {key: value for key, value in options.items() if key in FACTS}
    projector = Projector(target, **{key: value for key, value in options.items() if key not in FACTS})
    return {"target": target, "options": options, "config": projector._config, "facts": facts(said)}  # noqa: SLF001


if __name__ == "__main__":
    if "--write" in sys.argv:
        CONFIGS.write_text(configs(), encoding="utf-8")
    else:
        sys.stdout.write(configs())
