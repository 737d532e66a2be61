"""Settlement of wagers, shared by the table, the odds, and the audit."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from croupier.baccarat.coup import Facts
from croupier.law.cite import cites
from croupier.law.usage import money
from croupier.law.values import Odds
from croupier.rules import Decision, Outcome, TableRules, VigorishTerms, remembered


class Stake(NamedTuple):
    """The stake of one wager: chips, and a match play coupon."""

    chips_cents: int
    coupon_cents: int = 0

    @property
    def cents(self) -> int:
        return self.chips_cents + self.coupon_cents

    def plus(self, other: Stake) -> Stake:
        return Stake(self.chips_cents + other.chips_cents, self.coupon_cents + other.coupon_cents)


class Settled(NamedTuple):
    """A settled wager, in cents; ``waived`` by the patron's other wagers."""

    seat: int
    wager: str
    stake: Stake
    decision: Decision
    won_cents: int
    vigorish_cents: int
    waived: bool = False


def winnings_cents(stake_cents: int, odds: Odds) -> int:
    """Exact winnings. Raises ``ValueError`` for a fraction of a cent.

    >>> winnings_cents(250, Odds(3, 2))
    375
    """
    cents, fraction = divmod(stake_cents * odds.pays, odds.stake)
    if fraction:
        raise ValueError(f"{money(stake_cents)} at {odds} is not a whole number of cents")
    return cents


@cites("settlement.rounds_to", "settlement.rounding")
def rounded_cents(exact: Fraction, rules: TableRules) -> int:
    """Payment rounded to the smallest chip; ``up`` favors the patron."""
    unit = rules.value("settlement.rounds_to", int)
    rounds_up = rules.by_word("settlement.rounding", {"up": True, "down": False})
    units = exact / unit
    return (ceil(units) if rounds_up else floor(units)) * unit


@cites("vigorish.rounded")
def vigorish_cents(won_cents: int, terms: VigorishTerms) -> int:
    """Vigorish, rounded up if so elected. Raises ``ValueError`` for a fraction of a cent."""
    exact = _due(Fraction(won_cents), terms)
    if exact.denominator != 1:
        raise ValueError(f"vigorish on {money(won_cents)} is not a whole number of cents")
    return exact.numerator


def _due(won: Fraction, terms: VigorishTerms) -> Fraction:
    exact, unit = won * (terms.win_rate or 0), terms.rounding_unit_cents
    return exact if unit is None else Fraction(ceil(exact / unit) * unit)


class _Decisions(dict[str, Decision]):
    """Lazy, because a wager may need facts that are missing here."""

    def __init__(self, facts: Facts, rules: TableRules) -> None:
        super().__init__()
        self._facts = facts
        self._offers = rules.offers

    def __missing__(self, wager: str) -> Decision:
        decision = self[wager] = self._offers[wager].decide(self._facts)
        return decision


@remembered
def decisions_of(facts: Facts, rules: TableRules) -> Mapping[str, Decision]:
    """Return cached decisions; a table has some hundreds of distinct facts."""
    return _Decisions(facts, rules)


@cites("vigorish.waiver", "vigorish.same_for_all", "settlement.no_vigorish", "vigorish.on_bonus")
def settle(
    rules: TableRules,
    facts: Facts,
    stakes: Mapping[tuple[int, str], Stake],
    meters: Mapping[str, int] | None = None,
) -> tuple[Settled, ...]:
    """Settle every stake. A meter resets when paid, so its next award is the seed."""
    decisions, readings = decisions_of(facts, rules), dict(meters or {})
    offers, terms = rules.offers, rules.vigorish
    settlements = []
    for (seat, wager), stake in stakes.items():
        offer = offers[wager]
        decision = offer.decide(facts, seat) if offer.chairs else decisions[wager]
        won_cents = 0 if decision.odds is None else _won_cents(stake.cents, decision.odds, rules)
        if decision.award is not None:
            award = decision.award
            won_cents = award.cents if award.meter is None else readings.get(award.meter, 0)
            if award.meter in readings:
                readings[award.meter] = rules.meter_seeds[award.meter]
        vigorish, waived = 0, False
        if offer.wager.bears_vigorish:
            vigorish = _vigorish(decision, stake, won_cents, terms, rules)
            waived = vigorish > 0 and terms.waived and _earns_waiver(seat, stake, stakes, rules)
            if waived:
                vigorish = 0
        settlements.append(Settled(seat, wager, stake, decision, won_cents, vigorish, waived))
    return tuple(settlements)


def _won_cents(stake_cents: int, odds: Odds, rules: TableRules) -> int:
    if rules.applies("settlement.rounds_to"):
        return rounded_cents(stake_cents * odds.ratio, rules)
    return winnings_cents(stake_cents, odds)


def _vigorish(
    decision: Decision, stake: Stake, won_cents: int, terms: VigorishTerms, rules: TableRules
) -> int:
    rounds = terms.win_rate is not None and rules.applies("settlement.rounds_to")
    if rounds and decision.outcome is Outcome.WIN and decision.odds is not None:
        # The net payment is rounded, and the vigorish is the rest.
        won = stake.cents * decision.odds.ratio
        return won_cents - rounded_cents(won - _due(won, terms), rules)
    if decision.outcome is Outcome.WIN:
        return vigorish_cents(won_cents, terms)
    if decision.outcome is Outcome.PUSH and terms.tie_rate is not None:
        exact = stake.cents * terms.tie_rate
        if exact.denominator != 1:
            raise ValueError(f"vigorish on {money(stake.cents)} is not a whole number of cents")
        return exact.numerator
    return 0


@cites("settlement.rounds_to")
def rounding_cites(settlement: Settled, rules: TableRules) -> tuple[str, ...]:
    """Clauses by which a payment less its vigorish was rounded to a chip, if it was."""
    odds = settlement.decision.odds
    if odds is None or not rules.applies("settlement.rounds_to"):
        return ()
    exact = settlement.stake.cents * odds.ratio
    if rules.wagers[settlement.wager].bears_vigorish and not settlement.waived:
        exact -= _due(exact, rules.vigorish)
    paid_cents = settlement.won_cents - settlement.vigorish_cents
    return () if paid_cents == exact else rules.cites("settlement.rounds_to")


def _earns_waiver(
    seat: int, banker_stake: Stake, stakes: Mapping[tuple[int, str], Stake], rules: TableRules
) -> bool:
    waiving = sum(
        stake.cents
        for (other_seat, wager), stake in stakes.items()
        if other_seat == seat and rules.offers[wager].wager.waives_vigorish
    )
    return waiving >= banker_stake.cents
