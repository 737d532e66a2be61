"""Vigorish, Complimentary Vigorish Forms, and the end of the gaming day."""

from __future__ import annotations

from typing import Annotated

from msgspec import field

from croupier.acts.command import Command, Event, command, event
from croupier.acts.fields import (
    Dealer,
    Flag,
    FormAmounts,
    FormCents,
    GamingDate,
    Label,
    NameOnForm,
    PitBoss,
    PitClerk,
    Reason,
    Seat,
    Serial,
    StaffName,
    StaffText,
    Supervisor,
    Word,
)
from croupier.acts.roles import Role
from croupier.acts.words import short, who
from croupier.law.cite import Clauses
from croupier.law.usage import named


def _form(event: FormPrepared) -> str:
    author = f" ({event.stated_by})" if event.stated_by else ""
    signed = (
        named("signed by the patron")
        if event.patron_signed
        else f"{named('not signed by the patron')}: {event.statement}{author}"
    )
    return (
        f"Complimentary Vigorish Form {event.serial}: {short(event.cents)} owed by "
        f"{event.patron}, {signed}"
    )


@command("Receive a series of Forms", by=Role.PIT_CLERK, rule="forms.series", group="paper")
class ReceiveForms(Command, frozen=True):
    """The pit clerk receives a series of Complimentary Vigorish Forms."""

    pit_clerk: PitClerk
    first: Annotated[Serial, Label("First Form")]
    last: Annotated[Serial, Label("Last Form")]


@command(
    "Take the unused Forms to another table", by=Role.PIT_CLERK, rule="forms.series", group="paper"
)
class CarryForms(Command, frozen=True):
    """The pit clerk takes the unused Forms to another table of the pit.

    A pit clerk has one series for the pit. The other table receives what is left of it.
    """

    pit_clerk: PitClerk
    table: Annotated[Word, Label("To which table")]


@command(
    "Hand the Forms over to another pit clerk",
    by=Role.PIT_CLERK,
    rule="forms.series",
    together=Role.PIT_CLERK,
    group="paper",
)
class HandOverForms(Command, frozen=True):
    """A pit clerk hands the unused Forms and the duplicates kept so far to another pit clerk."""

    pit_clerk: PitClerk
    taken_by: Annotated[PitClerk, Label("Who takes them over")]


@command(
    "Take over the Forms of a pit clerk who is gone",
    by=Role.PIT_CLERK,
    rule="forms.series",
    together=Role.SUPERVISOR,
    group="paper",
)
class TakeOverForms(Command, frozen=True):
    """A pit clerk takes what a clerk had who is no longer assigned here, as a supervisor rules."""

    gone: Annotated[StaffName, Label("Who had them")]
    pit_clerk: PitClerk
    supervisor: Supervisor
    reason: Reason


@command(
    "Document the vigorish of seat {seat} on a Form",
    by=Role.PIT_CLERK,
    rule="forms.signatures",
    together=(Role.DEALER, Role.PIT_BOSS),
    group="paper",
)
class PrepareForm(Command, frozen=True):
    """Document vigorish that a patron does not pay on the next Form of the series.

    Needs the patron's signature, or a ``statement`` by the dealer or pit boss why it is missing.
    """

    serial: Serial
    seat: Seat
    pit_clerk: PitClerk
    dealer: Dealer
    pit_boss: PitBoss
    patron_signed: Flag
    statement: StaffText | None = None
    stated_by: Annotated[StaffName, Label("Who states it")] | None = None
    cents: FormCents | None = None


@command(
    "Void the next Form",
    by=Role.PIT_CLERK,
    rule="forms.void",
    together=Role.PIT_BOSS,
    group="paper",
)
class VoidForm(Command, frozen=True):
    """Void the next Form of the series, or one spoiled in preparation."""

    serial: Serial
    pit_clerk: PitClerk
    pit_boss: PitBoss


@command(
    "Replace a spoilt Form of a patron who has left",
    by=Role.PIT_CLERK,
    rule="forms.signatures",
    together=(Role.DEALER, Role.PIT_BOSS),
)
class ReplaceForm(Command, frozen=True):
    """Void a spoiled Form whose patron has left, and document its vigorish on the next one."""

    serial: Serial
    spoilt: Annotated[Serial, Label("Spoilt Form")]
    pit_clerk: PitClerk
    dealer: Dealer
    pit_boss: PitBoss
    patron_signed: Flag
    statement: StaffText | None = None
    stated_by: Annotated[StaffName, Label("Who states it")] | None = None


@command(
    "Drop the original of a Form",
    by=Role.DEALER,
    rule="forms.drop",
    together=(Role.PIT_BOSS, Role.PIT_CLERK),
    group="paper",
)
class DropForm(Command, frozen=True):
    """The dealer drops a Form's original before the pit boss and pit clerk who signed it."""

    serial: Serial
    pit_boss: PitBoss
    pit_clerk: PitClerk


@command(
    "Forward the duplicates of a pit clerk",
    by=Role.PIT_CLERK,
    rule="forms.duplicate",
    group="paper",
)
class ForwardForms(Command, frozen=True):
    """A pit clerk forwards the duplicates and void Forms that this clerk has to accounting."""

    pit_clerk: PitClerk


