"""How fast an autopilot deals a recorded table, and how fast its log is verified; one core.

    .venv/bin/python bench/table.py [--shoes 30] [--repeat 5]

Seven patrons place three wagers each on every round; the log is written and closed. Beside the
rounds of a second of processor time it prints how many times as long as the log's own bytes alone
they take (hashed and written again, nothing decided), measured in the same run: the floor.
"""

from __future__ import annotations

import argparse
import hashlib
import statistics
import tempfile
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from croupier.records.clock import SteppedClock
from croupier.records.log import begin_log
from croupier.rules import TableRules, default_submission, table_rules
from croupier.scenarios.autopilot import Autopilot
from croupier.table.session import TableSession
from croupier.table.shuffling import Chance
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


def deal(path: Path, rules: TableRules, shoes: int) -> tuple[int, float]:
    """Deal whole shoes into a log; return the rounds and the seconds."""
    start = time.process_time()
    recorder, stream = begin_log(path, rules, shuffle="cryptographic")
    session = TableSession(rules, record=recorder, clock=SteppedClock())
    pilot = Autopilot(session, Chance(), wagering=three_wagers)
    pilot.open(date(2011, 2, 22))
    for _ in range(shoes):
        pilot.play_shoe()
    pilot.close()
    recorder.finish()
    stream.close()
    return session.state.rounds, time.process_time() - start


def floor(path: Path, copy: Path) -> float:
    """Return the seconds that hashing and writing the log's lines takes by itself."""
    lines = path.read_bytes().splitlines(keepends=True)
    start = time.process_time()
    with copy.open("wb") as file:
        for line in lines:
            hashlib.sha256(line).hexdigest()
            file.write(line)
    return time.process_time() - start


def main() -> None:
    """Measure and print medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shoes", type=int, default=30)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    print_yardstick()
    rules = table_rules(
        default_submission(
            "us-nj/minibaccarat",
            date(2011, 2, 22),
            wagers__bonus__offered=True,
            vigorish__collection="deferred",
        )
    )
    dealt, verified, floors = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.repeat):
            path = Path(folder) / f"{number}.jsonl"
            rounds, seconds = deal(path, rules, options.shoes)
            dealt.append(rounds / seconds)
            start = time.process_time()
            verdict = verify_log(path)
            verified.append(rounds / (time.process_time() - start))
            if not verdict.is_clean:
                raise SystemExit(f"the log diverges: {verdict.divergence}")
            floors.append(rounds / floor(path, Path(folder) / "copy"))
            size = path.stat().st_size / rounds
            path.unlink()
    deals, verifies, bottom = map(statistics.median, (dealt, verified, floors))
    print(f"medians of {options.repeat} runs of {options.shoes} shoes, {size:,.0f} bytes a round")
    ratio = f"{bottom / deals:5.1f} times the floor  (bar: {BAR})"
    print(f"deal and record  {deals:8,.0f} rounds/s   {ratio}")
    print(f"verify           {verifies:8,.0f} rounds/s   {bottom / verifies:5.1f} times the floor")
    print(f"hash and write   {bottom:8,.0f} rounds/s   the floor: the same bytes, nothing decided")


if __name__ == "__main__":
    main()
