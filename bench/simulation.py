"""How fast rounds are dealt: by both engines, and by a plain C program beside them.

    .venv/bin/python bench/simulation.py [--repeat 5] [--seconds 0.3]

The C program (``bench/simulation.c``) deals one shoe after another on one thread, with the same
procedure and as good a generator; it is compiled on the spot with ``cc -O3 -march=native``. All
take turns in one run, so that whatever else the machine does falls on each alike; ratios are
medians over the turns. Then come two threads against one, less the time that each stood ready and
other work had the cores; and how long a fresh process takes, by the clock and of its processor, to
have dealt its first block with kernels that are kept on disk.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace

from croupier.odds.arrays import Integers
from croupier.rules import default_submission, table_rules
from croupier.simulation.engines import ENGINES
from croupier.simulation.plan import WHOLE, Engine, Plan, plan_of
from croupier.simulation.streams import stream_states
from yardstick import print_yardstick

LEVELS = ("counts", "pairs", "royals")
BARS = {"scalar": 1.0, "lanes": 2.2}
"""Times as fast as C that the project has set itself, on one core."""
THREADS_BAR, START_BAR = 1.8, 35
"""Times as fast as one thread; processor time of a start in yardsticks."""

FIRST_BLOCK = """
import sys, time
from datetime import date
# numba imports these where it finds them; who installs the kernels alone has neither.
sys.modules.update(dict.fromkeys(("scipy", "coverage")))
from croupier.rules import table_rules
from croupier.simulation.engines import engine_of
from croupier.simulation.plan import plan_of
from croupier.rules import default_submission
plan = plan_of(table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22))))
engine_of(plan, 7, sys.argv[1]).play(0, 1)
print(time.process_time())
"""

Dealer = Callable[[int], int]
"""Deals a block, and returns how many rounds there were."""


def in_c(plan: Plan, library: ctypes.CDLL) -> Dealer:
    """Return what deals blocks in C."""

    class Course(ctypes.Structure):
        _fields_ = (
            *((name, ctypes.c_int64) for name in ("burns", "behind", "last_hands", "at_first")),
            ("takes", ctypes.c_int64 * 8),
            ("draws", ctypes.c_int64 * 88),
        )

    given = plan.course
    course = Course(given.burns, given.cards_behind, given.last_hands, given.ends_at_first)
    course.takes[:] = given.takes.tolist()
    course.draws[:] = given.draws.ravel().tolist()
    cards = np.array(plan.cards, dtype=np.uint8)
    if plan.level != "royals":
        cards %= 13
    if plan.level == "counts":
        cards = np.where(cards < 9, cards + 1, 0).astype(np.uint8)
    function = getattr(library, plan.level)
    function.restype = ctypes.c_int64

    def pointer(array: Any) -> ctypes.c_void_p:
        return ctypes.c_void_p(array.ctypes.data)

    def deal(block: int) -> int:
        state = stream_states(7, block, 1)[0].astype(np.uint32)
        cells: Integers = np.zeros(plan.cells, dtype=np.int64)
        royals: Integers = np.zeros(49 * 49, dtype=np.int64)
        rounds: int = function(
            pointer(state),
            pointer(cards),
            ctypes.c_uint32(len(cards)),
            ctypes.byref(course),
            ctypes.c_int64(8192),
            pointer(cells),
            pointer(royals),
        )
        return rounds

    return deal


def of_engine(engine: Engine) -> Dealer:
    """Return what deals an engine's blocks."""
    return lambda block: engine.play(block, WHOLE).rounds


def speed(deal: Dealer, seconds: float) -> float:
    """Return the rounds that are dealt in a second of this thread's own time."""
    rounds, block, start = 0, 0, time.thread_time()
    while (took := time.thread_time() - start) < seconds:
        rounds += deal(block)
        block += 1
    return rounds / took