@command("Account for the day's Forms", by=Role.PIT_CLERK, rule="forms.duplicate", group="paper")
class EndGamingDay(Command, frozen=True):
    """End the gaming day, and account for the series of Forms.

    The pit clerk's own duplicates are forwarded with it, if that was not done before; those of
    other clerks must have been. A day that ends again within twelve hours, or at a table without a
    clock, needs a ``supervisor`` and the ``reason``.
    """

    pit_clerk: PitClerk
    supervisor: Annotated[StaffName, Label("Supervisor, if it ends again so soon")] = ""
    reason: Annotated[Reason, Label("Why it ends again so soon")] = ""


@command(
    "Compare the duplicates of the Forms with the originals",
    by=Role.ACCOUNTING,
    rule="forms.duplicate",
    apart=("PrepareForm",),
    group="paper",
)
class CompareForms(Command, frozen=True):
    """Accounting compares duplicates with the originals' ``amounts``, in cents by serial."""

    originals: Annotated[tuple[Serial, ...], Label("Originals in the drop box")]
    amounts: Annotated[FormAmounts, Label("Amounts on the originals")] = field(default_factory=dict)


@event("{pit_clerk:who} receives Complimentary Vigorish Forms {first} to {last}")
class FormsReceived(Event, frozen=True):
    """A pit clerk received a series of Forms."""

    pit_clerk: StaffName
    first: Serial
    last: Serial
    clauses: Clauses


@event("{pit_clerk:who} hands the Forms over to {taken_by}")
class FormsHandedOver(Event, frozen=True):
    """Another pit clerk holds the used Forms, and the unused ones from ``first`` on."""

    pit_clerk: StaffName
    taken_by: StaffName
    first: Serial | None
    used: tuple[Serial, ...]
    clauses: Clauses


@event("{pit_clerk:who} takes the unused Forms {first} to {last} to table {table}")
class FormsCarried(Event, frozen=True):
    """The unused Forms went to another table of the pit."""

    pit_clerk: StaffName
    table: Word
    first: Serial
    last: Serial
    clauses: Clauses


@event(_form)
class FormPrepared(Event, frozen=True):
    """A Complimentary Vigorish Form was filled in and signed."""

    VERSION = 2

    serial: Serial
    cents: FormCents
    gaming_date: GamingDate | None
    pit: Word
    table: Word
    patron: NameOnForm
    dealer: StaffName
    pit_boss: StaffName
    pit_clerk: StaffName
    patron_signed: Flag
    statement: StaffText | None
    stated_by: StaffName | None
    clauses: Clauses


@event("{cents:short} of the marker of seat {seat} is on Form {serial}", kind="money")
class VigorishDocumented(Event, frozen=True):
    """Vigorish owed was documented on a Form; the marker shows the rest, or is removed."""

    seat: Seat
    cents: FormCents
    serial: Serial
    clauses: Clauses


@event("Seat {seat} owes {cents:short} again: Form {serial} is void", kind="money")
class VigorishRestored(Event, frozen=True):
    """Vigorish is owed again, because its Form is void."""

    seat: Seat
    cents: FormCents
    serial: Serial
    clauses: Clauses


@event("Form {serial} is marked void and signed")
class FormVoided(Event, frozen=True):
    """Both copies of a Form were marked void and signed."""

    serial: Serial
    pit_boss: StaffName
    pit_clerk: StaffName
    clauses: Clauses


@event("The original of Form {serial} is dropped")
class FormDropped(Event, frozen=True):
    """The original of a Form is in the drop box."""

    serial: Serial
    pit_boss: StaffName
    pit_clerk: StaffName
    clauses: Clauses


@event("{cents:short} is recorded as a complimentary to {patron}", kind="money")
class ComplimentaryRecorded(Event, frozen=True):
    """Waived vigorish was recorded as a cash complimentary to a patron."""

    serial: Serial
    patron: NameOnForm
    cents: FormCents
    clauses: Clauses


@event(
    lambda x: (
        f"{who(x.pit_clerk)} sends {len(x.duplicates)} duplicates and {len(x.void)} void Forms to"
        " accounting"
    )
)
class FormsForwarded(Event, frozen=True):
    """A pit clerk's duplicates and void Forms of a gaming day went to accounting."""

    gaming_date: GamingDate | None
    pit_clerk: StaffName
    duplicates: tuple[Serial, ...]
    void: tuple[Serial, ...]
    clauses: Clauses


@event(
    lambda x: (
        f"To {named('accounting')}: {len(x.duplicates)} duplicates, {len(x.void)} void Forms;"
        f" {len(x.unused)} unused"
        + (f"; the gaming day of {x.next_date} begins" if x.next_date else "")
    )
)
class DuplicatesForwarded(Event, frozen=True):
    """The gaming day's duplicates and void Forms went to accounting."""

    VERSION = 2

    gaming_date: GamingDate | None
    next_date: GamingDate | None
    pit_clerk: StaffName
    duplicates: tuple[Serial, ...]
    void: tuple[Serial, ...]
    unused: tuple[Serial, ...]
    clauses: Clauses


@event(
    "Accounting matches {matched:count} Forms; without original {without_original:count}, "
    "without duplicate {without_duplicate:count}, of another amount {differing:count}"
)
class FormsCompared(Event, frozen=True):
    """Accounting compared duplicates and originals; ``differing`` have different amounts."""

    VERSION = 2

    matched: tuple[Serial, ...]
    without_original: tuple[Serial, ...]
    without_duplicate: tuple[Serial, ...]
    differing: tuple[Serial, ...]
    clauses: Clauses
