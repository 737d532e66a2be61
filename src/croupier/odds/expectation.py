"""The mean and variance of a table's win in a round, given its stakes."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import Final, NamedTuple, TypeVar

from croupier.odds.shoe import ShoeComposition
from croupier.odds.tickets import covariances_of, net_ways
from croupier.rules import TableRules

Key = TypeVar("Key")

_STAKE: Final = 1_000_000
"""The stake of a priced wager in cents, large enough that no amount is rounded."""


class WinMoments(NamedTuple):
    """Mean and variance of a table's win, in cents and square cents."""

    mean: Fraction
    variance: Fraction


class WinExpectation:
    """Predicts a table's win in a round from a full shoe, with meters at their seeds.

    All wagers of a round are decided by the same cards: stakes of several seats on one wager count
    as one stake, and the covariances of different wagers are included. Raises ``ShoeError`` if the
    wagers on offer cannot be counted together.
    """

    def __init__(self, rules: TableRules) -> None:
        stakes = {
            name: offer.limit.min_cents
            if offer.limit is not None and offer.limit.min_cents == offer.limit.max_cents
            else _STAKE
            for name, offer in rules.offers.items()
        }
        shoe = ShoeComposition.of_decks(rules.decks_per_shoe)
        means, covariances = covariances_of(net_ways(rules, shoe, stakes))
        self._means = _over_one(
            {stake: -mean / stakes[stake] for stake, mean in zip(stakes, means, strict=True)}
        )
        self._covariances = _over_one(
            {
                (stake, two): square / (stakes[stake] * stakes[two])
                for stake, row in zip(stakes, covariances, strict=True)
                for two, square in zip(stakes, row, strict=True)
            }
        )

    def of(self, stakes: Mapping[str, int]) -> WinMoments:
        """Moments of a round, given the total stake of each wager in cents."""
        means, whole = self._means
        covariances, square = self._covariances
        mean = sum(means[wager] * cents for wager, cents in stakes.items())
        variance = sum(
            covariances[wager, two] * cents * other
            for wager, cents in stakes.items()
            for two, other in stakes.items()
        )
        return WinMoments(Fraction(mean, whole), Fraction(variance, square))


def _over_one(figures: Mapping[Key, Fraction]) -> tuple[Mapping[Key, int], int]:
    """Numerators over one denominator: a round then takes integer products alone."""
    whole = lcm(*(figure.denominator for figure in figures.values()))
    return {key: int(figure * whole) for key, figure in figures.items()}, whole
