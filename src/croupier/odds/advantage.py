"""The exact advantage of a wager for many shoes at a time, for counting studies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Final

import numpy as np

from croupier.baccarat.cards import Rank
from croupier.baccarat.coup import Facts
from croupier.baccarat.hand import POINT_VALUE
from croupier.odds.arrays import Floats, Integers
from croupier.odds.counting import CountingError
from croupier.odds.dealing import gather
from croupier.odds.kernel import Kernel
from croupier.odds.sheet import wager_sheet
from croupier.rules import TableRules

_ROWS: Final = 512
"""Shoes per batch; their ways fit in a cache."""

_DOUBTFUL: Final = 1e-9
"""Advantages closer to zero are recomputed in integers to get the sign right."""

_BY_VALUE: Final[Integers] = np.array(
    [[POINT_VALUE[rank] == value for value in range(10)] for rank in Rank], dtype=np.int64
)


class AdvantageEvaluator:
    """Evaluates one wager of a table for shoes given by rank.

    Raises ``KeyError`` for a wager not on offer, and ``CountingError`` for one on suits, or on both
    pairs and counts.
    """

    def __init__(self, rules: TableRules, wager: str) -> None:
        asks = rules.offers[wager].wager.asks
        self._kernel = Kernel(rules.tableau)
        nets = {
            facts: wager_sheet(rules, wager, {facts: 1}, meters=rules.meter_seeds).expectation
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
        """Return the expected net result of a unit for each shoe, with an exact sign."""
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


def _classes(counts: Iterable[Facts], *, pairs: bool) -> Iterable[Facts]:
    flags = (False, True) if pairs else (False,)
    for facts in counts:
        for own in flags:
            for other in flags:
                yield Facts(*facts[:4], own, other)


def _pair_nets(wager: str, nets: Mapping[Facts, Fraction]) -> list[Fraction]:
    found: list[Fraction] = []
    for pairs in ((True, True), (True, False), (False, True), (False, False)):
        alike = {net for facts, net in nets.items() if facts[4:6] == pairs}
        if len(alike) > 1:
            raise CountingError(
                f"{wager} depends on pairs and on counts: no kernel calculates both at once"
            )
        found += alike
    return found


def _pair_ways(shoes: Integers) -> Integers:
    cards = shoes.sum(axis=1)
    pairs = shoes * (shoes - 1)
    one = pairs.sum(axis=1)
    fours = pairs * (shoes - 2) * (shoes - 3)
    both = one**2 - (pairs**2).sum(axis=1) + fours.sum(axis=1)
    own = one * (cards - 2) * (cards - 3) - both
    total = cards * (cards - 1) * (cards - 2) * (cards - 3)
    ways: Integers = np.stack([both, own, own, total - both - 2 * own], axis=1)
    return ways
