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
    counts: Mapping[Facts, int],
    of_cards: Mapping[str, Mapping[Facts, int]] = MappingProxyType({}),
    *,
    suited: bool,
) -> documents.Census:
    shoe = ShoeComposition.of_decks(rules.decks_per_shoe)
    rounds = sum(counts.values())
    law = census_of(shoe, rules, ("counts",))
    classes = _classes(law.by(_class_of), Census(counts).by(_class_of), rounds)
    return adjust(
        {
            "rounds": rounds,
            "shoe_cards": shoe.cards,
            "classes": classes,
            "chi_square": _chi_square(classes),
            "runs": None,
            "wagers": _wagers(rules, shoe, counts, of_cards, suited=suited),
            "tests": 0,
            "warning": WARNING,
        }
    )


def _class_of(facts: Facts) -> str:
    return f"{facts.winner_name}, {facts.cards} cards"


def _classes(
    law: Census[str], counts: Mapping[str, int], rounds: int
) -> list[documents.CensusClass]:
    return [
        {
            "class": name,
            "expected": rounds * law[name] / law.total,
            "found": counts.get(name, 0),
        }
        for name in sorted(law)
    ]


def _chi_square(classes: list[documents.CensusClass]) -> documents.ChiSquare | None:
    pool = [0.0, 0]
    cells: list[tuple[float, int]] = []
    for census_class in classes:
        if census_class["expected"] < _LEAST_EXPECTED:
            pool = [pool[0] + census_class["expected"], pool[1] + census_class["found"]]
        else:
            cells.append((census_class["expected"], census_class["found"]))
    if pool[0] >= _LEAST_EXPECTED:
        cells.append((pool[0], int(pool[1])))
    if len(cells) < 2:
        return None
    statistic = sum((count - expected) ** 2 / expected for expected, count in cells)
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
    counts: Mapping[Facts, int],
    of_cards: Mapping[str, Mapping[Facts, int]],
    *,
    suited: bool,
) -> list[documents.CensusWager]:
    rows: list[documents.CensusWager] = []
    censuses: dict[tuple[str, ...], Census[Facts]] = {}
    for wager, offer in rules.offers.items():
        details = offer.wager.asks
        lines = of_cards.get(wager, counts)
        rounds = sum(lines.values())
        if not rounds or ("royals" in details and not suited):
            continue
        if details not in censuses:
            censuses[details] = census_of(shoe, rules, details)
        law = wager_sheet(rules, wager, censuses[details], meters=rules.meter_seeds)
        sheet = wager_sheet(rules, wager, lines, meters=rules.meter_seeds)
        mean, deviation = float(sheet.expectation), law.standard_deviation
        z = p = interval = None
        if deviation:
            z = float(sheet.expectation - law.expectation) * sqrt(rounds) / deviation
            p = erfc(abs(z) / sqrt(2))
            interval = INTERVAL * deviation / sqrt(rounds)
        rows.append(
            {
                "wager": wager,
                "expected": float(law.expectation),
                "found": mean,
                "low": None if interval is None else mean - interval,
                "high": None if interval is None else mean + interval,
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
    adjusted_values, bound = [0.0] * len(values), 0.0
    for rank, index in enumerate(order):
        bound = max(bound, min(1.0, (len(values) - rank) * values[index]))
        adjusted_values[index] = bound
    return adjusted_values


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
        sequence = self._open.get(shoe)
        if sequence is None:
            if len(self._open) >= _MOST_OPEN:
                self._close(next(iter(self._open)))
            sequence = self._open[shoe] = _Sequence()
        sequence.counts[winner is Hand.BANKER] += 1
        sequence.runs += winner is not sequence.last
        sequence.last = winner

    def _close(self, shoe: str) -> None:
        sequence = self._open.pop(shoe)
        player, banker = sequence.counts
        number = player + banker
        if not player or not banker:
            return  # One run, whatever the order: it says nothing.
        product = 2 * player * banker
        self.runs += sequence.runs
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
