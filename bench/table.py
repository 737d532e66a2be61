"""How fast an autopilot deals a recorded table, and how fast its log is verified; one core.

    .venv/bin/python bench/table.py [--shoes 30] [--repeat 5]

Seven patrons place three wagers each on every round; the log is written and closed. Beside the
rounds of a second of processor time it prints how many times as long as the log's own bytes alone
they take, measured in the same run. Of the floor nothing is decided: the lines are hashed, and
written and brought to disk in the same groups, a round at a time. Without the disk, which is most
of it, it is the floor in memory.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import os
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import islice
from pathlib import Path

from croupier.records.entry import SteppedClock
from croupier.records.log import begin_log
from croupier.rules import TableRules, default_submission, table_rules
from croupier.scenarios.autopilot import Autopilot
from croupier.table.cards.chance import Chance
from croupier.table.machine.position import Proposal
from croupier.table.machine.session import TableSession
from croupier.verify import verify_log
from yardstick import print_yardstick

BAR = 8
"""How many times as long as hashing and writing the log dealing and recording it may take."""


def three_wagers(rules: TableRules, seat: int, chance: Chance) -> Iterator[tuple[str, int]]:
    """Wager on a hand, on its bonus and on the tie."""
    del rules, seat
    units, banker = divmod(chance.below(10), 2)
    base = "banker" if banker else "player"
    yield base, 2_000 * (1 + units)
    yield f"bonus_{base}", 1_000
    yield "tie", 1_000


def deal(path: Path, rules: TableRules, shoes: int) -> tuple[int, float, list[int]]:
    """Deal whole shoes into a log; return the rounds, the seconds, and the lines of each group."""
    start = time.process_time()
    recorder, stream = begin_log(path, rules, shuffle="cryptographic")
    groups = [1]

    def record(proposals: Sequence[Proposal]) -> None:
        groups.append(len(proposals))
        recorder(proposals)

    session = TableSession(rules, record=record, clock=SteppedClock())
    pilot = Autopilot(session, Chance(), wagering=three_wagers)
    pilot.open(date(2011, 2, 22))
    for _ in range(shoes):
        pilot.play_shoe()
    pilot.close()
    recorder.finish()
    stream.close()
    groups.append(1)
    return session.state.rounds, time.process_time() - start, groups


def floor(path: Path, copy: Path, groups: Sequence[int], *, durable: bool) -> float:
    """Return the seconds that hashing and writing the log's lines takes by itself."""
    lines = iter(path.read_bytes().splitlines(keepends=True))
    start = time.process_time()
    with copy.open("wb", buffering=0 if durable else -1) as file:
        for count in groups:
            group = list(islice(lines, count))
            for line in group:
                hashlib.sha256(line).hexdigest()
            file.write(b"".join(group))
            if durable:
                os.fsync(file.fileno())
    return time.process_time() - start


def main() -> None:
    """Measure and print medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shoes", type=int, default=30)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    print_yardstick()
    # As the program does when it starts.
    gc.set_threshold(20_000, 20, 20)
    rules = table_rules(
        default_submission(
            "us-nj/minibaccarat",
            date(2011, 2, 22),
            wagers__bonus__offered=True,
            vigorish__collection="deferred",
        )
    )
    dealt, verified, floors, in_memory = [], [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.repeat):
            path = Path(folder) / f"{number}.jsonl"
            rounds, seconds, groups = deal(path, rules, options.shoes)
            dealt.append(rounds / seconds)
            start = time.process_time()
            verdict = verify_log(path)
            verified.append(rounds / (time.process_time() - start))
            if not verdict.is_clean:
                raise SystemExit(f"the log diverges: {verdict.divergence}")
            copy = Path(folder) / "copy"
            floors.append(rounds / floor(path, copy, groups, durable=True))
            in_memory.append(rounds / floor(path, copy, groups, durable=False))
            size = path.stat().st_size / rounds
            path.unlink()
    deals, verifies, bottom, memory = map(statistics.median, (dealt, verified, floors, in_memory))
    print(f"medians of {options.repeat} runs of {options.shoes} shoes, {size:,.0f} bytes a round")
    ratio = f"{bottom / deals:5.1f} times the floor  (bar: {BAR})"
    print(f"deal and record  {deals:8,.0f} rounds/s   {ratio}")
    print(f"verify           {verifies:8,.0f} rounds/s   {memory / verifies:5.1f} times, in memory")
    print(f"the floor        {bottom:8,.0f} rounds/s   the same bytes to disk, nothing decided")
    print(
        f"  in memory      {memory:8,.0f} rounds/s   {memory / deals:5.1f} times: deal and record"
    )


if __name__ == "__main__":
    main()
