"""The Complimentary Vigorish Form: vigorish that is documented instead of collected."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from croupier.law.cite import once
from croupier.money import ledger
from croupier.money.forms import Form, FormBook
from croupier.money.ledger import Posting
from croupier.rules import TableRules
from croupier.table import hooks
from croupier.table.acts import Field, Situation, also_offers, fills_in
from croupier.table.bookkeeping import moves
from croupier.table.commands import (
    CompareForms,
    DropForm,
    EndGamingDay,
    PrepareForm,
    ReceiveForms,
    VoidForm,
)
from croupier.table.core import Action, Events, Refusal, applies, decide, decides, keeps, offers
from croupier.table.duty import Duty
from croupier.table.events import (
    ComplimentaryRecorded,
    DuplicatesForwarded,
    FormDropped,
    FormPrepared,
    FormsCompared,
    FormsReceived,
    FormVoided,
    VigorishDocumented,
)
from croupier.table.roles import Role
from croupier.table.state import ANY_TIME, BETWEEN_ROUNDS, TableState, changed, with_slice
from croupier.table.wording import LABELS

__all__ = ["FormBook"]

keeps("forms", past_closing=True)(FormBook)


def _no_forms() -> Refusal:
    return Refusal("no_such_procedure", (), "this regulation has no Complimentary Vigorish Form")


def _has_forms(rules: TableRules) -> bool:
    """Return whether the law knows the Form; where it does not, vigorish owed must be collected."""
    return rules.applies("forms.prepared")


# More than any pad holds: every unused Form is accounted for by its number.
_MOST_FORMS: Final = 1_000_000


@decides(ReceiveForms, ANY_TIME, cites=("forms.series",))
def _receive_forms(state: TableState, command: ReceiveForms, rules: TableRules) -> Events | Refusal:
    if not _has_forms(rules):
        return _no_forms()
    if not command.pit_clerk:
        message = "name the pit clerk who receives the Forms"
        return Refusal("custody", rules.cites_for("forms.series", "access"), message)
    clauses = rules.cites_for("forms.series", "sequence")
    if state[FormBook].next_serial is not None:
        message = f"the current series continues at {state[FormBook].next_serial}: use it up first"
        return Refusal("series_open", clauses, message)
    if not state[FormBook].last_serial < command.first <= command.last:
        message = f"{command.first} to {command.last} is not a series that follows the last one"
        return Refusal("series", clauses, message)
    if command.last - command.first >= _MOST_FORMS:
        message = f"{command.first} to {command.last} are more than {_MOST_FORMS:,} Forms at once"
        return Refusal("series", clauses, message)
    received = rules.cites("forms.series")
    return (FormsReceived(command.pit_clerk, command.first, command.last, received),)


@applies(FormsReceived)
def _forms_received(state: TableState, event: FormsReceived) -> TableState:
    return with_slice(state, state[FormBook].received(event.pit_clerk, event.first, event.last))


def _out_of_series(
    state: TableState, serial: int, pit_clerk: str, rules: TableRules
) -> Refusal | None:
    """Refuse a Form that is not the next of the series, or is not the pit clerk's to use."""
    book = state[FormBook]
    if not _has_forms(rules):
        return _no_forms()
    if book.next_serial is None:
        return Refusal("no_forms", (), "there are no Forms: have the pit clerk receive a series")
    if serial != book.next_serial:
        message = f"Form {serial} is out of sequence: the next is {book.next_serial}"
        return Refusal("sequence", rules.cites_for("forms.series", "sequence"), message)
    if pit_clerk != book.custodian:
        message = f"{pit_clerk} has no access to Forms before use: {book.custodian} holds them"
        return Refusal("custody", rules.cites_for("forms.series", "access"), message)
    return None


@decides(
    PrepareForm,
    BETWEEN_ROUNDS,
    cites=("forms.prepared", "forms.patron_signature", "forms.table_win"),
)
def _prepare(state: TableState, command: PrepareForm, rules: TableRules) -> Events | Refusal:
    """Fill in a Form for all that a patron owes, and take the marker off the layout."""
    if refusal := _out_of_series(state, command.serial, command.pit_clerk, rules):
        return refusal
    patron = state.seats.get(command.seat)
    if patron is None or not patron.owed_cents:
        message = f"seat {command.seat} owes no vigorish"
        return Refusal("nothing_owed", (), message)
    if not all((command.dealer, command.pit_boss, command.pit_clerk)):
        signers = rules.value("forms.signatures", tuple)
        message = f"the Form must be signed by {', '.join(signers)}"
        return Refusal("signatures", rules.cites("forms.signatures"), message)
    if not command.patron_signed and not command.statement:
        message = "without the patron's signature, a statement must explain why"
        return Refusal("patron_signature", rules.cites("forms.patron_signature"), message)
    layout, recorded = rules.submission.layout, rules.value("forms.fields", tuple)
    entries = ("forms.prepared", "forms.fields", "forms.signatures", "forms.patron_signature")
    clauses = once(*map(rules.cites, entries))
    form = FormPrepared(
        serial=command.serial,
        cents=patron.owed_cents,
        gaming_date=state.gaming_date if "gaming date" in recorded else "",
        pit=layout.pit if "pit" in recorded else "",
        table=layout.table if "table" in recorded else "",
        patron=patron.name,
        dealer=command.dealer,
        pit_boss=command.pit_boss,
        pit_clerk=command.pit_clerk,
        patron_signed=command.patron_signed,
        statement=command.statement,
        clauses=clauses,
    )
    settled = rules.cites("forms.table_win") + rules.cites_for("vigorish.marker", "removed")
    return (
        form,
        VigorishDocumented(command.seat, patron.owed_cents, command.serial, settled),
    )


