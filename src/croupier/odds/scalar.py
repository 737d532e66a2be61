"""The count of ``croupier.odds.ways`` in compiled 64-bit integers, one shoe at a time."""

from __future__ import annotations

from typing import NamedTuple

from numba import carray

from croupier.odds.arrays import Integers
from croupier.odds.compiled import compiled, inlined, integer_room

# The compiler treats these as constants, and needs names for array sizes.
TEN, TWENTY, HUNDRED, CELLS = 10, 20, 100, 400
NO_THIRD = 10


class ScalarWorkspace(NamedTuple):
    """Scratch arrays for one shoe."""

    left: Integers
    """Cards by value, repeated, so that differences need no modulo."""
    beside: Integers
    """Cards that complete a count with a card of a value, by value and count."""
    begun: Integers
    """Ordered pairs, by value of the first card and count."""
    pairs: Integers
    """Ordered pairs, by count."""
    holds: Integers
    """Cards in all of Banker's three-card hands, by card value and count."""
    hands: Integers
    """Banker's three-card hands, by count."""
    every: Integers
    """Ways by cell, as in ``croupier.odds.kernel``."""


@compiled
def count_one(
    values: Integers, takes: Integers, draws: Integers, cells: Integers, ways: Integers
) -> None:
    """Fill ``ways`` with the ways of each of ``cells`` for a shoe by value.

    ``takes[count]`` and ``draws[third, count]`` are 1 if a hand draws; the last ``third`` is none.
    """
    room = ScalarWorkspace(
        carray(integer_room(TWENTY), (20,)),
        carray(integer_room(HUNDRED), (10, 10)),
        carray(integer_room(HUNDRED), (10, 10)),
        carray(integer_room(TEN), (10,)),
        carray(integer_room(HUNDRED), (10, 10)),
        carray(integer_room(TEN), (10,)),
        carray(integer_room(CELLS), (400,)),
    )
    cards = 0
    for value in range(10):
        cards += values[value]
    for cell in range(400):
        room.every[cell] = 0
    for third in range(11):
        times = 1 if third == NO_THIRD else values[third]
        if times:
            for value in range(10):
                number = values[value] - (value == third)
                room.left[value] = number
                room.left[value + 10] = number
            _pairs(room)
            _three_cards(room, draws[third])
            # Unneeded positions up to the sixth may have any remaining card.
            if third == NO_THIRD:
                _player_stays(room, takes, draws[third], cards)
            else:
                often = times * (cards - 5), times
                _player_draws(room, takes, draws[third], third, often)
    for index in range(len(cells)):
        ways[index] = room.every[cells[index]]


@inlined
def _pairs(room: ScalarWorkspace) -> None:
    for count in range(10):
        room.pairs[count] = 0
    for value in range(10):
        for count in range(10):
            room.beside[value, count] = room.left[count - value + 10]
        room.beside[value, 2 * value % 10] -= 1
        for count in range(10):
            room.begun[value, count] = room.left[value] * room.beside[value, count]
            room.pairs[count] += room.begun[value, count]


@inlined
def _three_cards(room: ScalarWorkspace, draws: Integers) -> None:
    for total in range(10):
        room.hands[total] = 0
        for value in range(10):
            room.holds[value, total] = 0
    for first in range(8):
        if draws[first] == 0:
            continue
        for value in range(10):
            twice = 2 * room.begun[value, first]
            for total in range(10):
                room.holds[value, total] += twice * room.left[total - first + 10]
        for third in range(10):
            total = first + third
            if total > 9:
                total -= 10
            other = first - third
            if other < 0:
                other += 10
            # So far, the third card could also be one of the first two.
            twice = 2 * room.begun[third, first]
            number = room.left[third] * room.pairs[first] - twice
            room.hands[total] += number
            room.holds[third, total] += number - twice
            room.holds[other, total] -= twice


@inlined
def _player_stays(room: ScalarWorkspace, takes: Integers, draws: Integers, cards: int) -> None:
    for count in range(10):
        natural = count > 7
        stays = natural or takes[count] == 0
        for other in range(10):
            if natural or other > 7 or (stays and draws[other] == 0):
                _add_two(room, count, other, count * 10, (cards - 4) * (cards - 5))
        if stays and not natural:
            _add_three(room, count, 100 + count * 10, cards - 5)


@inlined
def _player_draws(
    room: ScalarWorkspace, takes: Integers, draws: Integers, third: int, often: tuple[int, int]
) -> None:
    for count in range(8):
        if takes[count]:
            row = 200 + (count + third) % 10 * 10
            for other in range(8):
                if draws[other] == 0:
                    _add_two(room, count, other, row, often[0])
            _add_three(room, count, row + 100, often[1])


@inlined
def _add_two(room: ScalarWorkspace, count: int, other: int, row: int, times: int) -> None:
    using = 0
    for value in range(10):
        using += room.begun[value, other] * room.beside[value, count]
    ways = room.pairs[count] * room.pairs[other] - 4 * using
    if count == other:
        ways += 2 * room.pairs[count]
    room.every[row + other] += times * ways


@inlined
def _add_three(room: ScalarWorkspace, count: int, row: int, times: int) -> None:
    for total in range(10):
        using = 0
        for value in range(10):
            using += room.holds[value, total] * room.beside[value, count]
        rest = total - count
        if rest < 0:
            rest += 10
        ways = room.pairs[count] * room.hands[total] - 2 * using + 2 * room.holds[rest, total]
        room.every[row + total] += times * ways
