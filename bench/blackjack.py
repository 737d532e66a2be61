"""Measures the compiled reference blackjack beside the plain one, by turns, on one core.

python bench/blackjack.py
"""

from __future__ import annotations

import time
from statistics import median

from croupier.odds.blackjack import played_results
from croupier.simulation.blackjack import BlackjackEngine
from croupier.simulation.plan import WHOLE
from yardstick import print_yardstick

TURNS = 5
PLAIN_ROUNDS = 5_000
BLOCKS = 40

LEAST_RATIO = 50
"""The bar: how many times as fast the compiled game must be."""


def plain() -> float:
    """Return the rounds a second of the plain game, shuffles and all."""
    begun = time.perf_counter()
    played_results(PLAIN_ROUNDS, 1)
    return PLAIN_ROUNDS / (time.perf_counter() - begun)


def compiled(engine: BlackjackEngine) -> float:
    """Return the rounds a second of the compiled game, with all that is counted of them."""
    begun = time.perf_counter()
    rounds = sum(engine.play(block, WHOLE).rounds for block in range(BLOCKS))
    return rounds / (time.perf_counter() - begun)


def main() -> None:
    """Print both speeds and their ratio, each the median of several turns."""
    engine = BlackjackEngine(1)
    engine.play(0, 1)  # It compiles.
    turns = [(plain(), compiled(engine)) for _ in range(TURNS)]
    ratio = median(fast / slow for slow, fast in turns)
    print_yardstick()
    print(f"plain     {median(slow for slow, _ in turns):14,.0f} rounds/s")
    print(f"compiled  {median(fast for _, fast in turns):14,.0f} rounds/s")
    print(f"ratio     {ratio:14.0f} (bar: {LEAST_RATIO})")
    raise SystemExit(ratio < LEAST_RATIO)


if __name__ == "__main__":
    main()
