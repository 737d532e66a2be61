"""How fast an autopilot deals a recorded table, and how fast its log is verified; one core.

    .venv/bin/python bench/table.py [--shoes 30] [--repeat 5]

Seven patrons place three wagers each on every round; the log is written and closed. Beside the
rounds a second it prints what share of the time the log's own bytes would take alone (hashed and
written again, nothing decided), measured in the same run: the floor under both figures.
"""

from __future__ import annotations

import argparse
import hashlib
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from croupier.records.log import LogWriter
from croupier.rules import TableRules, default_submission, table_rules
from croupier.scenarios.autopilot import Autopilot
from croupier.table.session import TableSession
from croupier.table.shuffling import Chance
from croupier.verify import verify_log

BAR = 3_000
"""Rounds a second that the project has set itself."""


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
    start = time.perf_counter()
    with LogWriter(path, rules, shuffle="cryptographic") as log:
        session = TableSession(rules, log)
        pilot = Autopilot(session, Chance(), wagering=three_wagers)
        pilot.open("2011-02-22")
        for _ in range(shoes):
            pilot.play_shoe()
        pilot.close()
    return session.state.rounds, time.perf_counter() - start


def floor(path: Path, copy: Path) -> float:
    """Return the seconds that hashing and writing the log's lines takes by itself."""
    lines = path.read_bytes().splitlines(keepends=True)
    start = time.perf_counter()
    with copy.open("wb") as file:
        for line in lines:
            hashlib.sha256(line).hexdigest()
            file.write(line)
    return time.perf_counter() - start


def main() -> None:
    """Measure and print medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shoes", type=int, default=30)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    rules = table_rules(
        default_submission(
            "us-nj/minibaccarat", wagers__bonus__offered=True, vigorish__collection="deferred"
        )
    )
    dealt, verified, floors = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.repeat):
            path = Path(folder) / f"{number}.jsonl"
            rounds, seconds = deal(path, rules, options.shoes)
            dealt.append(rounds / seconds)
            start = time.perf_counter()
            verdict = verify_log(path)
            verified.append(rounds / (time.perf_counter() - start))
            if not verdict.is_clean:
                raise SystemExit(f"the log diverges: {verdict.divergence}")
            floors.append(rounds / floor(path, Path(folder) / "copy"))
            size = path.stat().st_size / rounds
            path.unlink()
    deals, verifies, bottom = map(statistics.median, (dealt, verified, floors))
    print(f"medians of {options.repeat} runs of {options.shoes} shoes, {size:,.0f} bytes a round")
    print(f"deal and record  {deals:8,.0f} rounds/s   {deals / BAR:5.2f} of the bar of {BAR:,}")
    print(f"verify           {verifies:8,.0f} rounds/s   {verifies / deals:5.2f} of dealing")
    print(f"hash and write   {bottom:8,.0f} rounds/s   {bottom / deals:5.0f} times as fast")


if __name__ == "__main__":
    main()
