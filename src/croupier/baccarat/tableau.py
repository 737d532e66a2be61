"""The drawing table for third cards."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from croupier.baccarat.hand import NATURALS

NO_THIRD_CARD = 10
"""The column of Banker's table if Player draws no third card."""


class Tableau(Struct, frozen=True):
    """The third-card rules.

    ``banker_draws`` is indexed by two-card Point Count, then the *value* of Player's third card.
    """

    player_draws: tuple[bool, ...]
    banker_draws: tuple[tuple[bool, ...], ...]

    @classmethod
    def of(cls, player: Collection[int], banker: Mapping[int, str | Sequence[str]]) -> Tableau:
        """Build from Player's drawing counts and Banker's rows of ``D`` and ``S``.

        A row is for no third card, then for values 0 to 9. Raises ``ValueError``.
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
        """Whether Player draws, from the two-card Point Counts."""
        return player not in NATURALS and banker not in NATURALS and self.player_draws[player]

    def banker_draws_third(self, player: int, banker: int, third: int) -> bool:
        """Whether Banker draws; ``third`` is the value of Player's third card."""
        if player in NATURALS or banker in NATURALS:
            return False
        return self.banker_draws[banker][third]
