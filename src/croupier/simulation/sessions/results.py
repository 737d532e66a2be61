"""Sums of sessions: distributions of results, and the system's theoretical expectation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec import Struct, field

from croupier.odds.arrays import Integers
from croupier.simulation.sessions import marks as at
from croupier.simulation.sessions.kernels import LONGEST_RUN, fit
from croupier.simulation.sessions.play import SessionBatch, SessionPlan

if TYPE_CHECKING:
    from croupier.simulation.documents import IndependentRuin


class Histogram:
    def __init__(self) -> None:
        self.counts: Counter[int] = Counter()

    def add(self, values: Iterable[int]) -> None:
        self.counts.update(values)

    @property
    def number(self) -> int:
        return self.counts.total()

    @property
    def sum(self) -> int:
        return sum(value * number for value, number in self.counts.items())

    @property
    def mean(self) -> float:
        return self.sum / self.number if self.number else 0.0

    @property
    def standard_deviation(self) -> float:
        number, total = self.number, self.sum
        if number < 2:
            return 0.0
        squares = sum(value * value * times for value, times in self.counts.items())
        return sqrt(Fraction(squares * number - total * total, number * (number - 1)))

    @property
    def error(self) -> float:
        return self.standard_deviation / sqrt(self.number) if self.number else 0.0

    def quantile(self, share: float) -> int:
        """Smallest value that at least this share does not exceed."""
        remaining = share * self.number
        value = 0
        for value in sorted(self.counts):
            remaining -= self.counts[value]
            if remaining <= 0:
                break
        return value

    @property
    def least(self) -> int:
        return min(self.counts, default=0)

    @property
    def most(self) -> int:
        return max(self.counts, default=0)


class Share(Struct, frozen=True):
    number: int
    of: int

    @property
    def share(self) -> float:
        return self.number / self.of if self.of else 0.0

    @property
    def bounds(self) -> tuple[float, float]:
        """Wilson's 99% interval.

        >>> [round(bound, 4) for bound in Share(50, 1000).bounds]
        [0.035, 0.0709]
        """
        if not self.of:
            return 0.0, 1.0
        deviations = NormalDist().inv_cdf(0.995)
        square = deviations**2 / self.of
        middle = self.share + square / 2
        spread = deviations * sqrt(self.share * (1 - self.share) / self.of + square / self.of / 4)
        low, high = (middle - spread) / (1 + square), (middle + spread) / (1 + square)
        return max(low, 0.0), min(high, 1.0)


class Results(Struct):
    session: SessionPlan
    sessions: int = 0
    nets: Histogram = field(default_factory=Histogram)
    rounds: Histogram = field(default_factory=Histogram)
    drawdowns: Histogram = field(default_factory=Histogram)
    greatest: Histogram = field(default_factory=Histogram)
    losing_runs: Histogram = field(default_factory=Histogram)
    shoe_rounds: Histogram = field(default_factory=Histogram)
    shoe_nets: Histogram = field(default_factory=Histogram)
    shoe_results: tuple[Histogram, Histogram, Histogram] = field(
        default_factory=lambda: (Histogram(), Histogram(), Histogram())
    )
    endings: Counter[str] = field(default_factory=Counter)
    sums: Counter[str] = field(default_factory=Counter)
    turnover: Integers | None = None
    results: Integers = field(default_factory=lambda: np.zeros(3, dtype=np.int64))
    whole_runs: Integers = field(default_factory=lambda: np.zeros((2, LONGEST_RUN), dtype=np.int64))
    cut_runs: Integers = field(default_factory=lambda: np.zeros((2, LONGEST_RUN), dtype=np.int64))
    _differences: float = 0.0
    _squares: float = 0.0

    def add(self, batch: SessionBatch) -> None:
        rows = batch.marks
        self.sessions += len(rows)
        nets = rows[:, at.BANKROLL] - self.session.bankroll_cents
        self.nets.add(nets.tolist())
        for spread, mark in (
            (self.rounds, at.ROUNDS),
            (self.drawdowns, at.DRAWDOWN),
            (self.greatest, at.GREATEST),
            (self.losing_runs, at.LONGEST_LOSING),
        ):
            spread.add(rows[:, mark].tolist())
        self.endings.update(at.ENDINGS[ending] for ending in rows[:, at.ENDING].tolist())
        for mark in (at.ROUNDS, at.BETS, at.WON, at.LOST, at.STAKED, at.FITTED):
            self.sums[at.MARKS[mark]] += sum(rows[:, mark].tolist())
        differences = nets - batch.expected
        self._differences += float(differences.sum())
        self._squares += float((differences**2).sum())
        self.turnover = batch.turnover + (0 if self.turnover is None else self.turnover)
        self.results += batch.results
        self.whole_runs += batch.whole_runs
        self.cut_runs += batch.cut_runs
        for shoe_nets in batch.shoe_nets:
            self.shoe_nets.add(shoe_nets.tolist())
        for shoes in batch.shoe_results:
            self.shoe_rounds.add(shoes.sum(axis=1).tolist())
            for spread, column in zip(self.shoe_results, shoes.T, strict=True):
                spread.add(column.tolist())

    @property
    def expected(self) -> Fraction:
        """Exact expected net result of all stakes from a fresh shoe, in cents."""
        if self.turnover is None:
            return Fraction()
        return sum(
            (
                int(times) * cents
                for row, expectations in zip(
                    self.turnover.tolist(), self.session.table.expectations, strict=True
                )
                for times, cents in zip(row, expectations, strict=False)
            ),
            Fraction(),
        )

    @property
    def difference(self) -> tuple[float, float]:
        """Mean excess of a session over its expectation, in cents, and its standard error."""
        number = self.sessions
        if number < 2:
            return self._differences, 0.0
        mean = self._differences / number
        variance = max(self._squares - number * mean**2, 0.0) / (number - 1)
        return mean, sqrt(variance / number)

    def ended(self, ending: str) -> Share:
        return Share(self.endings[ending], self.sessions)

    def streaks(self, hand: int) -> tuple[dict[int, int], dict[int, int]]:
        complete, cut = (
            {length: n for length, n in enumerate(runs.tolist(), start=1) if n}
            for runs in (self.whole_runs[hand], self.cut_runs[hand])
        )
        return complete, cut


_MOST_STATES: Final = 100_000
_MOST_ROUNDS: Final = 100_000
_MOST_MOVES: Final = 50_000_000
"""Maximum number of bankrolls times rounds, which takes about a second."""

_REST: Final = 1e-12
"""The share of sessions still open at which a walk without a limit of rounds ends."""


def independent_ruin(session: SessionPlan) -> IndependentRuin | None:
    """Return ``None`` for other systems, several wagers on cards, and endless or too long walks."""
    table = session.table
    flat = session.system.name == "flat" and (len(table.wagers) == 1 or not table.card_wagers)
    if not flat or (session.goal_cents is None and session.rounds is None):
        return None
    rounds, law = session.rounds or _MOST_ROUNDS, table.together()
    if rounds > _MOST_ROUNDS or (steps := _steps(session, rounds, np.array([*law]))) is None:
        return None
    if session.rounds is None:
        rounds = min(rounds, _MOST_MOVES // len(steps))
    places = {state: place for place, state in enumerate(steps)}
    # No bankroll moves after the last round, so its targets do not matter.
    targets = np.array([[places.get(cell, 0) for cell in row] for row in steps.values()]).T
    open_states = np.array(
        [not _reached(session, cents) and any(_stakes(session, cents)) for cents in steps]
    )
    share = np.zeros(len(steps))
    share[places[session.bankroll_cents]] = 1
    rounds_played, open_share = 0.0, float(share[open_states].sum())
    for _ in range(rounds):
        moves, share = share * open_states, share * ~open_states
        for row, chance in zip(targets, law.values(), strict=True):
            share += np.bincount(row, moves * float(chance), len(steps))
        rounds_played, open_share = rounds_played + open_share, float(share[open_states].sum())
        if open_share < _REST:
            break
    if session.rounds is None and open_share >= _REST:
        return None
    goal = np.array([_reached(session, state) for state in steps])
    return {
        "rounds": session.rounds,
        "ruin": min(1.0, float(share[~open_states & ~goal].sum())),
        "goal": None if session.goal_cents is None else min(1.0, float(share[goal].sum())),
        "mean_rounds": rounds_played,
    }


def _reached(session: SessionPlan, cents: int) -> bool:
    return session.goal_cents is not None and cents >= session.goal_cents


def _stakes(session: SessionPlan, cents: int) -> tuple[int, ...]:
    terms, marks = session.table.layout.terms, np.zeros(at.PLACES, dtype=np.int64)
    marks[at.BANKROLL] = cents
    stakes = np.full(terms.shape[1], session.unit_cents)
    staked = np.zeros_like(stakes)
    if cents < session.table.min_cents or not fit(stakes, terms, marks, staked):
        return ()
    return tuple(staked.tolist())


def _steps(session: SessionPlan, rounds: int, kinds: Integers) -> dict[int, tuple[int, ...]] | None:
    """Bankrolls after a round from each that can be reached, ``None`` if too many."""
    most_states = _MOST_STATES
    if session.rounds is not None:
        most_states = min(most_states, _MOST_MOVES // session.rounds)
    found: dict[int, tuple[int, ...]] = {}
    new = {session.bankroll_cents}
    for _ in range(rounds + 1):
        cells: set[int] = set()
        for cents in new:
            nets = np.zeros(len(kinds), dtype=np.int64)
            if not _reached(session, cents):
                for wager, stake in enumerate(_stakes(session, cents)):
                    nets += _nets(session, wager, stake)[kinds[:, wager]]
            found[cents] = tuple((cents + nets).tolist())
            cells.update(found[cents])
        new = cells - found.keys()
        if not new or len(found) > most_states:
            break
    return found if len(found) <= most_states else None


def _nets(session: SessionPlan, wager: int, stake: int) -> Integers:
    _, _, whole, rest, terms = session.table.layout
    periods, below = divmod(stake, int(terms[at.PERIOD, wager]))
    found: Integers = periods * whole[wager] + rest[wager, :, below // int(terms[at.STEP, wager])]
    return found
