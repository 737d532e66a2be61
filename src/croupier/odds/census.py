"""The census of facts: each class of results of a coup, with its ways: see ``docs/odds.md``."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import perm
from operator import mul
from typing import Final, NamedTuple, TypeAlias, TypeVar

from croupier.baccarat.cards import DECK, Card, Rank
from croupier.baccarat.coup import (
    CARD_VALUE,
    FACES,
    NATURALS,
    NO_THIRD_CARD,
    POINT_VALUE,
    Facts,
    Tableau,
)
from croupier.odds.shoe import LEAST_CARDS, ShoeComposition

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
    """Count every class of points and cards. Raises ``ShoeError`` for too few cards."""
    shoe.check_round()
    return Census(point_ways(shoe.by_value, tableau))


def pair_census(shoe: ShoeComposition, tableau: Tableau) -> Census[Facts]:
    """Count every class of pairs, points, and cards. Raises ``ShoeError`` for too few cards."""
    shoe.check_round()
    values = range(len(_VALUES))
    player, banker = (
        _ways_with_pairs(shoe, tableau, *ranks) for ranks in ((values, _ANY), (_ANY, values))
    )
    ways_of_pairs = _ways_with_pairs(shoe, tableau, values, values)
    ways: dict[Facts, int] = {}
    for facts, number in point_ways(shoe.by_value, tableau).items():
        of_player, of_banker = player.get(facts, 0), banker.get(facts, 0)
        of_both = ways_of_pairs.get(facts, 0)
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
            by_value = list(shoe.by_value)
            for value in (*player, *banker):
                by_value[value] -= 1
            for facts, number in point_ways(by_value, tableau, player, banker).items():
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
        hand_ways = _ways_with_hands(left, ROYAL_HANDS[player], ROYAL_HANDS[banker])
        ways[player, banker] = hand_ways
        ways[player, ""] -= hand_ways
        ways["", banker] -= hand_ways
    ways["", ""] = perm(shoe.cards, LEAST_CARDS) - sum(ways.values())
    return Census(
        (Facts(0, 0, 2, 2, player_royal=player, banker_royal=banker), number)
        for (player, banker), number in ways.items()
    )


def _ways_with_hands(left: Sequence[int], *hands: tuple[Card, Card]) -> int:
    ways = 1
    cards: list[Card] = []
    for hand in hands:
        ways *= 2  # The orders of its cards.
        for card in hand:
            ways *= left[card.index] - cards.count(card)
            cards.append(card)
    return ways * perm(sum(left) - len(cards), LEAST_CARDS - len(cards)) if ways else 0


_SIX: Final = 6
_COUNTS: Final = range(10)
_NO_NATURAL: Final = 0
"""Represents any Point Count that is not a natural."""

_SAME: Final = tuple(
    tuple(int(2 * value % 10 == count) for value in range(10)) for count in _COUNTS
)
"""Whether two cards of a value make a count, by count and value."""


class _Hands(NamedTuple):
    """Banker's completed hands of one Point Count and number of cards, without known cards."""

    point_count: int
    cards: int
    drawn: int
    """Number of cards drawn from ``left``."""
    ways: int
    holds: Sequence[int]
    """Number of cards of each value in all of these hands."""
    pairs: Sequence[int]
    """Number of pairs of cards in them with each Point Count."""


Dealt: TypeAlias = Sequence[int | None]
"""The known values of a hand's dealt cards, ``None`` for one not seen."""


def point_ways(
    left: Sequence[int], tableau: Tableau, player: Dealt = (), banker: Dealt = ()
) -> dict[Facts, int]:
    """Ways of each class of coups, over six cards in order, or those not known.

    ``left`` are cards by value; dealt cards are values, ``None`` for unseen ones, still in
    ``left``. A listed third card was drawn; if only Banker's is listed, Player drew none.
    """
    known = sum(value is not None for value in (*player, *banker))
    unseen = sum(left)
    player_values = _known_values(player)
    cells: dict[tuple[int, int], list[int]] = {}
    for third, times, left_after in _player_thirds(left, tableau, player, banker):
        shoe = _Shoe(left_after)
        cards = 2 if third is None else 3
        # Whether Player's third card was drawn from those left.
        third_drawn = int(third is not None and (len(player) < 3 or player[2] is None))
        for hands, counts in _banker_hands(left_after, tableau, third, player_values, banker):
            cards_drawn = 2 - len(player_values) + third_drawn + hands.drawn
            often = times * perm(unseen - cards_drawn, _SIX - known - cards_drawn)
            found = cells.setdefault((cards, hands.cards), [0] * 100)
            for player_count in counts:
                count = player_count if third is None else (player_count + third) % 10
                number = shoe.player_ways(player_values, player_count, hands)
                found[count * 10 + hands.point_count] += often * number
    return {
        Facts(*divmod(cell, 10), *cards): number
        for cards, found in cells.items()
        for cell, number in enumerate(found)
        if number
    }


def _known_values(hand: Dealt) -> tuple[int, ...]:
    return tuple(value for value in hand[:2] if value is not None)


