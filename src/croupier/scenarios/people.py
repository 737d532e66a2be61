"""Who stands at the table of a scenario, and when the day there begins."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

DEALER: Final = "dealer"
FLOORPERSON: Final = "floorperson"
PIT_BOSS: Final = "pit boss"
PIT_CLERK: Final = "pit clerk"

SECRET: Final = "5e" * 32
"""The secret of a mystery value that is not hit in the first round."""

NOON: Final = datetime(2000, 1, 1, 12, tzinfo=UTC)
"""When the decks arrive at a table whose decks are changed by the clock."""
