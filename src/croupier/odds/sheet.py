"""The sheet of a wager, each outcome with payout and probability; and packages of wagers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import ROUND_CEILING, Decimal, localcontext
from fractions import Fraction
from functools import cached_property
from math import lcm, sqrt
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct

from croupier.baccarat.coup import Facts
from croupier.law.standing import entries_named
from croupier.law.usage import money
from croupier.money.settlement import Settled, Stake, settle
from croupier.rules import Decision, Offer, Outcome, TableRules, remembered, unit_of

if TYPE_CHECKING:
    from croupier.odds.documents import Package, PackageColumn, PackageRow, Unit

UNIT_CENTS: Final = 100_000_000
"""Stake at which nothing is rounded; multiplied by the units of a wager and of its payments."""

VOLATILITY_FACTOR: Final = 1.645
"""Standard deviations on either side that contain 90% of results in the long run."""

_PRECISION: Final = 60
"""Decimal digits of a quotient of logarithms, which is never an integer by rounding alone."""

_SEAT: Final = 1


TOP_AWARD_SEEN: Final = Fraction(95, 100)


def trials_within(chance: Fraction, wanted: Fraction) -> int:
    """Return the number of trials with at least one success with the probability ``wanted``.

    >>> trials_within(Fraction(1, 6), Fraction(1, 2))
    4
    """
    if chance == 1:
        return 1
    with localcontext() as context:
        context.prec = _PRECISION
        missed, left = (
            (Decimal(one.numerator) / one.denominator).ln() for one in (1 - chance, 1 - wanted)
        )
        return int((left / missed).to_integral_value(ROUND_CEILING))


CensusOf: TypeAlias = Callable[[tuple[str, ...]], Mapping[Facts, int]]
"""The ways of the facts that a wager asks for."""


class OutcomeLine(Struct, frozen=True):
    """One outcome of a wager; ``net`` is per unit staked, after vigorish."""

    outcome: str
    ways: int
    net: Fraction
    won: bool

    @property
    def pays(self) -> str:
        """Payout per unit: ``1:1``, ``19:20``, ``push`` or ``loses``."""
        return pays_text(self.net)


class WagerSheet(Struct, frozen=True, dict=True):
    """The lines of a wager, out of ``total`` ways; see ``documents.WagerFigures``."""

    wager: str
    total: int
    lines: tuple[OutcomeLine, ...]
    rounds_per_wager: Fraction = Fraction(1)
    """Mean number of rounds a wager lasts."""

    @cached_property
    def expectation(self) -> Fraction:
        return sum((line.ways * line.net for line in self.lines), Fraction()) / self.total

    @property
    def house_edge(self) -> Fraction:
        """Average amount kept per unit staked."""
        return -self.expectation

    def _chance(self, lines: Iterable[OutcomeLine]) -> Fraction:
        return Fraction(sum(line.ways for line in lines), self.total)

    @property
    def hit_frequency(self) -> Fraction:
        return self._chance(line for line in self.lines if line.won)

    @property
    def hit_cycle(self) -> Fraction | None:
        hits = self.hit_frequency
        return 1 / hits if hits else None

    @property
    def hit_cycle_rounds(self) -> Fraction | None:
        return None if self.hit_cycle is None else self.hit_cycle * self.rounds_per_wager

    @property
    def push_frequency(self) -> Fraction:
        return self._chance(line for line in self.lines if not line.won and line.net != -1)

    @property
    def edge_per_resolved(self) -> Fraction:
        resolved = 1 - self.push_frequency
        return self.house_edge / resolved if resolved else self.house_edge

    def moment(self, power: int) -> Fraction:
        """Mean power of a unit's distance from its expected net result."""
        mean = self.expectation
        powers = (line.ways * (line.net - mean) ** power for line in self.lines)
        return sum(powers, Fraction()) / self.total

    @cached_property
    def variance(self) -> Fraction:
        return self.moment(2)

    def variance_share(self, line: OutcomeLine) -> Fraction | None:
        if not self.variance:
            return None
        return line.ways * (line.net - self.expectation) ** 2 / (self.total * self.variance)

    @property
    def skewness(self) -> float | None:
        return float(self.moment(3)) / self.standard_deviation**3 if self.variance else None

    @property
    def kurtosis(self) -> Fraction | None:
        return self.moment(4) / self.variance**2 if self.variance else None

    @property
    def top_award_wagers(self) -> int | None:
        won = [line for line in self.lines if line.won and line.net == self.most_won]
        return trials_within(self._chance(won), TOP_AWARD_SEEN) if won else None

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    @property
    def volatility_index(self) -> float:
        return VOLATILITY_FACTOR * self.standard_deviation

    @property
    def most_won(self) -> Fraction:
        return max((line.net for line in self.lines), default=Fraction())


