"""Rewrites the golden playthroughs: run it after a change that is meant, and read the difference.

python tests/regolden.py && git diff tests/data/playthroughs
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playthroughs import FOLDER, GOLDEN, told


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder:
        for one in GOLDEN:
            events = one.play(Path(folder) / "table.jsonl")
            one.path.write_text(told(events), encoding="utf-8")
            sys.stdout.write(f"{one.path}\n")


if __name__ == "__main__":
    main()
