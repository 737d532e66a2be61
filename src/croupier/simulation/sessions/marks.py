"""Where the kernels keep what they know of a session: places in its arrays, by name.

The compiler takes them for constants.
"""

from __future__ import annotations

from typing import Final

# Results of a round.
PLAYER, BANKER, TIE = 0, 1, 2

# What is kept of a session, by index: its marks, the bettor's start, and the bettor's position.
MARKS: Final = (
    "bankroll", "peak", "lowest", "drawdown", "rounds", "bets", "won", "lost", "staked", "greatest",
    "losing_run", "longest_losing_run", "fitted", "ending",
)  # fmt: skip
"""The marks of a session, first in the order of ``Bettor.marks``. Amounts are in cents."""
(
    BANKROLL, PEAK, LOWEST, DRAWDOWN, ROUNDS, BETS, WON, LOST, STAKED, GREATEST,
    LOSING, LONGEST_LOSING, FITTED, ENDING,
    START, UNIT, FLOOR, GOAL_AT, MOST_ROUNDS, CARDS, SINGLE,
    ROAD_LENGTH, SHOE, ROUND, UNSEEN,
) = range(25)  # fmt: skip
PLACES: Final = 25

ENDINGS: Final = ("", "dealt out", "ruined", "goal")
"""How a session ended, by the mark of that name; nothing while it goes on."""
DEALT_OUT, RUINED, GOAL = 1, 2, 3

# The rows of a layout's terms.
PERIOD, STEP, LEAST, MOST, BASE, NEEDS_BASE = range(6)

# The rows of what is known of the round before.
STAKED_BEFORE, OUTCOME, NET = range(3)
