"""Sets of decks that left a table for good: sealed, examined, and destroyed."""

from __future__ import annotations

from typing import Annotated, Final

from croupier.acts.command import SUPERVISORS, Command, command
from croupier.acts.event import Event, event
from croupier.acts.fields import (
    Count,
    Flag,
    Label,
    Reason,
    StaffText,
    Word,
)
from croupier.acts.roles import Role
from croupier.law.cited import Clauses
from croupier.law.sight import Key, Sight

SetNumber = Annotated[int, Sight.OPEN, Key("set"), Label("Removed set")]
Envelope = Annotated[str, Sight.TEXT, Label("Envelope")]

ENDS: Final = {"destroyed": "destroyed", "cancelled": "cancelled by a mark on every card"}


def _sealed(event: DecksSealed) -> str:
    differs = ""
    if event.missing:
        differs = f", {abs(event.missing)} {'fewer' if event.missing > 0 else 'more'} than received"
    what = f"set {event.removed}{event.name and f' ({event.name})'}, {event.cards} cards{differs}"
    return f"The removed {what}, dealt in {event.shoes} shoes, is sealed in {event.envelope}"


def _destroyed(event: DecksDestroyed) -> str:
    return f"The cards of removed set {event.removed}, in {event.envelope}, are {ENDS[event.how]}"


@command(
    "Seal a removed set of decks",
    by=Role.FLOORPERSON,
    together=Role.DEALER,
    house=True,
    while_paused=True,
    group="cards",
)
class SealDecks(Command, frozen=True):
    """Count the cards of a set that left the table, and seal them in a numbered envelope."""

    removed: SetNumber
    cards: Count
    envelope: Envelope


@command(
    "Examine a sealed set of decks",
    by=Role.SURVEILLANCE,
    house=True,
    while_paused=True,
    group="cards",
)
class ExamineDecks(Command, frozen=True):
    """Surveillance examines a sealed set; ``keep`` it for the regulator, or release it."""

    removed: SetNumber
    finding: Reason
    intact: Annotated[Flag, Label("The seal was intact")]
    keep: Annotated[Flag, Label("Keep it for the regulator")]


@command(
    "Destroy a sealed set of decks",
    by=SUPERVISORS,
    together=Role.SURVEILLANCE,
    house=True,
    while_paused=True,
    group="cards",
)
class DestroyDecks(Command, frozen=True):
    """Destroy or cancel the cards of a sealed set before surveillance."""

    removed: SetNumber
    envelope: Envelope
    how: Word = "destroyed"


@event(_sealed)
class DecksSealed(Event, frozen=True):
    """A removed set was counted and sealed; ``missing`` is negative if there are too many cards."""

    removed: SetNumber
    name: Word
    envelope: StaffText
    cards: Count
    missing: Count
    shoes: Count
    reason: Reason
    clauses: Clauses


@event(
    lambda x: (
        f"Surveillance finds of removed set {x.removed}: {x.finding};"
        f" {'it is kept for the regulator' if x.keep else 'it is released'}"
        f"{'' if x.intact else '; the seal was broken'}"
    )
)
class DecksExamined(Event, frozen=True):
    """Surveillance examined a sealed set."""

    removed: SetNumber
    finding: Reason
    intact: Flag
    keep: Flag
    clauses: Clauses


@event(_destroyed)
class DecksDestroyed(Event, frozen=True):
    """The cards of a sealed set were destroyed or cancelled."""

    removed: SetNumber
    name: Word
    envelope: StaffText
    how: Word
    clauses: Clauses
