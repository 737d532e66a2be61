"""The meters of progressive wagers: their controller and bet sensors, and their end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from croupier.acts.command import Command, Event, event, house_act
from croupier.acts.fields import (
    Flag,
    HouseCents,
    Label,
    MeterName,
    MeterReadings,
    Reason,
    Seat,
    Word,
)
from croupier.acts.roles import Role
from croupier.acts.words import short
from croupier.law.cite import Clauses
from croupier.law.sight import Sight

Lit = Annotated[Flag, Label("The sensor registers a wager")]


@house_act(
    "Report that the controller of the meters fails",
    by=(Role.DEALER, Role.FLOORPERSON, Role.SURVEILLANCE, Role.MACHINE),
    asks="Does the controller of the meters fail?",
)
class ReportController(Command, frozen=True):
    """Report that the controller was reset, or that its communication is lost."""

    cause: Annotated[Word, Label("reset or communication")]


@house_act(
    "Read the controller of the meters again", by=(Role.FLOORPERSON, Role.MACHINE), group="chips"
)
class ReadController(Command, frozen=True):
    """Read what the controller shows after a reset or a loss of communication, in cents."""

    shown: Annotated[MeterReadings, Label("What the controller shows")]


@house_act(
    "Report a bet sensor that differs from the chips",
    by=Role.FLOORPERSON,
    together=Role.SURVEILLANCE,
    while_paused=False,
)
class ReportSensor(Command, frozen=True):
    """Report a sensor that registers a wager without a chip, or none although a chip lies there."""

    seat: Seat
    lit: Lit
    reason: Reason


@event("The controller of the meters fails: {cause}", kind="ruling", irregular="controller failure")
class ControllerLost(Event, frozen=True):
    """The controller was reset or lost; the meters of the record show ``meters``."""

    cause: Word
    meters: MeterReadings
    clauses: Clauses


def _read(event: ControllerRead) -> str:
    differ = [
        f"{meter} shows {short(cents)}, and the record has {short(event.expected[meter])}"
        for meter, cents in event.shown.items()
        if cents != event.expected[meter]
    ]
    return f"The controller is read: {'; '.join(differ) or 'it shows what the record has'}"


@event(_read, kind="ruling", irregular="")
class ControllerRead(Event, frozen=True):
    """The controller was read again, and the record has ``expected``."""

    shown: MeterReadings
    expected: MeterReadings
    clauses: Clauses


@event(
    lambda x: (
        f"The sensor of seat {x.seat} registers {'a' if x.lit else 'no'} wager, and"
        f" {short(x.cents) if x.cents else 'no chip'} lies there: {x.reason}"
    ),
    kind="ruling",
    irregular="bet sensor",
)
class SensorDiffered(Event, frozen=True):
    """A bet sensor differed from the chips in its circle."""

    seat: Seat
    lit: Lit
    cents: HouseCents
    reason: Reason
    clauses: Clauses


def _retired(event: MetersRetired) -> str:
    targets = "; ".join(
        f"{short(event.contributed[meter])} of {meter} to {where}"
        for meter, where in event.into.items()
    )
    return f"The meters are retired ({event.reason}): {targets}; the seeds go back to the house"


@house_act(
    "Retire the meters between gaming days",
    by=Role.LICENSEE,
    together=Role.ACCOUNTING,
    while_paused=False,
)
class RetireMeters(Command, frozen=True):
    """End every meter of a closed table, so that the progressive can be elected otherwise.

    ``into`` names, for each meter, the meter into which the patrons' money goes as the table opens
    again, or ``reserve``.
    """

    into: Annotated[Mapping[MeterName, Word], Sight.OPEN, Label("Where the money goes")]
    reason: Reason


@event(_retired, kind="money")
class MetersRetired(Event, frozen=True):
    """The meters of a closed table were ended.

    ``contributed`` is what patrons had put into each beyond its seed, held in reserve for the meter
    named by ``into``; ``seeds`` went back to the house. ``commitment`` ended with its meter.
    """

    contributed: MeterReadings
    seeds: MeterReadings
    into: Annotated[Mapping[MeterName, Word], Sight.OPEN]
    commitment: Word
    reason: Reason
    clauses: Clauses
