"""Run the case corpus beside the repository, and fail when fewer cases pass than `floor.json` says.

The floor only rises: raise it in the commit that makes more cases pass.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TOOLS = ROOT.parent / "shared" / "tools"
CASES = ROOT.parent / "shared" / "cases" / "public.jsonl"
SECONDS = 300
RUNS: list[tuple[list[str | Path], dict[str, str]]] = [
    ([TOOLS / "casecheck.py", CASES], {"cases_clean": r"^(\d+) of \d+ cases clean$"}),
    (
        [TOOLS / "probe34.py"],
        {"probe34_native": r"^native: (\d+) of \d+ clean$", "probe34_pure": r"^pure: (\d+) of \d+ clean$"},
    ),
]


def run(command: list[str | Path]) -> str:
    """Print what the tool prints, and return it; its status says too little, the floor decides."""
    result = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    print(result.stdout, end="")
    return result.stdout


def main() -> int:
    """Compare every count with its floor; a count that is missing is 0."""
    if not TOOLS.is_dir():
        print("no case corpus beside the repository; nothing to compare")
        return 0
    floor: dict[str, int] = json.loads((ROOT / ".ci" / "floor.json").read_text(encoding="utf-8"))
    below = False
    for command, patterns in RUNS:
        output = run(command)
        for name, pattern in patterns.items():
            found = re.search(pattern, output, re.MULTILINE)
            count = int(found[1]) if found else 0
            below |= count < floor[name]
            print(f"{name}: {count}, floor {floor[name]}{'' if count >= floor[name] else '  BELOW'}")
    return int(below)


if __name__ == "__main__":
    sys.exit(main())
