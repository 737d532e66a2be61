"""The number of ways to each result of a coup by card values: see ``docs/odds.md``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import perm
from operator import mul
from typing import Final, NamedTuple, TypeAlias

from croupier.baccarat.coup import NATURALS, NO_THIRD_CARD, Facts, Tableau

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
    own = _known(player)
    cells: dict[tuple[int, int], list[int]] = {}
    for third, times, rest in _player_thirds(left, tableau, player, banker):
        shoe = _Shoe(rest)
        cards = 2 if third is None else 3
        # Whether Player's third card was drawn from those left.
        taken = int(third is not None and (len(player) < 3 or player[2] is None))
        for hands, counts in _banker_hands(rest, tableau, third, own, banker):
            drawn = 2 - len(own) + taken + hands.drawn
            often = times * perm(unseen - drawn, _SIX - known - drawn)
            found = cells.setdefault((cards, hands.cards), [0] * 100)
            for first in counts:
                count = first if third is None else (first + third) % 10
                number = shoe.player_ways(own, first, hands)
                found[count * 10 + hands.point_count] += often * number
    return {
        Facts(*divmod(cell, 10), *cards): number
        for cards, found in cells.items()
        for cell, number in enumerate(found)
        if number
    }


def _known(hand: Dealt) -> tuple[int, ...]:
    return tuple(value for value in hand[:2] if value is not None)


class _Shoe:
    """The cards left without Player's third card, for Player's first two."""

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
    own = _open(_known(player))
    if not any(tableau.player_draws_third(count, _NO_NATURAL) for count in own):
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
    took = third is not None
    known = _known(banker)
    draws = [
        count for count in _open(known) if tableau.banker_draws_third(_NO_NATURAL, count, column)
    ]
    first = _open(player)
    for count in _open(known) if len(banker) < 3 else ():
        counts = [
            own
            for own in first
            if tableau.player_draws_third(own, count) == took
            and not tableau.banker_draws_third(own, count, column)
        ]
        if counts:
            ways, holds = _first_two(left, known, count)
            pairs = [0] * 10
            if not known:
                pairs[count] = ways
            yield _Hands(count, 2, 2 - len(known), ways, holds, pairs), counts
    counts = [
        own
        for own in first
        if own not in NATURALS and tableau.player_draws_third(own, _NO_NATURAL) == took
    ]
    if counts and draws:
        of_banker = banker[2] if len(banker) == 3 else None
        for hands in _three_cards(left, known, draws, of_banker):
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
        drawn = 2 - len(known) + (third is None)
        yield _Hands(total, 3, drawn, ways[total], holds[total], pairs)


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
        held = [one + cards * more for one, more in zip(holds[total], first, strict=True)]
        held[value] += makes - first[value]
        if not known:
            held[count - value] -= first[value]
        ways[total] += makes
        holds[total] = held
