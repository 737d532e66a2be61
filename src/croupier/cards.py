"""Playing cards and their notation: ``9h`` is the nine of hearts, ``Td`` the ten of diamonds."""

from __future__ import annotations

from enum import Enum
from typing import Final, final

__all__ = ["DECK", "DECK_SIZE", "Card", "Rank", "Suit", "parse_cards"]

DECK_SIZE: Final = 52


class Rank(Enum):
    """A card's rank; its value is the letter or digit that stands for it in the notation."""

    ACE = "A"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "T"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"


class Suit(Enum):
    """A card's suit; its value is the letter that stands for it in the notation."""

    CLUBS = "c"
    DIAMONDS = "d"
    HEARTS = "h"
    SPADES = "s"


@final
class Card:
    """One playing card. There are fifty-two objects of this class, so ``is`` and ``==`` agree.

    ``index`` is the card's place in ``DECK``, 0 to 51: suit by suit, ace to king.

    >>> Card.of("9h").rank
    <Rank.NINE: '9'>
    >>> str(Card.of("10d"))
    'Td'
    """

    __slots__ = ("index", "notation", "rank", "suit")

    rank: Rank
    suit: Suit
    index: int
    notation: str

    # No dataclass: the codec would take one for an object with fields, and a card is one word.
    def __init__(self, rank: Rank, suit: Suit, index: int) -> None:
        set_once = super().__setattr__
        set_once("rank", rank)
        set_once("suit", suit)
        set_once("index", index)
        set_once("notation", rank.value + suit.value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a card does not change: {name} stays as it is, not {value!r}")

    @staticmethod
    def of(notation: str) -> Card:
        """Return the card that the notation names; a ten may be written ``T`` or ``10``.

        Raises ``ValueError`` where no card has that name.
        """
        card = _BY_NOTATION.get(notation)
        if card is None:
            raise ValueError(
                f"{notation!r} is no card: write a rank (A 2-9 T J Q K) and a suit (c d h s), as 9h"
            )
        return card

    def __str__(self) -> str:
        return self.notation

    def __repr__(self) -> str:
        return f"Card.of({self.notation!r})"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        # A copied or unpickled card is the same object, or identity would stop meaning equality.
        return Card.of, (self.notation,)


DECK: Final[tuple[Card, ...]] = tuple(
    Card(rank, suit, 13 * suit_index + rank_index)
    for suit_index, suit in enumerate(Suit)
    for rank_index, rank in enumerate(Rank)
)
"""One deck in sequence, the order in which the cards are spread for inspection."""

_BY_NOTATION: Final = {card.notation: card for card in DECK} | {
    "10" + card.suit.value: card for card in DECK if card.rank is Rank.TEN
}


def parse_cards(text: str) -> tuple[Card, ...]:
    """Return the cards named in a text, parted by blanks or commas.

    Raises ``ValueError`` at the first name that is no card's.

    >>> parse_cards("9h, Kd 3c")
    (Card.of('9h'), Card.of('Kd'), Card.of('3c'))
    """
    return tuple(Card.of(name) for name in text.replace(",", " ").split())
