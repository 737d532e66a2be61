"""What a hand is worth: the value of a card, the Point Count of a hand, the natural."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import cache
from typing import Final

from croupier.cards import DECK, Card, Rank


class Hand(Enum):
    """One of the two hands of a coup."""

    PLAYER = "player"
    BANKER = "banker"

    # Members are singletons: identity is a sound hash, and Enum's own costs a Python call.
    __hash__ = object.__hash__

    @property
    def title(self) -> str:
        """The hand's name at the table: ``Player's Hand`` or ``Banker's Hand``."""
        return _TITLE[self]

    @property
    def other(self) -> Hand:
        """The opposite hand."""
        return Hand.BANKER if self is Hand.PLAYER else Hand.PLAYER


_TITLE: Final = {Hand.PLAYER: "Player's Hand", Hand.BANKER: "Banker's Hand"}

POINT_VALUE: Final = {rank: min(number, 10) % 10 for number, rank in enumerate(Rank, start=1)}
"""An ace counts one, two to nine their number, ten and the face cards nothing."""

CARD_VALUE: Final = tuple(POINT_VALUE[card.rank] for card in DECK)
"""The value of each card by its index: the same table, for the hot path."""

TENS: Final = frozenset({Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING})
"""The ranks that count nothing in a hand, and that some procedures count as ten."""

FACES: Final = frozenset({Rank.JACK, Rank.QUEEN, Rank.KING})

NATURALS: Final = frozenset({8, 9})


def point_count(cards: Iterable[Card]) -> int:
    """Return the Point Count of a hand, 0 to 9: the right digit of the sum of its values.

    >>> from croupier.cards import parse_cards
    >>> point_count(parse_cards("Ah 2c 9d"))
    2
    """
    return sum([CARD_VALUE[card.index] for card in cards]) % 10


def is_natural(count: int, cards: int) -> bool:
    """Return whether a hand of that Point Count and number of cards is a natural.

    >>> is_natural(8, 2), is_natural(8, 3)
    (True, False)
    """
    return cards == 2 and count in NATURALS


@cache
def first_two(one: int, other: int) -> tuple[bool, str]:
    """Tell of a hand's first two cards, by index: whether a pair, and its Royal 9, nine first.

    >>> first_two(Card.of("Kd").index, Card.of("9h").index)
    (False, '9h Kd')
    """
    first, second = DECK[one], DECK[other]
    nine, face = (first, second) if first.rank is Rank.NINE else (second, first)
    royal = nine.rank is Rank.NINE and face.rank in FACES
    return first.rank is second.rank, f"{nine} {face}" if royal else ""
