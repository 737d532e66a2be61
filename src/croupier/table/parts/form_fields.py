"""Fields of the acts about Forms, and optional acts about them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from croupier import acts
from croupier.acts.roles import Role
from croupier.money.forms import MOST_FORMS, Form, FormBook
from croupier.rules import TableRules
from croupier.table.machine.core import Action, Refusal, decide, not_there
from croupier.table.machine.offered import Field, Situation, also_offers, fills_in
from croupier.table.machine.state import ANY_TIME, TableState
from croupier.table.parts.forms import has_forms, is_another_day
from croupier.table.people.duty import Duty

_LEFT: Final = "The patron has left."


def _to_drop(state: TableState) -> Form | None:
    forms = state[FormBook].used.values()
    return next((form for form in forms if not form.void and not form.dropped), None)


@fills_in("serial")
def _serial(situation: Situation, name: str) -> Field:
    to_drop, command = _to_drop(situation.state), situation.action.command
    serial = situation.state[FormBook].next_serial
    if to_drop is not None and command is acts.DropForm:
        serial = to_drop.serial
    # A Form spoilt in preparation may be voided while its patron is present.
    voids = to_drop is not None and to_drop.seat and command is acts.VoidForm
    minimum = to_drop.serial if to_drop is not None and voids else serial
    return Field(name, "count", least=minimum, most=serial, default=serial)


def _form_of_departed_patron(state: TableState) -> Form | None:
    forms = state[FormBook].used.values()
    return next((form for form in forms if not (form.void or form.dropped or form.seat)), None)


@fills_in("spoilt")
def _spoilt_form(situation: Situation, name: str) -> Field:
    form = _form_of_departed_patron(situation.state)
    serial = None if form is None else form.serial
    return Field(name, "count", least=serial, most=serial, default=serial)


_SIGNATURE: Final = ("patron_signed", "statement", "stated_by")


@fills_in(*(f"{form}Form.{name}" for form in ("Prepare", "Replace") for name in _SIGNATURE))
def _signature(situation: Situation, name: str) -> Field:
    action, state = situation.action, situation.state
    prepares = action.command is acts.PrepareForm
    signs = prepares and (action.seat is None or not_there(state, action.seat) is None)
    if name == "patron_signed":
        return Field(name, "flag", default=signs)
    if signs:
        return Field(name, "text")
    if name == "statement":
        return Field(name, "text", default=_LEFT)
    dealer = next(iter(state[Duty].persons(Role.DEALER)), Role.DEALER.value)
    return Field(name, "text", default=dealer)


@fills_in("DropForm.pit_boss", "DropForm.pit_clerk")
def _witness(situation: Situation, name: str) -> Field:
    form = _to_drop(situation.state)
    signer = "" if form is None else getattr(form, name)
    return Field(name, "person", default=signer, source="person")


@fills_in(
    *(
        f"{name}.pit_clerk"
        for name in (
            "ReceiveForms",
            "PrepareForm",
            "ReplaceForm",
            "VoidForm",
            "EndGamingDay",
            "CarryForms",
            "HandOverForms",
        )
    )
)
def _custodian(situation: Situation, name: str) -> Field:
    clerks = situation.state[Duty].persons(Role.PIT_CLERK)
    custodian = situation.state[FormBook].custodian
    if situation.action.command is acts.ReceiveForms:
        custodian = next(iter(clerks), custodian)
    default = custodian or next(iter(clerks), Role.PIT_CLERK.value)
    return Field(name, "person", default=default, source="person")


@fills_in("ForwardForms.pit_clerk")
def _keeper(situation: Situation, name: str) -> Field:
    keepers = [form.kept_by for form in situation.state[FormBook].used.values()]
    return Field(name, "person", default=next(iter(keepers), ""), source="person")


def _keepers_gone(state: TableState) -> tuple[str, ...]:
    book, clerks = state[FormBook], state[Duty].persons(Role.PIT_CLERK)
    keepers = dict.fromkeys(form.kept_by for form in book.used.values())
    if book.next_serial is not None and book.custodian is not None:
        keepers[book.custodian] = None
    return tuple(keeper for keeper in keepers if keeper not in clerks)


@fills_in("gone")
def _former_keeper(situation: Situation, name: str) -> Field:
    return Field(name, "text", default=next(iter(_keepers_gone(situation.state)), ""))


@fills_in("TakeOverForms.pit_clerk")
def _new_keeper(situation: Situation, name: str) -> Field:
    clerks = situation.state[Duty].persons(Role.PIT_CLERK)
    return Field(name, "person", default=next(iter(clerks), "another pit clerk"), source="person")


@fills_in("CarryForms.table")
def _other_table(_situation: Situation, name: str) -> Field:
    return Field(name, "text", default="another table")


@fills_in("EndGamingDay.supervisor", "EndGamingDay.reason")
def _same_day_grounds(situation: Situation, name: str) -> Field:
    kind = "person" if name == "supervisor" else "text"
    return Field(name, kind, default="", needed=not is_another_day(situation.state))


@fills_in("first", "last")
def _series(situation: Situation, name: str) -> Field:
    first = situation.state[FormBook].last_serial + 1
    if name == "first":
        return Field(name, "count", least=first, default=first)
    maximum = first + MOST_FORMS - 1
    return Field(name, "count", least=first, most=maximum, default=first + 99)


@fills_in("originals")
def _originals(situation: Situation, name: str) -> Field:
    serials = situation.state[FormBook].forwarded
    choices = tuple((serial, f"Form {serial}") for serial in serials)
    return Field(name, "serials", choices=choices, default=tuple(serials))


@also_offers(ANY_TIME)
def _optional_form_acts(state: TableState, rules: TableRules) -> Iterator[Action]:
    if not has_forms(rules):
        return
    book = state[FormBook]
    if book.next_serial is None:
        series = rules.cites("forms.series")
        yield Action(acts.ReceiveForms, Role.PIT_CLERK, series, must=False, awaited=True)
    else:
        yield Action(acts.VoidForm, Role.PIT_CLERK, rules.cites("forms.void"), must=False)
        yield Action(acts.CarryForms, Role.PIT_CLERK, rules.cites("forms.series"), must=False)
        if _form_of_departed_patron(state) is not None:
            yield Action(acts.ReplaceForm, Role.PIT_CLERK, rules.cites("forms.void"), must=False)
    if book.custodian is not None:
        yield Action(acts.HandOverForms, Role.PIT_CLERK, rules.cites("forms.series"), must=False)
    if _keepers_gone(state):
        yield Action(acts.TakeOverForms, Role.PIT_CLERK, rules.cites("forms.series"), must=False)
    duplicates = rules.cites("forms.duplicate")
    is_awaited = bool(book.forwarded)
    yield Action(acts.CompareForms, Role.ACCOUNTING, duplicates, must=False, awaited=is_awaited)
    keeper = next((form.kept_by for form in book.used.values()), "")
    if not isinstance(decide(state, acts.ForwardForms(keeper), rules), Refusal):
        yield Action(acts.ForwardForms, Role.PIT_CLERK, rules.cites("forms.duplicate"), must=False)
    repeat = () if book.under_way else (Role.SUPERVISOR, "another day")
    day_ends = acts.EndGamingDay(book.custodian or Role.PIT_CLERK, *repeat)
    if not isinstance(decide(state, day_ends, rules), Refusal):
        yield Action(acts.EndGamingDay, Role.PIT_CLERK, rules.cites("forms.duplicate"), must=False)
