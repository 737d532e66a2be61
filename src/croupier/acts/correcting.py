"""Corrections of the record, hand pays, and readings of meters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

from msgspec import Struct

from croupier.acts.command import ONCE_DRAWN, Command, Event, event, house_act
from croupier.acts.fields import (
    AwardNumber,
    DealtCard,
    EntryNumber,
    Flag,
    HouseCents,
    HouseText,
    Label,
    MeterName,
    MeterReadings,
    NamedHand,
    NameOnForm,
    Ordinal,
    PatronCents,
    PatronName,
    Reason,
    RoundNumber,
    Seat,
    SlipNumber,
    StakeCents,
    WagerId,
    Word,
)
from croupier.acts.roles import Role
from croupier.acts.words import HANDS, amount, short
from croupier.law.cite import Clauses
from croupier.law.sight import Sight
from croupier.law.usage import named


def _settlement_corrected(event: SettlementCorrected) -> str:
    changes = "; ".join(map(_difference, event.differences)) or "no one's chips change"
    truth = f", {_truth(event)}" if _truth(event) else ""
    return (
        f"The settlement of round {event.round}, entry {event.entry}, is corrected{truth}"
        f" ({event.reason}): {changes}"
    )


def _kept_amount_paid(event: KeptAmountPaid) -> str:
    rest = f", and {amount(event.left_cents)} stays there" if event.left_cents else ""
    proof = f" ({event.identified})" if event.identified else ""
    return (
        f"{named('The cage')} pays {event.patron}{proof} {amount(event.cents)} that was kept from"
        f" the round of entry {event.entry}, slip {event.slip}{rest}"
    )


def _truth(event: SettlementCorrected) -> str:
    if event.actual is not None and event.hand is not None:
        return f"{event.actual} for {event.recorded} in the {HANDS[event.hand]}"
    if event.stake_cents is not None:
        return f"{amount(event.stake_cents)} on {event.wager} at seat {event.seat}"
    if event.paid_cents is not None:
        return f"{amount(event.paid_cents)} handed to seat {event.seat} for {event.wager}"
    return ""


def _difference(difference: Difference) -> str:
    cents: int | None = difference.cents
    less = difference.outcome == "unpaid" and cents is not None and cents < 0
    sentence = _OUTCOMES["unkept" if less else difference.outcome].format(
        amount(None if cents is None else abs(cents))
    )
    marker = f", marker {amount(difference.marked_cents)}" if difference.marked_cents else ""
    return f"{difference.patron} {sentence}{marker}"


_OUTCOMES: Final = {
    "paid": "is paid {}",
    "unpaid": "has left, and {} is kept",
    "unkept": "has left, was given {} too much, and it is taken from what is kept",
    "returned": "returns {}",
    "uncollected": "was given {} too much, not collected",
    "none": "is even",
}


@house_act(
    "Correct the record of a wager",
    by=Role.FLOORPERSON,
    together=Role.DEALER,
    besides={Role.SURVEILLANCE: ONCE_DRAWN},
    asks="Was a wager recorded wrongly?",
)
class CorrectWager(Command, frozen=True):
    """Correct the stake, in ``cents``, that entry ``of`` recorded, or lacks, before settlement.

    A wager recorded for another seat is taken from that one, and added to its own. One that no
    entry recorded names that of No More Bets.
    """

    of: EntryNumber
    seat: Seat
    wager: WagerId
    cents: StakeCents
    reason: Reason


@house_act(
    "Settle a round again with the truth",
    by=Role.FLOORPERSON,
    together=(Role.DEALER, Role.SURVEILLANCE),
    asks="Was a round settled wrongly?",
)
class CorrectSettlement(Command, frozen=True):
    """Settle the round of entry ``of`` again with a corrected card, stake, or payment.

    Seats in ``returned`` give back what they were overpaid.
    """

    of: EntryNumber
    reason: Reason
    hand: NamedHand | None = None
    ordinal: Ordinal = 0
    actual: Annotated[DealtCard, Label("In truth")] | None = None
    seat: Seat | None = None
    wager: WagerId = ""
    cents: StakeCents | None = None
    paid_cents: Annotated[StakeCents, Label("What was handed over")] | None = None
    returned: Annotated[tuple[Seat, ...], Label("Seats that give it back")] = ()


@house_act(
    "Pay a patron what was kept since the patron left",
    by=Role.CAGE,
    together=(Role.FLOORPERSON, Role.SURVEILLANCE),
)
class PayKeptAmount(Command, frozen=True):
    """The cage pays a departed patron all or part of an amount kept from entry ``of``."""

    of: EntryNumber
    seat: Seat
    patron: Annotated[HouseText, Label("Name")]
    identified: Annotated[HouseText, Label("How the patron was identified")]
    slip: SlipNumber
    cents: HouseCents | None = None


@event(
    "Entry {entry} is corrected, seat {seat}, {wager}: "
    "{cents:amount} for {recorded_cents:amount} ({reason})",
    kind="ruling",
    irregular="wager corrected",
)
class WagerCorrected(Event, frozen=True):
    """Entry ``entry`` recorded ``recorded_cents``, but ``cents`` lay on the layout."""

    VERSION = 2

    entry: EntryNumber
    seat: Seat
    wager: WagerId
    recorded_cents: StakeCents
    cents: StakeCents
    reason: Reason
    clauses: Clauses


class Difference(Struct, frozen=True):
    """The effect of settling a round again for one patron.

    ``now`` is the present seat, ``None`` for a patron who has left. ``cents`` is the underpayment,
    or if negative the overpayment; ``unpaid`` changes the kept amount. ``misstated_cents`` were
    handed over in excess of the record.
    """

    seat: Seat
    patron: PatronName
    now: Seat | None
    cents: PatronCents
    outcome: Word
    misstated_cents: PatronCents
    uncollected_cents: PatronCents
    vigorish_cents: PatronCents
    marked_cents: PatronCents

    @property
    def net_cents(self) -> int:
        """Change of the patron's result; an overpayment is owed if it is not collected."""
        return self.cents + self.misstated_cents - self.marked_cents


