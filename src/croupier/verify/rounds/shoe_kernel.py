"""The rows of a piece taken together: shoe after shoe, their order, cards, and the cutting card.

What goes on a shoe as it should is taken in; where anything else comes, the loops stop there.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from croupier.cards import DECK_SIZE
from croupier.odds.arrays import Integers
from croupier.odds.compiled import lean
from croupier.verify.rounds.row_kernel import NO_CARD, Bytes, Found, Places

_MOST_SHOES: Final = 64
_LONG_NAME: Final = 32
"""Shoes with names as long, and with other letters than those of ASCII, begin before the judge."""

_LAST, _DRAWN, _OVER = range(3)
"""Where the state of a shoe has its last round, the cards drawn, and the rounds past the card."""


class Shoes(NamedTuple):
    """Room for what ``follow`` knows of shoes: the rows where they end, their state, their cards.

    The first is the shoe that was open; what is last known is that of the shoe that is open now.
    """

    ends: Integers
    states: Integers
    counts: Integers
    seen: Bytes
    """Which cards there were in any."""


def shoes_in() -> Shoes:
    """Return room for as many shoes as a call of ``follow`` takes."""
    return Shoes(
        np.zeros(_MOST_SHOES, np.int64),
        np.zeros((_MOST_SHOES, 3), np.int64),
        np.zeros((_MOST_SHOES, DECK_SIZE), np.int64),
        np.zeros(NO_CARD + 1, np.uint8),
    )


@lean
def _is_named(data: Bytes, at: int, end: int, name: Bytes) -> bool:
    """Return whether a name stands in some place."""
    same = end - at == len(name)
    for place in range(min(end - at, len(name))):
        same = same and data[at + place] == name[place]
    return same


@lean
def are_alike(data: Bytes, names: Places, row: int, other: int) -> bool:
    """Return whether two rows are of one shoe."""
    length = names[2 * row + 1] - names[2 * row]
    same: bool = length == names[2 * other + 1] - names[2 * other]
    for place in range(length if same else 0):
        same = same and data[names[2 * row] + place] == data[names[2 * other] + place]
    return same


@lean
def _begins(data: Bytes, found: Found, row: int) -> bool:
    """Return whether a row begins a shoe in the usual way."""
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
    """Take the cards of a row out of a shoe; return whether it may have dealt them."""
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
    """Take in the right rows that follow each other; return the first that does not, and the shoe.

    ``name`` is that of the shoe that is open. ``columns`` has bit 0 where shoes are named, bit 1
    where rounds are numbered. ``terms`` are whether shoes are bounded, their cards and decks, the
    edge of the one that is open, the rounds that may end past it, what is burned at least, whether
    a shoe may be followed by the next here, and the edge of that.
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
