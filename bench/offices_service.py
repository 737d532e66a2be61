"""Asks a service for every command, by every office, at every point of the procedure, over HTTP.

    .venv/bin/python bench/offices_service.py [--every 1] [SUBMISSION]...

What must come of each follows from the table of offices and from ``decide`` beside the service. An
act that takes a second person is asked of one who may not consent, of whoever gave it, and then of
those who must. Whatever the service takes is undone. Ends with status 1 if anything came otherwise.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.office_matrix import Matrix  # noqa: E402  (it lies with the tests)
from support.served import MA_EZ, NJ, PUNTO_BANCO, served  # noqa: E402


def main() -> None:
    """Ask everything, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("submissions", nargs="*", type=Path, default=[NJ, PUNTO_BANCO, MA_EZ])
    parser.add_argument("--every", type=int, default=1, help="ask one of so many")
    options = parser.parse_args()
    wrong = 0
    for file in options.submissions:
        begun = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            store, points = Matrix.prepared(Path(folder) / "pit.sqlite", [file])
            store.forgets = True
            with served(store) as house:
                matrix = Matrix(house, points)
                matrix.ask_all(options.every)
                matrix.wire.close()
        found = ", ".join(f"{name} {count:,}" for name, count in sorted(matrix.count.items()))
        seconds = time.perf_counter() - begun
        print(f"{file.stem}: {len(points)} points, {found}; {seconds:.0f} s")
        for one in matrix.wrong[:20]:
            print(f"  {one}")
        print(f"  came otherwise: {len(matrix.wrong)}")
        wrong += len(matrix.wrong)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
