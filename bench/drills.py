"""How long a drill question takes to draw, and that each is the table's own answer.

    .venv/bin/python bench/drills.py [--questions N]

Questions of each kind are drawn under all sample submissions in turn, carried out again at their
tables, and marked with their own key. The bar is 50 ms for a question; setting up the tables of a
submission is timed apart. ``--questions 100000`` is the whole run.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from croupier.drills import DRILLS, DrillRoom, mark, question
from croupier.rules import read_rules
from yardstick import print_yardstick

ROOT = Path(__file__).parents[1]
BAR_MS = 50.0


def main() -> int:
    """Draw the questions, and return 1 if a key is wrong or a kind is too slow."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=2_000, help="questions of each kind")
    asked = parser.parse_args().questions
    found = (read_rules(path) for path in sorted((ROOT / "submissions").glob("*.toml")))
    rooms = [DrillRoom(rules) for rules in found if not rules.missing]
    begun = time.perf_counter()
    for room in rooms:
        _ = (room.starts, room.opening, room.reshuffle, room.rounds, room.everything)
    each = (time.perf_counter() - begun) / len(rooms)
    print(f"tables of {len(rooms)} submissions: {each:.3f} s each")
    print_yardstick()
    print(f"{'kind':16}{'questions':>10}{'mean ms':>9}{'p99 ms':>9}")
    slow = False
    for kind in DRILLS:
        times = []
        for number in range(asked):
            room = rooms[number % len(rooms)]
            started = time.perf_counter()
            one = question(room, kind, 1, number)
            times.append(1000 * (time.perf_counter() - started))
            if one is None:
                continue
            stage = one.stage.fork()
            stage.execute(*one.commands)
            same = dict(one.found(tuple(stage.events))) == dict(one.key)
            if not same or not mark(one, one.key).is_right:
                print(f"{kind} {number}: the key is not the table's")
                return 1
        times.sort()
        mean, p99 = sum(times) / len(times), times[int(0.99 * len(times))]
        slow = slow or mean > BAR_MS
        print(f"{kind:16}{len(times):>10,}{mean:>9.2f}{p99:>9.2f}")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
