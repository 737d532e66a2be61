"""Equipment: the lock of the card reader, and sets of decks that left the table for good."""

from __future__ import annotations

from typing import Annotated

from croupier.acts.command import SUPERVISORS, Command, Event, event, house_act
from croupier.acts.fields import Count, DealtCard, Flag, Label, Reason, Word
from croupier.acts.roles import Role
from croupier.law.cite import Clauses
from croupier.law.sight import Key, Sight


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


SetNumber = Annotated[int, Sight.OPEN, Key("set"), Label("Removed set")]
Envelope = Annotated[str, Sight.TEXT, Label("Envelope")]
Canceled = Annotated[Flag, Label("Canceled by a mark on every card")]


@house_act("Seal a removed set of decks", by=Role.FLOORPERSON, together=Role.DEALER, group="cards")
class SealDecks(Command, frozen=True):
    """Count the cards of a set that left the table, and seal them in a numbered envelope."""

    removed: SetNumber
    cards: Count
    envelope: Envelope


@house_act("Examine a sealed set of decks", by=Role.SURVEILLANCE, group="cards")
class ExamineDecks(Command, frozen=True):
    """Surveillance examines a sealed set; ``keep`` it for the regulator, or release it."""

    removed: SetNumber
    finding: Reason
    intact: Annotated[Flag, Label("The seal was intact")]
    keep: Annotated[Flag, Label("Keep it for the regulator")]


@house_act(
    "Destroy a sealed set of decks", by=SUPERVISORS, together=Role.SURVEILLANCE, group="cards"
)
class DestroyDecks(Command, frozen=True):
    """Destroy or cancel the cards of a sealed set before surveillance."""

    removed: SetNumber
    envelope: Envelope
    canceled: Canceled = False


@event("Set {removed}, {cards} cards, dealt in {shoes} shoes, is sealed in envelope {envelope}")
class DecksSealed(Event, frozen=True):
    """A removed set was counted and sealed; ``missing`` is negative if there are too many cards."""

    removed: SetNumber
    name: Word
    envelope: Envelope
    cards: Count
    missing: Count
    shoes: Count
    reason: Reason
    clauses: Clauses


@event(lambda x: f"Set {x.removed} is examined and {'kept' if x.keep else 'released'}: {x.finding}")
class DecksExamined(Event, frozen=True):
    """Surveillance examined a sealed set."""

    removed: SetNumber
    finding: Reason
    intact: Flag
    keep: Flag
    clauses: Clauses


@event(lambda x: f"Set {x.removed} is {'canceled' if x.canceled else 'destroyed'}")
class DecksDestroyed(Event, frozen=True):
    """The cards of a sealed set were destroyed or canceled."""

    removed: SetNumber
    name: Word
    envelope: Envelope
    canceled: Canceled
    clauses: Clauses
