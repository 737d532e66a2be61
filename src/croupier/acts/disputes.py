"""A patron's dispute: the question, the hand laid out again from the discard rack, the ruling."""

from __future__ import annotations

from typing import Annotated

from croupier.acts.command import SUPERVISORS, Command, Event, event, house_act
from croupier.acts.fields import (
    DealtCard,
    EntryNumber,
    Flag,
    Label,
    PatronName,
    Reason,
    RoundNumber,
    Seat,
    StaffName,
    StaffText,
    Supervisor,
)
from croupier.law.cite import Clauses
from croupier.law.sight import Key, Sight

DisputeNumber = Annotated[int, Sight.OPEN, Key("dispute"), Label("Dispute")]


@house_act("Record a patron's dispute", by=SUPERVISORS, asks="Does a patron dispute a round?")
class OpenDispute(Command, frozen=True):
    """Record what the patron of a seat disputes about the round that entry ``settled`` settled."""

    seat: Seat
    settled: EntryNumber
    question: Reason


@house_act("Lay out the cards of a disputed round again", by=SUPERVISORS)
class ReconstructHand(Command, frozen=True):
    """Lay out the cards of a disputed round from the discard rack; ``looked`` names who looked."""

    dispute: DisputeNumber
    looked: StaffText


@house_act("Decide a dispute", by=SUPERVISORS)
class DecideDispute(Command, frozen=True):
    """Rule on a dispute once the patron is ``informed``; ``corrected`` put it right, if any."""

    dispute: DisputeNumber
    ruling: Reason
    supervisor: Supervisor
    informed: Annotated[Flag, Label("The patron was informed")]
    corrected: Annotated[EntryNumber, Label("Entry that put it right")] | None = None


@event(
    "{patron}, seat {seat}, disputes round {round}: {question}", kind="ruling", irregular="dispute"
)
class DisputeOpened(Event, frozen=True):
    """A patron disputes a settled round."""

    dispute: DisputeNumber
    seat: Seat
    patron: PatronName
    settled: EntryNumber
    round: RoundNumber
    question: Reason
    clauses: Clauses


@event(
    "The cards of round {round} are laid out again: Player {player:faces}, Banker {banker:faces}",
    kind="ruling",
    irregular="",
)
class HandReconstructed(Event, frozen=True):
    """The hands of a disputed round were rebuilt from the discard rack, as they are recorded."""

    dispute: DisputeNumber
    round: RoundNumber
    player: tuple[DealtCard, ...]
    banker: tuple[DealtCard, ...]
    looked: StaffText
    clauses: Clauses


@event(
    "Dispute {dispute} of {patron} is decided by {supervisor}: {ruling}",
    kind="ruling",
    irregular="",
)
class DisputeDecided(Event, frozen=True):
    """A supervisor ruled on a dispute, and the patron was informed."""

    dispute: DisputeNumber
    patron: PatronName
    ruling: Reason
    supervisor: StaffName
    corrected: EntryNumber | None
    clauses: Clauses
