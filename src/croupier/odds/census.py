"""The census of facts: each class of results of a coup, with its ways over six cards."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import perm
from typing import Final, TypeVar

from croupier.baccarat.cards import DECK, Card, Rank
from croupier.baccarat.coup import CARD_VALUE, FACES, POINT_VALUE, Facts, Tableau
from croupier.odds.shoe import LEAST_CARDS, ShoeComposition
from croupier.odds.ways import point_ways

FactsType = TypeVar("FactsType", bound=Hashable)
OtherType = TypeVar("OtherType", bound=Hashable)

ROYAL_HANDS: Final = {
    f"{nine} {face}": (nine, face)
    for nine in DECK
    if nine.rank is Rank.NINE
    for face in DECK
    if face.rank in FACES
}
"""The 48 hands of a nine and a face card by name: ``9h Kd``."""

_VALUES: Final = tuple(POINT_VALUE[rank] for rank in Rank)
_ANY: Final = (None,)
"""Any hand, with or without a pair."""


class Census(Mapping[FactsType, int]):
    """Facts by number of ways. Facts without ways are omitted.

    >>> coin = Census({("heads",): 3, ("tails",): 1, ("edge",): 0})
    >>> coin.total, coin.chance(lambda facts: "heads" in facts), len(coin)
    (4, Fraction(3, 4), 2)
    """

    __slots__ = ("_ways", "total")

    def __init__(self, ways: Mapping[FactsType, int] | Iterable[tuple[FactsType, int]]) -> None:
        pairs = ways.items() if isinstance(ways, Mapping) else ways
        self._ways = {facts: number for facts, number in pairs if number}
        self.total = sum(self._ways.values())

    def __getitem__(self, facts: FactsType) -> int:
        return self._ways[facts]

    def __iter__(self) -> Iterator[FactsType]:
        return iter(self._ways)

    def __len__(self) -> int:
        return len(self._ways)

    def ways(self, wanted: Callable[[FactsType], bool]) -> int:
        return sum(number for facts, number in self._ways.items() if wanted(facts))

    def chance(self, wanted: Callable[[FactsType], bool]) -> Fraction:
        return Fraction(self.ways(wanted), self.total)

    def by(self, key: Callable[[FactsType], OtherType]) -> Census[OtherType]:
        ways: dict[OtherType, int] = {}
        for facts, number in self._ways.items():
            other = key(facts)
            ways[other] = ways.get(other, 0) + number
        return Census(ways)


def values_of(cards: Iterable[Card]) -> tuple[int, ...]:
    return tuple([CARD_VALUE[card.index] for card in cards])


def point_census(shoe: ShoeComposition, tableau: Tableau) -> Census[Facts]:
    """Count every class of Point Counts and numbers of cards of a coup, exactly.

    Raises ``ShoeError`` for too few cards.
    """
    shoe.check_round()
    return Census(point_ways(shoe.by_value, tableau))


def pair_census(shoe: ShoeComposition, tableau: Tableau) -> Census[Facts]:
    """Count every class of pairs by rank, Point Counts, and numbers of cards of a coup, exactly.

    Raises ``ShoeError`` for too few cards.
    """
    shoe.check_round()
    every = range(len(_VALUES))
    player, banker = (
        _ways_with_pairs(shoe, tableau, *ranks) for ranks in ((every, _ANY), (_ANY, every))
    )
    both = _ways_with_pairs(shoe, tableau, every, every)
    ways: dict[Facts, int] = {}
    for facts, number in point_ways(shoe.by_value, tableau).items():
        of_player, of_banker = player.get(facts, 0), banker.get(facts, 0)
        of_both = both.get(facts, 0)
        for has_own, has_other, share in (
            (True, True, of_both),
            (True, False, of_player - of_both),
            (False, True, of_banker - of_both),
            (False, False, number - of_player - of_banker + of_both),
        ):
            ways[Facts(*facts[:4], has_own, has_other)] = share
    return Census(ways)


def _ways_with_pairs(
    shoe: ShoeComposition, tableau: Tableau, own: Sequence[int | None], other: Sequence[int | None]
) -> dict[Facts, int]:
    # Pairs of one value differ only in their ways.
    often: dict[tuple[tuple[int, ...], ...], int] = {}
    for pairs in product(own, other):
        left = list(shoe.ranks)
        times = 1
        for rank in pairs:
            if rank is not None:
                times *= perm(max(left[rank], 0), 2)
                left[rank] -= 2
        hands = tuple(() if rank is None else (_VALUES[rank],) * 2 for rank in pairs)
        often[hands] = often.get(hands, 0) + times
    ways: dict[Facts, int] = {}
    for (player, banker), times in often.items():
        if times:
            rest = list(shoe.by_value)
            for value in (*player, *banker):
                rest[value] -= 1
            for facts, number in point_ways(rest, tableau, player, banker).items():
                ways[facts] = ways.get(facts, 0) + times * number
    return ways


def royal_census(shoe: ShoeComposition) -> Census[Facts]:
    """Count every pair of Royal 9 hands, exactly.

    Raises ``ShoeError`` for too few cards, or without suits.

    >>> census = royal_census(ShoeComposition.of_decks(8))
    >>> census.chance(lambda facts: facts.player_royal == "9h Kd")
    Fraction(4, 5395)
    """
    shoe.check_round()
    left = shoe.suits_for("Royal 9")
    ways: dict[tuple[str, str], int] = {}
    for name, cards in ROYAL_HANDS.items():
        ways[name, ""] = _ways_with_hands(left, cards)
    for name in ROYAL_HANDS:
        ways["", name] = ways[name, ""]
    # Ways of both hands are included in those of each, and are subtracted from them.
    for player, banker in product(ROYAL_HANDS, repeat=2):
        both = _ways_with_hands(left, ROYAL_HANDS[player], ROYAL_HANDS[banker])
        ways[player, banker] = both
        ways[player, ""] -= both
        ways["", banker] -= both
    ways["", ""] = perm(shoe.cards, LEAST_CARDS) - sum(ways.values())
    return Census(
        (Facts(0, 0, 2, 2, player_royal=player, banker_royal=banker), number)
        for (player, banker), number in ways.items()
    )


def _ways_with_hands(left: Sequence[int], *hands: tuple[Card, Card]) -> int:
    ways = 1
    held: list[Card] = []
    for hand in hands:
        ways *= 2  # The orders of its cards.
        for card in hand:
            ways *= left[card.index] - held.count(card)
            held.append(card)
    return ways * perm(sum(left) - len(held), LEAST_CARDS - len(held)) if ways else 0
