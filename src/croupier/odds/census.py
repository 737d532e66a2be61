"""The census of facts: each class of results of a coup, with its ways over six cards."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import perm
from typing import NamedTuple, TypeVar

from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Coup, Facts
from croupier.baccarat.hand import CARD_VALUE
from croupier.baccarat.tableau import Tableau
from croupier.odds.shoe import LEAST_CARDS, ShoeComposition, ShoeError
from croupier.odds.ways import point_ways

FactsType = TypeVar("FactsType", bound=Hashable)
OtherType = TypeVar("OtherType", bound=Hashable)


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


class PartialRound(NamedTuple):
    """A partly dealt round, and the remaining cards."""

    coup: Coup
    left: ShoeComposition
    ahead: int
    """Number of unseen cards up to the sixth."""

    @classmethod
    def of(cls, shoe: ShoeComposition, tableau: Tableau, seen: Sequence[Card]) -> PartialRound:
        """Deal the cards seen, in order.

        Raises ``ShoeError`` for an impossible shoe, and ``CoupError`` for too many cards.
        """
        if shoe.cards < LEAST_CARDS:
            raise ShoeError(f"{shoe.cards} cards: a round may require {LEAST_CARDS}")
        return cls(Coup.of(seen, tableau), shoe.without(seen), LEAST_CARDS - len(seen))

    @property
    def total(self) -> int:
        """Number of orders of the cards ahead."""
        return perm(self.left.cards, self.ahead)


def values_of(cards: Iterable[Card]) -> tuple[int, ...]:
    return tuple([CARD_VALUE[card.index] for card in cards])


def point_census(
    shoe: ShoeComposition, tableau: Tableau, seen: Sequence[Card] = ()
) -> Census[Facts]:
    """Count every class of Point Counts and numbers of cards of a coup, exactly.

    ``shoe`` is the one before the round, ``seen`` the round's cards so far. Errors:
    ``PartialRound.of``.

    >>> from datetime import date
    >>> from croupier.rules import default_submission, table_rules
    >>> rules = table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))
    >>> census = point_census(ShoeComposition.of_decks(8), rules.tableau)
    >>> census.total, census.ways(lambda facts: facts.winner is None)
    (4998398275503360, 475627426473216)
    """
    at = PartialRound.of(shoe, tableau, seen)
    if at.coup.is_complete:
        return Census({Facts(*at.coup.facts[:4]): at.total})
    player, banker = values_of(at.coup.player), values_of(at.coup.banker)
    return Census(point_ways(at.left.by_value, tableau, player, banker))
