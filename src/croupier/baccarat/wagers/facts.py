"""The facts of a coup by name, for pay tables written as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Final, NamedTuple, TypeAlias

from croupier.baccarat.cards import DECK, Card, Rank, Suit
from croupier.baccarat.coup import WINNERS, CardFacts, Facts
from croupier.baccarat.hand import CARD_VALUE, Hand, is_natural

Cards: TypeAlias = Sequence[Card]

_BOOLEAN: Final = (False, True)
_DIGITS: Final = tuple(range(10))
_PLACES: Final = ("first", "second", "third")
_RANKS: Final = tuple(Rank)

COLORS: Final = ("red", "black")
_SUITS: Final = {suit: f"{suit.name.lower()}" for suit in Suit}
_COLOR: Final = {
    Suit.CLUBS: "black", Suit.DIAMONDS: "red", Suit.HEARTS: "red", Suit.SPADES: "black",
}  # fmt: skip


class CardPart(NamedTuple):
    """The part of a fact that depends on one hand's cards.

    ``tells`` are the details used: ``value``, ``rank``, ``suit``, ``color``.
    """

    hand: Hand
    of: Callable[[Cards], object]
    tells: frozenset[str]
    whole: bool = False
    ordered: bool = False


class Fact(NamedTuple):
    """A fact of a finished coup; without ``parts``, it depends on counts and numbers of cards."""

    find: Callable[[Facts], object]
    values: tuple[object, ...]
    parts: tuple[CardPart, ...] = ()


def _dealt(facts: Facts, hand: Hand) -> Cards:
    if not isinstance(facts, CardFacts):
        raise LookupError("this wager asks for cards, and these facts have none")
    return facts.player_dealt if hand is Hand.PLAYER else facts.banker_dealt


def _of_cards(values: Sequence[object], *parts: CardPart) -> Fact:
    if len(parts) == 1:
        (part,) = parts
        return Fact(lambda facts: part.of(_dealt(facts, part.hand)), tuple(values), parts)

    def total(facts: Facts) -> object:
        return sum(int(str(part.of(_dealt(facts, part.hand)))) for part in parts)

    return Fact(total, tuple(values), parts)


# --- one card ----------------------------------------------------------------------------------


def _one_card(hand: Hand, place: int) -> dict[str, Fact]:
    ordered = place < 2

    def fact(tell: str, of: Callable[[Card], object], values: Sequence[object]) -> Fact:
        def at(cards: Cards) -> object:
            return of(cards[place]) if place < len(cards) else None

        tells = frozenset(("rank", "suit") if tell == "card" else (tell,))
        return _of_cards(values, CardPart(hand, at, tells, whole=not ordered, ordered=ordered))

    name = f"{hand.value}_{_PLACES[place]}"
    return {
        f"{name}_card": fact("card", str, [str(card) for card in DECK]),
        f"{name}_rank": fact("rank", lambda card: card.rank.value, [one.value for one in Rank]),
        f"{name}_suit": fact("suit", lambda card: _SUITS[card.suit], [*_SUITS.values()]),
        f"{name}_color": fact("color", lambda card: _COLOR[card.suit], COLORS),
        f"{name}_value": fact("value", lambda card: CARD_VALUE[card.index], _DIGITS),
    }


# --- several cards of a hand -------------------------------------------------------------------


def _two_ranks(cards: Cards) -> str:
    return "".join(one.value for one in sorted((c.rank for c in cards[:2]), key=_RANKS.index))


def _color(cards: Cards) -> str:
    colors = {_COLOR[card.suit] for card in cards}
    return colors.pop() if len(colors) == 1 else "mixed"


def _most(of: Callable[[Card], object]) -> Callable[[Cards], object]:
    def most(cards: Cards) -> object:
        found = [of(card) for card in cards]
        return max(map(found.count, found))

    return most


_EVERY_TWO_RANKS: Final = tuple(
    one.value + other.value for one, other in combinations_with_replacement(Rank, 2)
)
_FIRST_TWO: Final[Mapping[str, tuple[str, Callable[[Cards], object], Sequence[object]]]] = {
    "two_count": ("value", lambda cards: sum(CARD_VALUE[c.index] for c in cards[:2]) % 10, _DIGITS),
    "two_ranks": ("rank", _two_ranks, _EVERY_TWO_RANKS),
    "suited": ("suit", lambda cards: cards[0].suit is cards[1].suit, _BOOLEAN),
    "perfect_pair": ("rank suit", lambda cards: cards[0] == cards[1], _BOOLEAN),
    "two_color": ("color", lambda cards: _color(cards[:2]), (*COLORS, "mixed")),
}
"""Facts of the first two cards."""

_NUMBERS: Final[Mapping[str, tuple[str, Callable[[Cards], object]]]] = {
    color: ("color", lambda cards, color=color: sum(_COLOR[c.suit] == color for c in cards))
    for color in COLORS
} | {
    name: ("suit", lambda cards, suit=suit: sum(c.suit is suit for c in cards))
    for suit, name in _SUITS.items()
}
"""Number of cards of a color or suit in a hand."""

_WHOLE: Final[Mapping[str, tuple[str, Callable[[Cards], object], Sequence[object]]]] = {
    "color": ("color", _color, (*COLORS, "mixed")),
    "of_a_rank": ("rank", _most(lambda card: card.rank), (1, 2, 3)),
    "of_a_suit": ("suit", _most(lambda card: card.suit), (1, 2, 3)),
    **{name: (tells, of, range(4)) for name, (tells, of) in _NUMBERS.items()},
}
"""Facts of all cards of a hand; ``of_a_rank`` is the size of its largest rank group."""


def _of_hand(hand: Hand) -> dict[str, Fact]:
    found = {name: fact for place in range(3) for name, fact in _one_card(hand, place).items()}
    for whole, facts in ((False, _FIRST_TWO), (True, _WHOLE)):
        for name, (tells, of, values) in facts.items():
            part = CardPart(hand, of, frozenset(tells.split()), whole=whole)
            found[f"{hand.value}_{name}"] = _of_cards(tuple(values), part)
    return found


# --- counts ------------------------------------------------------------------------------------


def _player_natural(facts: Facts) -> bool:
    return is_natural(facts.player_count, facts.player_cards)


def _banker_natural(facts: Facts) -> bool:
    return is_natural(facts.banker_count, facts.banker_cards)


def _pair(hand: Hand) -> CardPart:
    return CardPart(hand, lambda cards: cards[0].rank is cards[1].rank, frozenset({"rank"}))


FACTS: Final[Mapping[str, Fact]] = {
    "winner": Fact(lambda facts: facts.winner_name, WINNERS),
    "player_count": Fact(lambda facts: facts.player_count, _DIGITS),
    "banker_count": Fact(lambda facts: facts.banker_count, _DIGITS),
    "player_cards": Fact(lambda facts: facts.player_cards, (2, 3)),
    "banker_cards": Fact(lambda facts: facts.banker_cards, (2, 3)),
    "cards": Fact(lambda facts: facts.cards, (4, 5, 6)),
    "margin": Fact(lambda facts: abs(facts.player_count - facts.banker_count), _DIGITS),
    "sum": Fact(lambda facts: facts.player_count + facts.banker_count, tuple(range(19))),
    "natural": Fact(lambda facts: _player_natural(facts) or _banker_natural(facts), _BOOLEAN),
    "player_natural": Fact(_player_natural, _BOOLEAN),
    "banker_natural": Fact(_banker_natural, _BOOLEAN),
    "pairs": Fact(
        lambda facts: facts.player_pair + facts.banker_pair, (0, 1, 2), tuple(map(_pair, Hand))
    ),
    "player_pair": Fact(lambda facts: facts.player_pair, _BOOLEAN, (_pair(Hand.PLAYER),)),
    "banker_pair": Fact(lambda facts: facts.banker_pair, _BOOLEAN, (_pair(Hand.BANKER),)),
    **{name: fact for hand in Hand for name, fact in _of_hand(hand).items()},
    "same_ranks": Fact(
        lambda facts: (
            _two_ranks(_dealt(facts, Hand.PLAYER)) == _two_ranks(_dealt(facts, Hand.BANKER))
        ),
        _BOOLEAN,
        tuple(CardPart(hand, _two_ranks, frozenset({"rank"})) for hand in Hand),
    ),
    "perfect_pairs": _of_cards(
        (0, 1, 2),
        *(
            CardPart(hand, lambda cards: int(cards[0] == cards[1]), frozenset({"rank", "suit"}))
            for hand in Hand
        ),
    ),
    **{
        name: _of_cards(
            range(7), *(CardPart(hand, of, frozenset(tells.split()), whole=True) for hand in Hand)
        )
        for name, (tells, of) in _NUMBERS.items()
    },
}
"""Every fact by name; ``margin`` is between the counts, ``cards`` of both hands.

>>> FACTS["margin"].find(Facts(3, 6, 3, 2)), FACTS["winner"].find(Facts(3, 6, 3, 2))
(3, 'banker')
"""

_MOST_LISTED: Final = 12


def unfit(name: str, value: object) -> str | None:
    """Return why a value is not valid for a fact, if so.

    >>> unfit("banker_cards", "two"), unfit("winner", "tie"), unfit("player_count", 17)
    ('write 2 or 3', None, 'write an integer from 0 to 9')
    """
    values = FACTS[name].values
    # True equals 1, but is not a number here.
    if any(value == one and type(value) is type(one) for one in values):
        return None
    if values == _BOOLEAN:
        return "write true or false"
    if isinstance(values[0], int) and len(values) > 3:
        return f"write an integer from {values[0]} to {values[-1]}"
    if len(values) > _MOST_LISTED + 1:
        return f"write one such as {values[0]} or {values[-1]}"
    comma = "," if len(values) > 2 else ""
    return f"write {', '.join(map(str, values[:-1]))}{comma} or {values[-1]}"
