"""The curator of the shoe."""

from __future__ import annotations

from typing import Annotated

from croupier.acts.command import SUPERVISORS, Command, Event, command, event
from croupier.acts.fields import Flag, Label, Reason, Seat, Spoken, Supervisor, Word
from croupier.acts.roles import Role
from croupier.acts.words import seat_words
from croupier.law.cite import Clauses
from croupier.law.usage import named


def _curator(event: CuratorNamed) -> str:
    if event.seat is None:
        return named("The dealer is the curator")
    deals = ", and has the dealer deal" if event.dealer_deals else ""
    return named(f"Seat {event.seat} takes the shoe as curator{deals}")


def _passed(event: ShoePassed) -> str:
    reason = {"voluntary": "", "banker lost": ": Banker's Hand lost"}
    ground = reason.get(event.grounds, f": {event.grounds}")
    order = "" if event.by is None else f", ordered by the {event.by}"
    return f"{seat_words(event.seat).capitalize()} passes the shoe{ground}{order}"


@command("Seat {seat}: take the shoe", by=Role.PATRON, rule="curator.offer")
class AcceptShoe(Command, frozen=True):
    """The participant who is offered the shoe takes it, or designates the dealer to deal."""

    seat: Seat
    designate_dealer: Annotated[Flag, Label("Have the dealer deal")] = False


@command("Seat {seat}: reject the shoe", by=Role.PATRON, rule="curator.offer")
class DeclineShoe(Command, frozen=True):
    """The participant who is offered the shoe rejects it."""

    seat: Seat


@command("Pass the shoe", by=Role.CURATOR, rule="curator.pass", group="people")
class PassShoe(Command, frozen=True):
    """The curator passes the shoe after a round."""


@command(
    "Seat {seat}: have the dealer deal", by=Role.CURATOR, rule="curator.dealer", group="people"
)
class DesignateDealer(Command, frozen=True):
    """The curator designates the dealer to deal, between two rounds."""

    seat: Seat


@command("Rule that the dealer deals the rest of the round", by=SUPERVISORS, group="people")
class DealForCurator(Command, frozen=True):
    """Rule that the dealer deals the rest of the round for a curator."""

    supervisor: Supervisor
    reason: Reason


@command(
    "Order the curator to pass the shoe",
    by=(Role.DEALER, Role.FLOORPERSON),
    rule="curator.ordered",
    group="people",
)
class OrderPass(Command, frozen=True):
    """Order the curator to pass the shoe, for ``delay``, ``invalid deals``, or ``violation``."""

    by: Annotated[Word, Label("Ordered by")]
    grounds: Word


@event("The shoe is offered to {seat:seat}")
class ShoeOffered(Event, frozen=True):
    """The shoe is offered to a seat, then to those ``waiting``; ``None`` is the dealer."""

    seat: Seat | None
    waiting: tuple[Seat, ...]
    clauses: Clauses


@event("Seat {seat} rejects the shoe")
class ShoeDeclined(Event, frozen=True):
    """A participant rejected the shoe."""

    seat: Seat
    clauses: Clauses


@event(_curator)
class CuratorNamed(Event, frozen=True):
    """A curator was named; ``seat`` is ``None`` for the dealer."""

    seat: Seat | None
    dealer_deals: Flag
    clauses: Clauses


@event(_passed)
class ShoePassed(Event, frozen=True):
    """The curator passed the shoe, voluntarily or as required."""

    seat: Seat | None
    grounds: Word
    by: Word | None
    clauses: Clauses


@event("“{words}”", kind="spoken")
class CardsCalled(Event, frozen=True):
    """The dealer instructed the curator to deal."""

    words: Spoken
    clauses: Clauses


@event("The dealer deals the rest of the round for seat {seat}")
class DealTakenOver(Event, frozen=True):
    """The dealer deals the rest of the round for the curator in a seat.

    The shoe passes afterwards if there are ``grounds``.
    """

    seat: Seat
    grounds: Word | None
    by: Word | None
    clauses: Clauses
