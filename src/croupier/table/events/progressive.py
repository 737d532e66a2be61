"""Events of the Royal 9 progressive, and of the random award that must be hit."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.frozen import frozen
from croupier.table.events.event import Clauses, Event

__all__ = [
    "MeterReset",
    "MetersAdvanced",
    "MysteryCommitted",
    "ProgressiveRoundEnded",
    "StaxWon",
]


@frozen
class MetersAdvanced(Event):
    """The progressive meters after the wagers of a round have gone into them, in cents.

    ``seats`` are those who took part.
    """

    meters: Mapping[str, int]
    seats: tuple[int, ...]
    clauses: Clauses


@frozen
class MeterReset(Event):
    """A meter that was paid out shows its seed again."""

    meter: str
    cents: int
    clauses: Clauses


@frozen
class MysteryCommitted(Event):
    """The mystery value of the next Stax is fixed: anyone can check the secret against this."""

    commitment: str
    clauses: Clauses


@frozen
class ProgressiveRoundEnded(Event):
    """The dealer ended the round for the progressive: nobody was drawn, as the value is not hit."""

    seats: tuple[int, ...]
    clauses: Clauses


@frozen
class StaxWon(Event):
    """The mystery value was hit, and one of those who took part was drawn.

    ``secret`` is what was committed to: from it follow ``mystery_cents`` and the draw among
    ``seats``. ``late`` tells that the value was hit in an earlier round, and the secret kept back.
    ``words`` are what the display shows.
    """

    seat: int
    cents: int
    mystery_cents: int
    secret: str
    seats: tuple[int, ...]
    late: bool
    words: str
    clauses: Clauses
