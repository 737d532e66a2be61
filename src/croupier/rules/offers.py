"""Offers of a table: each wager's payouts by line, its decision by a coup, and vigorish."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import Final, NamedTuple

from msgspec import Struct, field

from croupier.baccarat.coup import Facts
from croupier.baccarat.wagers import LOSE, Need, Wager
from croupier.files.errors import PicklableError
from croupier.law.usage import money
from croupier.law.values import Odds, Value, percent
from croupier.rules.submission import Limit

__all__ = ["Award", "CustomWagerError", "Decision", "Offer", "Outcome", "Pays", "VigorishTerms"]


class CustomWagerError(PicklableError, ValueError):
    """An invalid custom wager; ``errors`` lists every reason."""

    def __init__(self, errors: Sequence[str]) -> None:
        super().__init__("\n".join(errors))
        self.errors = tuple(errors)


class Outcome(Enum):
    """The outcome of a wager."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"

    __hash__ = object.__hash__


class Award(NamedTuple):
    """A line's payout as an amount: fixed, in cents, or that of a progressive meter.

    With ``keeps_stake`` the house keeps the stake.
    """

    cents: int
    meter: str | None
    keeps_stake: bool

    @property
    def bound(self) -> str:
        """Its form in the hash of the rules, in every currency."""
        return self._as(f"${self.cents // 100:,}")

    def __str__(self) -> str:
        return self._as(money(self.cents, short=True))

    def _as(self, amount: str) -> str:
        amount = amount if self.meter is None else f"the {self.meter} meter"
        return f"{amount} {'for' if self.keeps_stake else 'to'} one"


Pays = Odds | Award | None
"""Odds, an amount, or ``None`` for a push."""


