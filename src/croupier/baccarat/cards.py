"""Playing cards and their notation: ``9h``, ``Td``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from functools import cache
from typing import Final, TypeAlias, final

DECK_SIZE: Final = 52


class Rank(Enum):
    """A card's rank; its value is its letter or digit in the notation."""

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
    """A card's suit; its value is its letter in the notation."""

    CLUBS = "c"
    DIAMONDS = "d"
    HEARTS = "h"
    SPADES = "s"


@final
class Card:
    """One of the fifty-two playing cards; ``is`` and ``==`` agree.

    ``index`` is its place in ``DECK``.

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

    # No dataclass: the codec would encode its fields, not its notation.
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
        """Return the card of a notation. Raises ``ValueError``."""
        card = _BY_NOTATION.get(notation) if isinstance(notation, str) else None
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
        # Copying and unpickling must preserve identity.
        return Card.of, (self.notation,)


DECK: Final[tuple[Card, ...]] = tuple(
    Card(rank, suit, 13 * suit_index + rank_index)
    for suit_index, suit in enumerate(Suit)
    for rank_index, rank in enumerate(Rank)
)
"""One deck, suit by suit, ace to king, as spread for inspection."""

_BY_NOTATION: Final = {card.notation: card for card in DECK} | {
    "10" + card.suit.value: card for card in DECK if card.rank is Rank.TEN
}


Shown: TypeAlias = Card | Rank | None
"""A card, its rank alone, or face down."""

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
    text = text.encode("utf-8", "backslashreplace").decode()
    return repr(text if len(text) <= _MOST_QUOTED else f"{text[:_MOST_QUOTED]}…")


class CardNotation:
    """Reads cards separated or joined, with further names of ranks and suits.

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
        face_down = _any_of(dict.fromkeys(_FACE_DOWN))
        self._token = re.compile(f"[{_BETWEEN}]*(?:{card}|(?P<down>{face_down}))[{_BETWEEN}]*")
        self._plain = not ranks and not suits and not suit_first

    def read(self, text: str) -> tuple[Shown, ...]:
        """Parse the cards of a text. Raises ``ValueError`` at the first invalid place."""
        if self._plain:
            # The notation of this package and of most others.
            try:
                return tuple([_BY_NOTATION[word] for word in text.split()])
            except KeyError:
                pass
        upper, index = text.upper(), 0
        cards: list[Shown] = []
        while index < len(upper):
            match = self._token.match(upper, index)
            if match is None:
                raise ValueError(
                    f"{_quoted(text)} names no cards from {_quoted(text[index : index + 8])} on:"
                    " write a rank (A 2-10 T J Q K) and a suit (c d h s), as 9h Kd"
                )
            index = match.end()
            rank, suit = match["rank"], match["suit"] or match["apart"]
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


_SYMBOLS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


class _Writing:
    symbols = True


@contextmanager
def without_symbols() -> Iterator[None]:
    _Writing.symbols = False
    try:
        yield
    finally:
        _Writing.symbols = True


def face(card: Card | str | None) -> str:
    """Card, or its notation, as people read it; other text is unchanged.

    >>> face(Card.of("Th")), face("Qc"), face("??")
    ('10♥', 'Q♣', '??')
    """
    card_found = _BY_NOTATION.get(card) if isinstance(card, str) else card
    if card_found is None:
        return str(card)
    if not _Writing.symbols:
        return card_found.notation
    rank = "10" if card_found.rank is Rank.TEN else card_found.rank.value
    return rank + _SYMBOLS[card_found.suit.value]


def faces(cards: Iterable[Card | str]) -> str:
    return " ".join(map(face, cards))


Cards: TypeAlias = str | Card | Iterable[str | Card]
"""Cards as text, as a card, or as a sequence of either."""


def cards_text(cards: Cards) -> str:
    """Cards as text. Raises ``TypeError``.

    >>> cards_text(Card.of("9h")), cards_text(["Kd 4c", Card.of("9h")])
    ('9h', 'Kd 4c 9h')
    """
    row = (cards,) if isinstance(cards, str | Card) else cards
    if isinstance(row, Iterable) and not isinstance(row, Mapping | bytes):
        parts = tuple(row)
        if all(isinstance(part, str | Card) for part in parts):
            return " ".join(map(str, parts))
    raise TypeError(f"{cards!r} is not cards: give text as 9h Kd, a Card, or a sequence of either")


def parse_shown(text: str) -> tuple[Shown, ...]:
    """Parse cards, ranks, or face-down cards (``?``). Raises ``ValueError``.

    >>> parse_shown("9, 2c")
    (<Rank.NINE: '9'>, Card.of('2c'))
    """
    return _plain_notation().read(text)


def parse_cards(text: str) -> tuple[Card, ...]:
    """Parse whole cards. Raises ``ValueError``.

    >>> parse_cards("9h, Kd 3c") == parse_cards("9hK♦3C")
    True
    """
    cards = parse_shown(text)
    known_cards = tuple(card for card in cards if isinstance(card, Card))
    if len(known_cards) < len(cards):
        raise ValueError(f"{_quoted(text)} names a card without its suit: write each as 9h")
    return known_cards
