"""Patrons, their wagers, deferred vigorish, and the closing."""

from __future__ import annotations

from typing import Annotated

from croupier.acts.command import Command, Event, command, event
from croupier.acts.fields import (
    Flag,
    Label,
    PatronCents,
    PatronName,
    RoundNumber,
    Seat,
    Spoken,
    StaffName,
    StakeCents,
    StakesByWager,
    Supervisor,
    WagerId,
)
from croupier.acts.roles import Role
from croupier.law.cite import Clauses
from croupier.law.usage import named


@command(
    "Collect the vigorish of seat {seat}", by=Role.DEALER, rule="vigorish.marker", group="money"
)
class CollectVigorish(Command, frozen=True):
    """Collect vigorish that a patron owes: all, or ``cents`` if only a part can be collected."""

    seat: Seat
    cents: PatronCents | None = None


@command("Close the table", by=Role.FLOORPERSON, together=Role.DEALER)
class CloseTable(Command, frozen=True):
    """Close the table."""


@command("Seat a patron", by=(Role.DEALER, Role.FLOORPERSON), group="patrons")
class SeatPatron(Command, frozen=True):
    """A patron takes a seat."""

    seat: Seat
    patron: PatronName


@command("Change cash for chips", by=Role.DEALER, rule="wagers.tender", group="patrons")
class BuyChips(Command, frozen=True):
    """A patron exchanges cash for chips; the cash goes to the drop box."""

    seat: Seat
    cents: PatronCents


@command(
    "Let a patron leave",
    by=(Role.PATRON, Role.DEALER),
    rule="vigorish.before_reshuffle",
    group="patrons",
)
class LeaveTable(Command, frozen=True):
    """A patron leaves the table: with the chips, or while wagers in play remain."""

    seat: Seat


@command("Move a patron to another seat", by=(Role.PATRON, Role.DEALER), group="patrons")
class ChangeSeat(Command, frozen=True):
    """A patron moves to another seat, with chips and marker."""

    seat: Seat
    to: Seat


@command("Seat {seat}: place a wager", by=Role.PATRON, rule="wagers.tender", group="money")
class PlaceWager(Command, frozen=True):
    """Place chips on a wager, or add to it, with any match play coupon."""

    seat: Seat
    wager: WagerId
    cents: StakeCents
    coupon_cents: Annotated[StakeCents, Label("Match play coupon")] = 0


@command("Seat {seat}: place several wagers", by=Role.PATRON, rule="wagers.tender", group="money")
class PlaceWagers(Command, frozen=True):
    """Place chips on several wagers, in cents: all of them or none."""

    seat: Seat
    stakes: Annotated[StakesByWager, Label("Wagers")]


@command(
    "Take a verbal wager with cash",
    by=Role.DEALER,
    rule="wagers.verbal",
    together=Role.SUPERVISOR,
    group="money",
)
class PlaceVerbalWager(Command, frozen=True):
    """A verbal wager with cash, confirmed by the dealer and the named casino supervisor."""

    seat: Seat
    wager: WagerId
    cents: StakeCents
    dealer_confirms: Annotated[Flag, Label("The dealer confirms")]
    supervisor: Supervisor | None


@command("Seat {seat}: take back a wager", by=Role.PATRON, rule="wagers.closed", group="money")
class WithdrawWager(Command, frozen=True):
    """Take back a wager before no more bets."""

    seat: Seat
    wager: WagerId


@command("Call “no more bets”", by=Role.DEALER, rule="announce.no_more_bets")
class CallNoMoreBets(Command, frozen=True):
    """Begin the round: the dealer calls no more bets."""


@command(
    "Seat {seat}: ask for a hand without wagers", by=Role.PATRON, rule="free_hand", group="cards"
)
class DealFreeHand(Command, frozen=True):
    """A player asks for a hand without wagers on the table."""

    seat: Seat


@event("{patron:who} takes seat {seat}")
class PatronSeated(Event, frozen=True):
    """A patron took a seat."""

    seat: Seat
    patron: PatronName
    clauses: Clauses


@event("Seat {seat} buys chips for {cents:short}", kind="money")
class ChipsBought(Event, frozen=True):
    """Cash went to the drop box, and chips to the patron."""

    seat: Seat
    cents: PatronCents
    clauses: Clauses


@event("{patron:who} leaves seat {seat} with {chips_cents:short} in chips")
class PatronLeft(Event, frozen=True):
    """A patron left with the chips."""

    # Version 1 cited the clause on vigorish due on leaving, although none was due.
    VERSION = 2

    seat: Seat
    patron: PatronName
    chips_cents: PatronCents
    clauses: Clauses


@event(
    "{patron:who} walks away from seat {seat}; the wagers in play stay",
    irregular="patron walked away",
)
class PatronWalkedAway(Event, frozen=True):
    """A patron left while wagers in play remain on the layout; the chips are kept."""

    seat: Seat
    patron: PatronName
    clauses: Clauses


@event("{patron:who} moves from seat {seat} to seat {to}")
class SeatChanged(Event, frozen=True):
    """A patron moved to another seat, with the chips and the marker of ``owed_cents``."""

    seat: Seat
    to: Seat
    patron: PatronName
    chips_cents: PatronCents
    owed_cents: PatronCents
    clauses: Clauses


@event(
    lambda x: (
        f"{named('Dealer')} and {x.supervisor} confirm the verbal wager of seat {x.seat}"
        if x.supervisor
        else f"{named('The dealer')} confirms the verbal wager of seat {x.seat}"
    )
)
class VerbalWagerConfirmed(Event, frozen=True):
    """Dealer and supervisor confirmed a verbal wager made with cash."""

    seat: Seat
    wager: WagerId
    cents: StakeCents
    supervisor: StaffName | None
    clauses: Clauses


class WagerPlaced(Event, frozen=True):
    """Chips, and any coupon, were placed on a wager or added to it."""

    seat: Seat
    wager: WagerId
    cents: StakeCents
    coupon_cents: StakeCents
    clauses: Clauses


class WagersPlaced(Event, frozen=True):
    """Chips were placed on several wagers, in cents."""

    seat: Seat
    stakes: StakesByWager
    clauses: Clauses


class WagerWithdrawn(Event, frozen=True):
    """A wager was taken back."""

    seat: Seat
    wager: WagerId
    cents: StakeCents
    coupon_cents: StakeCents
    clauses: Clauses


@event("Seat {seat} asks for a hand without wagers")
class FreeHandRequested(Event, frozen=True):
    """A player asked for a hand without wagers."""

    seat: Seat
    clauses: Clauses


@event("“{words}”", kind="spoken")
class NoMoreBetsCalled(Event, frozen=True):
    """The round began."""

    round: RoundNumber
    words: Spoken
    clauses: Clauses
