"""Rulings: unanswered offers, and decisions that a regulation leaves to a supervisor."""

from __future__ import annotations

from typing import Final

from croupier.acts.command import SUPERVISORS, Command, Event, command, event
from croupier.acts.fields import NamedHand, PatronCents, Reason, Seat, StaffName, Supervisor, Word
from croupier.acts.roles import Role
from croupier.law.cite import Clauses
from croupier.law.usage import named


def _ruled(event: RulingGiven) -> str:
    seat = "" if event.seat is None else f", seat {event.seat}"
    matter = _MATTERS.get(event.matter, event.matter)
    entry = f" [{event.entry}]" if event.entry else ""
    supervisor = named(event.supervisor, (event.supervisor,))
    return f"Ruling of {supervisor}{seat}: {named(matter)} ({event.reason}){entry}"


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