@applies(FormPrepared)
def _prepared(state: TableState, event: FormPrepared) -> TableState:
    form = Form(event.serial, event.patron, event.cents, event.pit_boss, event.pit_clerk)
    return with_slice(state, state[FormBook].with_form(form))


@moves(VigorishDocumented)
def _owed_on_paper(event: VigorishDocumented) -> tuple[Posting, ...]:
    return ((ledger.owed(event.seat), ledger.FORMS, event.cents),)


@applies(VigorishDocumented)
def _documented(state: TableState, event: VigorishDocumented) -> TableState:
    patron = changed(state.seats[event.seat], owed_cents=0)
    return changed(state, seats={**state.seats, event.seat: patron})


@decides(VoidForm, ANY_TIME, cites=("forms.void",))
def _void_form(state: TableState, command: VoidForm, rules: TableRules) -> Events | Refusal:
    if refusal := _out_of_series(state, command.serial, command.pit_clerk, rules):
        return refusal
    clauses = rules.cites("forms.void")
    if not command.pit_boss:
        return Refusal(
            "signatures", clauses, "a void Form must be signed by the pit boss and the pit clerk"
        )
    return (FormVoided(command.serial, command.pit_boss, command.pit_clerk, clauses),)


@applies(FormVoided)
def _form_voided(state: TableState, event: FormVoided) -> TableState:
    form = Form(event.serial, "", 0, event.pit_boss, event.pit_clerk, void=True)
    return with_slice(state, state[FormBook].with_form(form))


@decides(DropForm, ANY_TIME, cites=("forms.drop",))
def _drop(state: TableState, command: DropForm, rules: TableRules) -> Events | Refusal:
    clauses = rules.cites("forms.drop")
    form = state[FormBook].used.get(command.serial)
    if form is None or form.void or form.dropped:
        message = f"there is no original of Form {command.serial} to drop"
        return Refusal("no_original", clauses, message)
    if (command.pit_boss, command.pit_clerk) != (form.pit_boss, form.pit_clerk):
        message = (
            f"it must be dropped in the presence of {form.pit_boss} and {form.pit_clerk}, who "
            "signed it"
        )
        return Refusal("witnesses", clauses, message)
    return (FormDropped(command.serial, command.pit_boss, command.pit_clerk, clauses),)


@applies(FormDropped)
def _dropped(state: TableState, event: FormDropped) -> TableState:
    form = state[FormBook].used[event.serial]
    dropped = Form(
        form.serial, form.patron, form.cents, form.pit_boss, form.pit_clerk, dropped=True
    )
    return with_slice(state, state[FormBook].with_form(dropped))


@decides(EndGamingDay, ANY_TIME, cites=("forms.duplicate", "forms.complimentary", "forms.series"))
def _end_day(state: TableState, command: EndGamingDay, rules: TableRules) -> Events | Refusal:
    """Forward the paper to accounting, and record what was waived as given to each patron."""
    if not _has_forms(rules):
        return _no_forms()
    used = state[FormBook].used.values()
    waiting = [form.serial for form in used if not form.void and not form.dropped]
    if waiting:
        message = f"the originals of {', '.join(map(str, waiting))} are not in the drop box"
        return Refusal("undropped", rules.cites("forms.drop"), message)
    if command.pit_clerk != (state[FormBook].custodian or command.pit_clerk):
        message = f"{state[FormBook].custodian} keeps the duplicates, not {command.pit_clerk}"
        return Refusal("custody", rules.cites("forms.duplicate"), message)
    recorded = tuple(
        ComplimentaryRecorded(
            form.serial, form.patron, form.cents, rules.cites("forms.complimentary")
        )
        for form in used
        if not form.void
    )
    clauses = (
        rules.cites("forms.duplicate") + rules.cites("forms.void") + rules.cites("forms.series")
    )
    forwarded = DuplicatesForwarded(
        command.pit_clerk,
        tuple(form.serial for form in used if not form.void),
        tuple(form.serial for form in used if form.void),
        state[FormBook].unused,
        clauses,
    )
    return (*recorded, forwarded)


@moves(ComplimentaryRecorded)
def _given(event: ComplimentaryRecorded) -> tuple[Posting, ...]:
    return ((ledger.COMPLIMENTARIES, f"complimentary:{event.patron}", event.cents),)


@applies(ComplimentaryRecorded)
def _recorded(state: TableState, event: ComplimentaryRecorded) -> TableState:
    """Leave the state: the ledger and the record hold what was given."""
    del event
    return state