def unit_of(pays: Mapping[str, Pays]) -> int:
    """Return the number of cents of which a stake is a multiple, so that odds pay whole cents."""
    odds = (payout for payout in pays.values() if isinstance(payout, Odds))
    return lcm(*(payout.stake // gcd(*payout) for payout in odds))


class Decision(Struct, frozen=True):
    outcome: Outcome
    line: str
    odds: Odds | None = None
    clauses: tuple[str, ...] = ()
    award: Award | None = None
    keeps_stake: bool = False
    """The wager lost, or won an award that replaces the stake."""
    recorded_line: str = ""


class Offer(Struct, frozen=True, dict=True):
    """A wager on offer: the payout of each line, and its limits.

    A line that pays ``None`` is a push. A stake is a multiple of ``unit_cents``, so that payouts
    and vigorish are whole cents; from ``floor_cents`` on, rounded vigorish does not exceed the
    winnings.
    """

    wager: Wager
    pays: Mapping[str, Pays]
    limit: Limit | None
    unit_cents: int
    unit_cites: tuple[str, ...]
    cites: Mapping[str, tuple[str, ...]]
    """Clauses that decide and pay each line and ground."""
    chairs: Mapping[int, str] = field(default_factory=dict)
    needs: tuple[Need, ...] = ()
    meters: Mapping[str, str] = field(default_factory=dict)
    floor_cents: int = 1
    seeds: Mapping[str, int] = field(default_factory=dict)
    """A custom wager's meter seeds in cents."""
    increments: Mapping[str, Fraction] = field(default_factory=dict)
    """Share of each stake that feeds each of these meters."""
    definition: Mapping[str, object] = field(default_factory=dict)
    """A custom wager's complete definition as data."""
    hand_pay_above_cents: int | None = None
    """The largest award paid from the tray; ``None`` if all are."""

    @property
    def fixed_cents(self) -> int | None:
        """The fixed stake in cents; ``None`` if the bettor has a choice."""
        limit = self.limit
        if limit is None or limit.min_cents != limit.max_cents:
            return None
        return limit.min_cents

    @cached_property
    def decisions(self) -> Mapping[str, Decision]:
        """The decision for each line and ground."""
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
            line_recorded = self.recorded_line(line)
            decisions[ground] = Decision(outcome, line, odds, clauses, award, keeps, line_recorded)
        return decisions

    def recorded_line(self, line: str) -> str:
        """Return the line in a record: the ordinary one unless ``line`` is paid otherwise here."""
        ordinary = self.wager.lines[0]
        is_ordinary = line in self.wager.singled_out and self.pays[line] == self.pays[ordinary]
        return ordinary if is_ordinary else line

    @cached_property
    def _at_chair(self) -> Mapping[int, Callable[[Facts], str]]:
        at_chair = self.wager.at_chair
        if at_chair is None:
            return {}
        chairs = self.chairs.items()
        return {
            seat: at_chair(combination, frozenset(one for other, one in chairs if other != seat))
            for seat, combination in chairs
        }

    def decide(self, facts: Facts, seat: int | None = None) -> Decision:
        """Return how a finished coup decides this wager for the bettor at a seat.

        Without a seat, a personal combination counts as missed.
        """
        line_of = self.wager.ground_of or self.wager.line_of
        if seat is not None and self.chairs:
            line_of = self._at_chair.get(seat, line_of)
        return self.decisions[line_of(facts)]


_WIN_RATES: Final = (
    "vigorish.5_percent", "vigorish.4_percent", "vigorish.rate_unwaived", "vigorish.commission",
)  # fmt: skip


class VigorishTerms(Struct, frozen=True):
    """Vigorish terms of the wager that bears it.

    ``win_rate`` is taken of the amount won, ``tie_rate`` of a wager that is returned. ``waived``
    states whether other wagers waive the vigorish once their total reaches the stake. Without
    ``rounding_unit_cents`` it is exact. Payments are rounded to
    ``payment_unit_cents``, in that ``direction``.
    """

    scheme: str
    win_rate: Fraction | None
    tie_rate: Fraction | None
    waived: bool
    rounding_unit_cents: int | None
    deferred: bool
    rounded_by: str
    payment_unit_cents: int | None = None
    direction: str = ""

    def __str__(self) -> str:
        payments = ""
        if self.payment_unit_cents is not None:
            chip = money(self.payment_unit_cents)
            payments = f"; payments rounded {self.direction} to a multiple of {chip}"
        if self.win_rate is None and self.tie_rate is None:
            return f"none ({self.scheme}){payments}"
        if self.tie_rate is not None:
            pushes = "a tie or a dragon 7" if self.scheme == "dragon-7" else "a tie"
            return (
                f"{percent(self.tie_rate)} of the Banker wager on {pushes}, none on wins{payments}"
            )
        unit = self.rounding_unit_cents
        rounded = "" if unit is None else f"rounded up to {money(unit)}, "
        rounded = rounded or ("" if payments else "not rounded, ")
        collection = "deferred" if self.deferred else "collected immediately"
        waiver = "; waived where the patron's total cards wagers reach the Banker wager"
        terms = f"of Banker wager winnings, {rounded}{collection}{waiver if self.waived else ''}"
        return f"{percent(self.win_rate or Fraction(0))} {terms}{payments}"


def vigorish_terms(
    scheme: str, values: Mapping[str, Value], rule_ids: Collection[str]
) -> VigorishTerms:
    win = next((values[rate] for rate in _WIN_RATES if rate in values), None)
    tie = values.get("vigorish.tie_rate")
    points = Fraction(win if isinstance(win, Fraction) else 0) * 100
    rounded_by = "" if win is None else f"vigorish.{points.numerator}_percent.rounds_to"
    if "vigorish.commission" in values:
        rounded_by = "vigorish.commission.rounds_to"
    unit = values.get(rounded_by) if rounded_by in rule_ids else None
    smallest = values.get("settlement.rounds_to")
    return VigorishTerms(
        scheme,
        win if isinstance(win, Fraction) else None,
        tie if isinstance(tie, Fraction) else None,
        "vigorish.waiver" in rule_ids,
        unit if isinstance(unit, int) else None,
        values.get("vigorish.collection") == "deferred",
        rounded_by,
        smallest if isinstance(smallest, int) else None,
        str(values.get("settlement.rounding", "")),
    )
