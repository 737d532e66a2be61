"""How fast sessions are played: each system's rounds a second, beside the engine that deals them.

    .venv/bin/python bench/sessions.py [--rounds 500000] [--repeat 5] [--exports]

One core, medians of several runs taken in turn, so that whatever else the machine does falls on all
of them. *Dealt* is the scalar engine telling every card, the floor under every session. A plain
Python function is called for every round; the same function compiled by numba runs within the loop.

With ``--exports`` the command itself writes that many rounds and four times as many, in every form:
bytes on disk for each round, the most memory that it held, and the time that it took.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import numba

from croupier.odds.arrays import Integers
from croupier.odds.counting import parse_tags
from croupier.rules import TableRules, default_submission, table_rules
from croupier.simulation.plan import plan_of
from croupier.simulation.scalar import replay_block
from croupier.simulation.sessions.export import FORMS
from croupier.simulation.sessions.play import SessionPlan, play
from croupier.simulation.sessions.systems import (
    PROGRESSIONS,
    System,
    View,
    count_system,
    parse_ramp,
    progression,
)
from croupier.simulation.sessions.table import session_table
from yardstick import print_yardstick

PLAIN_SHARE = 20
"""A plain Python function plays so many times fewer rounds, or it would take all of the time."""


def follow(view: View, stakes: Integers, memory: Integers) -> None:
    """Double after a loss, four times at most."""
    if view.outcome[0] > 0:
        memory[0] = 0
    elif view.outcome[0] < 0:
        memory[0] = (memory[0] + 1) % 5
    stakes[0] = view.unit << memory[0]


def systems() -> dict[str, System]:
    """Return every system that is measured, by name."""
    compiled: Any = numba.njit(follow)
    tags = parse_tags("4=-1,5=-1,6=-1,7=-1,8=2,9=2")
    return {
        **{name: progression(name) for name in PROGRESSIONS},
        "count": count_system(tags, parse_ramp("0=1,2=2,4=4")),
        "own, by numba": System("own", compiled),
        "own, in Python": System("own", follow),
    }


def jobs(rules: TableRules, rounds: int) -> dict[str, tuple[int, Callable[[], object]]]:
    """Return what is timed, by name, and how many rounds it plays."""
    table, plan = session_table(rules, ["player"]), plan_of(rules)
    shoes = rounds // 81

    def dealt() -> None:
        for block in range(-(-shoes // 1024)):
            replay_block(plan, 1, block, min(1024, shoes - 1024 * block))

    found: dict[str, tuple[int, Callable[[], object]]] = {"dealt": (81 * shoes, dealt)}
    for name, system in systems().items():
        number = rounds // PLAIN_SHARE if name.endswith("Python") else rounds
        session = SessionPlan(table, plan, system, 10**13, 2_500, 1, rounds=number)

        def played(session: SessionPlan = session) -> None:
            for _ in play(session, 1):
                pass

        found[name] = (number, played)
    return found


def exported(rounds: int, form: str, folder: Path) -> tuple[int, int, float]:
    """Write an export by the command; return its bytes, its kilobytes of memory and its seconds."""
    path = folder / f"rounds{form}"
    command = [
        sys.executable, "-c", "from croupier.cli import main; main()", "session", "--law",
        "us-nj/minibaccarat@2011-02-22", "--wager", "banker", "--unit", "25", "--bankroll",
        "100000000", "--sessions", "1", "--rounds", str(rounds), "--rounds-out", str(path),
        "--force",
    ]  # fmt: skip
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(running.pid, 0)
    running.returncode = os.waitstatus_to_exitcode(status)
    if running.returncode:
        raise SystemExit("the export failed")
    return path.stat().st_size, used.ru_maxrss, used.ru_utime + used.ru_stime


def print_exports(rounds: int) -> None:
    """Write exports in every form, and print what they take."""
    with tempfile.TemporaryDirectory() as folder:
        for form in FORMS:
            for number in (rounds, 4 * rounds):
                size, memory, seconds = exported(number, form, Path(folder))
                print(
                    f"  {form:9} {number:12,} rounds  {size / number:6.2f} bytes each"
                    f"  {memory / 1024:6.0f} MB of memory  {seconds:7.1f} s of one core"
                )


def main() -> None:
    """Measure and print medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=500_000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--exports", action="store_true")
    options = parser.parse_args()
    print_yardstick()
    if options.exports:
        print_exports(options.rounds)
        return
    timed = jobs(
        table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22))), options.rounds
    )
    taken: dict[str, list[float]] = {name: [] for name in timed}
    for name, (_, job) in timed.items():
        start = time.perf_counter()
        job()
        print(f"{name:16} ready after {time.perf_counter() - start:6.2f} s", file=sys.stderr)
    for _ in range(options.repeat):
        for name, (rounds, job) in timed.items():
            start = time.process_time()
            job()
            taken[name].append((time.process_time() - start) / rounds)
    floor = statistics.median(taken["dealt"])
    print(f"medians of {options.repeat} runs, one core, {options.rounds:,} rounds")
    for name, seconds in taken.items():
        median = statistics.median(seconds)
        print(f"  {name:16} {1e-6 / median:8.3f} M rounds/s  {floor / median:6.3f} of dealt")


if __name__ == "__main__":
    main()
