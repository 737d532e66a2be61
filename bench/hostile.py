"""Reads files spoiled at random, through every kind of reader, under limits of time and memory.

    .venv/bin/python bench/hostile.py [--cases 20000] [--seed 1] [--kind NAME]...

Each kind of file is read in a process of its own. A file may be read, or refused as its reader
says; anything else that is raised ends the run with status 1 and keeps the file. So does a file
that takes more than 5 seconds, or a process that takes more than 300 MB. For each kind it prints
how many files were read and refused, the longest time and the most memory.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.hostile_files import KINDS, attack  # noqa: E402  (it lies with the tests)

MOST_SECONDS = 5.0
MOST_MEGABYTES = 300


def one_kind(name: str, cases: int, seed: int) -> int:
    """Attack the reader of one kind, and print what came of it."""
    folder = Path(tempfile.mkdtemp(prefix="hostile-"))
    outcome = attack(name, folder, cases, seed)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{name:14} {cases:7,} files: {outcome.read:6,} read, {outcome.refused:6,} refused;"
        f" at most {outcome.worst_seconds:.2f} s and {megabytes:.0f} MB",
        flush=True,
    )
    return int(outcome.worst_seconds > MOST_SECONDS or megabytes > MOST_MEGABYTES)


def main() -> int:
    """Attack every reader."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", action="append", choices=list(KINDS))
    asked = parser.parse_args()
    kinds = asked.kind or list(KINDS)
    if len(kinds) == 1:
        return one_kind(kinds[0], asked.cases, asked.seed)
    command = [sys.executable, __file__, f"--cases={asked.cases}", f"--seed={asked.seed}"]
    return max(
        subprocess.run([*command, f"--kind={kind}"], check=False).returncode for kind in kinds
    )


if __name__ == "__main__":
    sys.exit(main())
