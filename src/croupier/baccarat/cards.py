"""Playing cards and their notation: ``9h`` is the nine of hearts, ``Td`` the ten of diamonds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import Final, TypeAlias, final

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
        raise AttributeError(f"a card does not change: {name} cannot become {value!r}")

    @staticmethod
    def of(notation: str) -> Card:
        """Return the card that the notation names; a ten may be written ``T`` or ``10``.

        Raises ``ValueError`` where no card has that name.
        """
        card = _BY_NOTATION.get(notation)
        if card is None:
            raise ValueError(
                f"{notation!r} is not a card: write a rank (A 2-9 T J Q K) and a suit (c d h s), "
                "as 9h"
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


Shown: TypeAlias = Card | Rank | None
"""A card as it was written: whole, by its rank alone, or face down."""

_RANKS: Final = {rank.value: rank for rank in Rank} | {"10": Rank.TEN}
_SUITS: Final = {
    **{suit.value.upper(): suit for suit in Suit},
    **dict(zip("♣♦♥♠", Suit, strict=True)),
    **dict(zip("♧♢♡♤", Suit, strict=True)),
}
_FACE_DOWN: Final = ("??", "?", "XX")
_BETWEEN: Final = "\\s,;|/+_\\-\ufe0e\ufe0f"
_CARDS: Final = {(card.rank, card.suit): card for card in DECK}
_MOST_QUOTED: Final = 60


def _quoted(text: str) -> str:
    """Quote a text so that a message stays short and can be printed."""
    text = text.encode("utf-8", "backslashreplace").decode()
    return repr(text if len(text) <= _MOST_QUOTED else f"{text[:_MOST_QUOTED]}…")


class CardNotation:
    """Reads cards however they are written: parted by blanks, commas and the like, or joined.

    ``ranks`` and ``suits`` are names of the writer's own, beside those that everybody has: A, 2 to
    10 or T, J, Q, K in either case, and c d h s or the signs of the suits.

    >>> CardNotation().read("9h2c K♦ 10 ?")
    (Card.of('9h'), Card.of('2c'), Card.of('Kd'), <Rank.TEN: 'T'>, None)
    """

    def __init__(
        self,
        ranks: Mapping[str, str] | None = None,
        suits: Mapping[str, str] | None = None,
        *,
        suit_first: bool = False,
    ) -> None:
        self._ranks = _RANKS | {
            name.upper(): _RANKS[rank.upper()] for name, rank in (ranks or {}).items()
        }
        self._suits = _SUITS | {
            name.upper(): _SUITS[suit.upper()] for name, suit in (suits or {}).items()
        }
        rank, suit = _any_of(self._ranks), _any_of(self._suits)
        # A suit may stand apart from its rank, unless it begins the word of another.
        card = rf"(?:(?P<suit>{suit})|(?P<apart>{suit})\s+)?(?P<rank>{rank})" if suit_first else (
            rf"(?P<rank>{rank})(?:\ufe0e|\ufe0f)?"
            rf"(?:(?P<suit>{suit})|\s+(?P<apart>{suit})(?![^\W\d_]))?"
        )  # fmt: skip
        down = _any_of(dict.fromkeys(_FACE_DOWN))
        self._token = re.compile(f"[{_BETWEEN}]*(?:{card}|(?P<down>{down}))[{_BETWEEN}]*")
        self._plain = not ranks and not suits and not suit_first

    def read(self, text: str) -> tuple[Shown, ...]:
        """Return the cards that a text names, in its order.

        Raises ``ValueError`` with the first place that names none.
        """
        if self._plain:
            # As we write cards ourselves, which most others do too.
            try:
                return tuple([_BY_NOTATION[one] for one in text.split()])
            except KeyError:
                pass
        upper, at = text.upper(), 0
        cards: list[Shown] = []
        while at < len(upper):
            found = self._token.match(upper, at)
            if found is None:
                raise ValueError(
                    f"{_quoted(text)} names no cards from {_quoted(text[at : at + 8])} on:"
                    " write a rank (A 2-10 T J Q K) and a suit (c d h s), as 9h Kd"
                )
            at = found.end()
            rank, suit = found["rank"], found["suit"] or found["apart"]
            if rank is None:
                cards.append(None)
            elif suit is None:
                cards.append(self._ranks[rank])
            else:
                cards.append(_CARDS[self._ranks[rank], self._suits[suit]])
        return tuple(cards)


def _any_of(names: Mapping[str, object]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


@cache
def _plain_notation() -> CardNotation:
    return CardNotation()


def parse_shown(text: str) -> tuple[Shown, ...]:
    """Return the cards named in a text: whole, by rank alone, or face down (``?``).

    Raises ``ValueError`` at the first place that names none.

    >>> parse_shown("9, 2c")
    (<Rank.NINE: '9'>, Card.of('2c'))
    """
    return _plain_notation().read(text)


def parse_cards(text: str) -> tuple[Card, ...]:
    """Return the cards named in a text, joined or parted by blanks, commas and the like.

    Raises ``ValueError`` at the first name that is not a card.

    >>> parse_cards("9h, Kd 3c") == parse_cards("9hK♦3C")
    True
    """
    cards = parse_shown(text)
    whole = tuple(card for card in cards if isinstance(card, Card))
    if len(whole) < len(cards):
        raise ValueError(f"{_quoted(text)} names a card without its suit: write each as 9h")
    return whole
