"""The Complimentary Vigorish Form: vigorish that is documented instead of collected."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from typing import Final

from msgspec.structs import replace

from croupier import acts
from croupier.acts.roles import Role
from croupier.law.cite import once
from croupier.law.usage import money
from croupier.money import ledger
from croupier.money.forms import MOST_FORMS, Form, FormBook
from croupier.rules import TableRules
from croupier.table.cards.out_of_use import unsealed
from croupier.table.house.tray import Tray
from croupier.table.irregular.supervisor import ruling
from croupier.table.machine import core, hooks
from croupier.table.machine.bookkeeping import moves
from croupier.table.machine.core import Action, Answer, Events, Refusal, not_there
from croupier.table.machine.house import notes
from croupier.table.machine.state import (
    ANY_TIME,
    AT_TABLE,
    NOT_IN_PLAY,
    Phase,
    TableState,
    with_money,
    with_slice,
)  # fmt: skip
from croupier.table.people.duty import Duty

__all__ = ["FormBook", "has_forms"]

core.keeps("forms", past_closing=True)(FormBook)


def _no_forms() -> Refusal:
    return Refusal("no_such_procedure", (), "this regulation has no Complimentary Vigorish Form")


def has_forms(rules: TableRules) -> bool:
    """Whether the regulation has the Form; without it, vigorish must be collected."""
    return rules.applies("forms.prepared")


def _off_duty(
    state: TableState, rules: TableRules, rule: str, signers: Mapping[Role, str]
) -> Refusal | None:
    for office, person in signers.items():
        persons = state[Duty].persons(office)
        if persons and person not in persons:
            message = f"{person} is not assigned as {office} at this table: {', '.join(persons)} is"
            return Refusal("not_on_duty", rules.cites(rule), message)
    return None


@core.decides(acts.ReceiveForms, ANY_TIME, cites=("forms.series",))
def _receive_forms(state: TableState, command: acts.ReceiveForms, rules: TableRules) -> Answer:
    if not has_forms(rules):
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
    if command.last - command.first >= MOST_FORMS:
        message = f"{command.first} to {command.last} are more than {MOST_FORMS:,} Forms at once"
        return Refusal("series", clauses, message)
    if refusal := _off_duty(state, rules, "forms.series", {Role.PIT_CLERK: command.pit_clerk}):
        return refusal
    cites = rules.cites("forms.series")
    return (acts.FormsReceived(command.pit_clerk, command.first, command.last, cites),)


@core.applies(acts.FormsReceived)
def _forms_received(state: TableState, event: acts.FormsReceived) -> TableState:
    return with_slice(state, state[FormBook].received(event.pit_clerk, event.first, event.last))


@core.decides(acts.HandOverForms, ANY_TIME, cites=("forms.series", "forms.duplicate"))
def _hand_over(state: TableState, command: acts.HandOverForms, rules: TableRules) -> Answer:
    return _passed_on(state, command.pit_clerk, command.taken_by, rules)


@core.decides(acts.TakeOverForms, ANY_TIME, cites=("forms.series", "forms.duplicate"))
def _take_over(state: TableState, command: acts.TakeOverForms, rules: TableRules) -> Answer:
    access = rules.cites_for("forms.series", "access") if has_forms(rules) else ()
    if access and command.gone in state[Duty].persons(Role.PIT_CLERK):
        message = f"{command.gone} is assigned as pit clerk here, and hands the Forms over"
        return Refusal("custody", access, message)
    answer = _passed_on(state, command.gone, command.pit_clerk, rules)
    if isinstance(answer, Refusal):
        return answer
    authority = command.supervisor, command.reason.strip()
    return ruling("forms-taken-over", authority, None, access, rules, *answer)


def _passed_on(state: TableState, clerk: str, to: str, rules: TableRules) -> Answer:
    if not has_forms(rules):
        return _no_forms()
    book, access = state[FormBook], rules.cites_for("forms.series", "access")
    serials = tuple(form.serial for form in book.kept_by(clerk))
    has_series = clerk == book.custodian
    if not book.used and book.custodian is None:
        return Refusal("no_forms", (), "no pit clerk holds any Forms")
    if not serials and not has_series:
        return Refusal("custody", access, f"{clerk} has no Forms to hand over")
    if not to.strip() or to == clerk:
        return Refusal("custody", access, "name another pit clerk, who takes the Forms over")
    if refusal := _off_duty(state, rules, "forms.series", {Role.PIT_CLERK: to}):
        return refusal
    clauses = once(access, rules.cites("forms.duplicate"))
    return (
        acts.FormsHandedOver(clerk, to, book.next_serial if has_series else None, serials, clauses),
    )


@core.applies(acts.FormsHandedOver)
def _handed_over(state: TableState, event: acts.FormsHandedOver) -> TableState:
    after = state[FormBook].handed_over(event.pit_clerk, event.taken_by, event.used)
    return with_slice(state, after)


@core.decides(acts.CarryForms, ANY_TIME, cites=("forms.series",))
def _carry(state: TableState, command: acts.CarryForms, rules: TableRules) -> Answer:
    """Take the series to another table: a pit clerk has one series for the pit."""
    book, clauses = state[FormBook], rules.cites("forms.series")
    if book.next_serial is None:
        return Refusal("no_forms", (), "there are no unused Forms at this table")
    if refusal := _out_of_series(state, book.next_serial, command.pit_clerk, rules):
        return refusal
    if command.table in {"", rules.submission.layout.table}:
        return Refusal("table", clauses, "name another table of the pit, where they are used")
    last = book.last_serial
    return (acts.FormsCarried(command.pit_clerk, command.table, book.next_serial, last, clauses),)


@core.applies(acts.FormsCarried)
def _carried(state: TableState, event: acts.FormsCarried) -> TableState:
    return with_slice(state, state[FormBook].carried_away(event.first))


def _out_of_series(
    state: TableState, serial: int, pit_clerk: str, rules: TableRules
) -> Refusal | None:
    book = state[FormBook]
    if not has_forms(rules):
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


@core.decides(
    acts.PrepareForm,
    AT_TABLE,
    cites=("forms.prepared", "forms.patron_signature", "forms.table_win"),
)
def _prepare(state: TableState, command: acts.PrepareForm, rules: TableRules) -> Answer:
    if refusal := _out_of_series(state, command.serial, command.pit_clerk, rules):
        return refusal
    patron = state.seats.get(command.seat)
    if patron is None or not patron.owed_cents:
        return Refusal("nothing_owed", (), f"seat {command.seat} owes no vigorish")
    cents = patron.owed_cents if command.cents is None else command.cents
    if not 0 < cents <= patron.owed_cents:
        message = f"seat {command.seat} owes {money(patron.owed_cents)}: document no more"
        return Refusal("amount", rules.cites_for("forms.fields", "amount"), message)
    absent = not_there(state, command.seat) if command.patron_signed else None
    if refusal := absent or _unsigned(state, command, rules):
        return refusal
    form = _filled_in(state, command, patron.name, cents, rules)
    marker = "removed" if cents == patron.owed_cents else "placed"
    clauses = rules.cites("forms.table_win") + rules.cites_for("vigorish.marker", marker)
    return (form, acts.VigorishDocumented(command.seat, cents, command.serial, clauses))


def _filled_in(
    state: TableState,
    command: acts.PrepareForm | acts.ReplaceForm,
    patron: str,
    cents: int,
    rules: TableRules,
) -> acts.FormPrepared:
    layout, fields = rules.submission.layout, rules.value("forms.fields", tuple)
    entries = ("forms.prepared", "forms.fields", "forms.signatures", "forms.patron_signature")
    return acts.FormPrepared(
        serial=command.serial,
        cents=cents,
        gaming_date=state.gaming_date if "gaming date" in fields else None,
        pit=layout.pit if "pit" in fields else "",
        table=layout.table if "table" in fields else "",
        patron=patron,
        dealer=command.dealer,
        pit_boss=command.pit_boss,
        pit_clerk=command.pit_clerk,
        patron_signed=command.patron_signed,
        statement=command.statement,
        stated_by=command.stated_by,
        clauses=once(*map(rules.cites, entries)),
    )


def _unsigned(
    state: TableState, command: acts.PrepareForm | acts.ReplaceForm, rules: TableRules
) -> Refusal | None:
    if not all((command.dealer, command.pit_boss, command.pit_clerk)):
        signers = rules.value("forms.signatures", tuple)
        message = f"the Form must be signed by {', '.join(signers)}"
        return Refusal("signatures", rules.cites("forms.signatures"), message)
    by = {Role.DEALER: command.dealer, Role.PIT_BOSS: command.pit_boss}
    if refusal := _off_duty(
        state, rules, "forms.signatures", {**by, Role.PIT_CLERK: command.pit_clerk}
    ):
        return refusal
    if command.patron_signed:
        return None
    clauses = rules.cites("forms.patron_signature")
    if not command.statement:
        message = "without the patron's signature, a statement must explain why"
        return Refusal("patron_signature", clauses, message)
    if command.stated_by not in by.values():
        message = "the statement is the dealer's or the pit boss's who signs the Form: name one"
        return Refusal("statement", clauses, message)
    return None


@core.applies(acts.FormPrepared)
def _prepared(state: TableState, event: acts.FormPrepared) -> TableState:
    signers = event.pit_boss, event.pit_clerk
    form = Form(event.serial, event.patron, event.cents, *signers, kept_by=event.pit_clerk)
    return with_slice(state, state[FormBook].with_form(form))


def _reseated(state: TableState, seat: int, new_seat: int) -> TableState:
    before = state[FormBook]
    after = before.reseated(seat, new_seat)
    return state if after is before else with_slice(state, after)


core.hears(acts.SeatChanged)(lambda state, event: _reseated(state, event.seat, event.to))
core.hears(acts.PatronLeft)(lambda state, event: _reseated(state, event.seat, 0))


notes(acts.VigorishDocumented)(
    lambda house, event, _entry: house.with_forgone(event.seat, event.cents)
)
notes(acts.VigorishRestored)(
    lambda house, event, _entry: house.with_forgone(event.seat, -event.cents)
)
moves(acts.VigorishDocumented)(
    lambda event: ((ledger.owed(event.seat), ledger.FORMS, event.cents),)
)


@core.applies(acts.VigorishDocumented)
def _documented(state: TableState, event: acts.VigorishDocumented) -> TableState:
    book = state[FormBook]
    form = replace(book.used[event.serial], seat=event.seat)
    return with_slice(with_money(state, event.seat, owed_cents=-event.cents), book.with_form(form))


@core.decides(acts.VoidForm, ANY_TIME, cites=("forms.void",))
def _void_form(state: TableState, command: acts.VoidForm, rules: TableRules) -> Answer:
    book, clauses = state[FormBook], rules.cites("forms.void")
    form = book.used.get(command.serial)
    if form is None or form.void:
        if refusal := _out_of_series(state, command.serial, command.pit_clerk, rules):
            return refusal
        form = None
    elif form.dropped:
        message = f"the original of Form {command.serial} is in the drop box, and stands"
        return Refusal("dropped", (), message)
    elif command.pit_clerk != form.kept_by:
        message = f"{command.pit_clerk} does not have the copies: {form.kept_by} retains them"
        return Refusal("custody", rules.cites("forms.duplicate"), message)
    if not command.pit_boss:
        message = "a void Form must be signed by the pit boss and the pit clerk"
        return Refusal("signatures", clauses, message)
    persons = {Role.PIT_BOSS: command.pit_boss, Role.PIT_CLERK: command.pit_clerk}
    if refusal := _off_duty(state, rules, "forms.void", persons):
        return refusal
    voided = acts.FormVoided(command.serial, command.pit_boss, command.pit_clerk, clauses)
    if form is None:
        return (voided,)
    if not form.seat:
        due_clauses = rules.cites_for("vigorish.before_reshuffle", "patron_leaves")
        message = f"{form.patron} has left, so the vigorish stays documented: replace the Form"
        return Refusal("patron_left", due_clauses, message)
    marker = rules.cites_for("vigorish.marker", "placed")
    return (voided, acts.VigorishRestored(form.seat, form.cents, command.serial, marker))


@core.decides(
    acts.ReplaceForm,
    ANY_TIME,
    cites=("forms.void", "forms.prepared", "forms.patron_signature", "vigorish.before_reshuffle"),
)
def _replace(state: TableState, command: acts.ReplaceForm, rules: TableRules) -> Answer:
    if refusal := _out_of_series(state, command.serial, command.pit_clerk, rules):
        return refusal
    form = state[FormBook].used.get(command.spoilt)
    if form is None or form.void or form.dropped:
        message = f"there is no original of Form {command.spoilt} to replace"
        return Refusal("no_original", rules.cites("forms.drop"), message)
    if form.seat:
        message = f"{form.patron} sits at seat {form.seat}: void the Form, and prepare another"
        return Refusal("patron_here", (), message)
    if refusal := _unsigned(state, command, rules):
        return refusal
    persons = command.pit_boss, command.pit_clerk
    voided = acts.FormVoided(command.spoilt, *persons, rules.cites("forms.void"))
    return (voided, _filled_in(state, command, form.patron, form.cents, rules))


@core.applies(acts.FormVoided)
def _form_voided(state: TableState, event: acts.FormVoided) -> TableState:
    persons = event.pit_boss, event.pit_clerk
    form = Form(event.serial, "", 0, *persons, void=True, kept_by=event.pit_clerk)
    return with_slice(state, state[FormBook].with_form(form))


moves(acts.VigorishRestored)(lambda event: ((ledger.FORMS, ledger.owed(event.seat), event.cents),))
core.applies(acts.VigorishRestored)(
    lambda state, event: with_money(state, event.seat, owed_cents=event.cents)
)


@core.decides(acts.DropForm, ANY_TIME, cites=("forms.drop",))
def _drop(state: TableState, command: acts.DropForm, rules: TableRules) -> Answer:
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
    return (acts.FormDropped(command.serial, command.pit_boss, command.pit_clerk, clauses),)


@core.applies(acts.FormDropped)
def _dropped(state: TableState, event: acts.FormDropped) -> TableState:
    form = state[FormBook].used[event.serial]
    return with_slice(state, state[FormBook].with_form(replace(form, dropped=True)))


@core.decides(acts.ForwardForms, NOT_IN_PLAY, cites=("forms.duplicate", "forms.complimentary"))
def _forward(state: TableState, command: acts.ForwardForms, rules: TableRules) -> Answer:
    forms, clauses = state[FormBook].kept_by(command.pit_clerk), rules.cites("forms.duplicate")
    if not has_forms(rules):
        return _no_forms()
    if not forms:
        message = f"{command.pit_clerk} has no duplicates or void Forms to forward"
        return Refusal("no_forms", clauses, message)
    if refusal := _undropped(forms, rules):
        return refusal
    clauses = once(clauses, rules.cites("forms.void"))
    duplicates, void = _copies(forms)
    by = state.gaming_date, command.pit_clerk
    return (*_complimentary(forms, rules), acts.FormsForwarded(*by, duplicates, void, clauses))


def _undropped(forms: Iterable[Form], rules: TableRules) -> Refusal | None:
    serials = [str(form.serial) for form in forms if not form.void and not form.dropped]
    if not serials:
        return None
    message = f"the originals of {', '.join(serials)} are not in the drop box"
    return Refusal("undropped", rules.cites("forms.drop"), message)


def _complimentary(forms: Iterable[Form], rules: TableRules) -> Events:
    clauses = rules.cites("forms.complimentary")
    return tuple(
        acts.ComplimentaryRecorded(form.serial, form.patron, form.cents, clauses)
        for form in forms
        if not form.void
    )


def _copies(forms: Iterable[Form]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    all_forms = tuple(forms)
    return (
        tuple(form.serial for form in all_forms if not form.void),
        tuple(form.serial for form in all_forms if form.void),
    )


_HALF_A_DAY: Final = timedelta(hours=12)


@core.decides(
    acts.EndGamingDay, NOT_IN_PLAY, cites=("forms.duplicate", "forms.complimentary", "forms.series")
)
def _end_day(state: TableState, command: acts.EndGamingDay, rules: TableRules) -> Answer:
    if not has_forms(rules):
        return _no_forms()
    day, book = state.gaming_date, state[FormBook]
    if state.phase is Phase.CLOSED and (day is None or day == book.ended):
        return Refusal("day_ended", (), "no gaming day of this table is under way")
    if refusal := _undropped(book.used.values(), rules) or unsealed(state, rules):
        return refusal
    other_keepers = {form.kept_by for form in book.used.values()} - {command.pit_clerk}
    if book.next_serial is not None and book.custodian is not None:
        other_keepers |= {book.custodian} - {command.pit_clerk}
    if other_keepers:
        message = (
            f"{' and '.join(sorted(other_keepers))} keeps the duplicates or the series, not"
            f" {command.pit_clerk}: each pit clerk forwards or hands over first"
        )
        return Refusal("custody", rules.cites("forms.duplicate"), message)
    answer = _again(state, command, rules)
    if isinstance(answer, Refusal):
        return answer
    accounted = ("forms.duplicate", "forms.void", "forms.series")
    forwarded = acts.DuplicatesForwarded(
        day,
        None if state.phase is Phase.CLOSED or day is None else day + timedelta(days=1),
        command.pit_clerk,
        *_copies(book.used.values()),
        book.unused,
        once(*map(rules.cites, accounted)),
    )
    return (*answer, *_complimentary(book.used.values(), rules), forwarded)


def is_another_day(state: TableState) -> bool:
    """Whether the table opened since a day ended, or the clock shows half a day."""
    interval = _since_last_day(state)
    return state[FormBook].under_way or (interval is not None and interval >= _HALF_A_DAY)


def _since_last_day(state: TableState) -> timedelta | None:
    ended_at = state[FormBook].ended_at
    return None if ended_at is None or state.at is None else state.at - ended_at


def _again(state: TableState, command: acts.EndGamingDay, rules: TableRules) -> Answer:
    """Return a supervisor's ruling if the clock does not show half a day since the last day."""
    if is_another_day(state):
        return ()
    clauses = rules.cites("forms.duplicate")
    if not (command.supervisor.strip() and command.reason.strip()):
        book, interval = state[FormBook], _since_last_day(state)
        soon = "" if interval is None else f" at {book.ended_at:%H:%M} UTC, under twelve hours ago"
        message = (
            f"the gaming day of {book.ended} ended{soon}: a day ends once; if this is another one,"
            " a supervisor says why"
        )
        return Refusal("day_ended", clauses, message)
    authority = command.supervisor, command.reason
    return ruling("gaming-day-again", authority, None, clauses, rules)


