"""How much processor time the commands take from their start, as multiples of the yardstick.

    .venv/bin/python bench/start.py [--repeat 7]

Each run is a process of its own; the runs of all commands take turns with the yardstick's, so that
whatever else the machine does falls on all of them. The least of each is taken.
"""

from __future__ import annotations

import argparse
from typing import Final

from yardstick import cpu_seconds

_SUBMISSION: Final = "submissions/nj-minibaccarat.toml"

_STARTS: Final = {
    "import croupier": (2, ("-c", "import croupier")),
    "croupier --help": (6, ("-m", "croupier", "--help")),
    "croupier check SUBMISSION": (14, ("-m", "croupier", "check", _SUBMISSION)),
    "croupier par --format json": (
        12,
        ("-m", "croupier", "par", "--submission", _SUBMISSION, "--format", "json"),
    ),
    "import croupier.table.machine.session": (10, ("-c", "import croupier.table.machine.session")),
    "croupier simulate --rounds 1000": (
        40,
        ("-m", "croupier", "simulate", "--submission", _SUBMISSION, "--rounds", "1000"),
    ),
}
"""What is started, with its bar: how many times the yardstick it may take."""


def main() -> None:
    """Measure and print the least of each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=7)
    options = parser.parse_args()
    # The first run of each compiles its modules and kernels, and is not counted.
    for _, arguments in _STARTS.values():
        cpu_seconds(*arguments)
    floors: list[float] = []
    runs: dict[str, list[float]] = {name: [] for name in _STARTS}
    for _ in range(options.repeat):
        floors.append(cpu_seconds("-c", "pass"))
        for name, (_, arguments) in _STARTS.items():
            runs[name].append(cpu_seconds(*arguments))
    floor = min(floors)
    print(f"least of {options.repeat}; yardstick: python -c pass, {1000 * floor:.1f} ms")
    for name, (bar, _) in _STARTS.items():
        least = min(runs[name])
        print(f"{name:33}{1000 * least:8.1f} ms {least / floor:6.1f} times  (bar: {bar})")


if __name__ == "__main__":
    main()