class CorrectedAmount(Struct, frozen=True):
    """The change of one wager's settlement, and the clauses under which it is due.

    ``line`` is how the wager is settled now, empty if there was none. ``cents`` and
    ``vigorish_cents`` are the changes of what the patron has and of the vigorish. ``number`` is
    that of an award now due by hand.
    """

    seat: Seat
    wager: WagerId
    line: Word
    cents: PatronCents
    vigorish_cents: PatronCents
    number: AwardNumber | None
    clauses: Clauses


@event(_settlement_corrected, kind="ruling", irregular="settlement corrected")
class SettlementCorrected(Event, frozen=True):
    """The round of an entry was settled again with a corrected card, stake, or payment.

    ``amounts`` gives the clauses of each wager that is settled otherwise, ``clauses`` those and the
    register entry of the procedure. ``meters`` are the readings from which awards of the round are
    paid. ``counted`` is set if the misread card still counts as one of the shoe in use; ``player``
    and ``banker`` are then the hands as they count, ``winner_was`` and ``winner`` the results.
    """

    VERSION = 3  # Version 2 named every line, even if it was settled like the others.

    entry: EntryNumber
    round: RoundNumber
    recorded: DealtCard | None
    actual: DealtCard | None
    hand: NamedHand | None
    ordinal: Ordinal
    counted: Flag
    player: tuple[DealtCard, ...]
    banker: tuple[DealtCard, ...]
    winner_was: Word
    winner: Word
    seat: Seat | None
    wager: WagerId
    stake_cents: StakeCents | None
    paid_cents: StakeCents | None
    differences: tuple[Difference, ...]
    amounts: tuple[CorrectedAmount, ...]
    meters: MeterReadings
    reason: Reason
    clauses: Clauses

    def forgone_cents(self, one: Difference) -> int:
        """Change of a patron's vigorish that was documented or written off, and never collected."""
        more = sum(amount.vigorish_cents for amount in self.amounts if amount.seat == one.seat)
        return more - one.vigorish_cents - one.marked_cents


@event(
    "The meters are corrected for the round of entry {entry} and show {meters:meters}",
    kind="money",
    irregular="",
)
class MetersCorrected(Event, frozen=True):
    """The meters after a round that fed or emptied them was settled again.

    By meter, ``awarded`` is the change of what was awarded, ``seeded`` of what the house put in,
    and ``contributed`` of the shares of stakes, in cents. ``reserved_cents`` is the change of the
    reserve. ``seats`` take part in a draw that is still to come.
    """

    entry: EntryNumber
    meters: MeterReadings
    awarded: MeterReadings
    seeded: MeterReadings
    contributed: MeterReadings
    reserved_cents: HouseCents
    seats: tuple[Seat, ...]
    clauses: Clauses


@event("Award {number} of {cents:short} is no longer due by hand", kind="money", irregular="")
class HandPayWithdrawn(Event, frozen=True):
    """An award that was due by hand is not owed after a correction; it had not been paid."""

    number: AwardNumber
    cents: PatronCents
    clauses: Clauses


@event(_kept_amount_paid, kind="money", irregular="")
class KeptAmountPaid(Event, frozen=True):
    """A departed patron was paid a kept amount; ``left_cents`` are still kept."""

    entry: EntryNumber
    seat: Seat
    patron: HouseText
    identified: HouseText
    slip: SlipNumber
    cents: HouseCents
    left_cents: HouseCents
    clauses: Clauses


def _reconciled(event: MetersReconciled) -> str:
    differ = [
        f"{meter} shows {short(cents)}, and {short(event.expected[meter])} stands behind it"
        for meter, cents in event.shown.items()
        if cents != event.expected[meter]
    ]
    due = f"; awards due by hand: {', '.join(map(str, event.due))}" if event.due else ""
    return f"The meters are reconciled: {'; '.join(differ) or 'all as their accounts'}{due}"


def _read(event: MetersRead) -> str:
    amounts = ", ".join(f"{meter} {short(cents)}" for meter, cents in event.shown.items())
    whose = f"linked as {event.link}" if event.link else "the table's own again"
    return f"The meters, {whose}, show {amounts}"


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
