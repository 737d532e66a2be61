"""A fixed basic strategy for the reference game; general knowledge, not part of a regulation."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final


class Move(Enum):
    """A patron's next move."""

    HIT = "H"
    STAND = "S"
    DOUBLE = "D"
    SPLIT = "P"

    __hash__ = object.__hash__


UP_CARDS: Final = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
"""Values of the dealer's card, an ace last: the columns of the tables below."""

# H hit, S stand, D double or else hit, d double or else stand, P split, . by the total.
_HARD: Final[Mapping[int, str]] = {
    8: "HHHHHHHHHH",
    9: "HDDDDHHHHH",
    10: "DDDDDDDDHH",
    11: "DDDDDDDDDH",
    12: "HHSSSHHHHH",
    13: "SSSSSHHHHH",
    14: "SSSSSHHHHH",
    15: "SSSSSHHHHH",
    16: "SSSSSHHHHH",
    17: "SSSSSSSSSS",
}
"""By hard total; less than eight as eight, more than 17 as 17."""

_SOFT: Final[Mapping[int, str]] = {
    12: "HHHHHHHHHH",
    13: "HHHDDHHHHH",
    14: "HHHDDHHHHH",
    15: "HHDDDHHHHH",
    16: "HHDDDHHHHH",
    17: "HDDDDHHHHH",
    18: "SddddSSHHH",
    19: "SSSSSSSSSS",
}
"""By soft total; more than nineteen as nineteen."""

PAIRS: Final[Mapping[int, str]] = {
    2: "PPPPPP....",
    3: "PPPPPP....",
    4: "...PP.....",
    5: "..........",
    6: "PPPPP.....",
    7: "PPPPPP....",
    8: "PPPPPPPPPP",
    9: "PPPPP.PP..",
    10: "..........",
    11: "PPPPPPPPPP",
}
"""By the value of the paired cards, an ace as eleven."""


def move(  # noqa: PLR0913  (each is a fact that the tables are read by)
    total: int, up_card: int, *, soft: bool, pair: int | None, may_split: bool, may_double: bool
) -> Move:
    """Return the strategy's move; ``pair`` is the value of two like cards.

    >>> move(16, 10, soft=False, pair=8, may_split=True, may_double=True)
    <Move.SPLIT: 'P'>
    >>> move(18, 4, soft=True, pair=None, may_split=False, may_double=False)
    <Move.STAND: 'S'>
    """
    column = UP_CARDS.index(up_card)
    if pair is not None and may_split and PAIRS[pair][column] == "P":
        return Move.SPLIT
    rows = _SOFT if soft else _HARD
    letter = rows[min(max(total, min(rows)), max(rows))][column]
    if letter in "Dd":
        if may_double:
            return Move.DOUBLE
        return Move.HIT if letter == "D" else Move.STAND
    return Move(letter)
