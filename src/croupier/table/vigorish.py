"""Deferred vigorish: collected, or documented on a Complimentary Vigorish Form; and the closing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from croupier.law.cite import once
from croupier.money.forms import Form
from croupier.money.settlement import dollars
from croupier.rules import TableRules
from croupier.table.commands import (
    CloseTable,
    CollectVigorish,
    CompareForms,
    DeclareIdle,
    DropForm,
    EndGamingDay,
    ExchangeBatches,
    PrepareForm,
    ReceiveForms,
    VoidForm,
)
from croupier.table.core import Action, Events, Refusal, applies, decides, offers
from croupier.table.decks import decks_too_old
from croupier.table.events import (
    ComplimentaryRecorded,
    DuplicatesForwarded,
    FormDropped,
    FormPrepared,
    FormsCompared,
    FormsReceived,
    FormVoided,
    TableClosed,
    VigorishCollected,
    VigorishDocumented,
)
from croupier.table.mixing import shuffle_action
from croupier.table.settling import cards_out_of_device
from croupier.table.state import IN_PLAY, Phase, TableState, changed

__all__: list[str] = []

_BETWEEN_ROUNDS: Final = tuple(
    phase for phase in Phase if phase is not Phase.CLOSED and phase not in IN_PLAY
)
_ANY_TIME: Final = tuple(Phase)


@decides(CollectVigorish, *_BETWEEN_ROUNDS, cites=("vigorish.before_reshuffle", "vigorish.marker"))
def _collect(state: TableState, command: CollectVigorish, rules: TableRules) -> Events | Refusal:
    clauses = rules.cites("vigorish.before_reshuffle")
    patron = state.seats.get(command.seat)
    if patron is None:
        return Refusal("seat_empty", clauses, f"seat {command.seat} is empty")
    if not patron.owed_cents:
        return Refusal("nothing_owed", clauses, f"seat {command.seat} owes no vigorish")
    if patron.chips_cents < patron.owed_cents:
        return Refusal(
            "chips",
            clauses,
            f"seat {command.seat} owes {dollars(patron.owed_cents)} and has"
            f" {dollars(patron.chips_cents)} in chips: {_other_ways(rules)}",
        )
    clauses = once(clauses, rules.cites_for("vigorish.marker", "removed"))
    return (VigorishCollected(command.seat, patron.owed_cents, True, clauses),)  # noqa: FBT003


def _other_ways(rules: TableRules) -> str:
    """Say what is done about vigorish that a patron's chips do not cover."""
    return "document it, or have chips bought" if _has_forms(rules) else "have chips bought"


def _no_forms() -> Refusal:
    return Refusal("not_formalised", (), "this text has no Complimentary Vigorish Form")


def _has_forms(rules: TableRules) -> bool:
    """Tell whether the law knows the Form; where it does not, vigorish owed must be collected."""
    return rules.applies("forms.prepared")


# --- the Form ----------------------------------------------------------------------------------

# More than any pad holds: every unused Form is accounted for by its number.
_MOST_FORMS: Final = 1_000_000


@decides(ReceiveForms, *_ANY_TIME, cites=("forms.series",))
def _receive_forms(state: TableState, command: ReceiveForms, rules: TableRules) -> Events | Refusal:
    clauses = rules.cites("forms.series")
    if not _has_forms(rules):
        return _no_forms()
    if not command.pit_clerk:
        message = "Forms are held by a pit clerk, who is named when they are received"
        return Refusal("custody", clauses, message)
    if state.forms.next_serial is not None:
        message = f"the series runs on at {state.forms.next_serial}: use it up first"
        return Refusal("series_open", clauses, message)
    if not state.forms.last_serial < command.first <= command.last:
        message = f"{command.first} to {command.last} is no series that follows the last one"
        return Refusal("series", clauses, message)
    if command.last - command.first >= _MOST_FORMS:
        message = f"{command.first} to {command.last} are more than {_MOST_FORMS:,} Forms at once"
        return Refusal("series", clauses, message)
    return (FormsReceived(command.pit_clerk, command.first, command.last, clauses),)


@applies(FormsReceived)
def _forms_received(state: TableState, event: FormsReceived) -> TableState:
    return changed(state, forms=state.forms.received(event.pit_clerk, event.first, event.last))


