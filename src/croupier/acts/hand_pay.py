"""Hand pays of awards, and readings of meters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from croupier.acts.command import Command, house_act
from croupier.acts.event import Event, event
from croupier.acts.fields import (
    AwardNumber,
    Label,
    MeterName,
    MeterReadings,
    NameOnForm,
    PatronCents,
    SlipNumber,
    Word,
)
from croupier.acts.roles import Role
from croupier.acts.words import short
from croupier.law.cite import Clauses
from croupier.law.sight import Sight


def _reconciled(event: MetersReconciled) -> str:
    differ = [
        f"{meter} shows {short(cents)}, and {short(event.expected[meter])} stands behind it"
        for meter, cents in event.shown.items()
        if cents != event.expected[meter]
    ]
    due = f"; awards due by hand: {', '.join(map(str, event.due))}" if event.due else ""
    return f"The meters are reconciled: {'; '.join(differ) or 'all as their accounts'}{due}"


def _read(event: MetersRead) -> str:
    shown = ", ".join(f"{meter} {short(cents)}" for meter, cents in event.shown.items())
    whose = f"linked as {event.link}" if event.link else "the table's own again"
    return f"The meters, {whose}, show {shown}"


@house_act(
    "Pay an award by hand from the cage",
    by=Role.CAGE,
    together=(Role.FLOORPERSON, Role.SURVEILLANCE),
    group="chips",
)
class PayByHand(Command, frozen=True):
    """The cage pays an award by hand, on a numbered slip."""

    number: AwardNumber
    slip: SlipNumber


@house_act(
    "Compare the meters with their accounts", by=Role.ACCOUNTING, while_paused=False, group="chips"
)
class ReconcileMeters(Command, frozen=True):
    """Accounting compares the meters, in cents, with their accounts."""

    shown: Annotated[MeterReadings, Label("What the meters show")]


@house_act("Take over what linked meters show", by=Role.MACHINE, group="chips")
class ReadMeters(Command, frozen=True):
    """Take over linked meters, in cents; without a ``link`` they are the table's own."""

    link: Word
    shown: Annotated[MeterReadings, Label("What the meters show")]


@event("The cage pays {patron} {cents:short} by hand, slip {slip} for award {number}", kind="money")
class PaidByHand(Event, frozen=True):
    """An award was paid by hand, not from the chip tray."""

    number: AwardNumber
    slip: SlipNumber
    patron: NameOnForm
    cents: PatronCents
    clauses: Clauses


@event(_reconciled)
class MetersReconciled(Event, frozen=True):
    """The meters showed ``shown``, their accounts held ``expected``; ``due`` are hand pays owed."""

    shown: Annotated[Mapping[MeterName, int], Sight.HOUSE]
    expected: MeterReadings
    due: tuple[AwardNumber, ...]
    clauses: Clauses


@event(_read, kind="money")
class MetersRead(Event, frozen=True):
    """Values of linked meters in cents; without a ``link`` they are the table's own again."""

    link: Word
    shown: MeterReadings
    clauses: Clauses
