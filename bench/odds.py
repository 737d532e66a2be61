"""How fast a census is counted: in plain Python, by the kernels, and by plain C beside them.

    .venv/bin/python bench/odds.py [--shoes 20000] [--repeat 5]

The C program (``bench/odds.c``) counts by the same closed form, one shoe after another; it is
compiled on the spot with ``gcc -O3 -march=native``, and left out where there is no gcc. All count
the same shoes in the same run, on one core, and the results are compared. Figures are medians.
"""

from __future__ import annotations

import argparse
import ctypes
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path

import numpy as np

from croupier.odds.arrays import Integers
from croupier.odds.census import pair_census, point_census, royal_census
from croupier.odds.chances import chances
from croupier.odds.kernel import Kernel
from croupier.odds.knowledge import Knowledge
from croupier.odds.lanes import LANES, count_many
from croupier.odds.sheet import wager_sheet
from croupier.odds.shoe import ShoeComposition
from croupier.rules import default_submission, table_rules
from yardstick import print_yardstick

BARS = {"many": 2.0}
"""Times as fast as C that the project has set itself."""

Counter = Callable[[Integers, Integers], None]


def measured(count: Callable[[], object], times: int, repeat: int) -> float:
    """Return the median of the microseconds that each of so many takes."""
    seconds = []
    for _ in range(repeat):
        start = time.process_time()
        count()
        seconds.append((time.process_time() - start) / times)
    return statistics.median(seconds) * 1e6


def plain_c(kernel: Kernel, folder: Path) -> Counter | None:
    """Compile the C program and return it as a function, or ``None`` where there is no gcc."""
    gcc = shutil.which("gcc")
    if gcc is None:
        return None
    library = folder / "odds.so"
    source = Path(__file__).with_suffix(".c")
    options = ["-O3", "-march=native", "-shared", "-fPIC"]
    subprocess.run([gcc, *options, str(source), "-o", str(library)], check=True)
    function = ctypes.CDLL(str(library)).count_many

    def pointer(numbers: Integers) -> ctypes.c_void_p:
        return ctypes.c_void_p(numbers.ctypes.data)

    def count(shoes: Integers, ways: Integers) -> None:
        takes, draws, cells = kernel.tables
        function(
            pointer(shoes),
            ctypes.c_int64(len(shoes)),
            pointer(takes),
            pointer(draws),
            pointer(cells),
            ctypes.c_int64(len(cells)),
            pointer(ways),
        )

    return count


def counters(kernel: Kernel, folder: Path) -> dict[str, Counter]:
    """Return every way to count many shoes, by name."""
    takes, draws, cells = kernel.tables

    def together(shoes: Integers, ways: Integers) -> None:
        count_many(shoes, (takes, draws), cells, ways, LANES)

    in_c = plain_c(kernel, folder)
    return {"many": together} | ({} if in_c is None else {"C": in_c})


def main() -> None:
    """Measure and print medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shoes", type=int, default=20_000)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    print_yardstick()
    rules = table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))
    tableau, fresh = rules.tableau, ShoeComposition.of_decks(8)
    kernel = Kernel(tableau)
    print(f"medians of {options.repeat} runs, one core")
    print("plain Python, one shoe of eight decks")
    census = point_census(fresh, tableau)
    counts: dict[str, Callable[[], object]] = {
        "points": lambda: point_census(fresh, tableau),
        "points and pairs": lambda: pair_census(fresh, tableau),
        "Royal 9": lambda: royal_census(fresh),
        "sheet of Banker": lambda: wager_sheet(rules, "banker", census),
        **{
            f"odds, {known}": partial(chances, rules, fresh, known)
            for known in (Knowledge(), Knowledge.of("9h,2c", "?,?"), Knowledge.of("9h,2c,?", "4"))
        },
    }
    for name, count in counts.items():
        print(f"  {name:32} {measured(count, 1, options.repeat) / 1000:8.2f} ms")
    generator = np.random.default_rng(7)
    shoes = generator.integers(8, 33, (options.shoes, 10))
    shoes[:, 0] *= 4
    found: dict[str, Integers] = {}
    took: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, counter in counters(kernel, Path(folder)).items():
            ways = np.empty((len(shoes), len(kernel.facts)), dtype=np.int64)
            start = time.perf_counter()
            counter(shoes[:1], ways[:1])
            print(f"{name:6} ready after {time.perf_counter() - start:6.2f} s", file=sys.stderr)
            took[name] = measured(partial(counter, shoes, ways), len(shoes), options.repeat)
            found[name] = ways
    print(f"{len(shoes):,} shoes, microseconds a shoe")
    for name, microseconds in took.items():
        line = f"  {name:5} {microseconds:8.2f}"
        if name in BARS:
            ratio = f"{took['C'] / microseconds:5.2f}" if "C" in took else "  ?  "
            line += f"   {ratio} times as fast as C  (bar: {BARS[name]})"
        print(line)
    if any((ways != found["many"]).any() for ways in found.values()):
        raise SystemExit("the counts differ")


if __name__ == "__main__":
    main()
