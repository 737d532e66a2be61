"""Sends a service what its own description allows, made by schemathesis, as each office.

    .venv/bin/python bench/fuzz_description.py [--requests 100000] [--seed 1]

Ends with status 1 if an answer is a failure, late, not described, or depends on a card that is
still in a sealed shoe: every answer that changed nothing is asked for again with the rest of the
shoe in another order. Each office in each round has a service of its own.
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from croupier.acts.roles import LOOKS  # noqa: E402
from support.described_fuzz import DescribedFuzz  # noqa: E402  (it lies with the tests)
from support.served import served  # noqa: E402

EXAMPLES = 25
"""Requests to an operation in a round, as an office."""


def main() -> None:
    """Send as many requests as asked for, and print what came of them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    begun, count, wrong = time.perf_counter(), Counter[str](), Counter[str]()
    compared, slowest, number = 0, 0.0, options.seed
    while count.total() < options.requests:
        office = LOOKS[number % len(LOOKS)]
        with (
            tempfile.TemporaryDirectory() as folder,
            served(Path(folder) / "p.sqlite") as house,
            pytest.MonkeyPatch.context() as patch,
        ):
            # It sets the level when it starts.
            logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
            logging.getLogger("croupier").setLevel(logging.CRITICAL)
            made = DescribedFuzz(house, patch)
            made.run(office, EXAMPLES, number)
        count[office] += made.sent
        wrong.update(made.wrong)
        compared += made.compared
        slowest = max(slowest, made.slowest)
        print(f"{number} {office}: {count.total():,} requests, {len(wrong)} wrong", flush=True)
        number += 1
    for one, times in wrong.most_common(40):
        print(f"{times} x {one}")
    seconds = time.perf_counter() - begun
    print(", ".join(f"{name} {found:,}" for name, found in sorted(count.items())))
    print(f"{count.total():,} requests in {seconds:.0f} s, the slowest answered in {slowest:.2f} s")
    print(f"compared with another order of the shoe: {compared:,}; wrong: {wrong.total()}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
