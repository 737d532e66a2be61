"""Whether progressive meters come to what their sheet says, over very many simulated rounds.

    .venv/bin/python bench/meters.py [--rounds 1e9] [--seed 101]

One seat bets in each round, and each round is dealt from a whole shoe, so that wagers are
independent of each other. A meter grows with every wager; when it is hit it is paid, and begins
again at its seed. Compared with the exact figures: how often a meter is hit, the mean and the
variance of what it shows then, what a must-hit meter shows, and what the wager pays back in the
long run, counted without the must-hit meter. Royal 9 is played at its first chair.
"""

from __future__ import annotations

import argparse
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from fractions import Fraction
from itertools import product
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace

from croupier.baccarat.cards import DECK_SIZE
from croupier.baccarat.coup import Facts, first_two
from croupier.law.values import Odds
from croupier.odds.arrays import Floats, Integers
from croupier.odds.card_wagers import CardWager, line_lookup
from croupier.odds.chances import census_of
from croupier.odds.compiled import compiled
from croupier.odds.custom_wagers import read_wager
from croupier.odds.par import packages_at
from croupier.odds.sheet import wager_sheet
from croupier.odds.shoe import ShoeComposition
from croupier.rules import Award, Offer, TableRules, read_rules
from croupier.simulation.plan import HANDS, Plan, plan_of
from croupier.simulation.scalar import NO_CARD, replay_block
from yardstick import print_yardstick

ROOT = Path(__file__).parents[1]
BLOCK = 1 << 18
"""Rounds that are dealt at a time."""
NONE = NO_CARD
"""What the compiler takes for a constant: the place of a card that was not drawn."""
VALUES = np.array([min(card % 13 + 1, 10) % 10 for card in range(52)], dtype=np.int64)


class Meters(NamedTuple):
    """What is kept of the meters, a place for each line: wagers since the last hit, and sums.

    ``mystery`` holds, for the meter that must be hit: what it shows, the value drawn, its hits, the
    sum of what it showed then, its seed, its limit, and what a wager adds, all in cents.
    """

    since: Integers
    hits: Integers
    sums: Floats
    squares: Floats
    mystery: Integers


@compiled
def walk(cards: Any, takes: Integers, lookup: Any, meters: Meters) -> None:
    """Go through rounds in their order: find the line of each, and feed and pay the meters."""
    for row in range(len(cards)):
        coup = cards[row]
        first, second = coup[0] * 52 + np.int64(coup[2]), coup[1] * 52 + np.int64(coup[3])
        if coup[4] != NONE:
            count = (VALUES[coup[0]] + VALUES[coup[2]]) % 10
            own = coup[5] != NONE or takes[count]
            if own:
                first = 2704 + first * 52 + coup[4]
            if coup[5] != NONE:
                second = 2704 + second * 52 + coup[5]
            elif not own:
                second = 2704 + second * 52 + coup[4]
        player, banker = lookup.kinds[0, 0, first], lookup.kinds[0, 1, second]
        line = lookup.line[np.int64(player) * lookup.width[0] + np.int64(banker)]
        for place in range(len(meters.since)):
            meters.since[place] += 1
        wagers = meters.since[line]
        meters.hits[line] += 1
        meters.sums[line] += wagers
        meters.squares[line] += float(wagers) * wagers
        meters.since[line] = 0
        mystery = meters.mystery
        if mystery[5]:
            mystery[0] += mystery[6]
            if mystery[0] >= mystery[1]:
                mystery[2] += 1
                mystery[3] += mystery[0]
                mystery[0] = mystery[4]
                mystery[1] = mystery[4] + 1 + np.random.randint(mystery[5] - mystery[4])  # noqa: NPY002  (compiled)


@compiled
def start(mystery: Integers, seed: int) -> None:
    """Draw the first value of the meter that must be hit."""
    np.random.seed(seed)  # noqa: NPY002  (the compiler knows this one)
    mystery[0] = mystery[4]
    mystery[1] = mystery[4] + 1 + np.random.randint(max(mystery[5] - mystery[4], 1))  # noqa: NPY002  (as above)


