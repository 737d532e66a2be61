"""Design effects of whole shoes: the variance of a mean, relative to independent rounds.

A few thousand shoes suffice for two percent.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import mul
from typing import Final, NamedTuple

import numpy as np

from croupier.odds.arrays import Floats, Integers
from croupier.simulation.bets import Bet
from croupier.simulation.plan import Plan
from croupier.simulation.shoes import tallied_shoes

SHOES: Final = 4096

_SAFE: Final = 2**50


class ClusterVariance(NamedTuple):
    """Variances of one round by cell: with shoes as clusters, and as if independent."""

    clustered: Floats
    independent: Floats


class DesignEffects(NamedTuple):
    shoes: int
    bets: tuple[float, ...]
    cells: ClusterVariance
    royals: ClusterVariance


class _Sums:
    def __init__(self, cells: int, bets: Sequence[Bet]) -> None:
        self._bets = bets
        # A shoe has fewer than a thousand rounds, so its sums fit in 64 bits.
        most = max((abs(net) for bet in bets for net in bet.nets), default=0)
        kind = np.int64 if most < _SAFE else object
        nets = np.array([bet.nets for bet in bets], dtype=kind)
        self._nets = nets.reshape(len(bets), cells).T
        self._rounds = self._square_rounds = 0
        self._of_bets = [[0, 0, 0] for _ in bets]
        self._totals, self._squares, self._products = np.zeros((3, cells), dtype=np.int64)

    def add(self, counts: Integers) -> None:
        rounds = counts.sum(axis=1)
        self._rounds += int(rounds.sum())
        self._square_rounds += int((rounds**2).sum())
        self._totals += counts.sum(axis=0)
        self._squares += np.einsum("ij,ij->j", counts, counts)
        self._products += rounds @ counts
        each: list[int] = rounds.tolist()
        for sums, won in zip(self._of_bets, (counts @ self._nets).T.tolist(), strict=True):
            sums[0] += sum(won)
            sums[1] += sum(map(mul, won, won))
            sums[2] += sum(map(mul, won, each))

    def of_bets(self) -> list[float]:
        totals: list[int] = self._totals.tolist()
        effects = []
        for bet, (won, squares, products) in zip(self._bets, self._of_bets, strict=True):
            mean = Fraction(won, self._rounds)
            square = sum(n * net * net for n, net in zip(totals, bet.nets, strict=True))
            within = Fraction(square, self._rounds) - mean**2
            spread = squares - 2 * mean * products + mean**2 * self._square_rounds
            effects.append(float(spread / self._rounds / within) if within else 1.0)
        return effects

    def of_cells(self) -> ClusterVariance:
        chances = self._totals / max(self._rounds, 1)
        spread = self._squares - 2 * chances * self._products + chances**2 * self._square_rounds
        return ClusterVariance(spread / max(self._rounds, 1), chances * (1 - chances))


def effects_of(
    plan: Plan, bets: Sequence[Bet], seed: int, shoes: int = SHOES
) -> DesignEffects | None:
    if plan.course.single:
        return None
    of_cards = {bet.id: bet.hits for bet in bets if bet.hits is not None}
    groups = [
        [at for at, bet in enumerate(bets) if bet.royal is royal and bet.hits is None]
        for royal in (False, True)
    ]
    groups += [[at for at, bet in enumerate(bets) if bet.id == name] for name in of_cards]
    sizes = [plan.cells, plan.royal_cells, *(card.stop - card.start for card in of_cards.values())]
    cells, royals, *lines = (
        _Sums(size, [bets[at] for at in group]) for size, group in zip(sizes, groups, strict=True)
    )
    for dealt in tallied_shoes(plan, seed, shoes):
        cells.add(dealt.cells)
        royals.add(dealt.royals)
        for sums, place in zip(lines, of_cards.values(), strict=True):
            sums.add(dealt.hits[:, place])
    each = [bet for sums in (cells, royals, *lines) for bet in sums.of_bets()]
    found = dict(zip([at for group in groups for at in group], each, strict=True))
    of_bets = tuple(found[at] for at in range(len(bets)))
    return DesignEffects(shoes, of_bets, cells.of_cells(), royals.of_cells())
