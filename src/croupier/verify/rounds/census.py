"""Recorded rounds as a sample, with exact probabilities, runs, and adjusted tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import erfc, sqrt
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from croupier.baccarat.coup import Facts, Hand
from croupier.odds.census import Census
from croupier.odds.chances import census_of
from croupier.odds.sheet import wager_sheet
from croupier.odds.shoe import ShoeComposition
from croupier.odds.tails import chi_square_tail
from croupier.rules import TableRules

if TYPE_CHECKING:
    from croupier.verify.rounds import documents

WARNING: Final = (
    "Rounds from the same shoe are not independent, but these figures assume independence, so "
    "the p-values are approximate. They indicate where to look; they are not evidence of an "
    "error."
)

_LEAST_EXPECTED: Final = 5
"""Classes with fewer expected rounds are pooled, as is usual for chi-square."""


def census_data(
    rules: TableRules,
    counted: Mapping[Facts, int],
    of_cards: Mapping[str, Mapping[Facts, int]] = MappingProxyType({}),
    *,
    suited: bool,
) -> documents.Census:
    shoe = ShoeComposition.of_decks(rules.decks_per_shoe)
    rounds = sum(counted.values())
    law = census_of(shoe, rules, ("counts",))
    classes = _classes(law.by(_class_of), Census(counted).by(_class_of), rounds)
    return adjust(
        {
            "rounds": rounds,
            "shoe_cards": shoe.cards,
            "classes": classes,
            "chi_square": _chi_square(classes),
            "runs": None,
            "wagers": _wagers(rules, shoe, counted, of_cards, suited=suited),
            "tests": 0,
            "warning": WARNING,
        }
    )


def _class_of(facts: Facts) -> str:
    return f"{facts.winner_name}, {facts.cards} cards"


def _classes(
    law: Census[str], found: Mapping[str, int], rounds: int
) -> list[documents.CensusClass]:
    return [
        {
            "class": name,
            "expected": rounds * law[name] / law.total,
            "found": found.get(name, 0),
        }
        for name in sorted(law)
    ]


def _chi_square(classes: list[documents.CensusClass]) -> documents.ChiSquare | None:
    pooled = [0.0, 0]
    cells: list[tuple[float, int]] = []
    for census_class in classes:
        if census_class["expected"] < _LEAST_EXPECTED:
            pooled = [pooled[0] + census_class["expected"], pooled[1] + census_class["found"]]
        else:
            cells.append((census_class["expected"], census_class["found"]))
    if pooled[0] >= _LEAST_EXPECTED:
        cells.append((pooled[0], int(pooled[1])))
    if len(cells) < 2:
        return None
    statistic = sum((found - expected) ** 2 / expected for expected, found in cells)
    freedom = len(cells) - 1
    p = chi_square_tail(statistic, freedom)
    return {
        "statistic": statistic,
        "degrees_of_freedom": freedom,
        "p": p,
        "adjusted_p": p,
    }


def _wagers(
    rules: TableRules,
    shoe: ShoeComposition,
    counted: Mapping[Facts, int],
    of_cards: Mapping[str, Mapping[Facts, int]],
    *,
    suited: bool,
) -> list[documents.CensusWager]:
    rows: list[documents.CensusWager] = []
    censuses: dict[tuple[str, ...], Census[Facts]] = {}
    for wager, offer in rules.offers.items():
        asks = offer.wager.asks
        lines = of_cards.get(wager, counted)
        rounds = sum(lines.values())
        if not rounds or ("royals" in asks and not suited):
            continue
        if asks not in censuses:
            censuses[asks] = census_of(shoe, rules, asks)
        law = wager_sheet(rules, wager, censuses[asks], meters=rules.meter_seeds)
        found = wager_sheet(rules, wager, lines, meters=rules.meter_seeds)
        brought, deviation = float(found.expectation), law.standard_deviation
        z = p = within = None
        if deviation:
            z = float(found.expectation - law.expectation) * sqrt(rounds) / deviation
            p = erfc(abs(z) / sqrt(2))
            within = INTERVAL * deviation / sqrt(rounds)
        rows.append(
            {
                "wager": wager,
                "expected": float(law.expectation),
                "found": brought,
                "low": None if within is None else brought - within,
                "high": None if within is None else brought + within,
                "z": z,
                "p": p,
                "adjusted_p": p,
            }
        )
    return rows


INTERVAL: Final = 1.959963984540054
"""Standard deviations on each side for a 95% interval of a normal distribution."""

_MOST_OPEN: Final = 64


def holm(values: Sequence[float]) -> list[float]:
    """P-values adjusted for multiple tests by Holm's method.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(values)), key=values.__getitem__)
    adjusted, least = [0.0] * len(values), 0.0
    for rank, at in enumerate(order):
        least = max(least, min(1.0, (len(values) - rank) * values[at]))
        adjusted[at] = least
    return adjusted


class _Sequence:
    __slots__ = ("counts", "last", "runs")

    def __init__(self) -> None:
        self.counts = [0, 0]
        self.runs = 0
        self.last: Hand | None = None


class Runs:
    """Counts of Player and Banker runs by shoe (Wald-Wolfowitz)."""

    def __init__(self) -> None:
        self.runs = 0
        self._expected = self._variance = 0.0
        self._open: dict[str, _Sequence] = {}

    def add(self, shoe: str, facts: Facts) -> None:
        winner = facts.winner
        if winner is None:
            return
        found = self._open.get(shoe)
        if found is None:
            if len(self._open) >= _MOST_OPEN:
                self._close(next(iter(self._open)))
            found = self._open[shoe] = _Sequence()
        found.counts[winner is Hand.BANKER] += 1
        found.runs += winner is not found.last
        found.last = winner

    def _close(self, shoe: str) -> None:
        found = self._open.pop(shoe)
        one, other = found.counts
        number = one + other
        if not one or not other:
            return  # One run, whatever the order: it says nothing.
        product = 2 * one * other
        self.runs += found.runs
        self._expected += product / number + 1
        self._variance += product * (product - number) / (number * number * (number - 1))

    def as_data(self) -> documents.CensusRuns | None:
        """Return the test; ``None`` without results of both hands."""
        for shoe in list(self._open):
            self._close(shoe)
        if not self._variance:
            return None
        z = (self.runs - self._expected) / sqrt(self._variance)
        p = erfc(abs(z) / sqrt(2))
        return {
            "runs": self.runs,
            "expected": self._expected,
            "z": z,
            "p": p,
            "adjusted_p": p,
        }


def adjust(census: documents.Census) -> documents.Census:
    tests: list[documents.AdjustedTest] = [
        test for test in (census["chi_square"], census["runs"]) if test is not None
    ]
    tests += [wager for wager in census["wagers"] if wager["p"] is not None]
    values = [test["p"] for test in tests if test["p"] is not None]
    for test, value in zip(tests, holm(values), strict=True):
        test["adjusted_p"] = value
    census["tests"] = len(tests)
    return census
