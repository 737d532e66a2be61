"""How long a table takes to open from a long log, and how fast such a log is verified.

    .venv/bin/python bench/log.py [--entries 1000000] [--jobs 1 2] [--follow]

Deals a log of so many entries, durable once a shoe, which stays open. Prints the seconds until a
table can go on from it by its last snapshot (the bar: 2 s for a million entries), over the
yardstick too, and, with ``--follow``, without a snapshot. Then the log is verified from scratch by
so many processes: events a second, for each of them, and the most memory that any of them took.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from datetime import date
from pathlib import Path

from croupier.records.clock import SteppedClock
from croupier.records.log import begin_log, resume_log
from croupier.rules import default_submission, table_rules
from croupier.scenarios.autopilot import Autopilot
from croupier.table import Phase
from croupier.table.session import TableSession
from croupier.table.shuffling import Chance
from yardstick import print_yardstick

BAR = 2.0
"""Seconds in which a table of a million entries is to be open."""


def deal(path: Path, entries: int) -> None:
    """Deal a log of so many entries, and some more after its last snapshot."""
    rules = table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))
    recorder, stream = begin_log(path, rules, shuffle="seed 1")
    table = TableSession(rules, record=recorder, clock=SteppedClock())
    pilot = Autopilot(table, Chance(1), patrons=2)
    with table.together():
        pilot.open("2011-02-22")
    while recorder.sequence < entries:
        if table.state.phase is Phase.SHOE_COMPLETED or recorder.sequence + 3000 < entries:
            with table.together():
                pilot.play_shoe()
        else:
            pilot.play_shoe(1)
    # As a killed process leaves it: without a snapshot of its end.
    stream.close()


def opened(path: Path) -> tuple[float, int, int]:
    """Open a log to go on; return the seconds, its entries, and those followed one by one."""
    start = time.perf_counter()
    found, stream = resume_log(path)
    seconds = time.perf_counter() - start
    stream.close()
    before = 0 if found.snapshot is None else found.snapshot.position.sequence
    return seconds, found.position.sequence, found.position.sequence - before


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=1_000_000)
    parser.add_argument("--follow", action="store_true")
    options = parser.parse_args()
    yardstick = print_yardstick()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.jsonl"
        start = time.perf_counter()
        deal(path, options.entries)
        size = path.stat().st_size / 1e6
        print(f"dealt in {time.perf_counter() - start:.0f} s: {size:,.0f} MB")
        seconds, entries, followed = min(opened(path) for _ in range(3))
        print(
            f"{entries:,} entries open in {seconds:.2f} s, {seconds / yardstick:.0f} times the"
            f" yardstick, {followed} of them followed  (bar: {BAR} s)"
        )
        if options.follow:
            path.with_name(f"{path.name}.state").unlink()
            seconds, _, followed = opened(path)
            print(f"without a snapshot in {seconds:.2f} s, {followed:,} entries followed")
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"memory at most {memory} MB")


if __name__ == "__main__":
    main()
