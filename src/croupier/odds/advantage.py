"""The advantage or the results of a wager in many rounds at a time, for counting studies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import product
from typing import Final

import numpy as np
import numpy.typing as npt

from croupier.baccarat.cards import DECK_SIZE, Rank
from croupier.baccarat.coup import CARD_VALUE, POINT_VALUE, Facts, first_two
from croupier.baccarat.wagers import CARDS
from croupier.odds.arrays import Floats, Integers, ShoeProcedureArrays
from croupier.odds.card_wagers import CardWager, card_wager_of, line_facts, lines_of_coups
from croupier.odds.census import ROYAL_HANDS
from croupier.odds.counting import CountingError
from croupier.odds.dealing import gather
from croupier.odds.kernel import Kernel
from croupier.odds.sheet import wager_sheet
from croupier.odds.shoe import ShoeComposition
from croupier.rules import TableRules

_ROWS: Final = 512
"""Shoes per batch; their ways fit in a cache."""

_DOUBTFUL: Final = 1e-9
"""Advantages closer to zero are recomputed in integers to get the sign right."""

_BY_VALUE: Final[Integers] = np.array(
    [[POINT_VALUE[rank] == value for value in range(10)] for rank in Rank], dtype=np.int64
)


_VALUES: Final[Integers] = np.array(CARD_VALUE, dtype=np.int64)


class AdvantageEvaluator:
    """Evaluates one wager of a table for shoes given by rank.

    Raises ``KeyError`` for a wager not on offer, and ``CountingError`` for one on suits, or on both
    pairs and counts.
    """

    def __init__(self, rules: TableRules, wager: str) -> None:
        asks = rules.offers[wager].wager.asks
        self._kernel = Kernel(rules.tableau)
        nets = {
            facts: _net(rules, wager, facts)
            for facts in _classes(self._kernel.facts, pairs="pairs" in asks)
        }
        self._by_pairs = "pairs" in asks
        if self._by_pairs:
            classes = _pair_nets(wager, nets)
        else:
            classes = [nets[facts] for facts in self._kernel.facts]
        self._nets = tuple(dict.fromkeys(classes))
        self._groups: Integers = np.array([self._nets.index(net) for net in classes])

    def advantages(self, shoes: Integers) -> Floats:
        sums = np.empty((len(shoes), len(self._nets)), dtype=np.int64)
        if self._by_pairs:
            gather(_pair_ways(shoes), self._groups, sums)
        else:
            by_value = shoes @ _BY_VALUE
            ways = np.empty((min(_ROWS, len(shoes)), len(self._groups)), dtype=np.int64)
            for first in range(0, len(shoes), _ROWS):
                part = by_value[first : first + _ROWS]
                self._kernel.many(part, ways[: len(part)])
                gather(ways[: len(part)], self._groups, sums[first : first + _ROWS])
        nets = np.array([float(net) for net in self._nets])
        found: Floats = (sums * nets).sum(axis=1) / sums.sum(axis=1)
        for row in np.flatnonzero(np.abs(found) < _DOUBTFUL):
            found[row] = float(self._exact(sums[row].tolist()))
        return found

    def _exact(self, sums: list[int]) -> Fraction:
        total = sum((n * net for n, net in zip(sums, self._nets, strict=True)), Fraction())
        return total / sum(sums)


def _net(rules: TableRules, wager: str, facts: Facts) -> Fraction:
    return wager_sheet(rules, wager, {facts: 1}, meters=rules.meter_seeds).expectation


def _classes(counts: Iterable[Facts], *, pairs: bool) -> Iterable[Facts]:
    flags = (False, True) if pairs else (False,)
    for facts in counts:
        for own in flags:
            for other in flags:
                yield Facts(*facts[:4], own, other)


def _pair_nets(wager: str, nets: Mapping[Facts, Fraction]) -> list[Fraction]:
    found: list[Fraction] = []
    for pairs in ((True, True), (True, False), (False, True), (False, False)):
        values = {net for facts, net in nets.items() if facts[4:6] == pairs}
        if len(values) > 1:
            raise CountingError(
                f"{wager} depends on pairs and on counts: no kernel calculates both at once"
            )
        found += values
    return found


def _pair_ways(shoes: Integers) -> Integers:
    cards = shoes.sum(axis=1)
    pairs = shoes * (shoes - 1)
    singles = pairs.sum(axis=1)
    fours = pairs * (shoes - 2) * (shoes - 3)
    both_ways = singles**2 - (pairs**2).sum(axis=1) + fours.sum(axis=1)
    own = singles * (cards - 2) * (cards - 3) - both_ways
    total = cards * (cards - 1) * (cards - 2) * (cards - 3)
    ways: Integers = np.stack([both_ways, own, own, total - both_ways - 2 * own], axis=1)
    return ways


class ResultEvaluator:
    """Settles one wager on cards for complete rounds.

    Raises ``KeyError`` for a wager not on offer, and ``CountingError`` for one that cannot be
    counted.
    """

    def __init__(self, rules: TableRules, wager: str, shoe: ShoeComposition) -> None:
        if shoe.suited is None:
            raise CountingError(f"{wager} depends on cards: give the shoe by card or by decks")
        offered = rules.offers[wager].wager
        if offered.asks[0] == CARDS:
            try:
                self._lookup = card_wager_of(offered)
            except ValueError as error:
                raise CountingError(str(error)) from error
            facts, _ = line_facts(rules, shoe, self._lookup)
        else:
            self._lookup, facts = _royals(wager)
        self._nets = np.array([float(_net(rules, wager, fact)) for fact in facts])

    def results(self, cards: npt.NDArray[np.uint8], drawing: ShoeProcedureArrays) -> Floats:
        """Net result of a unit in rounds, each given by six cards in order."""
        values = _VALUES[cards]
        player = (values[:, 0] + values[:, 2]) % 10
        banker = (values[:, 1] + values[:, 3]) % 10
        open_ = (player < 8) & (banker < 8)
        own = open_ & (drawing.takes[np.minimum(player, 7)] != 0)
        third = np.where(own, values[:, 4], 10)
        other = open_ & (drawing.draws[third, np.minimum(banker, 7)] != 0)
        lines = lines_of_coups(self._lookup, cards, own.astype(np.int64), other.astype(np.int64))
        found: Floats = self._nets[lines]
        return found


def _royals(wager: str) -> tuple[CardWager, tuple[Facts, ...]]:
    names = ("", *ROYAL_HANDS)
    of_two = [
        names.index(first_two(one, other)[1]) for one, other in product(range(DECK_SIZE), repeat=2)
    ]
    # A third card changes nothing.
    hand = np.concatenate([of_two, np.repeat(of_two, DECK_SIZE)]).astype(np.uint16)
    pairs = list(product(names, repeat=2))
    facts = tuple(
        Facts(0, 0, 2, 2, player_royal=player, banker_royal=banker) for player, banker in pairs
    )
    line = np.arange(len(pairs), dtype=np.uint16).reshape(len(names), len(names))
    lines = tuple(f"{player}, {banker}" for player, banker in pairs)
    return CardWager(wager, lines, np.stack([hand, hand]), line), facts
