"""The count of ``croupier.odds.census`` for 16 shoes in parallel.

In doubles, which are exact below 832**5 and faster than 64-bit integers.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numba import carray

from croupier.odds.arrays import Floats, Integers
from croupier.odds.compiled import compiled, float_room, folded, inlined, integer_room

LANES = 16
"""Large enough to vectorize, and small enough for the nearest cache."""

# The compiler treats these as constants. Signed positions would need a check for negative indices.
Place = np.uint64
ONE, TEN, TWENTY, HUNDRED, CELLS = LANES, 10 * LANES, 20 * LANES, 100 * LANES, 400 * LANES
NO_THIRD = 10

# Offsets of the next rows, and of every tenth row.
R1, R2, R3, R4, R5, R6, R7, R8, R9 = (Place(row * LANES) for row in range(1, 10))
T1, T2, T3, T4, T5, T6, T7, T8, T9 = (Place(row * LANES) for row in range(10, 100, 10))

At: TypeAlias = int | np.uint64
Eight: TypeAlias = tuple[float, float, float, float, float, float, float, float]
Ten: TypeAlias = tuple[float, float, float, float, float, float, float, float, float, float]


class LaneWorkspace(NamedTuple):
    left: Floats
    """Cards by value, repeated."""
    less: Floats
    """A copy of ``left`` from which single cards are removed temporarily."""
    pairs: Floats
    """Ordered pairs, by count."""
    holds: Floats
    """Cards in all of Banker's three-card hands, by count and card value."""
    hands: Floats
    """Banker's three-card hands of one count."""
    two_hold: Floats
    """Cards in all of Banker's two-card hands of one count, by value."""
    using: Floats
    """Pairs that use a card of the current hands, by count."""
    two: Integers
    three: Integers
    """Multiplicity of a coup in which Banker has two cards, or three."""
    every: Integers
    """Ways by cell, as in ``croupier.odds.kernel``."""
    lanes: int


@compiled
def count_many(
    values: Integers,
    rules: tuple[Integers, Integers],
    cells: Integers,
    ways: Integers,
    lanes: int,
) -> None:
    """Fill ``ways[shoe]`` with the ways of each of ``cells``; ``rules`` are as in ``Kernel``.

    ``lanes`` must be ``LANES``; loops of constant length would be unrolled, not vectorized.
    """
    room = LaneWorkspace(
        carray(float_room(TWENTY), (TWENTY,)),
        carray(float_room(TWENTY), (TWENTY,)),
        carray(float_room(TEN), (TEN,)),
        carray(float_room(HUNDRED), (HUNDRED,)),
        carray(float_room(ONE), (ONE,)),
        carray(float_room(TEN), (TEN,)),
        carray(float_room(TEN), (TEN,)),
        carray(integer_room(ONE), (ONE,)),
        carray(integer_room(ONE), (ONE,)),
        carray(integer_room(CELLS), (CELLS,)),
        lanes,
    )
    takes, draws = rules
    for first in range(0, len(values), LANES):
        for place in range(Place(400 * lanes)):
            room.every[place] = 0
        for third in range(11):
            _load(room, values, first, third)
            _beside(room, room.left, Place(0), room.pairs)
            _three_cards(room, draws[third])
            for total in range(10):
                _beside(room, room.holds, _row(10 * total), room.using)
                _add_three(room, total, third, takes)
            for banker_count in range(10):
                if third == NO_THIRD or (banker_count < 8 and draws[third, banker_count] == 0):
                    _two_cards(room, banker_count)
                    _beside(room, room.two_hold, Place(0), room.using)
                    _add_two(room, banker_count, third, takes, draws[third])
        for lane in range(min(LANES, len(values) - first)):
            for index in range(len(cells)):
                ways[first + lane, index] = room.every[cells[index] * LANES + lane]


@inlined
def _row(number: int) -> At:
    return Place(number * LANES)


@inlined
def _rows(numbers: Floats, at: At) -> Ten:
    return (
        numbers[at],
        numbers[at + R1],
        numbers[at + R2],
        numbers[at + R3],
        numbers[at + R4],
        numbers[at + R5],
        numbers[at + R6],
        numbers[at + R7],
        numbers[at + R8],
        numbers[at + R9],
    )


@folded
def _ten(q: Ten, m: Ten) -> float:
    return (q[0] * m[0] + q[1] * m[1] + q[2] * m[2] + q[3] * m[3] + q[4] * m[4]) + (
        q[5] * m[5] + q[6] * m[6] + q[7] * m[7] + q[8] * m[8] + q[9] * m[9]
    )


