"""Shows what a house gains that picks, of several secrets, the one it likes best: nothing.

    python bench/mystery_draw.py --drawings 1000000 --tries 6

For each drawing the house tries secrets until one draws the wanted seat under the cards that it
expects. Then other cards are dealt. Printed are the wanted seat's share of both, and chi-square of
the seats drawn; and the same for the mystery value, which the house wants low.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter

from croupier.money.stax import drawn, mystery_cents
from yardstick import print_yardstick

SEATS = (1, 2, 3, 4, 5, 6)
WANTED = 3
ABOVE, MOST = 50_000, 60_000


def main() -> None:
    """Grind secrets, deal other cards, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drawings", type=int, default=100_000)
    parser.add_argument("--tries", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print_yardstick()
    chance = random.Random(options.seed)
    begun = time.perf_counter()
    expected, dealt = Counter[int](), Counter[int]()
    low, values = 0, 0
    for number in range(options.drawings):
        guess = f"round {number}: {chance.getrandbits(96):x}"
        cards = f"round {number}: {chance.getrandbits(96):x}"
        secrets = (f"{chance.getrandbits(256):064x}" for _ in range(options.tries))
        chosen = next(secrets)
        for secret in secrets:
            if drawn(chosen, guess, SEATS) == WANTED:
                break
            chosen = secret
        expected[drawn(chosen, guess, SEATS)] += 1
        dealt[drawn(chosen, cards, SEATS)] += 1
        value = mystery_cents(chosen, cards, ABOVE, MOST) - ABOVE
        values += value
        low += value <= (MOST - ABOVE) // 10
    even = options.drawings / len(SEATS)
    chi = sum((dealt[seat] - even) ** 2 / even for seat in SEATS)
    print(f"{options.drawings:,} drawings, {options.tries} secrets tried for each")
    print(f"seat {WANTED} under the cards expected: {expected[WANTED] / options.drawings:.4%}")
    print(f"seat {WANTED} under the cards dealt:    {dealt[WANTED] / options.drawings:.4%}")
    print(f"an even share:                     {1 / len(SEATS):.4%}")
    print(f"chi-square of the seats drawn:     {chi:.2f} (99.9% bound 20.52)")
    print(f"values in the lowest tenth:        {low / options.drawings:.4%}")
    mean = values / options.drawings / (MOST - ABOVE)
    print(f"mean value:                        {mean:.4%} of the way")
    print(f"{options.drawings / (time.perf_counter() - begun):,.0f} drawings a second")


if __name__ == "__main__":
    main()
