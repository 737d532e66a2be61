"""Croupier next to what people otherwise use for the same figures, in one run and on one core.

    .venv/bin/python bench/practice.py [--seconds 3]

A *spreadsheet* is a count of every sequence of six card values, in plain Python here: it is exact,
and each side bet needs another one. A *public simulator* shuffles a list of cards, deals it by a
chain of conditions, and counts results. Both follow the rules of the game only; neither has the
burn, the cutting card, the clauses, or the payments. Neither imports Croupier.
"""

from __future__ import annotations

import argparse
import random
import time
from datetime import date
from itertools import product
from math import prod

from croupier.baccarat.coup import Hand
from croupier.odds.census import point_census
from croupier.odds.shoe import ShoeComposition
from croupier.rules import default_submission, table_rules
from croupier.simulation.engines import engine_of
from croupier.simulation.plan import facts_of, plan_of
from yardstick import print_yardstick

DECKS = 8


def dealt(cards: tuple[int, ...]) -> int:
    """Return Player's total less Banker's, from six card values in the order of the shoe."""
    player, banker = (cards[0] + cards[2]) % 10, (cards[1] + cards[3]) % 10
    if player > 7 or banker > 7:
        return player - banker
    if player > 5:
        return player - (banker if banker > 5 else (banker + cards[4]) % 10)
    third = cards[4]
    player = (player + third) % 10
    if (
        banker < 3
        or (banker == 3 and third != 8)
        or (banker == 4 and 2 <= third <= 7)
        or (banker == 5 and 4 <= third <= 7)
        or (banker == 6 and 6 <= third <= 7)
    ):
        banker = (banker + cards[5]) % 10
    return player - banker


def spreadsheet() -> int:
    """Return in how many ways Banker wins, of all orders of six cards of the shoe."""
    ways = 0
    of_value = (16 * DECKS, *[4 * DECKS] * 9)
    for cards in product(range(10), repeat=6):
        if dealt(cards) < 0:
            ways += prod(of_value[one] - cards[:at].count(one) for at, one in enumerate(cards))
    return ways


def simulator(seconds: float, seed: int) -> tuple[int, int]:
    """Return rounds dealt in the time, and how many of them Banker won."""
    chance = random.Random(seed)
    rounds = won = 0
    ends = time.process_time() + seconds
    while time.process_time() < ends:
        shoe = [min(rank, 10) % 10 for rank in range(1, 14)] * 4 * DECKS
        chance.shuffle(shoe)
        # Each round takes six places: which of them it does not need changes no distribution.
        for at in range(0, len(shoe) - 20, 6):
            rounds += 1
            won += dealt(tuple(shoe[at : at + 6])) < 0
    return rounds, won


def main() -> None:
    """Print both pairs."""
    options = argparse.ArgumentParser()
    options.add_argument("--seconds", type=float, default=3)
    seconds = options.parse_args().seconds
    print_yardstick()
    rules = table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))
    began = time.process_time()
    census = point_census(ShoeComposition.of_decks(DECKS), rules.tableau)
    exact = census.ways(lambda facts: facts.winner is Hand.BANKER)
    ours, began = time.process_time() - began, time.process_time()
    theirs = spreadsheet()
    took = time.process_time() - began
    if theirs != exact:
        raise SystemExit(f"Banker wins in {theirs} ways by one count and {exact} by the other")
    print(f"Banker wins in {exact:,} of {census.total:,} ways, by both counts")
    print(f"count of all sequences {took:.2f} s, croupier {1000 * ours:.1f} ms: {took / ours:.0f}x")

    rounds, won = simulator(seconds, 7)
    speed = rounds / seconds
    engine = engine_of(plan_of(rules), seed=7)
    engine.play(0, 100_000)  # The kernels are compiled, or loaded.
    began = time.process_time()
    played = engine.play(0, int(speed * 50))
    fast = played.rounds / (time.process_time() - began)
    facts = zip(facts_of(len(played.cells)), played.cells.tolist(), strict=True)
    ours_won = sum(many for one, many in facts if one.winner is Hand.BANKER)
    share = exact / census.total
    error = (share * (1 - share)) ** 0.5
    for name, each, counted in (
        ("loop over a shuffled list", speed, won / rounds),
        ("croupier simulate", fast, ours_won / played.rounds),
    ):
        spread = error / (each * 60) ** 0.5
        print(
            f"{name}: {each:,.0f} rounds/s; Banker wins {counted:.4%},"
            f" known to {spread:.5%} after a minute"
        )
    print(f"croupier deals {fast / speed:.0f}x as many rounds, with burn and cutting card")


if __name__ == "__main__":
    main()