@folded
def _eight(q: Eight, m: Eight) -> float:
    return (q[0] * m[0] + q[1] * m[1] + q[2] * m[2] + q[3] * m[3]) + (
        q[4] * m[4] + q[5] * m[5] + q[6] * m[6] + q[7] * m[7]
    )


@inlined
def _load(room: LaneWorkspace, values: Integers, first: int, third: int) -> None:
    for lane in range(LANES):
        # Lanes beyond the last shoe repeat it.
        shoe = min(first + lane, len(values) - 1)
        cards = 0
        for value in range(10):
            number = values[shoe, value]
            cards += number
            number -= value == third
            for row in (value, value + 10):
                room.left[row * LANES + lane] = number
                room.less[row * LANES + lane] = number
        # Unneeded positions up to the sixth may have any remaining card.
        if third == NO_THIRD:
            room.two[lane] = (cards - 4) * (cards - 5)
            room.three[lane] = cards - 5
        else:
            room.two[lane] = values[shoe, third] * (cards - 5)
            room.three[lane] = values[shoe, third]


@inlined
def _beside(room: LaneWorkspace, row_held: Floats, at: At, ways: Floats) -> None:
    for lane in range(Place(room.lanes)):
        q = _rows(row_held, at + lane)
        m0, m1, m2, m3, m4, m5, m6, m7, m8, m9 = _rows(room.left, lane)
        w0 = _ten(q, (m0, m9, m8, m7, m6, m5, m4, m3, m2, m1))
        w1 = _ten(q, (m1, m0, m9, m8, m7, m6, m5, m4, m3, m2))
        w2 = _ten(q, (m2, m1, m0, m9, m8, m7, m6, m5, m4, m3))
        w3 = _ten(q, (m3, m2, m1, m0, m9, m8, m7, m6, m5, m4))
        w4 = _ten(q, (m4, m3, m2, m1, m0, m9, m8, m7, m6, m5))
        w5 = _ten(q, (m5, m4, m3, m2, m1, m0, m9, m8, m7, m6))
        w6 = _ten(q, (m6, m5, m4, m3, m2, m1, m0, m9, m8, m7))
        w7 = _ten(q, (m7, m6, m5, m4, m3, m2, m1, m0, m9, m8))
        w8 = _ten(q, (m8, m7, m6, m5, m4, m3, m2, m1, m0, m9))
        w9 = _ten(q, (m9, m8, m7, m6, m5, m4, m3, m2, m1, m0))
        # A card is not paired with itself.
        ways[lane] = w0 - q[0] - q[5]
        ways[lane + R1] = w1
        ways[lane + R2] = w2 - q[1] - q[6]
        ways[lane + R3] = w3
        ways[lane + R4] = w4 - q[2] - q[7]
        ways[lane + R5] = w5
        ways[lane + R6] = w6 - q[3] - q[8]
        ways[lane + R7] = w7
        ways[lane + R8] = w8 - q[4] - q[9]
        ways[lane + R9] = w9


@inlined
def _three_cards(room: LaneWorkspace, draws: Integers) -> None:
    d0, d1, d2, d3 = 2.0 * draws[0], 2.0 * draws[1], 2.0 * draws[2], 2.0 * draws[3]
    d4, d5, d6, d7 = 2.0 * draws[4], 2.0 * draws[5], 2.0 * draws[6], 2.0 * draws[7]
    for value in range(10):
        # A card of this value is one of the first two, and the other comes from ``less``.
        value_row, complement_row = _row(value), _row(10 - value)
        _take(room, value, 1.0)
        for lane in range(Place(room.lanes)):
            b0, b1, b2, b3, b4, b5, b6, b7, _, _ = _rows(room.less, complement_row + lane)
            m0, m1, m2, m3, m4, m5, m6, m7, m8, m9 = _rows(room.left, lane)
            card = room.left[value_row + lane]
            b0, b1, b2, b3 = b0 * d0 * card, b1 * d1 * card, b2 * d2 * card, b3 * d3 * card
            b4, b5, b6, b7 = b4 * d4 * card, b5 * d5 * card, b6 * d6 * card, b7 * d7 * card
            q = (b0, b1, b2, b3, b4, b5, b6, b7)
            at = value_row + lane
            room.holds[at] = _eight(q, (m0, m9, m8, m7, m6, m5, m4, m3))
            room.holds[at + T1] = _eight(q, (m1, m0, m9, m8, m7, m6, m5, m4))
            room.holds[at + T2] = _eight(q, (m2, m1, m0, m9, m8, m7, m6, m5))
            room.holds[at + T3] = _eight(q, (m3, m2, m1, m0, m9, m8, m7, m6))
            room.holds[at + T4] = _eight(q, (m4, m3, m2, m1, m0, m9, m8, m7))
            room.holds[at + T5] = _eight(q, (m5, m4, m3, m2, m1, m0, m9, m8))
            room.holds[at + T6] = _eight(q, (m6, m5, m4, m3, m2, m1, m0, m9))
            room.holds[at + T7] = _eight(q, (m7, m6, m5, m4, m3, m2, m1, m0))
            room.holds[at + T8] = _eight(q, (m8, m7, m6, m5, m4, m3, m2, m1))
            room.holds[at + T9] = _eight(q, (m9, m8, m7, m6, m5, m4, m3, m2))
        for count in range(8):
            if draws[count]:
                _correct(room, count, value)
        _take(room, value, -1.0)


