"""Compiled verification of shoes: order, cards, and cutting card."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from croupier.baccarat.cards import DECK_SIZE
from croupier.odds.arrays import Integers
from croupier.odds.compiled import lean
from croupier.verify.rounds.row_kernel import NO_CARD, Bytes, Found, Places

_MOST_SHOES: Final = 64
_LONG_NAME: Final = 32
"""Shoes with names of this length, or with non-ASCII names, go to the verifier first."""

_LAST, _DRAWN, _OVER = range(3)
"""Positions in a shoe's state of the last round, the cards drawn, and the rounds past the cutting
card.
"""


class Shoes(NamedTuple):
    ends: Integers
    states: Integers
    counts: Integers
    seen: Bytes


def shoes_in() -> Shoes:
    return Shoes(
        np.zeros(_MOST_SHOES, np.int64),
        np.zeros((_MOST_SHOES, 3), np.int64),
        np.zeros((_MOST_SHOES, DECK_SIZE), np.int64),
        np.zeros(NO_CARD + 1, np.uint8),
    )


@lean
def _is_named(data: Bytes, at: int, end: int, name: Bytes) -> bool:
    is_same = end - at == len(name)
    for place in range(min(end - at, len(name))):
        is_same = is_same and data[at + place] == name[place]
    return is_same


@lean
def are_alike(data: Bytes, names: Places, row: int, other_row: int) -> bool:
    length = names[2 * row + 1] - names[2 * row]
    is_same: bool = length == names[2 * other_row + 1] - names[2 * other_row]
    for place in range(length if is_same else 0):
        is_same = is_same and data[names[2 * row] + place] == data[names[2 * other_row] + place]
    return is_same


@lean
def _begins(data: Bytes, arrays: Found, row: int) -> bool:
    at, end = arrays.names[2 * row], arrays.names[2 * row + 1]
    if not 0 <= arrays.numbers[row] <= 1 or not 0 < end - at < _LONG_NAME:
        return False
    for place in range(at, end):
        letter = data[place]
        if not (48 <= letter <= 57 or 65 <= letter <= 90 or 97 <= letter <= 122):
            return False
    return True


@lean
def _fits(arrays: Found, row: int, terms: Integers, shoes: Shoes, shoe: int) -> bool:
    states, counts = shoes.states, shoes.counts
    count, fits = states[shoe, _DRAWN], True
    for card in range(6 * row, 6 * row + 6):
        code = arrays.cards[card]
        if code != NO_CARD:
            counts[shoe, code] += 1
            count += 1
            fits = fits and counts[shoe, code] <= terms[2]
    excess = states[shoe, _OVER] + (count > terms[3])
    if fits and count <= terms[1] and excess <= terms[4]:
        states[shoe, _DRAWN], states[shoe, _OVER] = count, excess
        return True
    for card in range(6 * row, 6 * row + 6):
        if arrays.cards[card] != NO_CARD:
            counts[shoe, arrays.cards[card]] -= 1
    return False


@lean
def follow(  # noqa: PLR0913, PLR0917  (the shoe and its terms, as numbers)
    data: Bytes, arrays: Found, row: int, rows: int, name: Bytes, columns: int, terms: Integers,
    shoes: Shoes,
) -> tuple[int, int]:  # fmt: skip
    """Process correct rows; return the first that does not continue, and the shoe.

    ``columns`` has bit 0 if shoes are named, bit 1 if rounds are numbered. ``terms`` are whether
    shoes are bounded, their cards and decks, the edge of the open one, the rounds that may end past
    it, the minimum burn, whether a next shoe may follow, and its edge.
    """
    shoe, row_before = 0, -1
    while row < rows and arrays.right[row]:
        is_same = not columns & 1
        if not is_same and row_before < 0:
            is_same = _is_named(data, arrays.names[2 * row], arrays.names[2 * row + 1], name)
        elif not is_same:
            is_same = are_alike(data, arrays.names, row, row_before)
        if not is_same:
            if not terms[6] or shoe + 1 == len(shoes.ends) or not _begins(data, arrays, row):
                break
            shoes.ends[shoe] = row
            shoe += 1
            shoes.states[shoe, _LAST] = arrays.numbers[row] - 1
            shoes.states[shoe, _DRAWN], shoes.states[shoe, _OVER] = terms[5], 0
            for code in range(DECK_SIZE):
                shoes.counts[shoe, code] = 0
            terms[3] = terms[7]
        if columns & 2 and arrays.numbers[row] != shoes.states[shoe, _LAST] + 1:
            break
        if terms[0] and not _fits(arrays, row, terms, shoes, shoe):
            break
        for card in range(6 * row, 6 * row + 6):
            shoes.seen[arrays.cards[card]] = 1
        shoes.states[shoe, _LAST] += 1
        row_before, row = row, row + 1
    shoes.ends[shoe] = row
    return row, shoe
