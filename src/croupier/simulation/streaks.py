"""What the wagers of a blackjack table come to in the reference game, and how sure that is.

Rounds of a shoe hang together, and so do wagers that wait for them, so no error here takes them as
independent: blocks of shoes are, and the spread of a figure is that of the blocks. The sheets are
those of ``croupier.odds.blackjack``, with counts where it has ways.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm, sqrt
from statistics import NormalDist
from typing import Final, TypeAlias

import numpy as np
from msgspec import Struct

from croupier.blackjack.bonus import schedule_of
from croupier.law.values import Odds
from croupier.odds.arrays import Floats, Integers
from croupier.odds.blackjack import (
    bonus_sheet,
    independent_streak,
    scheduled_bonus,
    streak_lengths,
    streak_sheet,
)
from croupier.odds.sheet import WagerSheet
from croupier.rules import TableRules
from croupier.simulation.blackjack import (
    LENGTHS,
    LONGEST_RUN,
    BlackjackEngine,
    Dealing,
    natural_chance,
)
from croupier.simulation.plan import SimulationError

Counts: TypeAlias = Mapping[str, int]

LEAST_ROUNDS: Final = 100_000
"""Fewer rounds are too few blocks to tell how far a figure may be off."""

_ERRORS: Final = NormalDist().inv_cdf(0.995)
_MOST_WEIGHT: Final = 2**63


class Sums:
    """Blocks added up: what they count, and the products of any two counts of a block."""

    def __init__(self, engine: BlackjackEngine) -> None:
        self._names = engine.names
        self._numbers: Integers = np.zeros(len(self._names), dtype=np.int64)
        self._products: Integers = np.zeros((len(self._names), len(self._names)), dtype=np.int64)
        self._blocks = 0
        self.shoes = 0

    def add(self, dealt: Dealing) -> None:
        """Add a block."""
        self._numbers += dealt.numbers
        self._products += np.outer(dealt.numbers, dealt.numbers)
        self._blocks += 1
        self.shoes += dealt.shoes

    @property
    def counts(self) -> Counts:
        """What was counted, by name."""
        return dict(zip(self._names, self._numbers.tolist(), strict=True))

    @property
    def rounds(self) -> int:
        """How many rounds there were."""
        return int(self._numbers[:3].sum())

    def error(self, slopes: Mapping[str, float]) -> float:
        """Return the standard error of a figure, from how it changes with each count.

        A figure here is a ratio of counts, or made of ratios: as many times the counts leave it as
        it is. So its first order in the counts of a block sums to nothing over the blocks, and the
        squares of that sum to its variance.
        """
        if self._blocks < 2:
            return 0.0
        vector: Floats = np.array([slopes.get(name, 0.0) for name in self._names])
        square = float(vector @ self._products.astype(np.float64) @ vector)
        return sqrt(max(square, 0.0) * self._blocks / (self._blocks - 1))


class StreakEstimate(Struct, frozen=True):
    """A figure, and its standard error."""

    value: Fraction
    error: float

    @property
    def interval(self) -> tuple[float, float]:
        """Between what it lies, 99 times in a hundred."""
        value, reach = float(self.value), _ERRORS * self.error
        return value - reach, value + reach

    @property
    def z(self) -> float | None:
        """How many standard errors it lies from nothing; ``None`` where it has no error."""
        return float(self.value) / self.error if self.error else None


class StreakWager(Struct, frozen=True):
    """A wager as it went, beside its PAR sheet.

    ``excess`` is what the house kept above the sheet, with an error of its own: where the sheet
    depends on the wins and losses of the same rounds, most chance is common to both.
    """

    title: str
    rule_id: str
    sheet: WagerSheet
    par: WagerSheet
    edge: StreakEstimate
    excess: StreakEstimate


class Run(Struct, frozen=True):
    """How often a round that counts is won after so many won in a row.

    ``least`` is how many; the last of them is for as many or more. ``excess`` is how far that is
    from how often such a round is won at all.
    """

    least: int
    counted: int
    won: StreakEstimate
    excess: StreakEstimate


def engine_for(rules: TableRules, seed: int) -> BlackjackEngine:
    """Return what deals for a table: its bonus wagers show what their schedules have.

    Raises ``SimulationError`` for a schedule whose chances are too fine to be drawn.
    """
    if not _offers_bonus(rules):
        return BlackjackEngine(seed)
    weights, errors = [], []
    for stake in rules.value("blackjack_bonus.stakes", tuple):
        chances = [prize.chance for prize in schedule_of(rules, stake)]
        unit = lcm(*(chance.denominator for chance in chances))
        weights.append([int(chance * unit) for chance in chances])
        if sum(weights[-1]) >= _MOST_WEIGHT:
            errors.append(
                f"blackjack_bonus.schedule.{stake}: its probabilities are in parts of {unit}, "
                "too fine to simulate"
            )
    if errors:
        raise SimulationError(*errors)
    return BlackjackEngine(seed, weights)


def _offers_bonus(rules: TableRules) -> bool:
    return rules.elected("blackjack_bonus.offered", choice=True)


def wagers_of(rules: TableRules, sums: Sums) -> list[StreakWager]:
    """Return the wagers on offer as they went."""
    if _offers_bonus(rules):
        stakes = rules.value("blackjack_bonus.stakes", tuple)
        return [_bonus(rules, sums, number, stake) for number, stake in enumerate(stakes)]
    return [_streak(rules, sums, length) for length in streak_lengths(rules) if length in LENGTHS]


def _streak(rules: TableRules, sums: Sums, length: int) -> StreakWager:
    counts = sums.counts
    won, placed = counts[f"won {length}"], counts[f"placed {length}"]
    sheet = streak_sheet(rules, length, won, placed)
    par = independent_streak(rules, length, counts)
    back = float(rules.value(f"streak.pays.{length}", Odds).ratio + 1)
    slopes = {f"won {length}": -back / placed, f"placed {length}": back * won / placed**2}
    # The sheet's edge is 1 - back * p^length, with p = win / (win + lose).
    wins, losses = counts["win"], counts["lose"]
    counted = wins + losses
    slope = back * length * (wins / counted) ** (length - 1) / counted**2
    beside = {**slopes, "win": slope * losses, "lose": -slope * wins}
    return StreakWager(
        f"Streak of {length}",
        f"streak.pays.{length}",
        sheet,
        par,
        StreakEstimate(sheet.house_edge, sums.error(slopes)),
        StreakEstimate(sheet.house_edge - par.house_edge, sums.error(beside)),
    )


def _bonus(rules: TableRules, sums: Sums, number: int, stake: str) -> StreakWager:
    counts, rounds = sums.counts, sums.rounds
    names = [f"bonus {number} amount {amount}" for amount in range(len(schedule_of(rules, stake)))]
    sheet = bonus_sheet(rules, stake, [counts[name] for name in names], rounds)
    par = scheduled_bonus(rules, stake)
    *lines, _lost = sheet.lines
    given = float(1 - sheet.house_edge)
    slopes = dict.fromkeys(("lose", "push", "win"), given / rounds)
    slopes |= {name: -float(line.net + 1) / rounds for name, line in zip(names, lines, strict=True)}
    error = sums.error(slopes)
    return StreakWager(
        f"Blackjack bonus, ${stake}",
        "blackjack_bonus.house_advantage",
        sheet,
        par,
        StreakEstimate(sheet.house_edge, error),
        StreakEstimate(sheet.house_edge - par.house_edge, error),
    )


def share_won(sums: Sums) -> StreakEstimate:
    """Return how often a round that is won or lost is won."""
    counts = sums.counts
    return StreakEstimate(_share(counts, "win", "lose"), sums.error(_slopes(counts, "win", "lose")))


def naturals_of(sums: Sums) -> tuple[StreakEstimate, StreakEstimate]:
    """Return how often a natural came, and how far that is from the first round of a shoe.

    Whether a shoe has a last round more depends on the cards before it, so that the chance of a
    natural is not the same in all rounds together as in the first.
    """
    naturals, rounds = sums.counts["naturals"], sums.rounds
    slopes = dict.fromkeys(("lose", "push", "win"), -naturals / rounds**2)
    error = sums.error(slopes | {"naturals": 1 / rounds})
    share = Fraction(naturals, rounds)
    return StreakEstimate(share, error), StreakEstimate(share - natural_chance(), error)


def runs_of(sums: Sums) -> list[Run]:
    """Return how often rounds that count are won after so many won in a row."""
    counts = sums.counts
    return [_run(sums, counts, run) for run in range(LONGEST_RUN + 1) if _counted(counts, run)]


def _counted(counts: Counts, run: int) -> int:
    return counts[f"win after {run}"] + counts[f"lose after {run}"]


def _run(sums: Sums, counts: Counts, run: int) -> Run:
    won, lost = f"win after {run}", f"lose after {run}"
    own = _share(counts, won, lost)
    whole = _share(counts, "win", "lose")
    slopes = _slopes(counts, won, lost)
    beside = {**slopes, **{name: -slope for name, slope in _slopes(counts, "win", "lose").items()}}
    return Run(
        run,
        _counted(counts, run),
        StreakEstimate(own, sums.error(slopes)),
        StreakEstimate(own - whole, sums.error(beside)),
    )


def _share(counts: Counts, won: str, lost: str) -> Fraction:
    return Fraction(counts[won], counts[won] + counts[lost])


def _slopes(counts: Counts, won: str, lost: str) -> dict[str, float]:
    """Return how the share of one of two counts changes with each of them."""
    square = (counts[won] + counts[lost]) ** 2
    return {won: counts[lost] / square, lost: -counts[won] / square}
