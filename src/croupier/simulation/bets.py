"""The wagers and packages on offer, with the exact net result of each tally cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm
from types import MappingProxyType
from typing import Final, NamedTuple

from msgspec import Struct

from croupier.baccarat.coup import Facts
from croupier.baccarat.wagers import Moment
from croupier.money.settlement import Stake, settle
from croupier.odds.card_wagers import line_facts
from croupier.odds.chances import census_of
from croupier.odds.packages import companions_of
from croupier.odds.sheet import UNIT_CENTS, net_cents, settled_by, wager_sheet
from croupier.rules import TableRules
from croupier.simulation.plan import Plan, TallyResult, facts_of, royals_of

_SEAT: Final = 1


class TallySection(NamedTuple):
    """The facts of a tally's cells, and the exact distribution of a first round."""

    facts: tuple[Facts, ...]
    ways: tuple[int, ...]

    @property
    def total(self) -> int:
        return sum(self.ways)


class ExactDistribution(NamedTuple):
    cells: TallySection
    royals: TallySection
    hits: Mapping[str, TallySection] = MappingProxyType({})

    def of(self, bet: Bet) -> TallySection:
        if bet.hits is not None:
            return self.hits[bet.id]
        return self.royals if bet.royal else self.cells


class Bet(Struct, frozen=True, dict=True):
    """A unit staked on one wager, or on a package.

    ``nets`` is the net result in each cell, out of ``unit``.
    """

    id: str
    title: str
    wager: str | None
    royal: bool
    nets: tuple[int, ...]
    unit: int
    ways: tuple[int, ...]
    hits: slice | None = None

    def counts(self, played: TallyResult) -> list[int]:
        if self.hits is not None:
            found: list[int] = played.hits[self.hits].tolist()
        else:
            found = (played.royals if self.royal else played.cells).tolist()
        return found

    @cached_property
    def expectation(self) -> Fraction:
        total_net = sum(ways * net for ways, net in zip(self.ways, self.nets, strict=True))
        return Fraction(total_net, sum(self.ways) * self.unit)

    @cached_property
    def variance(self) -> Fraction:
        squares = sum(ways * net**2 for ways, net in zip(self.ways, self.nets, strict=True))
        return Fraction(squares, sum(self.ways) * self.unit**2) - self.expectation**2


def law_of(rules: TableRules, plan: Plan) -> ExactDistribution:
    asks = "counts" if plan.level == "counts" else "pairs"
    cells = _part(facts_of(plan.cells), census_of(plan.shoe, rules, (asks,)))
    royals = TallySection((), ())
    if plan.royal_cells:
        royals = _part(royals_of(), census_of(plan.shoe, rules, ("royals",)))
    hits = {one.id: TallySection(*line_facts(rules, plan.shoe, one)) for one in plan.card_wagers}
    return ExactDistribution(cells, royals, hits)


def _part(facts: tuple[Facts, ...], ways: Mapping[Facts, int]) -> TallySection:
    return TallySection(facts, tuple(ways.get(fact, 0) for fact in facts))


def names_of(rules: TableRules) -> tuple[str, ...]:
    return tuple(terms.id for terms in (*_wagers(rules), *_packages(rules)))


def bets_of(rules: TableRules, law: ExactDistribution) -> tuple[Bet, ...]:
    at, hits = 0, dict[str, slice]()
    for wager, section in law.hits.items():
        hits[wager] = slice(at, at + len(section.ways))
        at += len(section.ways)
    offered = (*_wagers(rules), *_packages(rules))
    return tuple(_bet(terms, law, hits.get(terms.id)) for terms in offered)


Brings = Callable[[Facts], Fraction]
"""Net result of a unit by the facts of a round."""


class _Terms(NamedTuple):
    id: str
    title: str
    brings: Brings
    wager: str | None = None
    royal: bool = False


def _bet(terms: _Terms, law: ExactDistribution, hits: slice | None) -> Bet:
    part = law.royals if terms.royal else law.cells
    part = part if hits is None else law.hits[terms.id]
    # An impossible round settles nothing; the census reports it if it occurs.
    nets = [
        terms.brings(facts) if ways else Fraction()
        for facts, ways in zip(part.facts, part.ways, strict=True)
    ]
    unit = lcm(*(net.denominator for net in nets))
    units = tuple(int(net * unit) for net in nets)
    return Bet(terms.id, terms.title, terms.wager, terms.royal, units, unit, part.ways, hits)


def _wagers(rules: TableRules) -> Iterator[_Terms]:
    for wager, offer in rules.offers.items():
        brings = _brings(rules, wager)
        if offer.wager.asks == ("counts",):
            brings = _by_counts(brings)
        royal = "royals" in offer.wager.asks
        yield _Terms(wager, offer.wager.title, brings, wager, royal)


def _brings(rules: TableRules, wager: str) -> Brings:
    offer = rules.offers[wager]
    known_nets: dict[object, Fraction] = {}

    def brings(facts: Facts) -> Fraction:
        line = settled_by(offer, facts)
        if line not in known_nets:
            sheet = wager_sheet(rules, wager, {facts: 1}, meters=rules.meter_seeds)
            known_nets[line] = sheet.expectation
        return known_nets[line]

    return brings


def _by_counts(brings: Brings) -> Brings:
    known_nets: dict[Facts, Fraction] = {}

    def of_counts(facts: Facts) -> Fraction:
        counts = Facts(*facts[:4])
        if counts not in known_nets:
            known_nets[counts] = brings(counts)
        return known_nets[counts]

    return of_counts


# --- packages ----------------------------------------------------------------------------------


def _packages(rules: TableRules) -> Iterator[_Terms]:
    for companion in companions_of(rules):
        bearing = rules.bearing.wager
        title = f"{bearing.title} with {rules.offers[companion].wager.title}, half on each"
        together = _by_counts(_together(rules, (bearing.id, companion)))
        yield _Terms(f"{bearing.id}+{companion}", title, together)
    wagers = [offer.wager for offer in rules.offers.values()]
    for early_wager in (wager for wager in wagers if wager.settled_at is Moment.FOUR_CARDS):
        portion = rules.value(f"{early_wager.offered_by}.portion", Fraction)
        for base in (wager for wager in wagers if wager.on is not None):
            title = f"{early_wager.title}, payout added to {base.title}"
            brings = _added(rules, early_wager.id, base.id, portion)
            yield _Terms(f"{early_wager.id}+{base.id}", title, brings)


def _together(rules: TableRules, wagers: Sequence[str]) -> Brings:
    stakes = {(_SEAT, wager): Stake(UNIT_CENTS) for wager in wagers}
    staked = UNIT_CENTS * len(wagers)
    return lambda facts: Fraction(net_cents(settle(rules, facts, stakes)), staked)


def _added(rules: TableRules, early: str, base: str, portion: Fraction) -> Brings:
    plain = _brings(rules, early)
    on_hand = _by_counts(_together(rules, (base,)))

    def brings(facts: Facts) -> Fraction:
        won = plain(facts)
        return won + portion * won * on_hand(facts) if won > 0 else won

    return brings
