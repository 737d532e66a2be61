"""The cells of a tally: an array index for every class of facts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from croupier.baccarat.coup import Facts
from croupier.odds.census import ROYAL_HANDS

COUNT_CELLS: Final = 10 * 10 * 2 * 2
PAIR_CELLS: Final = COUNT_CELLS * 4
HANDS: Final = ("", *ROYAL_HANDS)
"""The first two cards of a hand for Royal 9, if any."""
ROYAL_CELLS: Final = len(HANDS) ** 2

_LEVELS: Final = ("counts", "pairs", "royals")


@cache
def facts_of(cells: int) -> tuple[Facts, ...]:
    """Facts of each cell.

    >>> facts_of(COUNT_CELLS)[((3 * 10 + 6) * 2 + 1) * 2 + 0][:4]
    (3, 6, 3, 2)
    """
    pairs = (False, True) if cells == PAIR_CELLS else (False,)
    return tuple(
        Facts(player, banker, player_cards, banker_cards, own, other)
        for player in range(10)
        for banker in range(10)
        for player_cards in (2, 3)
        for banker_cards in (2, 3)
        for own in pairs
        for other in pairs
    )


@cache
def royals_of() -> tuple[Facts, ...]:
    return tuple(
        Facts(0, 0, 2, 2, player_royal=own, banker_royal=other) for own in HANDS for other in HANDS
    )


def level_of(asks: Iterable[Sequence[str]]) -> str:
    """Level of detail some wagers need.

    >>> level_of([("counts",), ("pairs",)])
    'pairs'
    """
    asked = {one for each in asks for one in each}
    return max(asked, key=_LEVELS.index, default="counts")