class _Shoe:
    """Cards left after Player's third card, from which Player's first two come."""

    __slots__ = ("beside", "left", "pairs")

    def __init__(self, left: Sequence[int]) -> None:
        self.left = left
        self.beside = [
            [left[count - value] - same[value] for value in _COUNTS]
            for count, same in enumerate(_SAME)
        ]
        """Number of cards that complete a count with a card of a value, by count and value."""
        self.pairs: list[int] = [sum(map(mul, left, row)) for row in self.beside]
        """Number of ordered pairs of each count."""

    def player_ways(self, known: Sequence[int], count: int, hands: _Hands) -> int:
        """Add a pair that uses two cards of Banker's hand once, since it is subtracted twice."""
        if len(known) == 2:
            return hands.ways
        if known:
            value = (count - known[0]) % 10
            return self.left[value] * hands.ways - hands.holds[value]
        using: int = sum(map(mul, hands.holds, self.beside[count]))
        return self.pairs[count] * hands.ways - 2 * using + 2 * hands.pairs[count]


def _player_thirds(
    left: Sequence[int], tableau: Tableau, player: Dealt, banker: Dealt
) -> Iterator[tuple[int | None, int, list[int]]]:
    shoe = list(left)
    third = player[2] if len(player) == 3 else None
    if third is not None:
        yield third, 1, shoe
        return
    if len(player) < 3:
        yield None, 1, shoe
        if len(banker) == 3:
            return
    player_values = _open(_known_values(player))
    if not any(tableau.player_draws_third(count, _NO_NATURAL) for count in player_values):
        return
    for value in _COUNTS:
        if left[value]:
            shoe = list(left)
            shoe[value] -= 1
            yield value, left[value], shoe


def _open(known: Sequence[int]) -> Sequence[int]:
    return _COUNTS if len(known) < 2 else (sum(known) % 10,)


def _banker_hands(
    left: list[int],
    tableau: Tableau,
    third: int | None,
    player: Sequence[int],
    banker: Dealt,
) -> Iterator[tuple[_Hands, Sequence[int]]]:
    column = NO_THIRD_CARD if third is None else third
    player_drew = third is not None
    known = _known_values(banker)
    draws = [
        count for count in _open(known) if tableau.banker_draws_third(_NO_NATURAL, count, column)
    ]
    player_values = _open(player)
    for count in _open(known) if len(banker) < 3 else ():
        counts = [
            own
            for own in player_values
            if tableau.player_draws_third(own, count) == player_drew
            and not tableau.banker_draws_third(own, count, column)
        ]
        if counts:
            ways, left_cards = _first_two(left, known, count)
            pairs = [0] * 10
            if not known:
                pairs[count] = ways
            yield _Hands(count, 2, 2 - len(known), ways, left_cards, pairs), counts
    counts = [
        own
        for own in player_values
        if own not in NATURALS and tableau.player_draws_third(own, _NO_NATURAL) == player_drew
    ]
    if counts and draws:
        banker_third = banker[2] if len(banker) == 3 else None
        for hands in _three_cards(left, known, draws, banker_third):
            yield hands, counts


def _first_two(left: Sequence[int], known: Sequence[int], count: int) -> tuple[int, list[int]]:
    if len(known) == 2:
        return int(sum(known) % 10 == count), [0] * 10
    if known:
        value = (count - known[0]) % 10
        return left[value], [left[value] * (value == one) for one in _COUNTS]
    same = _SAME[count]
    holds = [2 * left[one] * (left[count - one] - same[one]) for one in _COUNTS]
    return sum(holds) // 2, holds


def _three_cards(
    left: list[int], known: Sequence[int], draws: Sequence[int], third: int | None
) -> Iterator[_Hands]:
    ways = [0] * 10
    holds = [[0] * 10 for _ in _COUNTS]
    for count in draws:
        number, first = _first_two(left, known, count)
        if third is None:
            _add_thirds(left, count, (number, first, len(known)), (ways, holds))
        else:
            total = (count + third) % 10
            ways[total] += number
            holds[total] = [one + more for one, more in zip(holds[total], first, strict=True)]
    for total in _COUNTS:
        pairs = [0] * 10
        if third is not None:
            # The two drawn cards, if both were drawn, make the total minus the third.
            if not known:
                pairs[total - third] = ways[total]
        elif not known:
            # If two of three cards make a count, the other one makes up the total.
            pairs = [holds[total][total - count] for count in _COUNTS]
        elif len(known) == 1:
            pairs[total - known[0]] = ways[total]
        new_cards = 2 - len(known) + (third is None)
        yield _Hands(total, 3, new_cards, ways[total], holds[total], pairs)


def _add_thirds(
    left: Sequence[int],
    count: int,
    two: tuple[int, list[int], int],
    three: tuple[list[int], list[list[int]]],
) -> None:
    number, first, known = two
    ways, holds = three
    for value, cards in enumerate(left):
        if not cards:
            continue
        # The third card is not one of the first two: hands with one of its value have one less.
        total = (count + value) % 10
        makes = cards * number - first[value]
        cards_held = [one + cards * more for one, more in zip(holds[total], first, strict=True)]
        cards_held[value] += makes - first[value]
        if not known:
            cards_held[count - value] -= first[value]
        ways[total] += makes
        holds[total] = cards_held