def royal_9(rules: TableRules) -> CardWager:
    """Return the lines of Royal 9 at the first chair, looked up by the first two cards."""
    offer = rules.offers["royal_9"]
    lines = (*offer.wager.lines, "lose")
    kinds = np.zeros((2, DECK_SIZE**2 + DECK_SIZE**3), dtype=np.uint16)
    for one, other in product(range(DECK_SIZE), repeat=2):
        at = one * DECK_SIZE + other
        kinds[:, at] = HANDS.index(first_two(one, other)[1])
    kinds[:, DECK_SIZE**2 :] = np.repeat(kinds[:, : DECK_SIZE**2], DECK_SIZE, axis=1)
    found = [
        lines.index(offer.decide(Facts(0, 0, 2, 2, player_royal=a, banker_royal=b), 1).line)
        for a, b in product(HANDS, HANDS)
    ]
    line = np.array(found, dtype=np.uint16).reshape(len(HANDS), len(HANDS))
    return CardWager("royal_9", lines, kinds, line)


def dealt(plan: Plan, seed: int, rounds: int) -> Iterator[Any]:
    """Yield the cards of rounds in blocks, dealt on two threads, in order."""
    waiting: deque[Future[Any]] = deque()
    sizes = [min(BLOCK, rounds - first) for first in range(0, rounds, BLOCK)]
    with ThreadPoolExecutor(2) as pool:
        for block, size in enumerate(sizes):
            waiting.append(pool.submit(replay_block, plan, seed, block, size))
            if len(waiting) > 4:
                yield waiting.popleft().result().cards
        while waiting:
            yield waiting.popleft().result().cards


def figures(rules: TableRules, wager: str, shoe: ShoeComposition) -> dict[str, dict[str, Any]]:
    """Return the exact figures of the packages of a progressive: by its rows, of all of them."""
    found: dict[str, dict[str, Any]] = {}
    for package in packages_at(rules, shoe):
        if package["id"] in {f"{wager}_{name}" for name in ("meters", "long_run", "hits")}:
            for one in package["rows"]:
                told = {key: value for key, value in one["figures"].items() if value is not None}
                found.setdefault(one["id"], {}).update(
                    {f"{package['id'][len(wager) + 1 :]}.{key}": v for key, v in told.items()}
                )
    return found


def score(found: float, exact: float, error: float) -> str:
    """Tell a figure beside the exact one, and the standard errors between them."""
    return f"{found:>18,.4f} {exact:>18,.4f} {(found - exact) / error:>+7.2f}"


def begun_meters(rules: TableRules, name: str, lines: int, seed: int) -> Meters:
    """Return the meters at their seeds, before any wager."""
    offer = rules.offers[name]
    mystery = np.zeros(7, dtype=np.int64)
    if "stax" in offer.meters:
        below = offer.meters["stax"]
        share = rules.value(f"{below}.increment", Fraction)
        most = rules.value(f"{below}.must_hit_by", int)
        mystery[4:] = rules.meter_seeds["stax"], most, int((offer.fixed_cents or 0) * share)
    start(mystery, seed)
    since, hits = np.zeros((2, lines), dtype=np.int64)
    return Meters(since, hits, np.zeros(lines), np.zeros(lines), mystery)


