"""The drawing table for third cards, as loaded from a law file."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from croupier.baccarat.hand import NATURALS

NO_THIRD_CARD = 10
"""The column of Banker's table for no third card of Player's Hand."""


class Tableau(Struct, frozen=True):
    """The third-card rules.

    ``player_draws[count]`` and ``banker_draws[count][third]`` are indexed by two-card Point Count
    (0 to 9) and, for Banker, by the *value* of Player's third card (0 to 9, or ``NO_THIRD_CARD``).
    """

    player_draws: tuple[bool, ...]
    banker_draws: tuple[tuple[bool, ...], ...]

    @classmethod
    def of(cls, player: Collection[int], banker: Mapping[int, str | Sequence[str]]) -> Tableau:
        """Build a tableau from Player's drawing counts and Banker's rows of ``D`` and ``S``.

        ``banker[count]`` has eleven letters: for no third card of Player's, then for values 0 to 9,
        as in the printed tables. Raises ``ValueError`` for a missing or invalid row.
        """
        rows = []
        for count in range(10):
            letters = banker.get(count, "")
            if len(letters) != 11 or not set(letters) <= {"D", "S"}:
                raise ValueError(
                    f"Banker's row {count} must have eleven letters D or S, not {letters!r}"
                )
            drawn = tuple(letter == "D" for letter in letters)
            rows.append(drawn[1:] + drawn[:1])
        return cls(tuple(count in player for count in range(10)), tuple(rows))

    def player_draws_third(self, player: int, banker: int) -> bool:
        """Return whether Player's Hand draws, from the two-card Point Counts."""
        return player not in NATURALS and banker not in NATURALS and self.player_draws[player]

    def banker_draws_third(self, player: int, banker: int, third: int) -> bool:
        """Return whether Banker's Hand draws, from both two-card counts and Player's third card.

        ``third`` is the value of Player's third card, or ``NO_THIRD_CARD``. A natural in either
        hand takes precedence over Banker's table.
        """
        if player in NATURALS or banker in NATURALS:
            return False
        return self.banker_draws[banker][third]