def waited() -> float:
    """Return the seconds for which this thread could have run and no core was free (Linux)."""
    told = Path("/proc/thread-self/schedstat")
    return int(told.read_text(encoding="ascii").split()[1]) / 1e9 if told.exists() else 0.0


def on_threads(deal: Dealer, threads: int, seconds: float) -> float:
    """Return the rounds that so many threads deal together in a second in which cores are free."""

    def work(thread: int) -> tuple[int, float]:
        began, lost = time.perf_counter(), waited()
        rounds, block = 0, thread
        while (took := time.perf_counter() - began - (waited() - lost)) < seconds:
            rounds += deal(block)
            block += threads
        return rounds, took

    with ThreadPoolExecutor(threads) as pool:
        return sum(rounds / took for rounds, took in pool.map(work, range(threads)))


def compare(level: str, library: ctypes.CDLL | None, repeat: int, seconds: float) -> None:
    """Print how fast a level is tallied, and how much faster than by C."""
    plan = replace(
        plan_of(table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))),
        level=level,
    )
    dealers = {name: of_engine(make(plan, 7)) for name, make in ENGINES.items()}
    if library is not None:
        dealers["C"] = in_c(plan, library)
    for name, deal in dealers.items():
        start = time.perf_counter()
        deal(0)
        print(f"{level} {name} ready after {time.perf_counter() - start:.2f} s", file=sys.stderr)
    turns = [{name: speed(deal, seconds) for name, deal in dealers.items()} for _ in range(repeat)]
    print(level)
    for name in dealers:
        median = statistics.median(turn[name] for turn in turns)
        line = f"  {name:8}{median / 1e6:8.1f} million rounds/s"
        if name in BARS and library is not None:
            ratio = statistics.median(turn[name] / turn["C"] for turn in turns)
            line += f" {ratio:6.2f} times C, bar {BARS[name]}"
        print(line)


def threads(repeat: int, seconds: float) -> None:
    """Print what two threads deal beside one."""
    plan = plan_of(table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22))))
    for name, make in ENGINES.items():
        deal = of_engine(make(plan, 7))
        ratios = [
            on_threads(deal, 2, seconds) / on_threads(deal, 1, seconds) for _ in range(repeat)
        ]
        print(
            f"  {name:8} two threads {statistics.median(ratios):5.2f} times one, bar {THREADS_BAR}"
        )


def starts(repeat: int, yardstick: float) -> None:
    """Print how long a fresh process takes to its first block."""
    for name in ENGINES:
        command = [sys.executable, "-c", FIRST_BLOCK, name]
        took = []
        for _ in range(repeat + 1):
            start = time.perf_counter()
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            took.append((time.perf_counter() - start, float(done.stdout)))
        # The first may have compiled.
        whole, own = (statistics.median(column) for column in zip(*took[1:], strict=True))
        times = own / yardstick
        print(f"  {name:8} {whole:5.2f} s, {times:.0f} times the yardstick  (bar: {START_BAR})")


def main() -> None:
    """Measure and print medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.3)
    options = parser.parse_args()
    yardstick = print_yardstick()
    cores = os.cpu_count()
    print(f"medians of {options.repeat}; {cores} cores, load {os.getloadavg()[0]:.1f}; eight decks")
    compiler = shutil.which("cc")
    with tempfile.TemporaryDirectory() as folder:
        library = None
        if compiler is not None:
            built = Path(folder) / "simulation.so"
            flags = ["-O3", "-march=native", "-shared", "-fPIC"]
            source = Path(__file__).with_suffix(".c")
            subprocess.run([compiler, *flags, str(source), "-o", str(built)], check=True)
            library = ctypes.CDLL(str(built))
        for level in LEVELS:
            compare(level, library, options.repeat, options.seconds)
    print("threads")
    threads(options.repeat, options.seconds)
    print("a fresh process to the end of its first block")
    starts(options.repeat, yardstick)


if __name__ == "__main__":
    main()