@applies(DuplicatesForwarded)
def _forwarded(state: TableState, event: DuplicatesForwarded) -> TableState:
    return with_slice(state, state[FormBook].after_forwarding(event.duplicates))


@decides(CompareForms, ANY_TIME, cites=("forms.duplicate",))
def _compare(state: TableState, command: CompareForms, rules: TableRules) -> Events | Refusal:
    if not _has_forms(rules):
        return _no_forms()
    duplicates, originals = set(state[FormBook].forwarded), set(command.originals)
    return (
        FormsCompared(
            tuple(sorted(duplicates & originals)),
            tuple(sorted(duplicates - originals)),
            tuple(sorted(originals - duplicates)),
            rules.cites("forms.duplicate"),
        ),
    )


@applies(FormsCompared)
def _compared(state: TableState, event: FormsCompared) -> TableState:
    del event
    return with_slice(state, state[FormBook].after_comparison())


# --- what others ask, and what may be done next ---


@hooks.before_opening.join
def _day_not_ended(state: TableState, rules: TableRules) -> Refusal | None:
    """Say why a table stays closed: the Forms of the last gaming day are not forwarded."""
    if not state[FormBook].used:
        return None
    message = "Forms of the previous gaming day were not forwarded: end that day first"
    return Refusal("gaming_day", rules.cites("forms.duplicate"), message)


@hooks.instead_of_collecting.join
def _document(rules: TableRules) -> Action | None:
    if not _has_forms(rules):
        return None
    return Action(PrepareForm, Role.PIT_CLERK, rules.cites("forms.prepared"))


@offers(ANY_TIME, optional=True)
def _what_becomes_of_forms(state: TableState, rules: TableRules) -> Iterator[Action]:
    """Yield what Forms that have left the pad ask for: the drop, then the end of the day."""
    if not state[FormBook].used:
        return
    if any(not form.void and not form.dropped for form in state[FormBook].used.values()):
        yield Action(DropForm, Role.DEALER, rules.cites("forms.drop"), must=False)
    else:
        yield Action(EndGamingDay, Role.PIT_CLERK, rules.cites("forms.duplicate"), must=False)


# --- what a Form is filled in with -------------------------------------------------------------


def _to_drop(state: TableState) -> Form | None:
    used = state[FormBook].used.values()
    return next((form for form in used if not form.void and not form.dropped), None)


@fills_in("serial")
def _serial(of: Situation, name: str) -> Field:
    """Return the Form that an act is about: the next of the series, or one to be dropped."""
    to_drop = _to_drop(of.state) if of.action.command is DropForm else None
    serial = of.state[FormBook].next_serial if to_drop is None else to_drop.serial
    return Field(name, "count", LABELS[name], least=serial, most=serial, default=serial)


@fills_in("DropForm.pit_boss", "DropForm.pit_clerk")
def _witness(of: Situation, name: str) -> Field:
    form = _to_drop(of.state)
    signed = "" if form is None else getattr(form, name)
    return Field(name, "person", LABELS[name], default=signed, source="person")


@fills_in(
    *(f"{one}.pit_clerk" for one in ("ReceiveForms", "PrepareForm", "VoidForm", "EndGamingDay"))
)
def _custodian(of: Situation, name: str) -> Field:
    there = of.state[Duty].persons(Role.PIT_CLERK)
    keeps_them = of.state[FormBook].custodian
    if of.action.command is ReceiveForms:
        keeps_them = next(iter(there), keeps_them)
    default = keeps_them or next(iter(there), Role.PIT_CLERK.value)
    return Field(name, "person", LABELS[name], default=default, source="person")


@fills_in("first", "last")
def _series(of: Situation, name: str) -> Field:
    first = of.state[FormBook].last_serial + 1
    if name == "first":
        return Field(name, "count", LABELS[name], least=first, default=first)
    most = first + _MOST_FORMS - 1
    return Field(name, "count", LABELS[name], least=first, most=most, default=first + 99)


@fills_in("originals")
def _originals(of: Situation, name: str) -> Field:
    forwarded = of.state[FormBook].forwarded
    choices = tuple((one, f"Form {one}") for one in forwarded)
    return Field(name, "serials", LABELS[name], choices=choices, default=forwarded)


@also_offers(ANY_TIME)
def _what_else_forms_allow(state: TableState, rules: TableRules) -> Iterator[Action]:
    if not _has_forms(rules):
        return
    book = state[FormBook]
    if book.next_serial is None:
        yield Action(ReceiveForms, Role.PIT_CLERK, rules.cites("forms.series"), must=False)
    else:
        yield Action(VoidForm, Role.PIT_CLERK, rules.cites("forms.void"), must=False)
    yield Action(CompareForms, Role.ACCOUNTING, rules.cites("forms.duplicate"), must=False)
    day_ends = EndGamingDay(book.custodian or Role.PIT_CLERK)
    if not isinstance(decide(state, day_ends, rules), Refusal):
        yield Action(EndGamingDay, Role.PIT_CLERK, rules.cites("forms.duplicate"), must=False)
