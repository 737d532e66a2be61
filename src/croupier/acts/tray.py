"""The chip tray and the drop box."""

from __future__ import annotations

from typing import Annotated

from croupier.acts.command import Command, Event, event, house_act
from croupier.acts.fields import (
    Dealer,
    Flag,
    Floorperson,
    HouseCents,
    HouseText,
    Label,
    PatronCents,
    PatronChips,
    Reason,
    Seat,
    SlipNumber,
    StaffName,
    TrayCents,
    TrayChips,
    Word,
)
from croupier.acts.roles import Role
from croupier.acts.words import amount
from croupier.law.cite import Clauses
from croupier.law.usage import money, named

FillNumber = Annotated[SlipNumber, Label("Fill")]
CreditNumber = Annotated[SlipNumber, Label("Credit")]


def _counted(event: InventoryCounted) -> str:
    subject = "The closing count" if event.closing else "A count"
    difference = _differs(event.cents, event.expected_cents)
    return f"{subject} of the tray: {amount(event.cents)}{difference}"


def _drop_counted(event: DropCounted) -> str:
    difference = _differs(event.cash_cents, event.expected_cents)
    return f"Box {event.box} is counted: {amount(event.cash_cents)}{difference}"


def _shift(event: ShiftChanged) -> str:
    difference = _differs(event.cents, event.expected_cents)
    return (
        f"The {event.shift} shift begins: {event.floorperson} takes over from {event.leaving}, and"
        f" {event.dealer} counts {amount(event.cents)}{difference}"
    )


def _differs(cents: int | None, expected: int | None) -> str:
    if cents is None or expected is None or cents == expected:
        return ""
    return (
        f", {money(abs(cents - expected))} {'more' if cents > expected else 'less'} than expected"
    )


@house_act("Ask the cage for chips", by=Role.FLOORPERSON, group="chips")
class RequestFill(Command, frozen=True):
    """Ask the cage for chips, by value in cents, on a numbered slip."""

    slip: FillNumber
    chips: TrayChips


@house_act("Send the chips of a fill to the table", by=Role.CAGE, group="chips")
class IssueFill(Command, frozen=True):
    """The cage sends the chips of a slip to the table."""

    slip: FillNumber
    chips: TrayChips


@house_act(
    "Count the chips of a fill into the tray",
    by=Role.DEALER,
    together=Role.FLOORPERSON,
    group="chips",
)
class ReceiveFill(Command, frozen=True):
    """The dealer counts the chips of a slip into the tray, before the floorperson."""

    slip: FillNumber
    chips: TrayChips


@house_act("Announce chips that go to the cage", by=Role.FLOORPERSON, group="chips")
class RequestCredit(Command, frozen=True):
    """Announce chips from the tray to the cage, on a numbered slip."""

    slip: CreditNumber
    chips: TrayChips


@house_act(
    "Send the chips of a credit to the cage",
    by=Role.DEALER,
    together=Role.FLOORPERSON,
    group="chips",
)
class IssueCredit(Command, frozen=True):
    """The dealer counts the chips of a slip out of the tray, before the floorperson."""

    slip: CreditNumber
    chips: TrayChips


@house_act("Receive the chips of a credit in the cage", by=Role.CAGE, group="chips")
class ReceiveCredit(Command, frozen=True):
    """The cage receives the chips of a slip from the table."""

    slip: CreditNumber
    chips: TrayChips


@house_act("Void a slip", by=Role.FLOORPERSON, together=Role.CAGE, group="chips")
class VoidSlip(Command, frozen=True):
    """Void a slip that is not completed; chips in transit are returned."""

    slip: SlipNumber
    reason: Reason


@house_act("Count the chips in the tray", by=Role.DEALER, together=Role.FLOORPERSON, group="chips")
class CountInventory(Command, frozen=True):
    """Count the chips in the tray; the ``closing`` count after the table is closed."""

    chips: TrayChips
    closing: Annotated[Flag, Label("Closing count")] = False


@house_act(
    "Count the tray and change the shift",
    by=Role.FLOORPERSON,
    together=(Role.DEALER, Role.FLOORPERSON),
    group="chips",
)
class ChangeShift(Command, frozen=True):
    """The dealer counts the tray before the floorperson who leaves and the one who takes over.

    All three sign the count in one entry; the time of the entry begins the shift.
    """

    shift: Annotated[Word, Label("Shift that begins")]
    chips: TrayChips
    dealer: Annotated[Dealer, Label("Who counts")]
    leaving: Annotated[Floorperson, Label("Who leaves")]
    floorperson: Annotated[Floorperson, Label("Who takes over")]


@house_act("Take the drop box away and put another in its place", by=Role.ACCOUNTING, group="chips")
class RemoveDrop(Command, frozen=True):
    """Replace the drop box by another."""

    box: Annotated[HouseText, Label("Box at the table")]
    next_box: HouseText


