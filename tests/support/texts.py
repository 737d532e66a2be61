"""The day of each law that the tests go by: a later text on the shelf changes none of them."""

from datetime import date
from typing import Final

NJ_MINI: Final = date(2011, 2, 22)
NJ_PUNTO: Final = date(2011, 2, 22)
NJ_BLACKJACK: Final = date(2001, 1, 16)
MA_MINI: Final = date(2026, 11, 20)
NY_MINI_MIDI: Final = date(2021, 6, 2)

DAYS: Final = {
    "us-ma/minibaccarat": MA_MINI,
    "us-nj/blackjack-wagers": NJ_BLACKJACK,
    "us-nj/minibaccarat": NJ_MINI,
    "us-nj/punto-banco": NJ_PUNTO,
    "us-ny/mini-midi-baccarat": NY_MINI_MIDI,
}


def dated(law_id: str) -> str:
    """A law of the day that the tests go by, as a command line names it."""
    return f"{law_id}@{DAYS[law_id]}"
