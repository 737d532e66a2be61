"""What a table offers: each wager with what its lines pay, and how a coup decides it there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct, field

from croupier.baccarat.coup import Facts
from croupier.baccarat.wagers import LOSE, Need, Wager
from croupier.law.values import Odds
from croupier.rules.submission import Limit


class CustomWagerError(ValueError):
    """A wager that no law has and that cannot be read or offered; ``errors`` lists all the why."""

    def __init__(self, errors: Sequence[str]) -> None:
        super().__init__("\n".join(errors))
        self.errors = tuple(errors)


class Outcome(Enum):
    """What became of a wager."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"

    __hash__ = object.__hash__


class Award(NamedTuple):
    """What a line pays as an amount: a fixed one in cents, or what a progressive meter shows.

    ``keeps_stake`` tells that it is paid for the stake, which stays with the house; otherwise it is
    paid beside the stake.
    """

    cents: int
    meter: str | None
    keeps_stake: bool

    def __str__(self) -> str:
        amount = f"${self.cents // 100:,}" if self.meter is None else f"the {self.meter} meter"
        return f"{amount} {'for' if self.keeps_stake else 'to'} one"


Pays = Odds | Award | None
"""What a line pays: odds, an amount, or nothing where it is a push at this table."""


class Decision(Struct, frozen=True):
    """How a coup decided a wager: the outcome, the line hit, what it pays, the clauses."""

    outcome: Outcome
    line: str
    odds: Odds | None = None
    clauses: tuple[str, ...] = ()
    award: Award | None = None
    keeps_stake: bool = False
    """Whether the house keeps the stake: it lost, or won an award that is paid for it."""


class Offer(Struct, frozen=True, dict=True):
    """A wager that the table offers: what each line pays, and its limits.

    A line that pays ``None`` is a push at this table. ``unit_cents`` is what a stake must be a
    multiple of, so that no line and no vigorish comes to a fraction of a cent; ``floor_cents`` is
    the least of which rounded vigorish takes no more than it wins. ``chairs`` holds, where the
    wager depends on a combination of the bettor's own, that of each seat. ``needs`` are those of
    the wager that hold at this table, ``meters`` its progressive meters, each with the rule that
    its seed and increment stand below.
    """

    wager: Wager
    pays: Mapping[str, Pays]
    limit: Limit | None
    unit_cents: int
    unit_cites: tuple[str, ...]
    cites: Mapping[str, tuple[str, ...]]
    """The clauses behind each line, and each ground of one: what makes it, and what it pays."""
    chairs: Mapping[int, str] = field(default_factory=dict)
    needs: tuple[Need, ...] = ()
    meters: Mapping[str, str] = field(default_factory=dict)
    floor_cents: int = 1
    seeds: Mapping[str, int] = field(default_factory=dict)
    """The meters of a wager that no law has, each with its seed in cents."""
    increments: Mapping[str, Fraction] = field(default_factory=dict)
    """What part of each stake feeds each of these meters."""
    definition: Mapping[str, object] = field(default_factory=dict)
    """All that defines a wager that no law has, as data."""
    hand_pay_above_cents: int | None = None
    """The greatest award that is paid from the chip tray; ``None`` where all are."""

    @property
    def fixed_cents(self) -> int | None:
        """What a stake on it always is, in cents; ``None`` where the bettor has a choice."""
        limit = self.limit
        fixed = limit is not None and limit.min_cents == limit.max_cents
        return limit.min_cents if limit is not None and fixed else None

    @cached_property
    def _decisions(self) -> Mapping[str, Decision]:
        """Return the decision for each line, and for each ground of one."""
        decisions = {}
        for ground, clauses in self.cites.items():
            line = self.wager.grounds.get(ground, ground)
            pays = self.pays.get(line)
            outcome = Outcome.LOSE if line == LOSE else Outcome.PUSH
            if pays is not None:
                outcome = Outcome.WIN
            odds = pays if isinstance(pays, Odds) else None
            award = pays if isinstance(pays, Award) else None
            keeps = outcome is Outcome.LOSE or (award is not None and award.keeps_stake)
            decisions[ground] = Decision(outcome, line, odds, clauses, award, keeps)
        return decisions

    @cached_property
    def _at_chair(self) -> Mapping[int, Callable[[Facts], str]]:
        at_chair = self.wager.at_chair
        if at_chair is None:
            return {}
        return {seat: at_chair(own, self._others(seat)) for seat, own in self.chairs.items()}

    def _others(self, seat: int) -> Collection[str]:
        return frozenset(own for other, own in self.chairs.items() if other != seat)

    def decide(self, facts: Facts, seat: int | None = None) -> Decision:
        """Return how a finished coup decides this wager at this table, for whoever sits there.

        The seat matters only to a wager that depends on a combination of the bettor's own; without
        it the wager is decided as for somebody whose combination did not come.
        """
        line_of = self.wager.ground_of or self.wager.line_of
        if seat is not None and self.chairs:
            line_of = self._at_chair.get(seat, line_of)
        return self._decisions[line_of(facts)]