@inlined
def _take(room: LaneWorkspace, value: int, cards: float) -> None:
    low_row, high_row = _row(value), _row(value + 10)
    for lane in range(Place(room.lanes)):
        room.less[low_row + lane] -= cards
        room.less[high_row + lane] -= cards


@inlined
def _correct(room: LaneWorkspace, count: int, value: int) -> None:
    """Exclude third cards that equal one of the first two, and add those of the value."""
    complement = count - value
    if complement < 0:
        complement += 10
    total = count + value
    if total > 9:
        total -= 10
    pair_value = count + complement
    if pair_value > 9:
        pair_value -= 10
    own, beside, pairs = _row(value), _row(complement), _row(count)
    with_value, with_other = _row(10 * total + value), _row(10 * pair_value + value)
    for lane in range(Place(room.lanes)):
        pairs_left = room.pairs[pairs + lane] - 4.0 * room.less[beside + lane]
        room.holds[with_value + lane] += room.left[own + lane] * pairs_left
    for lane in range(Place(room.lanes)):
        room.holds[with_other + lane] -= 2.0 * room.left[own + lane] * room.less[beside + lane]


@inlined
def _two_cards(room: LaneWorkspace, count: int) -> None:
    for value in range(10):
        complement = count - value
        if complement < 0:
            complement += 10
        itself = 1.0 if complement == value else 0.0
        value_row, complement_row = _row(value), _row(complement)
        for lane in range(Place(room.lanes)):
            cards = room.left[complement_row + lane] - itself
            room.two_hold[value_row + lane] = 2.0 * room.left[value_row + lane] * cards


@inlined
def _add_three(room: LaneWorkspace, total: int, third: int, takes: Integers) -> None:
    none = third == NO_THIRD
    row_held = _row(10 * total)
    for lane in range(Place(room.lanes)):
        # Each hand has three cards, so it is counted three times.
        q = _rows(room.holds, row_held + lane)
        room.hands[lane] = (
            (q[0] + q[1] + q[2] + q[3] + q[4]) + (q[5] + q[6] + q[7] + q[8] + q[9])
        ) / 3.0
    for count in range(8):
        if (takes[count] != 0) == none:
            continue
        cell = 100 + count * 10 if none else 300 + (count + third) % 10 * 10
        complement = total - count
        if complement < 0:
            complement += 10
        at, own, pair = _row(cell + total), _row(count), _row(10 * total + complement)
        for lane in range(Place(room.lanes)):
            ways = room.pairs[own + lane] * room.hands[lane] - 2.0 * room.using[own + lane]
            ways += 2.0 * room.holds[pair + lane]
            room.every[at + lane] += room.three[lane] * np.int64(ways)


@inlined
def _add_two(room: LaneWorkspace, other: int, third: int, takes: Integers, draws: Integers) -> None:
    none = third == NO_THIRD
    for count in range(10):
        natural = count > 7 or other > 7
        player_draws = (not natural) and takes[count] != 0
        if none and not natural and (player_draws or draws[other]):
            continue
        if not none and not player_draws:
            continue
        cell = count * 10 if none else 200 + (count + third) % 10 * 10
        at, own, two = _row(cell + other), _row(count), _row(other)
        pair_weight = 2.0 if count == other else 0.0
        for lane in range(Place(room.lanes)):
            ways = room.pairs[own + lane] * room.pairs[two + lane] - 2.0 * room.using[own + lane]
            ways += pair_weight * room.pairs[own + lane]
            room.every[at + lane] += room.two[lane] * np.int64(ways)
