"""Whether the lane engine's census of very many rounds has the exact law of a first round.

    .venv/bin/python bench/simulation_law.py [--rounds 1e9] [--seeds 101,202,303] [--level counts]

Rounds from whole shoes, as a continuous device deals them, are independent, and the chi-square of
their census has its own law. Rounds of one shoe are not: what one takes the next cannot have. Over
shoes of eight decks this changes so little that the chi-square of their census is printed too.
"""

from __future__ import annotations

import argparse
import time
from datetime import date

import numpy as np
from msgspec.structs import replace

from croupier.odds.arrays import Floats
from croupier.odds.census import pair_census
from croupier.rules import TableRules, default_submission, table_rules
from croupier.simulation.engines import engine_of, on_threads, run
from croupier.simulation.plan import COUNT_CELLS, PAIR_CELLS, Plan, TallyResult, facts_of, plan_of
from yardstick import print_yardstick

OFTEN = 10
"""Cells that are to be met less often than this count as one."""
BOUND = 3.29
"""Standard deviations of a normal that hold 99.9% of it."""


def chances(plan: Plan, rules: TableRules) -> Floats:
    """Return the exact chance of each cell."""
    census = pair_census(plan.shoe, rules.tableau)
    exact = np.array([census.get(facts, 0) / census.total for facts in facts_of(PAIR_CELLS)])
    return exact if plan.level != "counts" else exact.reshape(COUNT_CELLS, 4).sum(axis=1)


def dealt(plan: Plan, seed: int, rounds: int) -> TallyResult:
    """Deal rounds on all cores."""
    blocks = run(engine_of(plan, seed), on_threads(), rounds)
    total = next(blocks)
    for block in blocks:
        total = total.plus(block)
    return total


def judged(played: TallyResult, exact: Floats) -> str:
    """Tell the chi-square of a census, and how far it lies from what it should be."""
    impossible = played.cells[exact == 0].sum()
    counted, expected = played.cells[exact > 0], exact[exact > 0] * played.rounds
    often = expected >= OFTEN
    if not often.all():
        counted = np.append(counted[often], counted[~often].sum())
        expected = np.append(expected[often], expected[~often].sum())
    found = float(((counted - expected) ** 2 / expected).sum())
    freedom = len(expected) - 1
    # Wilson and Hilferty: its cube root is close to normal.
    part = 2 / (9 * freedom)
    away = ((found / freedom) ** (1 / 3) - (1 - part)) / part**0.5
    within = "within" if abs(away) < BOUND else "OUTSIDE"
    return (
        f"chi-square {found:7.1f} of {freedom} degrees, {away:+.2f} deviations, {within} 99.9%;"
        f" impossible {impossible}; rounds a shoe {played.rounds / played.shoes:.3f}"
    )


def main() -> None:
    """Deal, and print how the census lies."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=float, default=1e9)
    parser.add_argument("--seeds", default="101,202,303")
    parser.add_argument("--level", choices=("counts", "pairs"), default="counts")
    options = parser.parse_args()
    print_yardstick()
    rules = table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))
    plan = replace(plan_of(rules), level=options.level)
    whole = plan.course._replace(single=1, burns=0, cards_behind=0, last_hands=0, ends_at_first=0)
    exact = chances(plan, rules)
    for name, one in {
        "whole shoes": replace(plan, course=whole),
        "eight decks to the cutting card": plan,
    }.items():
        print(f"{name}, {int(options.rounds):,} rounds, {options.level}")
        for seed in map(int, options.seeds.split(",")):
            start = time.process_time()
            line = judged(dealt(one, seed, int(options.rounds)), exact)
            print(f"  seed {seed}: {line}; {time.process_time() - start:.1f} s of processor")


if __name__ == "__main__":
    main()
