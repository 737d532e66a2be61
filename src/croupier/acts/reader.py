"""The card reader at the shoe, locked by a card that was not due."""

from __future__ import annotations

from croupier.acts.command import Command, house_act
from croupier.acts.event import Event, event
from croupier.acts.fields import DealtCard
from croupier.acts.roles import Role
from croupier.law.cite import Clauses


@house_act("Report a card that was read and not due", by=Role.MACHINE, group="cards")
class ReportOverdraw(Command, frozen=True):
    """Report a card that the reader saw leave the shoe when none was due."""

    card: DealtCard


@house_act("Unlock the card reader", by=(Role.DEALER, Role.FLOORPERSON), group="cards")
class UnlockReader(Command, frozen=True):
    """Unlock the reader after the disposition of the card is entered."""


@event(
    "The card reader is locked: {card:card} came when no card was due",
    irregular="card read out of turn",
)
class ReaderLocked(Event, frozen=True):
    """The reader takes no card until it is unlocked."""

    card: DealtCard
    clauses: Clauses


@event("The card reader is unlocked")
class ReaderUnlocked(Event, frozen=True):
    """The reader takes cards again."""

    clauses: Clauses
