"""What durability costs: a commit for each round, and one for each command, in each store.

    .venv/bin/python bench/commit.py [--rounds 400]

An autopilot deals so many rounds to two patrons into a new record, by the clock on the wall. The
floor is measured in the same run: the same number of commits of the same bytes, nothing decided.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import date
from pathlib import Path

from croupier.records.entry import SteppedClock
from croupier.records.log import begin_log
from croupier.rules import TableRules, default_submission, table_rules
from croupier.scenarios.autopilot import Autopilot
from croupier.table.cards.chance import Chance
from croupier.table.machine.position import Proposal
from croupier.table.machine.session import TableSession
from yardstick import print_yardstick


class Apart(TableSession):
    """A table that makes each command durable by itself."""

    @contextmanager
    def together(self) -> Iterator[None]:
        """Do nothing together."""
        yield


def deal(path: Path, rules: TableRules, rounds: int, kind: type[TableSession]) -> tuple[float, int]:
    """Deal rounds into a new record; return the seconds that took, and the commits."""
    recorder, stream = begin_log(path, rules, shuffle="seed 1")
    commits = 0

    def record(proposals: Sequence[Proposal]) -> None:
        nonlocal commits
        recorder(proposals)
        commits += 1

    with closing(stream):
        table = kind(rules, record=record, clock=SteppedClock())
        pilot = Autopilot(table, Chance(1), patrons=2)
        pilot.open(date(2011, 2, 22))
        commits, start = 0, time.perf_counter()
        while table.state.rounds < rounds:
            pilot.play_shoe(1)
        return time.perf_counter() - start, commits


def floor(path: Path, commits: int, size: int) -> float:
    """Return the seconds of so many writes of so many bytes, each brought to disk."""
    block = b"x" * size
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    start = time.perf_counter()
    for _ in range(commits):
        os.write(descriptor, block)
        os.fsync(descriptor)
    os.close(descriptor)
    return time.perf_counter() - start


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=400)
    rounds = parser.parse_args().rounds
    print_yardstick()
    rules = table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))
    for suffix in ("jsonl", "sqlite"):
        for name, kind in (("round", TableSession), ("command", Apart)):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / f"table.{suffix}"
                seconds, commits = deal(path, rules, rounds, kind)
                size = path.stat().st_size // max(commits, 1)
                least = floor(Path(folder) / "floor", commits, size)
            print(
                f"{suffix:6} a commit per {name:7} {rounds / seconds:7,.0f} rounds/s,"
                f" {commits:,} commits of {1e6 * seconds / commits:,.0f} us each,"
                f" {seconds / least:.1f} times the floor of {1e6 * least / commits:,.0f} us"
            )


if __name__ == "__main__":
    main()
