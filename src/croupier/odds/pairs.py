"""The census with pairs: whether a hand's first two cards have the same rank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import perm
from typing import Final, NamedTuple

from croupier.baccarat.cards import Card, Rank
from croupier.baccarat.coup import Facts
from croupier.baccarat.hand import POINT_VALUE
from croupier.baccarat.tableau import Tableau
from croupier.odds.census import Census, PartialRound, values_of
from croupier.odds.shoe import ShoeComposition
from croupier.odds.ways import point_ways

_VALUES: Final = tuple(POINT_VALUE[rank] for rank in Rank)


class PairFacts(NamedTuple):
    """The facts of a completed coup, and whether each hand's first two cards are a pair by rank."""

    player_count: int
    banker_count: int
    player_cards: int
    banker_cards: int
    player_pair: bool
    banker_pair: bool

    @property
    def points(self) -> Facts:
        return Facts(*self[:4])


class _Pair(NamedTuple):
    rank: int
    missing: int


_ANY: Final = (None,)
"""Any hand, with or without a pair."""


def pair_census(
    shoe: ShoeComposition, tableau: Tableau, seen: Sequence[Card] = ()
) -> Census[PairFacts]:
    """Count every class of pairs, Point Counts, and numbers of cards of a coup, exactly.

    Arguments and errors are those of ``point_census``.

    >>> from datetime import date
    >>> from croupier.rules import default_submission, table_rules
    >>> rules = table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))
    >>> census = pair_census(ShoeComposition.of_decks(8), rules.tableau)
    >>> census.chance(lambda facts: facts.player_pair)
    Fraction(31, 415)
    """
    at = PartialRound.of(shoe, tableau, seen)
    own, other = _pairs(at.coup.player[:2]), _pairs(at.coup.banker[:2])
    if at.coup.is_complete:
        return Census({PairFacts(*at.coup.facts[:4], bool(own), bool(other)): at.total})
    player, banker = _ways(at, tableau, own, _ANY), _ways(at, tableau, _ANY, other)
    both = _ways(at, tableau, own, other)
    ways: dict[PairFacts, int] = {}
    for facts, number in _ways(at, tableau, _ANY, _ANY).items():
        of_player, of_banker = player.get(facts, 0), banker.get(facts, 0)
        of_both = both.get(facts, 0)
        for has_own, has_other, share in (
            (True, True, of_both),
            (True, False, of_player - of_both),
            (False, True, of_banker - of_both),
            (False, False, number - of_player - of_banker + of_both),
        ):
            ways[PairFacts(*facts[:4], has_own, has_other)] = share
    return Census(ways)


def _pairs(cards: Sequence[Card]) -> list[_Pair | None]:
    ranks = {card.index % len(_VALUES) for card in cards}
    if not ranks:
        return [_Pair(rank, 2) for rank in range(len(_VALUES))]
    # Two different ranks cannot become a pair.
    return [_Pair(rank, 2 - len(cards)) for rank in ranks] if len(ranks) == 1 else []


def _ways(
    at: PartialRound, tableau: Tableau, own: Sequence[_Pair | None], other: Sequence[_Pair | None]
) -> dict[Facts, int]:
    before = values_of(at.coup.player), values_of(at.coup.banker)
    # Pairs of one value differ only in their ways.
    often: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
    for pairs in product(own, other):
        left = list(at.left.ranks)
        times = 1
        for pair in filter(None, pairs):
            times *= perm(max(left[pair.rank], 0), pair.missing)
            left[pair.rank] -= pair.missing
        hands = _begun(before[0], pairs[0]), _begun(before[1], pairs[1])
        often[hands] = often.get(hands, 0) + times
    ways: dict[Facts, int] = {}
    for (player, banker), times in often.items():
        if times:
            drawn = Counter((*player, *banker)) - Counter((*before[0], *before[1]))
            rest = [count - drawn[value] for value, count in enumerate(at.left.by_value)]
            for facts, number in point_ways(rest, tableau, player, banker).items():
                ways[facts] = ways.get(facts, 0) + times * number
    return ways


def _begun(values: tuple[int, ...], pair: _Pair | None) -> tuple[int, ...]:
    return values if pair is None else (_VALUES[pair.rank],) * 2 + values[2:]
