"""Named indices into the arrays of a session."""

from __future__ import annotations

from typing import Final

# Results of a round.
PLAYER, BANKER, TIE = 0, 1, 2

# Indices of the session state: marks, the bettor's start, and the bettor's position.
MARKS: Final = (
    "bankroll", "peak", "lowest", "drawdown", "rounds", "bets", "won", "lost", "staked", "greatest",
    "losing_run", "longest_losing_run", "fitted", "ending",
)  # fmt: skip
"""The marks of a session, the first entries of ``Bettor.marks``. Amounts are in cents."""
(
    BANKROLL, PEAK, LOWEST, DRAWDOWN, ROUNDS, BETS, WON, LOST, STAKED, GREATEST,
    LOSING, LONGEST_LOSING, FITTED, ENDING,
    START, UNIT, FLOOR, GOAL_AT, MOST_ROUNDS, CARDS, SINGLE,
    ROAD_LENGTH, SHOE, ROUND, UNSEEN,
) = range(25)  # fmt: skip
PLACES: Final = 25

ENDINGS: Final = ("", "dealt out", "ruined", "goal")
"""Endings of a session by the ``ending`` mark; empty until it ends."""
DEALT_OUT, RUINED, GOAL = 1, 2, 3

# Rows of a layout's terms.
PERIOD, STEP, LEAST, MOST, BASE, NEEDS_BASE = range(6)

# Rows of the previous round's data.
STAKED_BEFORE, OUTCOME, NET = range(3)