def held(name: str, rules: TableRules, card_wager: CardWager, rounds: int, seed: int) -> None:
    """Play one progressive, and print what came of it."""
    offer = rules.offers[name]
    plan = plan_of(rules)
    course = plan.course._replace(single=1, burns=0, cards_behind=0, last_hands=0, ends_at_first=0)
    plan, lookup = replace(plan, course=course), line_lookup((card_wager,))
    meters = begun_meters(rules, name, len(card_wager.lines), seed)
    begun = time.perf_counter()
    for cards in dealt(plan, seed, rounds):
        walk(cards, plan.course.takes, lookup, meters)
    seconds = time.perf_counter() - begun
    speed = rounds / seconds / 1e6
    print(f"\n{offer.wager.title}: {rounds:,} rounds in {seconds:,.1f} s, {speed:.1f} M a second")
    print(f"{'':24}{'simulated':>18} {'exact':>18} {'z':>7}")
    shoe = ShoeComposition.of_decks(rules.decks_per_shoe)
    exact = figures(rules, name, shoe)
    paid = sum(
        told_of_a_meter(
            rules, name, line, card_wager.lines.index(line), exact[line], rounds, meters
        )
        for line in offer.wager.meters
    )
    paid += paid_otherwise(offer, card_wager, meters)
    stake = offer.fixed_cents or 0
    ways = census_of(shoe, rules, offer.wager.asks)
    sheet = wager_sheet(rules, name, ways, meters=rules.meter_seeds)
    parts = ("fixed", *offer.wager.meters)
    edge = float(sum(Fraction(exact[one]["long_run.edge"]) for one in parts))
    back, error = paid / rounds / stake, sqrt(float(sheet.variance) / rounds)
    print(f"{'pays back, % of stake':24}{score(100 * back, 100 * (1 - edge), 100 * error)}")
    mystery = meters.mystery
    if mystery[5]:
        span = float(mystery[5] - mystery[4])
        mean = float(Fraction(exact["stax"]["hits.mean_at_hit"]))
        error = span / sqrt(12 * mystery[2])
        print(f"{'stax at hit, cents':24}{score(mystery[3] / mystery[2], mean, error)}")


def told_of_a_meter(  # noqa: PLR0913, PLR0917  (what is simulated, and what is exact)
    rules: TableRules,
    name: str,
    line: str,
    at: int,
    exact: dict[str, Any],
    rounds: int,
    meters: Meters,
) -> float:
    """Print how often a meter was hit, and what it showed; return what it paid, and still holds."""
    chance, number = float(Fraction(exact["meters.chance"])), int(meters.hits[at])
    due = rounds * chance
    print(f"{line + ' hits':24}{score(number, due, sqrt(due * (1 - chance)))}")
    seed = rules.meter_seeds[line]
    share = float((rules.offers[name].fixed_cents or 0) * rules.meter_shares[name][line])
    if number > 1:
        mean, variance = (
            float(Fraction(exact[f"hits.{key}"])) for key in ("mean_at_hit", "variance_at_hit")
        )
        shown = seed + share * meters.sums[at] / number
        print(f"{line + ' at hit, cents':24}{score(shown, mean, sqrt(variance / number))}")
        spread = (meters.squares[at] / number - (meters.sums[at] / number) ** 2) * share**2
        spread *= number / (number - 1)
        # Wagers up to a hit are as good as exponential: the fourth moment is nine variances.
        print(f"{line + ' variance':24}{score(spread, variance, variance * sqrt(8 / number))}")
    return float(number * seed + share * (meters.sums[at] + meters.since[at]))


def paid_otherwise(offer: Offer, card_wager: CardWager, meters: Meters) -> float:
    """Return what fixed lines paid, and the stakes that went back with any award."""
    stake, paid = offer.fixed_cents or 0, 0.0
    hits = dict(zip(card_wager.lines, meters.hits.tolist(), strict=True))
    for line, pays in offer.pays.items():
        if isinstance(pays, Award):
            back = 0 if pays.keeps_stake else stake
            paid += hits[line] * (back + (pays.cents if pays.meter is None else 0))
        elif isinstance(pays, Odds):
            paid += hits[line] * stake * (1 + float(pays.ratio))
    return paid


def main() -> None:
    """Play Royal 9 and a progressive of our own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=lambda text: int(float(text)), default=10**9)
    parser.add_argument("--seed", type=int, default=101)
    options = parser.parse_args()
    print_yardstick()
    royal = read_rules(ROOT / "submissions/ma-royal-9.toml")
    held("royal_9", royal, royal_9(royal), options.rounds, options.seed)
    plain = read_rules(ROOT / "submissions/nj-minibaccarat.toml")
    own = plain.with_offers(read_wager(ROOT / "docs/examples/side-bets/jackpot.toml", plain))
    (jackpot,) = plan_of(own).card_wagers
    held("suited_jackpot", own, jackpot, options.rounds, options.seed)


if __name__ == "__main__":
    main()
