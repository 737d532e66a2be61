"""Blackjack wagers in the reference game, with standard errors over blocks of shoes."""

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

_ERRORS: Final = NormalDist().inv_cdf(0.995)
_MOST_WEIGHT: Final = 2**63


class Sums:
    """Sums over blocks of the counts and of their pairwise products."""

    def __init__(self, engine: BlackjackEngine) -> None:
        self._names = engine.names
        self._numbers: Integers = np.zeros(len(self._names), dtype=np.int64)
        self._products: Integers = np.zeros((len(self._names), len(self._names)), dtype=np.int64)
        self._blocks = 0
        self.shoes = 0

    def add(self, dealt: Dealing) -> None:
        self._numbers += dealt.numbers
        self._products += np.outer(dealt.numbers, dealt.numbers)
        self._blocks += 1
        self.shoes += dealt.shoes

    @property
    def counts(self) -> Counts:
        return dict(zip(self._names, self._numbers.tolist(), strict=True))

    @property
    def rounds(self) -> int:
        return int(self._numbers[:3].sum())

    def error(self, slopes: Mapping[str, float]) -> float:
        """Return the standard error of a ratio of counts, given its slopes (delta method)."""
        if self._blocks < 2:
            return 0.0
        vector: Floats = np.array([slopes.get(name, 0.0) for name in self._names])
        square = float(vector @ self._products.astype(np.float64) @ vector)
        return sqrt(max(square, 0.0) * self._blocks / (self._blocks - 1))


class StreakEstimate(Struct, frozen=True):
    value: Fraction
    error: float

    @property
    def interval(self) -> tuple[float, float]:
        value, reach = float(self.value), _ERRORS * self.error
        return value - reach, value + reach

    @property
    def z(self) -> float | None:
        return float(self.value) / self.error if self.error else None


class StreakWager(Struct, frozen=True):
    """A simulated wager with its PAR sheet; ``excess`` is the house edge above the sheet's."""

    title: str
    rule_id: str
    sheet: WagerSheet
    par: WagerSheet
    edge: StreakEstimate
    excess: StreakEstimate


class Run(Struct, frozen=True):
    """The share of decided rounds won after ``least`` wins in a row, and its excess over all."""

    least: int
    counted: int
    won: StreakEstimate
    excess: StreakEstimate


def engine_for(rules: TableRules, seed: int) -> BlackjackEngine:
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
    if _offers_bonus(rules):
        stakes = rules.value("blackjack_bonus.stakes", tuple)
        return [_bonus(rules, sums, number, stake) for number, stake in enumerate(stakes)]
    return [_streak(rules, sums, length) for length in streak_lengths(rules) if length in LENGTHS]


def _streak(rules: TableRules, sums: Sums, length: int) -> StreakWager:
    counts = sums.counts
    won, wagers = counts[f"won {length}"], counts[f"placed {length}"]
    sheet = streak_sheet(rules, length, won, wagers)
    par = independent_streak(rules, length, counts)
    back = float(rules.value(f"streak.pays.{length}", Odds).ratio + 1)
    slopes = {f"won {length}": -back / wagers, f"placed {length}": back * won / wagers**2}
    # The sheet's edge is 1 - back * p^length, with p = win / (win + lose).
    wins, losses = counts["win"], counts["lose"]
    decided = wins + losses
    slope = back * length * (wins / decided) ** (length - 1) / decided**2
    all_slopes = {**slopes, "win": slope * losses, "lose": -slope * wins}
    return StreakWager(
        f"Streak of {length}",
        f"streak.pays.{length}",
        sheet,
        par,
        StreakEstimate(sheet.house_edge, sums.error(slopes)),
        StreakEstimate(sheet.house_edge - par.house_edge, sums.error(all_slopes)),
    )


def _bonus(rules: TableRules, sums: Sums, number: int, stake: str) -> StreakWager:
    counts, rounds = sums.counts, sums.rounds
    names = [f"bonus {number} amount {amount}" for amount in range(len(schedule_of(rules, stake)))]
    sheet = bonus_sheet(rules, stake, [counts[name] for name in names], rounds)
    par = scheduled_bonus(rules, stake)
    *lines, _lost = sheet.lines
    expected_value = float(1 - sheet.house_edge)
    slopes = dict.fromkeys(("lose", "push", "win"), expected_value / rounds)
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
    counts = sums.counts
    return StreakEstimate(_share(counts, "win", "lose"), sums.error(_slopes(counts, "win", "lose")))


def naturals_of(sums: Sums) -> tuple[StreakEstimate, StreakEstimate]:
    """Frequency of naturals, and its excess over the first round of a shoe."""
    naturals, rounds = sums.counts["naturals"], sums.rounds
    slopes = dict.fromkeys(("lose", "push", "win"), -naturals / rounds**2)
    error = sums.error(slopes | {"naturals": 1 / rounds})
    share = Fraction(naturals, rounds)
    return StreakEstimate(share, error), StreakEstimate(share - natural_chance(), error)


def net_of(sums: Sums) -> tuple[Counts, StreakEstimate, float]:
    """Return rounds by net result in half stakes, and their mean and deviation in stakes."""
    found = {name: number for name, number in sums.counts.items() if name.startswith("net ")}
    halves = {int(name.removeprefix("net ")): number for name, number in found.items()}
    rounds = sums.rounds
    mean = Fraction(sum(net * number for net, number in halves.items()), 2 * rounds)
    square = Fraction(sum(net**2 * number for net, number in halves.items()), 4 * rounds)
    slopes = {f"net {net}": (net / 2 - float(mean)) / rounds for net in halves}
    nets = {f"{net / 2:+g}": number for net, number in halves.items() if number}
    return nets, StreakEstimate(mean, sums.error(slopes)), sqrt(square - mean**2)


def runs_of(sums: Sums) -> list[Run]:
    counts = sums.counts
    return [_run(sums, counts, run) for run in range(LONGEST_RUN + 1) if _counted(counts, run)]


def _counted(counts: Counts, run: int) -> int:
    return counts[f"win after {run}"] + counts[f"lose after {run}"]


def _run(sums: Sums, counts: Counts, run: int) -> Run:
    won, lost = f"win after {run}", f"lose after {run}"
    share_after_run = _share(counts, won, lost)
    overall_share = _share(counts, "win", "lose")
    slopes = _slopes(counts, won, lost)
    beside = {**slopes, **{name: -slope for name, slope in _slopes(counts, "win", "lose").items()}}
    return Run(
        run,
        _counted(counts, run),
        StreakEstimate(share_after_run, sums.error(slopes)),
        StreakEstimate(share_after_run - overall_share, sums.error(beside)),
    )


def _share(counts: Counts, won: str, lost: str) -> Fraction:
    return Fraction(counts[won], counts[won] + counts[lost])


def _slopes(counts: Counts, won: str, lost: str) -> dict[str, float]:
    square = (counts[won] + counts[lost]) ** 2
    return {won: counts[lost] / square, lost: -counts[won] / square}
