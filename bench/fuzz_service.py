"""Sends a service what no client of good manners sends, and looks for answers of 500 and for hangs.

    .venv/bin/python bench/fuzz_service.py [--requests 1000000] [--seed 1]

Commands, submissions, grants, consents, lines of a reader, forms, and looks are made up, mutated,
and spoiled; so are headers, queries, and paths. Every 50,000 requests come to a service of their
own. Ends with status 1 if one is answered with 500, without a code, or not within ten seconds; the
seed makes it again.
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.fuzzing import Fuzzer, tokens_of  # noqa: E402  (it lies with the tests)
from support.served import served  # noqa: E402

ROUND = 50_000


def main() -> None:
    """Send as many requests as asked for, and print what came of them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--requests", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    begun, count, wrong, slowest = time.perf_counter(), Counter[str](), 0, 0.0
    for number in range(0, options.requests, ROUND):
        seed = options.seed * 1_000 + number // ROUND
        with tempfile.TemporaryDirectory() as folder, served(Path(folder) / "p.sqlite") as house:
            # It sets the level when it starts.
            logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
            fuzzer = Fuzzer(house, tokens_of(house), seed)
            fuzzer.run(min(ROUND, options.requests - number))
            fuzzer.close()
        count += fuzzer.count
        wrong += len(fuzzer.wrong)
        slowest = max(slowest, fuzzer.slowest)
        for one in fuzzer.wrong[:10]:
            print(f"seed {seed}: {one}")
    seconds = time.perf_counter() - begun
    print(", ".join(f"{name} {found:,}" for name, found in sorted(count.items())))
    print(f"{count.total():,} requests in {seconds:.0f} s, the slowest answered in {slowest:.2f} s")
    print(f"bodies that did not come, waited for and answered with 408: {count['408']}")
    print(f"answers of 500, hangs, refusals without a code: {wrong}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