@house_act(
    "Count a drop box",
    by=Role.ACCOUNTING,
    together=Role.ACCOUNTING,
    apart=("RemoveDrop",),
    group="chips",
)
class CountDrop(Command, frozen=True):
    """Count a removed drop box's cash and match play coupons."""

    box: Annotated[HouseText, Label("Box at the table")]
    cash_cents: HouseCents
    coupon_cents: Annotated[HouseCents, Label("Match play coupon")] = 0


@house_act(
    "Change chips for others of the same value", by=Role.DEALER, while_paused=False, group="patrons"
)
class ChangeChips(Command, frozen=True):
    """Change a patron's chips for others of the same value, by value in cents."""

    seat: Seat
    taken: Annotated[PatronChips, Label("Chips taken")]
    given: Annotated[PatronChips, Label("Chips given")]


@event("Fill {slip} is requested: {chips:chips}", slip=("fill", "requested"))
class FillRequested(Event, frozen=True):
    """Chips were requested, on a slip."""

    slip: SlipNumber
    chips: TrayChips
    cents: TrayCents
    clauses: Clauses


@event("Fill {slip} leaves the cage: {cents:amount}", kind="money", slip=("fill", "issued"))
class FillIssued(Event, frozen=True):
    """The chips of a fill are on their way from the cage."""

    slip: SlipNumber
    cents: TrayCents
    clauses: Clauses


@event(
    "Fill {slip} is counted into the tray: {cents:amount}", kind="money", slip=("fill", "received")
)
class FillReceived(Event, frozen=True):
    """The chips of a fill are in the tray."""

    slip: SlipNumber
    cents: TrayCents
    clauses: Clauses


def _copies(event: CopiesDistributed) -> str:
    number = "" if event.number is None else f" {event.number}"
    parts = ", ".join(
        f"{copy}: {named(keeper)}" for copy, keeper in zip(event.copies, event.keepers, strict=True)
    )
    signers = named(", ".join(event.signed))
    return f"Copies of the {event.form} Form{number} ({parts}), signed by {signers}"


@event(_copies)
class CopiesDistributed(Event, frozen=True):
    """Each of the ``copies`` of a Form went to its keeper, after these offices signed it.

    ``number`` is that of the slip; ``None`` for an opener or closer.
    """

    form: Word
    number: SlipNumber | None
    copies: tuple[Word, ...]
    keepers: tuple[Word, ...]
    signed: tuple[Word, ...]
    clauses: Clauses


@event("Credit {slip} is announced: {chips:chips}", slip=("credit", "requested"))
class CreditRequested(Event, frozen=True):
    """Chips are to go to the cage, on a slip."""

    slip: SlipNumber
    chips: TrayChips
    cents: TrayCents
    clauses: Clauses


@event(
    "Credit {slip} is counted out of the tray: {cents:amount}",
    kind="money",
    slip=("credit", "issued"),
)
class CreditIssued(Event, frozen=True):
    """The chips of a credit are on their way to the cage."""

    slip: SlipNumber
    cents: TrayCents
    clauses: Clauses


@event("Credit {slip} is at the cage: {cents:amount}", kind="money", slip=("credit", "received"))
class CreditReceived(Event, frozen=True):
    """The chips of a credit are in the cage."""

    slip: SlipNumber
    cents: TrayCents
    clauses: Clauses


@event("Slip {slip} is void: {reason}")
class SlipVoided(Event, frozen=True):
    """A slip is void; ``returned_cents`` in transit were returned."""

    slip: SlipNumber
    kind: Word
    returned_cents: TrayCents
    reason: Reason
    clauses: Clauses


@event(_counted, kind="money")
class InventoryCounted(Event, frozen=True):
    """The tray was counted; the ledger expected ``expected_cents``. A closing count is final."""

    chips: TrayChips
    cents: TrayCents
    expected_cents: HouseCents
    closing: Flag
    clauses: Clauses


@event(_shift, kind="money")
class ShiftChanged(Event, frozen=True):
    """A shift began with a count of the tray that three persons signed, which is final."""

    shift: Word
    chips: TrayChips
    cents: TrayCents
    expected_cents: HouseCents
    dealer: StaffName
    leaving: StaffName
    floorperson: StaffName
    clauses: Clauses


@event("Box {box} is removed, and {next_box} put in its place")
class DropRemoved(Event, frozen=True):
    """A drop box was removed with its contents."""

    box: HouseText
    next_box: HouseText
    cash_cents: HouseCents
    coupon_cents: HouseCents
    clauses: Clauses


@event(_drop_counted, kind="money")
class DropCounted(Event, frozen=True):
    """A drop box was counted; ``expected`` amounts were recorded as dropped."""

    box: HouseText
    cash_cents: HouseCents
    expected_cents: HouseCents
    coupon_cents: HouseCents
    expected_coupon_cents: HouseCents
    clauses: Clauses


@event("Seat {seat} changes {cents:amount} in chips", kind="money")
class ChipsChanged(Event, frozen=True):
    """A patron's chips were changed for others of the same value."""

    seat: Seat
    taken: PatronChips
    given: PatronChips
    cents: PatronCents
    clauses: Clauses
