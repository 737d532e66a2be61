"""Disputes of patrons, and rulings that a regulation leaves to a supervisor."""

from __future__ import annotations

from typing import Annotated, Final

from croupier.acts.command import SUPERVISORS, Command, Event, command, event, house_act
from croupier.acts.fields import (
    DealtCard,
    EntryNumber,
    Flag,
    Label,
    NamedHand,
    PatronCents,
    PatronName,
    Reason,
    RoundNumber,
    Seat,
    StaffName,
    StaffText,
    Supervisor,
    Word,
)
from croupier.acts.roles import Role
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
    corrected: EntryNumber | None = None


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


def _ruled(event: RulingGiven) -> str:
    seat = "" if event.seat is None else f", seat {event.seat}"
    matter = _MATTERS.get(event.matter, event.matter)
    rests = f" [{event.entry}]" if event.entry else ""
    return f"Ruling of {event.supervisor}{seat}: {matter} ({event.reason}){rests}"


_MATTERS: Final = {
    "curator-cannot-deal": "the dealer deals for the curator",
    "hand-not-returned": "the dealer turns the hand that is not returned",
    "patron-stays": "the patron has left",
    "vigorish-not-had": "the vigorish owed is written off",
    "wagers-not-played": "the wagers go back",
}


@command("Go on: seat {seat} does not answer", by=Role.DEALER, group="cards")
class PassOver(Command, frozen=True):
    """Treat silence as a refusal of the cut, the shoe, a hand, or a look at the cards."""

    seat: Seat


@command(
    "Rule that the dealer turns the {hand}",
    by=SUPERVISORS,
    asks="Did the patron who holds a hand walk away?",
)
class RecallHand(Command, frozen=True):
    """Rule that the dealer turns a hand that its holder does not return."""

    hand: NamedHand
    supervisor: Supervisor
    reason: Reason


@command("Rule that the vigorish of seat {seat} cannot be collected", by=SUPERVISORS, group="money")
class WriteOffVigorish(Command, frozen=True):
    """Rule that a patron's vigorish cannot be collected."""

    seat: Seat
    supervisor: Supervisor
    reason: Reason


@command("Rule that the wagers of seat {seat} go back", by=SUPERVISORS, group="money")
class ReturnWagers(Command, frozen=True):
    """Rule that unplayable wagers are returned to a patron before no more bets."""

    seat: Seat
    supervisor: Supervisor
    reason: Reason


@command("Rule that a patron has left", by=SUPERVISORS, group="patrons")
class DismissPatron(Command, frozen=True):
    """Rule that a patron who does not leave the seat has left, with the chips."""

    seat: Seat
    supervisor: Supervisor
    reason: Reason


@event("Seat {seat} does not answer: {offer:offer}")
class OfferUnanswered(Event, frozen=True):
    """A participant did not answer an ``offer``: ``cut``, ``shoe``, ``hand`` or ``look``."""

    seat: Seat
    offer: Word
    clauses: Clauses


@event(_ruled, kind="ruling")
class RulingGiven(Event, frozen=True):
    """A supervisor ruled on a matter that the regulation leaves open; the consequences follow.

    ``matter`` is the rule concerned, ``entry`` the entry in the register of interpretations.
    """

    matter: Word
    entry: Word
    supervisor: StaffName
    reason: Reason
    seat: Seat | None
    clauses: Clauses


@event("{cents:amount} of vigorish of seat {seat} is written off", kind="money")
class VigorishWrittenOff(Event, frozen=True):
    """Uncollectible vigorish was written off."""

    seat: Seat
    cents: PatronCents
    clauses: Clauses
