"""The facts of a coup by name, for pay tables written as data."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement, pairwise
from operator import add, eq, ge, gt, le, lt, ne
from typing import Any, Final, NamedTuple, TypeAlias

from croupier.baccarat.cards import DECK, Card, Rank, Suit
from croupier.baccarat.coup import CARD_VALUE, WINNERS, CardFacts, Facts, Hand, is_natural

Cards: TypeAlias = Sequence[Card]

NO_FACT: Final = ": no such fact"
"""The error for an unknown fact."""

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
    """A fact of a finished coup; without ``parts``, it depends on counts and numbers of cards.

    ``join`` combines the parts of both hands.
    """

    find: Callable[[Facts], object]
    values: tuple[object, ...]
    parts: tuple[CardPart, ...] = ()
    join: Callable[[Any, Any], object] | None = None


def _dealt(facts: Facts, hand: Hand) -> Cards:
    if not isinstance(facts, CardFacts):
        raise LookupError("this wager asks for cards, and these facts have none")
    return facts.player_dealt if hand is Hand.PLAYER else facts.banker_dealt


def _of_cards(values: Sequence[object], part: CardPart) -> Fact:
    return Fact(lambda facts: part.of(_dealt(facts, part.hand)), tuple(values), (part,))


def _of_both(
    values: Sequence[object],
    value_of: Callable[[Cards], object],
    tells: str,
    join: Callable[[Any, Any], object] = add,
    *,
    whole: bool = False,
) -> Fact:
    parts = [CardPart(hand, value_of, frozenset(tells.split()), whole=whole) for hand in Hand]
    return Fact(
        lambda facts: join(*(value_of(_dealt(facts, hand)) for hand in Hand)),
        tuple(values), tuple(parts), join,
    )  # fmt: skip


# --- one card ----------------------------------------------------------------------------------


def _one_card(hand: Hand, place: int) -> dict[str, Fact]:
    ordered = place < 2

    def fact(tell: str, value_of: Callable[[Card], object], values: Sequence[object]) -> Fact:
        def at(cards: Cards) -> object:
            return value_of(cards[place]) if place < len(cards) else None

        tells = frozenset(("rank", "suit") if tell == "card" else (tell,))
        return _of_cards(values, CardPart(hand, at, tells, whole=not ordered, ordered=ordered))

    name = f"{hand.value}_{_PLACES[place]}"
    return {
        f"{name}_card": fact("card", str, [str(card) for card in DECK]),
        f"{name}_rank": fact("rank", lambda card: card.rank.value, [rank.value for rank in Rank]),
        f"{name}_suit": fact("suit", lambda card: _SUITS[card.suit], [*_SUITS.values()]),
        f"{name}_color": fact("color", lambda card: _COLOR[card.suit], COLORS),
        f"{name}_value": fact("value", lambda card: CARD_VALUE[card.index], _DIGITS),
    }


# --- several cards of a hand -------------------------------------------------------------------


def _two_ranks(cards: Cards) -> str:
    return "".join(rank.value for rank in sorted((c.rank for c in cards[:2]), key=_RANKS.index))


def _color(cards: Cards) -> str:
    colors = {_COLOR[card.suit] for card in cards}
    return colors.pop() if len(colors) == 1 else "mixed"


def _most(value_of: Callable[[Card], object]) -> Callable[[Cards], object]:
    def most(cards: Cards) -> object:
        values = [value_of(card) for card in cards]
        return max(map(values.count, values))

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
    for is_whole, facts in ((False, _FIRST_TWO), (True, _WHOLE)):
        for name, (tells, value_of, values) in facts.items():
            part = CardPart(hand, value_of, frozenset(tells.split()), whole=is_whole)
            found[f"{hand.value}_{name}"] = _of_cards(tuple(values), part)
    return found


# --- the cards of both hands -------------------------------------------------------------------


def _rank_counts(maximum: int) -> Callable[[Cards], int]:
    def counts(cards: Cards) -> int:
        return sum([8 ** _RANKS.index(card.rank) for card in cards[:maximum]])

    return counts


def _from_counts(function: Callable[[list[int]], int]) -> Callable[[int, int], int]:
    @cache
    def found(counts: int) -> int:
        return function([counts >> 3 * rank & 7 for rank in range(len(_RANKS))])

    return lambda player, banker: found(player + banker)


def _longest_run(counts: list[int]) -> int:
    return max(map(len, "".join("x" if count else " " for count in counts).split()))


def _pips(card: Card) -> int:
    return min(_RANKS.index(card.rank) + 1, 10)


def _number_of(rank: Rank, maximum: int) -> Callable[[Cards], int]:
    return lambda cards: sum([card.rank is rank for card in cards[:maximum]])


def _of_ranks(scope: str, cap: int, cards: int) -> dict[str, Fact]:
    is_whole, counts = cap > 2, _rank_counts(cap)
    functions: dict[str, tuple[Sequence[int], Callable[[list[int]], int]]] = {
        "of_a_rank": (range(1, cards + 1), max),
        "run": (range(1, cards + 1), _longest_run),
        "paired_ranks": (range(cards // 2 + 1), lambda counts: sum(count > 1 for count in counts)),
        "tripled_ranks": (range(cards // 3 + 1), lambda counts: sum(count > 2 for count in counts)),
    }
    facts = {
        name: _of_both(values, counts, "rank", _from_counts(function), whole=is_whole)
        for name, (values, function) in functions.items()
    }
    facts["pips"] = _of_both(
        range(4, 10 * cards + 1), lambda held: sum(map(_pips, held[:cap])), "rank", whole=is_whole
    )
    for rank in Rank:
        facts[f"{rank.value}s"] = _of_both(
            range(cards + 1), _number_of(rank, cap), "rank", whole=is_whole
        )
    return {f"{scope}_{name}": fact for name, fact in facts.items()}


# --- comparisons -------------------------------------------------------------------------------

_Sign = Callable[[Any, Any], bool]
SIGNS: Final[Mapping[str, _Sign]] = {
    "<=": le, ">=": ge, "==": eq, "!=": ne, "<": lt, ">": gt,
}  # fmt: skip
"""The signs of comparisons."""

COMPARED: Final = re.compile(rf"\s*({'|'.join(SIGNS)})\s*")
"""The sign between two facts of a comparison."""


class _Facts(dict[str, Fact]):
    """Facts by name, with comparisons such as ``player_first_rank < banker_first_rank``."""

    def __missing__(self, name: str) -> Fact:
        if COMPARED.search(name) is None or comparison_error(name):
            raise KeyError(name)
        return _comparison(name)


def comparison_error(name: str) -> str | None:
    """Return why facts cannot be compared, if so.

    >>> comparison_error("player_first_rank < banker_count")
    ': compare facts with the same kind of values, of cards or of counts'
    """
    names = COMPARED.split(name)[::2]
    unknown = [name for name in names if name not in FACTS]
    if unknown:
        return f": {unknown[0] or 'a missing name'}{NO_FACT}"
    facts = [FACTS[name] for name in names]
    kinds = {type(one.values[0]) if isinstance(one.values[0], int) else one.values for one in facts}
    if len(kinds) > 1 or len({bool(fact.parts) for fact in facts}) > 1:
        return ": compare facts with the same kind of values, of cards or of counts"
    return None


@cache
def _comparison(name: str) -> Fact:
    names = COMPARED.split(name)
    facts, signs = [FACTS[name] for name in names[::2]], [SIGNS[name] for name in names[1::2]]
    if not facts[0].parts:
        return Fact(lambda coup: _holds(signs, [fact.find(coup) for fact in facts]), _BOOLEAN)
    parts = tuple(_part_of_hand(hand, facts, signs) for hand in Hand)
    join = _joined(facts, signs)
    return Fact(
        lambda coup: join(*(part.of(_dealt(coup, part.hand)) for part in parts)),
        _BOOLEAN, parts, join,
    )  # fmt: skip


def _holds(signs: Sequence[_Sign], values: Sequence[Any]) -> bool:
    return all(sign(values[index], values[index + 1]) for index, sign in enumerate(signs))


def _part_of_hand(hand: Hand, facts: Sequence[Fact], signs: Sequence[_Sign]) -> CardPart:
    """Places of the facts of a hand, or ``None`` if they make the comparison false."""
    by_place = [
        (index, fact, part)
        for index, fact in enumerate(facts)
        for part in fact.parts
        if part.hand is hand
    ]
    unjoined = [index for index, fact, _ in by_place if fact.join is None]

    def places(cards: Cards) -> Sequence[Any] | None:
        values = {index: _place(fact, part.of(cards)) for index, fact, part in by_place}
        # Between two facts of this hand, one sign repeated is transitive.
        if None in values.values() or any(
            signs[start] is not ne
            and len({*signs[start:end]}) == 1
            and not signs[start](values[start], values[end])
            for start, end in pairwise(unjoined)
        ):
            return None
        return tuple(values.values())

    parts = [part for _, _, part in by_place]
    return CardPart(
        hand,
        places,
        frozenset[str]().union(*(part.tells for part in parts)),
        whole=any(part.whole for part in parts),
        ordered=any(part.ordered for part in parts),
    )


def _joined(facts: Sequence[Fact], signs: Sequence[_Sign]) -> Callable[[Any, Any], bool]:
    picks, next_of = [], [0, 0]
    for fact in facts:
        hand = tuple(Hand).index(fact.parts[0].hand)
        picks.append((fact.join, hand, next_of[0], next_of[1]))
        for part in fact.parts:
            next_of[tuple(Hand).index(part.hand)] += 1

    def join(player: Sequence[Any] | None, banker: Sequence[Any] | None) -> bool:
        if player is None or banker is None:
            return False
        values = [
            function(player[a], banker[b]) if function else banker[b] if hand else player[a]
            for function, hand, a, b in picks
        ]
        return _holds(signs, values)

    return join


def _place(fact: Fact, value: Any) -> Any:
    # Two-hand facts are joined before they are compared, and have numbers; a missing card has none.
    if value is None or fact.join is not None or isinstance(value, int):
        return value
    return fact.values.index(value)


# --- counts ------------------------------------------------------------------------------------


def _player_natural(facts: Facts) -> bool:
    return is_natural(facts.player_count, facts.player_cards)


def _banker_natural(facts: Facts) -> bool:
    return is_natural(facts.banker_count, facts.banker_cards)


def _pair(hand: Hand) -> CardPart:
    return CardPart(hand, lambda cards: cards[0].rank is cards[1].rank, frozenset({"rank"}))


FACTS: Final[Mapping[str, Fact]] = _Facts(
    {
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
            lambda facts: facts.player_pair + facts.banker_pair,
            (0, 1, 2),
            tuple(map(_pair, Hand)),
            add,
        ),
        "player_pair": Fact(lambda facts: facts.player_pair, _BOOLEAN, (_pair(Hand.PLAYER),)),
        "banker_pair": Fact(lambda facts: facts.banker_pair, _BOOLEAN, (_pair(Hand.BANKER),)),
        **{name: fact for hand in Hand for name, fact in _of_hand(hand).items()},
        "same_ranks": _of_both(_BOOLEAN, _two_ranks, "rank", eq),
        "perfect_pairs": _of_both((0, 1, 2), lambda cards: int(cards[0] == cards[1]), "rank suit"),
        **{
            name: _of_both(range(7), of, tells, whole=True)
            for name, (tells, of) in _NUMBERS.items()
        },
        **_of_ranks("first4", 2, 4),
        **_of_ranks("all", 3, 6),
    }
)
"""Every fact by name, and comparisons; ``margin`` is between the counts, ``cards`` of both hands.

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
    if any(value == other and type(value) is type(other) for other in values):
        return None
    if values == _BOOLEAN:
        return "write true or false"
    if isinstance(values[0], int) and len(values) > 3:
        return f"write an integer from {values[0]} to {values[-1]}"
    if len(values) > _MOST_LISTED + 1:
        return f"write one such as {values[0]} or {values[-1]}"
    comma = "," if len(values) > 2 else ""
    return f"write {', '.join(map(str, values[:-1]))}{comma} or {values[-1]}"
