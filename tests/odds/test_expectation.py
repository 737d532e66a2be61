"""The predicted win of a table against days that are dealt and settled without the package."""

from __future__ import annotations

import random
from datetime import date
from fractions import Fraction
from math import sqrt

import pytest

from croupier.odds.tickets import WinExpectation
from croupier.rules import TableRules, default_submission, table_rules

DAYS, ROUNDS = 10_000, 20


@pytest.fixture(scope="module")
def rules() -> TableRules:
    return table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))


def rounds(seed: int, number: int) -> list[tuple[int, int]]:
    """Deal rounds from shoes of eight decks: Player's and Banker's counts."""
    chance, shoe, found = random.Random(seed), list[int](), list[tuple[int, int]]()
    whole = [value for value in (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0) for _ in range(32)]
    while len(found) < number:
        if len(shoe) < 20:
            shoe = whole[:]
            chance.shuffle(shoe)
        own, other = [shoe.pop(), shoe.pop()], [shoe.pop(), shoe.pop()]
        player, banker = sum(own) % 10, sum(other) % 10
        if player < 8 and banker < 8:
            third = None
            if player <= 5:
                third = shoe.pop()
                player = (player + third) % 10
            draws = (
                banker <= 5
                if third is None
                else banker <= 2
                or (banker == 3 and third != 8)
                or (banker == 4 and 2 <= third <= 7)
                or (banker == 5 and 4 <= third <= 7)
                or (banker == 6 and third in {6, 7})
            )
            if draws:
                banker = (banker + shoe.pop()) % 10
        found.append((player, banker))
    return found


def house_wins(stakes: dict[str, int], player: int, banker: int) -> Fraction:
    """Settle with 5% vigorish and a Tie of 8 to 1."""
    if player == banker:
        return Fraction(-8 * stakes.get("tie", 0))
    won, lost = ("player", "banker") if player > banker else ("banker", "player")
    paid = Fraction(stakes.get(won, 0)) * (Fraction(19, 20) if won == "banker" else 1)
    return stakes.get(lost, 0) + stakes.get("tie", 0) - paid


def test_ten_thousand_days_are_as_far_from_the_prediction_as_predicted(rules: TableRules) -> None:
    expectation, chance = WinExpectation(rules), random.Random(11)
    dealt = iter(rounds(5, DAYS * ROUNDS))
    away = []
    for _ in range(DAYS):
        won = Fraction()
        # Wagers on both hands, of very different amounts: covariances count.
        sizes = {
            name: chance.randrange(0, most, 500)
            for name, most in (("player", 60_000), ("banker", 90_000), ("tie", 9_000))
        }
        moments = expectation.of(sizes)
        for _ in range(ROUNDS):
            won += house_wins(sizes, *next(dealt))
        away.append(float(won - ROUNDS * moments.mean) / sqrt(ROUNDS * moments.variance))
    mean = sum(away) / DAYS
    variance = sum((one - mean) ** 2 for one in away) / (DAYS - 1)
    assert abs(mean) < 4 / sqrt(DAYS)
    assert abs(variance - 1) < 5 * sqrt(2 / DAYS)


def test_the_moments_of_single_wagers_are_the_published_ones(rules: TableRules) -> None:
    expectation = WinExpectation(rules)
    for wager, edge in (("player", "1.2351"), ("banker", "1.0579"), ("tie", "14.3596")):
        assert f"{float(expectation.of({wager: 100}).mean):.4f}" == edge
    # Player and Banker staked alike: the house wins vigorish, 5% if Banker wins, and else nothing.
    both = expectation.of({"player": 100, "banker": 100})
    wins = Fraction(both.mean, 5)
    assert f"{float(wins):.6f}" == "0.458597"
    assert both.variance == 25 * wins * (1 - wins)
