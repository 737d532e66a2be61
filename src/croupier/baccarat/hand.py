"""Card values, the Point Count, and the natural."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import cache
from typing import Final

from croupier.baccarat.cards import DECK, Card, Rank


class Hand(Enum):
    """One of the two hands of a coup."""

    PLAYER = "player"
    BANKER = "banker"

    # Sound, because members are singletons, and faster than Enum's hash.
    __hash__ = object.__hash__

    @property
    def title(self) -> str:
        """``Player's Hand`` or ``Banker's Hand``."""
        return _TITLE[self]

    @property
    def other(self) -> Hand:
        return Hand.BANKER if self is Hand.PLAYER else Hand.PLAYER


_TITLE: Final = {Hand.PLAYER: "Player's Hand", Hand.BANKER: "Banker's Hand"}

POINT_VALUE: Final = {rank: min(number, 10) % 10 for number, rank in enumerate(Rank, start=1)}
"""The value of each rank."""

CARD_VALUE: Final = tuple(POINT_VALUE[card.rank] for card in DECK)

TENS: Final = frozenset({Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING})
"""The ranks with value zero."""

FACES: Final = frozenset({Rank.JACK, Rank.QUEEN, Rank.KING})

NATURALS: Final = frozenset({8, 9})


def point_count(cards: Iterable[Card]) -> int:
    """Last digit of the sum of a hand's values.

    >>> from croupier.baccarat.cards import parse_cards
    >>> point_count(parse_cards("Ah 2c 9d"))
    2
    """
    return sum([CARD_VALUE[card.index] for card in cards]) % 10


def is_natural(count: int, cards: int) -> bool:
    """Whether a Point Count of a number of cards is a natural.

    >>> is_natural(8, 2), is_natural(8, 3)
    (True, False)
    """
    return cards == 2 and count in NATURALS


@cache
def first_two(one: int, other: int) -> tuple[bool, str]:
    """Whether two cards, by index, are a pair, and their Royal 9.

    >>> first_two(Card.of("Kd").index, Card.of("9h").index)
    (False, '9h Kd')
    """
    first, second = DECK[one], DECK[other]
    nine, face = (first, second) if first.rank is Rank.NINE else (second, first)
    royal = nine.rank is Rank.NINE and face.rank in FACES
    return first.rank is second.rank, f"{nine} {face}" if royal else ""