moves(acts.ComplimentaryRecorded)(
    lambda event: ((ledger.COMPLIMENTARIES, f"complimentary:{event.patron}", event.cents),)
)
# The ledger and the record contain the amounts.
core.no_effect(acts.ComplimentaryRecorded)


@core.applies(acts.DuplicatesForwarded)
def _forwarded(state: TableState, event: acts.DuplicatesForwarded) -> TableState:
    book = state[FormBook].after_forwarding(event.duplicates, event.void)
    after = with_slice(
        state, replace(book, ended=event.gaming_date, ended_at=state.at, under_way=False)
    )
    if event.next_date is None:
        return after
    # The shift under way goes on into the next gaming day.
    tray = replace(after[Tray], shifts=after[Tray].shifts[-1:])
    return replace(with_slice(after, tray), gaming_date=event.next_date)


@core.applies(acts.FormsForwarded)
def _sent(state: TableState, event: acts.FormsForwarded) -> TableState:
    return with_slice(state, state[FormBook].after_forwarding(event.duplicates, event.void))


@core.hears(acts.TableOpened)
def _opened(state: TableState, _event: acts.TableOpened) -> TableState:
    """Begin a gaming day of its own date, which may end at any time."""
    book = state[FormBook]
    return state if book.under_way else with_slice(state, replace(book, under_way=True))


