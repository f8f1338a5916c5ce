"""Write the inputs of the projection cases as files into a folder: what fuzzing starts from."""

from __future__ import annotations

import json
import sys
from pathlib import Path

CORPUS = Path(__file__).parents[1] / "tests" / "corpus" / "projections"


def write_seeds(folder: Path) -> None:
    """One file for each input; lists also as a body, so that both are there."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(CORPUS.glob("*.json")):
        for number, case in enumerate(json.loads(path.read_text(encoding="utf-8"))):
            given = case["input"]
            body = given if isinstance(given, dict) else {"model": "m", "messages": given, "tools": []}
            for name, value in (("input", given), ("body", body)):
                (folder / f"{path.stem}-{number}-{name}.json").write_text(json.dumps(value), encoding="utf-8")


if __name__ == "__main__":
    write_seeds(Path(sys.argv[1]))
