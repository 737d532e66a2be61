"""A bettor's table: the net result of each wager at any stake, and the stakes accepted.

Results with rounded vigorish or payments repeat beyond a *period*, whose settlements determine all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Final, NamedTuple

import numpy as np
from msgspec import Struct

from croupier.baccarat.coup import Facts
from croupier.law.cite import cites
from croupier.law.usage import money
from croupier.law.values import Odds
from croupier.money.settlement import Stake, settle
from croupier.odds.arrays import Integers
from croupier.odds.card_wagers import CardWager, card_wagers_of, line_facts
from croupier.odds.chances import census_of
from croupier.odds.sheet import exact_unit, net_cents, settled_by
from croupier.odds.shoe import ShoeComposition
from croupier.odds.tickets import joint_census
from croupier.rules import Outcome, TableRules
from croupier.simulation.plan import COUNT_CELLS, PAIR_CELLS, SimulationError, facts_of

NO_MOST: Final = 10**12
"""Maximum stake in cents if the table sets no limit."""

_SEAT: Final = 1
_OUTCOMES: Final = {Outcome.WIN: 1, Outcome.PUSH: 0, Outcome.LOSE: -1}


class WagerArrays(NamedTuple):
    """The wagers as read by kernels, a row each, in cents.

    ``group`` maps a coup's cell to a kind of result, which indexes ``outcome`` (1 won, 0 push, -1
    lost), ``whole``, the net result of one period, and ``rest``, those of the steps below.
    """

    group: Integers
    outcome: Integers
    whole: Integers
    rest: Integers
    terms: Integers


class SessionTable(Struct, frozen=True, dict=True):
    rules: TableRules
    shoe: ShoeComposition
    wagers: tuple[str, ...]
    layout: WagerArrays
    card_wagers: tuple[CardWager, ...] = ()
    """Wagers that depend on cards; their cells are their lines."""

    @property
    def min_cents(self) -> int:
        return int(self.layout.terms[2].min())

    def limitless(self, place: int) -> bool:
        return self.rules.offers[self.wagers[place]].limit is None

    def chances(self, place: int) -> tuple[Fraction, ...]:
        """Exact probabilities of the kinds of result of a wager, from the fresh shoe."""
        wager, groups = self.wagers[place], self.layout.group[place]
        census = census_of(self.shoe, self.rules, self.rules.offers[wager].wager.asks)
        cell = _cell_of(self.rules, wager, self.card_wagers)
        ways = [0] * self.layout.whole.shape[1]
        for facts, number in census.items():
            ways[int(groups[cell(facts)])] += number
        return tuple(Fraction(number, census.total) for number in ways)

    def together(self) -> Mapping[tuple[int, ...], Fraction]:
        """Exact probabilities of the kinds of result of all wagers in one round, as ``chances``."""
        if len(self.wagers) == 1:
            return {(kind,): chance for kind, chance in enumerate(self.chances(0))}
        cells = [_cell_of(self.rules, wager, self.card_wagers) for wager in self.wagers]
        census = joint_census(self.rules, self.shoe, dict.fromkeys(self.wagers, 0))
        found: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
        for facts, number in census.items():
            kinds = zip(self.layout.group, cells, strict=True)
            found[tuple(int(groups[cell(facts)]) for groups, cell in kinds)] += Fraction(
                number, census.total
            )
        return found

    @cached_property
    def expectations(self) -> tuple[tuple[Fraction, ...], ...]:
        """Exact expected net results in cents, of one period and of each step below, by wager."""
        return tuple(
            tuple(
                sum((n * int(net) for n, net in zip(chances, nets, strict=True)), Fraction())
                for nets in (self.layout.whole[place], *self.layout.rest[place].T)
            )
            for place in range(len(self.wagers))
            for chances in (self.chances(place),)
        )


def session_table(
    rules: TableRules,
    wagers: Sequence[str],
    *,
    shoe: ShoeComposition | None = None,
    chip_cents: int = 100,
) -> SessionTable:
    """Chips are at least ``chip_cents``. Raises ``SimulationError`` with every error."""
    errors = _errors(rules, wagers)
    if chip_cents < 1:
        errors.append(f"a chip of {chip_cents} cents: the minimum is 1 cent")
    if errors:
        raise SimulationError(*errors)
    shoe = ShoeComposition.of_decks(rules.decks_per_shoe) if shoe is None else shoe
    try:
        of_cards = tuple(wager for wager in card_wagers_of(rules) if wager.id in wagers)
    except ValueError as error:
        raise SimulationError(str(error)) from error
    facts = {card.id: line_facts(rules, shoe, card)[0] for card in of_cards}
    columns = [_Column.of(rules, wager, chip_cents, facts.get(wager)) for wager in wagers]
    errors = [
        f"{column.wager}: no stake in chips of {money(chip_cents)} is within its limits"
        for column in columns
        if column.least > column.most
    ]
    if errors:
        raise SimulationError(*errors)
    return SessionTable(rules, shoe, tuple(wagers), _layout(rules, columns), of_cards)


@cites("vigorish.waiver", "wagers.bonus.needs_base", "wagers.permitted", "wagers.not_together")
def _errors(rules: TableRules, wagers: Sequence[str]) -> list[str]:
    errors = []
    for place, wager in enumerate(wagers):
        if wager not in rules.offers:
            errors.append(f"{wager}: this table offers {', '.join(rules.offers)}")
        elif wager in wagers[:place]:
            errors.append(f"{wager}: given twice")
        elif "royals" in rules.offers[wager].wager.asks or rules.offers[wager].seeds:
            errors.append(f"{wager}: it is paid from meters that all patrons contribute to")
    if not wagers:
        errors.append("no wager is given")
    if excluded := rules.not_together(wagers):
        clauses = ", ".join(rules.cites("wagers.not_together"))
        titles = " and ".join(rules.offers[wager].wager.title for wager in excluded)
        errors.append(f"a patron may not wager on {titles} together ({clauses})")
    offers = [rules.offers[wager] for wager in wagers if wager in rules.offers]
    bears = any(offer.wager.bears_vigorish for offer in offers)
    if rules.vigorish.waived and bears and any(offer.wager.waives_vigorish for offer in offers):
        clauses = ", ".join(rules.cites("vigorish.waiver"))
        errors.append(
            "total cards wagers may waive the vigorish on Banker here, so neither is settled "
            f"independently ({clauses}): choose one or the other"
        )
    for one, needed in ((offer.wager, need) for offer in offers for need in offer.needs):
        if not {*wagers} & {*needed.one_of}:
            clauses = ", ".join(rules.cites(needed.rule_id))
            titles = " or ".join(rules.offers[base].wager.title for base in needed.one_of)
            errors.append(f"{one.id}: it requires a wager on {titles} ({clauses}): name that too")
    return errors


class _Column(Struct, frozen=True):
    wager: str
    period: int
    step: int
    least: int
    most: int
    ways: tuple[tuple[int, ...], ...]
    """By cell: the outcome, the net result of a period, and that of each stake below one."""

    @classmethod
    def of(
        cls,
        rules: TableRules,
        wager: str,
        chip_cents: int,
        lines: Sequence[Facts] | None = None,
    ) -> _Column:
        offer = rules.offers[wager]
        fixed = offer.fixed_cents
        step = lcm(offer.unit_cents, chip_cents, fixed or 1)
        # An amount does not grow with the stake, so a fixed stake is a period of its own.
        period = lcm(step, _period(rules, wager)) if fixed is None else step
        limit = offer.limit
        lowest = max(offer.floor_cents, 1 if limit is None else limit.min_cents)
        least = -(-lowest // step) * step
        most = (NO_MOST if limit is None else limit.max_cents) // step * step
        level = PAIR_CELLS if "pairs" in offer.wager.asks else COUNT_CELLS
        facts_by_way = facts_of(level) if lines is None else lines
        # Most of the hundreds of cells are settled alike.
        ways_alike: dict[tuple[int, bool], tuple[int, ...]] = {}
        ways = []
        for facts in facts_by_way:
            key = settled_by(offer, facts)
            if key not in ways_alike:
                ways_alike[key] = _way(rules, wager, facts, period, step)
            ways.append(ways_alike[key])
        if lines is None:
            spread = [ways[cell * level // PAIR_CELLS] for cell in range(PAIR_CELLS)]
        else:
            spread = ways + ways[-1:] * (PAIR_CELLS - len(ways))
        return cls(wager, period, step, least, most, tuple(spread))


def _way(rules: TableRules, wager: str, facts: Facts, period: int, step: int) -> tuple[int, ...]:
    def net(cents: int) -> int:
        return net_cents(settle(rules, facts, {(_SEAT, wager): Stake(cents)}))

    (settlement,) = settle(rules, facts, {(_SEAT, wager): Stake(period)})
    net_of_period = net(period)
    net_of_rest = (net(period + stake) - net_of_period for stake in range(0, period, step))
    return (_OUTCOMES[settlement.decision.outcome], net_of_period, *net_of_rest)


@cites("vigorish.rounded", "settlement.rounds_to")
def _period(rules: TableRules, wager: str) -> int:
    """Smallest stake in cents whose payments and vigorish are multiples of the rounding units."""
    if rules.applies("settlement.rounds_to"):
        return exact_unit(rules, rules.offers[wager])
    terms = rules.vigorish
    bears_vigorish = rules.offers[wager].wager.bears_vigorish
    if not bears_vigorish or terms.win_rate is None or terms.rounding_unit_cents is None:
        return 1
    units = (
        terms.win_rate * pays.ratio / terms.rounding_unit_cents
        for pays in rules.offers[wager].pays.values()
        if isinstance(pays, Odds)
    )
    return lcm(*(unit.denominator for unit in units))


def _layout(rules: TableRules, columns: Sequence[_Column]) -> WagerArrays:
    groups = [tuple(dict.fromkeys(one.ways)) for one in columns]
    most_groups = max(map(len, groups))
    most_rest = max(len(one.ways[0]) - 2 for one in columns)
    group = np.zeros((len(columns), PAIR_CELLS), dtype=np.int64)
    outcome = np.zeros((len(columns), most_groups), dtype=np.int64)
    whole = np.zeros_like(outcome)
    rest = np.zeros((len(columns), most_groups, most_rest), dtype=np.int64)
    for row, (column, ways) in enumerate(zip(columns, groups, strict=True)):
        place = {way: number for number, way in enumerate(ways)}
        group[row] = [place[way] for way in column.ways]
        for number, way in enumerate(ways):
            outcome[row, number], whole[row, number] = way[:2]
            rest[row, number, : len(way) - 2] = way[2:]

    terms = [
        (one.period, one.step, one.least, one.most, offer.wager.on is not None, bool(offer.needs))
        for one, offer in ((one, rules.offers[one.wager]) for one in columns)
    ]
    return WagerArrays(group, outcome, whole, rest, np.array(terms, dtype=np.int64).T.copy())


def _cell_of(
    rules: TableRules, wager: str, of_cards: Sequence[CardWager]
) -> Callable[[Facts], int]:
    decide = rules.offers[wager].wager.line_of
    lines = next((card.lines for card in of_cards if card.id == wager), None)
    return _cell if lines is None else lambda facts: lines.index(decide(facts))


def _cell(facts: Facts) -> int:
    counts = (facts.player_count * 10 + facts.banker_count) * 4
    cards = (facts.player_cards - 2) * 2 + facts.banker_cards - 2
    return (counts + cards) * 4 + facts.player_pair * 2 + facts.banker_pair
