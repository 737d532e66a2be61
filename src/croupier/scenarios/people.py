"""The people of a scenario's table, and the time its day begins."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

DEALER: Final = "dealer"
FLOORPERSON: Final = "floorperson"
PIT_BOSS: Final = "pit boss"
PIT_CLERK: Final = "pit clerk"

SECRET: Final = "5e" * 32
"""A secret whose mystery value is not hit in the first round."""

NOON: Final = datetime(2000, 1, 1, 12, tzinfo=UTC)
"""Arrival of the decks at tables that change decks by the clock."""
