"""The end of progressive meters between gaming days."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from croupier.acts.command import Command, house_act
from croupier.acts.event import Event, event
from croupier.acts.fields import Label, MeterName, MeterReadings, Reason, Word
from croupier.acts.roles import Role
from croupier.acts.words import short
from croupier.law.cite import Clauses
from croupier.law.sight import Sight


def _retired(event: MetersRetired) -> str:
    to = "; ".join(
        f"{short(event.contributed[meter])} of {meter} to {where}"
        for meter, where in event.into.items()
    )
    return f"The meters are retired ({event.reason}): {to}; the seeds go back to the house"


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