def bettors_advantages(
    sheets: Mapping[str, WagerSheet], rules: TableRules, census: CensusOf
) -> list[str]:
    """Warnings of wagers on which the house loses, at the stake that rounding favors most."""
    found = []
    for wager, sheet in sheets.items():
        offer, edge, where = rules.offers[wager], sheet.house_edge, ""
        for stake in _rounded_stakes(rules, offer):
            at_stake = wager_sheet(rules, wager, census(offer.wager.asks), stake_cents=stake)
            if at_stake.house_edge < edge:
                edge, where = at_stake.house_edge, f" at {money(stake)}, with its payment rounded"
        if edge < 0:
            found.append(
                f"{offer.wager.title}: the bettor has an advantage of {float(-edge):.4%}{where}"
            )
    return found


def _rounded_stakes(rules: TableRules, offer: Offer) -> Iterable[int]:
    """Stakes in chips from the minimum, as far as their payments are rounded differently."""
    if offer.limit is None or not rules.applies("settlement.rounds_to"):
        return ()
    least = max(offer.limit.min_cents, offer.floor_cents)
    least += -least % offer.unit_cents
    most = min(least + exact_unit(rules, offer), offer.limit.max_cents)
    return range(least, most + 1, lcm(rules.value("settlement.rounds_to", int), offer.unit_cents))


def pays_text(net: Fraction) -> str:
    """Net result per unit as text.

    >>> [pays_text(Fraction(net)) for net in ("19/20", "0", "-1/4", "-1")]
    ['19:20', 'push', 'takes 1/4', 'loses']
    """
    if net == 0:
        return "push"
    if net == -1:
        return "loses"
    if net < 0:
        return f"takes {-net}"
    return f"{net.numerator}:{net.denominator}"


def fraction(value: Fraction) -> str:
    """Fraction as ``n/d``, even if it is an integer.

    >>> fraction(Fraction(19, 20)), fraction(Fraction(0))
    ('19/20', '0/1')
    """
    return f"{value.numerator}/{value.denominator}"


def is_taken(offer: Offer, stake_cents: int) -> bool:
    limit = offer.limit
    if limit is not None and not limit.min_cents <= stake_cents <= limit.max_cents:
        return False
    return stake_cents >= offer.floor_cents and stake_cents % offer.unit_cents == 0


def net_cents(settled: Iterable[Settled]) -> int:
    net = 0
    for one in settled:
        is_lost = one.decision.outcome is Outcome.LOSE
        is_kept = one.decision.keeps_stake
        net += one.won_cents - one.vigorish_cents - (one.stake.cents if is_lost or is_kept else 0)
    return net


def wager_sheet(
    rules: TableRules,
    wager: str,
    ways: Mapping[Facts, int],
    *,
    stake_cents: int | None = None,
    meters: Mapping[str, int] | None = None,
) -> WagerSheet:
    """Raise ``KeyError`` for a wager not on offer."""
    offer = rules.offers[wager]
    limit = offer.limit
    if limit is not None and limit.min_cents == limit.max_cents:
        stake_cents = limit.min_cents
    if stake_cents is None:
        stake_cents = UNIT_CENTS * exact_unit(rules, offer)
    found: dict[tuple[str, int, bool], int] = {}
    for facts, number in alike(rules, wager, ways).items():
        (settlement,) = settle(rules, facts, {(_SEAT, wager): Stake(stake_cents)}, meters)
        won = settlement.decision.outcome is Outcome.WIN
        key = (_outcome(offer, settlement.decision), net_cents((settlement,)), won)
        found[key] = found.get(key, 0) + number
    lines = (
        OutcomeLine(outcome, number, Fraction(cents, stake_cents), won)
        for (outcome, cents, won), number in found.items()
    )
    return WagerSheet(wager, sum(ways.values()), tuple(_in_order(rules, wager, lines)))


