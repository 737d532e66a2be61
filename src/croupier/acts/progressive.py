"""The Royal 9 progressive, and the must-hit award."""

from __future__ import annotations

from croupier.acts.command import Command, Event, command, event
from croupier.acts.fields import (
    HouseCents,
    MeterCents,
    MeterReadings,
    Reason,
    Seat,
    Secret,
    Spoken,
    Word,
)
from croupier.acts.roles import Role
from croupier.law.cite import Clauses


@command(
    "Commit to the next mystery value", by=(Role.MACHINE, Role.LICENSEE), rule="wagers.royal_9.stax"
)
class CommitMystery(Command, frozen=True):
    """Commit to the next Stax's mystery value: the SHA-256 of its secret, in hexadecimal."""

    commitment: Word


@command("End the round for the progressive wager", by=Role.DEALER, rule="wagers.royal_9.stax")
class EndProgressiveRound(Command, frozen=True):
    """End the round for the progressive wager; reveal ``secret`` if the mystery value is hit."""

    secret: Secret | None = None


@command(
    "Give up a mystery value whose secret is lost",
    by=Role.LICENSEE,
    together=(Role.FLOORPERSON, Role.SURVEILLANCE),
)
class ReplaceMystery(Command, frozen=True):
    """Abandon, without a draw, a mystery value whose secret is lost or withheld."""

    reason: Reason
    secret: Secret | None = None


@event("The meters show {meters:meters}", kind="money")
class MetersAdvanced(Event, frozen=True):
    """The progressive meters after the contributions of a round, in cents.

    ``reserved_cents`` is the excess over the must-hit limit, reserved for the next cycle.
    """

    VERSION = 2

    meters: MeterReadings
    seats: tuple[Seat, ...]
    reserved_cents: HouseCents
    clauses: Clauses


@event("The {meter} meter shows {cents:short} again", kind="money")
class MeterReset(Event, frozen=True):
    """A paid-out meter shows its seed again, plus its reserve."""

    VERSION = 2

    meter: Word
    cents: MeterCents
    from_reserve_cents: HouseCents
    clauses: Clauses


@event("A mystery value is set, with commitment {commitment:.16}…")
class MysteryCommitted(Event, frozen=True):
    """The house committed to a secret that fixes the mystery value with the next cards.

    The value exceeds ``above_cents``.
    """

    VERSION = 2

    commitment: Word
    above_cents: MeterCents
    clauses: Clauses


@event("The mystery value under the seal {commitment:.16}… is given up: {reason}")
class MysteryReplaced(Event, frozen=True):
    """A mystery value was abandoned without a draw; ``secret`` is empty if it is lost."""

    commitment: Word
    secret: Word
    reason: Reason
    seats: tuple[Seat, ...]
    clauses: Clauses


@event("The round is ended for the progressive wager: no draw")
class ProgressiveRoundEnded(Event, frozen=True):
    """The round ended for the progressive wager without a draw."""

    seats: tuple[Seat, ...]
    clauses: Clauses


@event("The mystery value {mystery_cents:short} is hit; drawn among seats {seats:list}: {words}")
class StaxWon(Event, frozen=True):
    """The mystery value was hit, and a participating seat was drawn.

    ``secret`` gives ``mystery_cents`` with the cards of ``opening``, and the draw with ``cards``.
    """

    VERSION = 2

    seat: Seat
    cents: MeterCents
    mystery_cents: MeterCents
    secret: Word
    seats: tuple[Seat, ...]
    opening: Word
    cards: Word
    words: Spoken
    clauses: Clauses


@event("The bet sensor's light, the dealer's screen, and the display show seat {seat}")
class StaxWinnerShown(Event, frozen=True):
    """The seat that was drawn was shown at its bet sensor, to the dealer, and on the display."""

    seat: Seat
    clauses: Clauses
