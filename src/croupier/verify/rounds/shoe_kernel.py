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
    same = end - at == len(name)
    for place in range(min(end - at, len(name))):
        same = same and data[at + place] == name[place]
    return same


@lean
def are_alike(data: Bytes, names: Places, row: int, other: int) -> bool:
    length = names[2 * row + 1] - names[2 * row]
    same: bool = length == names[2 * other + 1] - names[2 * other]
    for place in range(length if same else 0):
        same = same and data[names[2 * row] + place] == data[names[2 * other] + place]
    return same


@lean
def _begins(data: Bytes, found: Found, row: int) -> bool:
    at, end = found.names[2 * row], found.names[2 * row + 1]
    if not 0 <= found.numbers[row] <= 1 or not 0 < end - at < _LONG_NAME:
        return False
    for place in range(at, end):
        letter = data[place]
        if not (48 <= letter <= 57 or 65 <= letter <= 90 or 97 <= letter <= 122):
            return False
    return True


@lean
def _fits(found: Found, row: int, terms: Integers, shoes: Shoes, shoe: int) -> bool:
    states, counts = shoes.states, shoes.counts
    drawn, fits = states[shoe, _DRAWN], True
    for card in range(6 * row, 6 * row + 6):
        code = found.cards[card]
        if code != NO_CARD:
            counts[shoe, code] += 1
            drawn += 1
            fits = fits and counts[shoe, code] <= terms[2]
    over = states[shoe, _OVER] + (drawn > terms[3])
    if fits and drawn <= terms[1] and over <= terms[4]:
        states[shoe, _DRAWN], states[shoe, _OVER] = drawn, over
        return True
    for card in range(6 * row, 6 * row + 6):
        if found.cards[card] != NO_CARD:
            counts[shoe, found.cards[card]] -= 1
    return False


@lean
def follow(  # noqa: PLR0913, PLR0917  (the shoe and its terms, as numbers)
    data: Bytes, found: Found, row: int, rows: int, name: Bytes, columns: int, terms: Integers,
    shoes: Shoes,
) -> tuple[int, int]:  # fmt: skip
    """Process correct rows; return the first that does not continue, and the shoe.

    ``columns`` has bit 0 if shoes are named, bit 1 if rounds are numbered. ``terms`` are whether
    shoes are bounded, their cards and decks, the edge of the open one, the rounds that may end past
    it, the minimum burn, whether a next shoe may follow, and its edge.
    """
    shoe, before = 0, -1
    while row < rows and found.right[row]:
        same = not columns & 1
        if not same and before < 0:
            same = _is_named(data, found.names[2 * row], found.names[2 * row + 1], name)
        elif not same:
            same = are_alike(data, found.names, row, before)
        if not same:
            if not terms[6] or shoe + 1 == len(shoes.ends) or not _begins(data, found, row):
                break
            shoes.ends[shoe] = row
            shoe += 1
            shoes.states[shoe, _LAST] = found.numbers[row] - 1
            shoes.states[shoe, _DRAWN], shoes.states[shoe, _OVER] = terms[5], 0
            for code in range(DECK_SIZE):
                shoes.counts[shoe, code] = 0
            terms[3] = terms[7]
        if columns & 2 and found.numbers[row] != shoes.states[shoe, _LAST] + 1:
            break
        if terms[0] and not _fits(found, row, terms, shoes, shoe):
            break
        for card in range(6 * row, 6 * row + 6):
            shoes.seen[found.cards[card]] = 1
        shoes.states[shoe, _LAST] += 1
        before, row = row, row + 1
    shoes.ends[shoe] = row
    return row, shoe