def exact_unit(rules: TableRules, offer: Offer) -> int:
    """Stake in cents of whose multiples no payment is rounded to a chip."""
    if not rules.applies("settlement.rounds_to"):
        return offer.unit_cents
    chip, terms = rules.value("settlement.rounds_to", int), rules.vigorish
    if not offer.wager.bears_vigorish or terms.win_rate is None:
        return lcm(unit_of(offer.pays) * chip, offer.unit_cents)
    units = lcm(chip, terms.rounding_unit_cents or 1)
    return unit_of(offer.pays) * units * terms.win_rate.denominator


def every_sheet(rules: TableRules, census: CensusOf) -> dict[str, WagerSheet]:
    """Meters are at their seeds; ``census`` returns the ways of the facts that a wager needs."""
    return {
        wager: wager_sheet(rules, wager, census(offer.wager.asks), meters=rules.meter_seeds)
        for wager, offer in rules.offers.items()
    }


def settled_by(offer: Offer, facts: Facts) -> tuple[int, bool]:
    """Return what determines a settlement: the decision's identity, and whether it is a tie."""
    return id(offer.decide(facts, _SEAT)), facts.winner is None


def alike(rules: TableRules, wager: str, ways: Mapping[Facts, int]) -> Mapping[Facts, int]:
    """Combine the ways of facts that settle alike, hundreds into a dozen."""
    offer, first, standing = rules.offers[wager], *_standing(wager, rules)
    ways_by_facts: dict[Facts, int] = {}
    for facts, number in ways.items():
        representative = standing.get(facts)
        if representative is None:
            representative = standing[facts] = first.setdefault(settled_by(offer, facts), facts)
        ways_by_facts[representative] = ways_by_facts.get(representative, 0) + number
    return ways_by_facts


@remembered
def _standing(
    _wager: str, _rules: TableRules
) -> tuple[dict[tuple[int, bool], Facts], dict[Facts, Facts]]:
    return {}, {}


def _outcome(offer: Offer, decision: Decision) -> str:
    line = decision.line
    if decision.outcome is Outcome.WIN and offer.pays[line] == offer.pays.get("win"):
        return "win"
    return line


def _in_order(rules: TableRules, wager: str, lines: Iterable[OutcomeLine]) -> list[OutcomeLine]:
    places = {line: place for place, line in enumerate(rules.offers[wager].wager.lines)}
    place_after = len(places)
    return sorted(
        lines, key=lambda line: (line.net == -1, places.get(line.outcome, place_after), -line.net)
    )


def column(name: str, title: str, unit: Unit = "rate") -> PackageColumn:
    return {"id": name, "title": title, "unit": unit}


def row(name: str, title: str, **figures: Fraction | None) -> PackageRow:
    """Row of a package: figures by column.

    >>> row("star", "star", edge=Fraction(1, 80))["figures"]
    {'edge': '1/80'}
    """
    exact = {key: None if figure is None else fraction(figure) for key, figure in figures.items()}
    return {"id": name, "title": title, "figures": exact}


def package(  # noqa: PLR0913  (each is a part of the package)
    rules: TableRules,
    name: str,
    title: str,
    says: str,
    *,
    rule_ids: Sequence[str] = (),
    of: str,
    columns: Sequence[PackageColumn],
    rows: Sequence[PackageRow],
    rests_on: Sequence[str] = (),
) -> Package:
    """``rests_on`` are rules whose readings replace those of the clauses."""
    cites = list(dict.fromkeys(clause for name in rule_ids for clause in rules.cites(name)))
    readings = rules.rest_on(*rests_on) or entries_named(rules.law, cites)
    return {
        "id": name,
        "title": title,
        "says": says,
        "cites": cites,
        "interpretations": [one for one in dict.fromkeys(readings) if one in rules.readings],
        "of": of,
        "columns": list(columns),
        "rows": list(rows),
    }
