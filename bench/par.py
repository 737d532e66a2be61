"""How long one whole PAR sheet takes from the command line, cold; one core.

    .venv/bin/python bench/par.py [--repeat 9]

Each figure is the median of several runs of a new process, taken in turn so that whatever else the
machine does falls on all of them. Beside the bar stands the start of an interpreter that does
nothing, the floor under every command, and what importing the parts takes.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

from yardstick import print_yardstick

BAR = 13
"""How many times as long as ``python -c pass`` a sheet with all wagers may take, cold."""

ROOT = Path(__file__).parents[1]
PYTHON = sys.executable
CROUPIER = shutil.which("croupier", path=str(Path(PYTHON).parent)) or "croupier"

PASS = "python -c pass"  # noqa: S105  (it is no password)
JOBS: dict[str, list[str]] = {
    PASS: [PYTHON, "-c", "pass"],
    "import croupier": [PYTHON, "-c", "import croupier"],
    "import croupier.odds": [PYTHON, "-c", "import croupier.odds"],
    "import croupier.odds.par": [PYTHON, "-c", "import croupier.odds.par"],
    "croupier --version": [CROUPIER, "--version"],
    **{
        f"croupier par {name}, {form}": [
            CROUPIER,
            "par",
            "--submission",
            str(ROOT / "submissions" / f"{name}.toml"),
            "--format",
            form,
        ]
        for name in ("nj-minibaccarat", "ma-house-money", "ma-royal-9")
        for form in ("json", "text")
    },
    "croupier odds": [
        CROUPIER,
        "odds",
        "--law",
        "us-nj/minibaccarat@2011-02-22",
        "--player",
        "9h,2c",
        "--banker",
        "Kd,4s",
    ],
}
"""What is timed, by name. The sheets have eight wagers, House Money's choices, and Royal 9."""


def seconds(command: list[str]) -> float:
    """Return how long a command takes in a new process."""
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=ROOT)
    return time.perf_counter() - start


def main() -> None:
    """Measure and print medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=9)
    options = parser.parse_args()
    print_yardstick()
    taken: dict[str, list[float]] = {name: [] for name in JOBS}
    for command in JOBS.values():
        # Once without the clock: bytecode that is compiled once is not what a user waits for.
        seconds(command)
    for _ in range(options.repeat):
        for name, command in JOBS.items():
            taken[name].append(seconds(command))
    floor = statistics.median(taken[PASS])
    print(f"medians of {options.repeat} runs, each a new process; bar: a sheet in {BAR} times pass")
    print(f"{'':38}{'seconds':>9}{'least':>9}{'x pass':>9}")
    for name, runs in taken.items():
        median = statistics.median(runs)
        print(f"{name:38}{median:9.3f}{min(runs):9.3f}{median / floor:9.1f}")


if __name__ == "__main__":
    main()
