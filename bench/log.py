"""How long a table takes to open from a long log, and how fast such a log is verified.

    .venv/bin/python bench/log.py [--entries 1000000] [--processes 1 2] [--follow]

Deals a log of so many entries, durable once a shoe, which stays open. Prints the seconds until a
table can go on from it by its last snapshot (the bar: 2 s for a million entries), over the
yardstick too, and, with ``--follow``, without a snapshot. Then the log is verified from scratch by
so many processes: events a second, for each of them, and the most memory that any of them took.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from datetime import date
from pathlib import Path

from croupier.records.entry import SteppedClock
from croupier.records.log import begin_log, resume_log
from croupier.rules import default_submission, table_rules
from croupier.scenarios.autopilot import Autopilot
from croupier.table import Phase
from croupier.table.cards.chance import Chance
from croupier.table.machine.session import TableSession
from croupier.verify import verify_log
from yardstick import print_yardstick

EVENTS = 15_000
"""Events that a core is to verify in a second, where ``python -c pass`` takes 10 ms."""

BAR = 2.0
"""Seconds in which a table of a million entries is to be open."""


def deal(path: Path, entries: int) -> None:
    """Deal a log of so many entries, and some more after its last snapshot."""
    rules = table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))
    recorder, stream = begin_log(path, rules, shuffle="seed 1")
    table = TableSession(rules, record=recorder, clock=SteppedClock())
    pilot = Autopilot(table, Chance(1), patrons=2)
    with table.together():
        pilot.open(date(2011, 2, 22))
    while recorder.sequence < entries or recorder.sequence < recorder.snapped + 800:
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


def verify(path: Path, processes: int, yardstick: float) -> None:
    """Verify a log from scratch by so many processes, and print how fast that went."""
    start, before = time.perf_counter(), sum(os.times()[:4])
    verdict = verify_log(path, processes=processes)
    seconds, processor = time.perf_counter() - start, sum(os.times()[:4]) - before
    if not verdict.is_clean:
        raise SystemExit(f"the log diverges: {verdict.divergence}")
    rate = verdict.events / processor
    memory = sum(
        resource.getrusage(whose).ru_maxrss // 1024
        for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)[: 1 + (processes > 1)]
    )
    print(
        f"verified by {processes}: {verdict.events:,} events in {seconds:.1f} s,"
        f" {verdict.events / seconds:,.0f} events/s; of each second of processor {rate:,.0f},"
        f" at a yardstick of 10 ms {rate * yardstick / 0.010:,.0f}  (bar: {EVENTS:,});"
        f" memory of the largest process and this one at most {memory} MB"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=1_000_000)
    parser.add_argument("--follow", action="store_true")
    parser.add_argument("--processes", type=int, nargs="*", default=[1, 2])
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
        for processes in options.processes:
            verify(path, processes, yardstick)


if __name__ == "__main__":
    main()
