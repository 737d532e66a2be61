"""Events of the Royal 9 progressive, and of the random award that must be hit."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.table.events.event import Clauses, Event

__all__ = [
    "MeterReset",
    "MetersAdvanced",
    "MysteryCommitted",
    "MysteryReplaced",
    "ProgressiveRoundEnded",
    "StaxWon",
]


class MetersAdvanced(Event, frozen=True):
    """The progressive meters after the contributions of a round, in cents.

    ``seats`` are those who took part. ``reserved_cents`` is what would have carried the meter that
    must be hit past its limit, and is kept for the next one.
    """

    VERSION = 2

    meters: Mapping[str, int]
    seats: tuple[int, ...]
    reserved_cents: int
    clauses: Clauses


class MeterReset(Event, frozen=True):
    """A meter that was paid out shows its seed again, with what was kept in reserve for it."""

    VERSION = 2

    meter: str
    cents: int
    from_reserve_cents: int
    clauses: Clauses


class MysteryCommitted(Event, frozen=True):
    """The house is bound to a secret: with the next round's cards it fixes the mystery value.

    The value is more than ``above_cents``, which the meter showed.
    """

    VERSION = 2

    commitment: str
    above_cents: int
    clauses: Clauses


class MysteryReplaced(Event, frozen=True):
    """A mystery value was abandoned with no draw: its secret is lost or was withheld.

    ``secret`` is empty if it is lost. ``seats`` took part in the current round, if any.
    """

    commitment: str
    secret: str
    reason: str
    seats: tuple[int, ...]
    clauses: Clauses


class ProgressiveRoundEnded(Event, frozen=True):
    """The dealer ended the round for the progressive wager without a draw: the value is not hit."""

    seats: tuple[int, ...]
    clauses: Clauses


class StaxWon(Event, frozen=True):
    """The mystery value was hit, and one of those who took part was drawn.

    ``secret`` is what was committed to: with the cards of ``opening`` it gives ``mystery_cents``,
    with those of ``cards`` the draw among ``seats``. ``words`` are what the display shows.
    """

    VERSION = 2

    seat: int
    cents: int
    mystery_cents: int
    secret: str
    seats: tuple[int, ...]
    opening: str
    cards: str
    words: str
    clauses: Clauses