def _out_of_series(
    state: TableState, serial: int, pit_clerk: str, rules: TableRules
) -> Refusal | None:
    """Refuse a Form that is not the next of the series, or is not the pit clerk's to use."""
    clauses = rules.cites("forms.series")
    book = state.forms
    if not _has_forms(rules):
        return _no_forms()
    if book.next_serial is None:
        return Refusal("no_forms", clauses, "no Forms are at hand: the pit clerk receives a series")
    if serial != book.next_serial:
        message = f"Form {serial} is out of sequence: the next is {book.next_serial}"
        return Refusal("sequence", clauses, message)
    if pit_clerk != book.custodian:
        message = f"{pit_clerk} has no access to Forms before use: {book.custodian} holds them"
        return Refusal("custody", clauses, message)
    return None


@decides(
    PrepareForm,
    *_BETWEEN_ROUNDS,
    cites=("forms.prepared", "forms.patron_signature", "forms.table_win"),
)
def _prepare(state: TableState, command: PrepareForm, rules: TableRules) -> Events | Refusal:
    """Fill in a Form for all that a patron owes, and take the marker off the layout."""
    if refusal := _out_of_series(state, command.serial, command.pit_clerk, rules):
        return refusal
    patron = state.seats.get(command.seat)
    if patron is None or not patron.owed_cents:
        message = f"seat {command.seat} owes no vigorish"
        return Refusal("nothing_owed", rules.cites("forms.prepared"), message)
    if not all((command.dealer, command.pit_boss, command.pit_clerk)):
        signers = rules.value("forms.signatures", tuple)
        message = f"the Form is signed by {', '.join(signers)}"
        return Refusal("signatures", rules.cites("forms.signatures"), message)
    if not command.patron_signed and not command.statement:
        message = "without the patron's signature a statement says why it could not be had"
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
    return changed(state, forms=state.forms.with_form(form))


@applies(VigorishDocumented)
def _documented(state: TableState, event: VigorishDocumented) -> TableState:
    patron = changed(state.seats[event.seat], owed_cents=0)
    return changed(state, seats={**state.seats, event.seat: patron})


@decides(VoidForm, *_ANY_TIME, cites=("forms.void",))
def _void_form(state: TableState, command: VoidForm, rules: TableRules) -> Events | Refusal:
    if refusal := _out_of_series(state, command.serial, command.pit_clerk, rules):
        return refusal
    clauses = rules.cites("forms.void")
    if not command.pit_boss:
        return Refusal("signatures", clauses, "a void Form is signed by pit boss and pit clerk")
    return (FormVoided(command.serial, command.pit_boss, command.pit_clerk, clauses),)


@applies(FormVoided)
def _form_voided(state: TableState, event: FormVoided) -> TableState:
    form = Form(event.serial, "", 0, event.pit_boss, event.pit_clerk, void=True)
    return changed(state, forms=state.forms.with_form(form))


@decides(DropForm, *_ANY_TIME, cites=("forms.drop",))
def _drop(state: TableState, command: DropForm, rules: TableRules) -> Events | Refusal:
    clauses = rules.cites("forms.drop")
    form = state.forms.used.get(command.serial)
    if form is None or form.void or form.dropped:
        message = f"there is no original of Form {command.serial} to drop"
        return Refusal("no_original", clauses, message)
    if (command.pit_boss, command.pit_clerk) != (form.pit_boss, form.pit_clerk):
        message = f"it is dropped before {form.pit_boss} and {form.pit_clerk}, who signed it"
        return Refusal("witnesses", clauses, message)
    return (FormDropped(command.serial, command.pit_boss, command.pit_clerk, clauses),)


@applies(FormDropped)
def _dropped(state: TableState, event: FormDropped) -> TableState:
    form = state.forms.used[event.serial]
    dropped = Form(
        form.serial, form.patron, form.cents, form.pit_boss, form.pit_clerk, dropped=True
    )
    return changed(state, forms=state.forms.with_form(dropped))


@decides(EndGamingDay, *_ANY_TIME, cites=("forms.duplicate", "forms.complimentary", "forms.series"))
def _end_day(state: TableState, command: EndGamingDay, rules: TableRules) -> Events | Refusal:
    """Forward the paper to accounting, and record what was waived as given to each patron."""
    if not _has_forms(rules):
        return _no_forms()
    used = state.forms.used.values()
    waiting = [form.serial for form in used if not form.void and not form.dropped]
    if waiting:
        message = f"the originals of {', '.join(map(str, waiting))} are not in the drop box"
        return Refusal("undropped", rules.cites("forms.drop"), message)
    if command.pit_clerk != (state.forms.custodian or command.pit_clerk):
        message = f"{state.forms.custodian} keeps the duplicates, not {command.pit_clerk}"
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
        state.forms.unused,
        clauses,
    )
    return (*recorded, forwarded)


