"""How long a round of a long log takes to open by its index, next to a plain scan of the same file.

    .venv/bin/python bench/index.py [--log LOG] [--entries 100000] [--round N]

Deals a log of so many entries, unless one is given; its index is kept next to it. Prints the
seconds of processor of a scan that finds the call of the round as bytes and hashes every line on
the way, of opening the log (which makes the index, unless there is one), and of each command that
opens the round by it. The bar is 1 s for a log of 1 GB, start of the program included.
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
import time
from pathlib import Path

from croupier.records.indexing import index_place, numbered
from croupier.records.reader import LogReader
from log import deal
from yardstick import cpu_seconds, print_yardstick

BAR = 1.0


def scan(path: Path, number: int) -> tuple[float, str]:
    """Hash every line; return the seconds of processor, and the time of the call of a round."""
    start, sought, found = time.process_time(), b'"NoMoreBetsCalled","v":1,"round":%d,' % number, ""
    with path.open("rb") as file:
        for line in file:
            hashlib.sha256(line).hexdigest()
            if sought in line:
                found = line.partition(b'"at":"')[2][:23].decode()
    return time.process_time() - start, found


def measure(path: Path, number: int | None, folder: Path) -> None:
    """Print the seconds of each way to a round."""
    start = time.process_time()
    index = LogReader(path, wanted_rounds=numbered(range(1, 2))).index
    made = time.process_time() - start
    if index is None:
        raise SystemExit(f"{path}: a log of this length has no index")
    number = number or index.last_round * 3 // 4
    size = index_place(path, index.header).stat().st_size
    scanned, at = scan(path, number)
    print(f"{path.stat().st_size / 1e6:,.0f} MB, {index.end.sequence:,} entries, round {number:,}")
    print(f"plain scan {scanned:.2f} s; opening the log {made:.1f} s; then by the index")
    print(f"of {size / 1e6:.1f} MB, each over the plain scan:")
    for words in (
        ("explain", path, "--round", number),
        ("explain", path, "--time", at),
        ("rounds", path, "--from", at, "--to", at),
        ("replay", path, "--round", f"{number}-{number + 2}", "-o", folder / "replay.html"),
    ):
        seconds = cpu_seconds("-m", "croupier", *map(str, words))
        late = "" if seconds <= BAR else ", over the bar"
        print(f"  {words[0]:8}{words[2]:8}{seconds:6.2f} s, {seconds / scanned:.2f}{late}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--log", type=Path)
    parser.add_argument("--entries", type=int, default=100_000)
    parser.add_argument("--round", type=int, dest="number")
    asked = parser.parse_args()
    print_yardstick()
    with tempfile.TemporaryDirectory() as name:
        path = asked.log or Path(name) / "table.jsonl"
        if asked.log is None:
            deal(path, asked.entries)
        measure(path, asked.number, Path(name))