@core.decides(acts.CompareForms, ANY_TIME, cites=("forms.duplicate",))
def _compare(state: TableState, command: acts.CompareForms, rules: TableRules) -> Answer:
    if not has_forms(rules):
        return _no_forms()
    serials = state[FormBook].forwarded
    duplicates, originals = set(serials), set(command.originals)
    differing = {
        serial
        for serial in duplicates & originals
        if command.amounts.get(serial, serials[serial]) != serials[serial]
    }
    matches, clauses = duplicates & originals, rules.cites("forms.duplicate")
    comparison = (matches - differing, duplicates - originals, originals - duplicates, differing)
    matched, no_original, no_duplicate, other = (tuple(sorted(serials)) for serials in comparison)
    return (acts.FormsCompared(matched, no_original, no_duplicate, other, clauses),)


@core.applies(acts.FormsCompared)
def _compared(state: TableState, _event: acts.FormsCompared) -> TableState:
    return with_slice(state, state[FormBook].after_comparison())


# --- what others ask, and what may be done next ---


@hooks.before_opening.join
def _day_not_ended(state: TableState, day: date, rules: TableRules) -> Refusal | None:
    ended = state[FormBook].ended
    if ended is not None and day <= ended:
        return Refusal("gaming_day", (), f"the gaming day of {ended} was ended: a later one begins")
    if not state[FormBook].used:
        return None
    message = "Forms of the previous gaming day were not forwarded: end that day first"
    return Refusal("gaming_day", rules.cites("forms.duplicate"), message)


@hooks.instead_of_collecting.join
def _document(rules: TableRules) -> Action | None:
    if not has_forms(rules):
        return None
    return Action(acts.PrepareForm, Role.PIT_CLERK, rules.cites("forms.prepared"))


@core.offers(ANY_TIME, optional=True)
def _next_with_forms(state: TableState, rules: TableRules) -> Iterator[Action]:
    if not state[FormBook].used:
        return
    if any(not form.void and not form.dropped for form in state[FormBook].used.values()):
        drop = rules.cites("forms.drop")
        yield Action(acts.DropForm, Role.DEALER, drop, must=False, awaited=True)
    elif state.phase in NOT_IN_PLAY:
        has_several_keepers = len({form.kept_by for form in state[FormBook].used.values()}) > 1
        command = acts.ForwardForms if has_several_keepers else acts.EndGamingDay
        duplicates = rules.cites("forms.duplicate")
        yield Action(command, Role.PIT_CLERK, duplicates, must=False, awaited=True)