@applies(ComplimentaryRecorded)
def _recorded(state: TableState, event: ComplimentaryRecorded) -> TableState:
    """Leave the state: the ledger and the record hold what was given."""
    del event
    return state


@applies(DuplicatesForwarded)
def _forwarded(state: TableState, event: DuplicatesForwarded) -> TableState:
    return changed(state, forms=state.forms.after_forwarding(event.duplicates))


@decides(CompareForms, *_ANY_TIME, cites=("forms.duplicate",))
def _compare(state: TableState, command: CompareForms, rules: TableRules) -> Events | Refusal:
    if not _has_forms(rules):
        return _no_forms()
    duplicates, originals = set(state.forms.forwarded), set(command.originals)
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
    return changed(state, forms=state.forms.after_comparison())


# --- closing -----------------------------------------------------------------------------------


@decides(CloseTable, *_BETWEEN_ROUNDS, cites=("vigorish.before_reshuffle",))
def _close(state: TableState, command: CloseTable, rules: TableRules) -> Events | Refusal:
    del command
    if state.seats:
        seated = ", ".join(map(str, state.seats))
        return Refusal("patrons", (), f"patrons sit at seats {seated}: they leave first")
    return (TableClosed(rules.cites("vigorish.before_reshuffle")),)


@applies(TableClosed)
def _closed(state: TableState, event: TableClosed) -> TableState:
    del event
    return changed(state, phase=Phase.CLOSED)


# --- what may be done next ---------------------------------------------------------------------


def _device_waits(state: TableState, rules: TableRules) -> bool:
    """Tell whether cards wait to go back into a continuous device, which reshuffles them."""
    return (
        state.phase is Phase.BETTING
        and rules.elected("device", "continuous")
        and cards_out_of_device(state) > 0
    )


def _presses(state: TableState, rules: TableRules) -> bool:
    """Tell whether vigorish must be seen to now, before the cards are reshuffled."""
    if state.phase is Phase.SHOE_COMPLETED or _device_waits(state, rules):
        return True
    return state.phase is Phase.BETTING and decks_too_old(state, rules) is not None


def _ways_to_settle(state: TableState, rules: TableRules, *, must: bool) -> Iterator[Action]:
    for seat, patron in state.seats.items():
        if patron.owed_cents:
            collect = rules.cites("vigorish.before_reshuffle")
            yield Action(CollectVigorish, "dealer", collect, must, seat)
            if _has_forms(rules):
                yield Action(PrepareForm, "pit clerk", rules.cites("forms.prepared"), must, seat)


@offers(Phase.SHOE_COMPLETED, Phase.BETTING)
def _vigorish_that_presses(state: TableState, rules: TableRules) -> Iterable[Action]:
    return _ways_to_settle(state, rules, must=True) if _presses(state, rules) else ()


@offers(*_BETWEEN_ROUNDS, optional=True)
def _vigorish_that_may_wait(state: TableState, rules: TableRules) -> Iterable[Action]:
    return () if _presses(state, rules) else _ways_to_settle(state, rules, must=False)


@offers(*_ANY_TIME, optional=True)
def _what_becomes_of_forms(state: TableState, rules: TableRules) -> Iterator[Action]:
    """Yield what Forms that have left the pad ask for: the drop, then the end of the day."""
    if not state.forms.used:
        return
    if any(not form.void and not form.dropped for form in state.forms.used.values()):
        yield Action(DropForm, "dealer", rules.cites("forms.drop"), must=False)
    else:
        yield Action(EndGamingDay, "pit clerk", rules.cites("forms.duplicate"), must=False)


@offers(Phase.SHOE_COMPLETED)
def _next_shoe(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    if state.owed_cents:
        return ()
    if rules.batches == 2:
        return (Action(ExchangeBatches, "dealer", rules.cites("device.exchange")),)
    return () if decks_too_old(state, rules) else (shuffle_action(state, rules),)


@offers(Phase.SHOE_COMPLETED, Phase.BETTING, optional=True)
def _an_end_of_play(state: TableState, rules: TableRules) -> Iterator[Action]:
    if state.owed_cents or state.stakes:
        return
    if rules.applies("idle.spread"):
        yield Action(DeclareIdle, "dealer", rules.cites("idle.spread"), must=False)
    if not state.seats:
        yield Action(CloseTable, "floorperson", (), must=False)
