"""Fields of the acts about Forms, and optional acts about them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from croupier import acts
from croupier.acts.roles import Role
from croupier.money.forms import Form, FormBook
from croupier.rules import TableRules
from croupier.table.machine.core import Action, Refusal, decide
from croupier.table.machine.offered import Field, Situation, also_offers, fills_in
from croupier.table.machine.state import ANY_TIME, TableState
from croupier.table.parts.forms import MOST_FORMS, has_forms, is_another_day
from croupier.table.people.duty import Duty

_LEFT: Final = "The patron has left."


def _to_drop(state: TableState) -> Form | None:
    used = state[FormBook].used.values()
    return next((form for form in used if not form.void and not form.dropped), None)


@fills_in("serial")
def _serial(of: Situation, name: str) -> Field:
    to_drop, command = _to_drop(of.state), of.action.command
    serial = of.state[FormBook].next_serial
    if to_drop is not None and command is acts.DropForm:
        serial = to_drop.serial
    # A Form spoilt in preparation may be voided while its patron is present.
    voids = to_drop is not None and to_drop.seat and command is acts.VoidForm
    least = to_drop.serial if to_drop is not None and voids else serial
    return Field(name, "count", least=least, most=serial, default=serial)


def _gone(state: TableState) -> Form | None:
    used = state[FormBook].used.values()
    return next((form for form in used if not (form.void or form.dropped or form.seat)), None)


@fills_in("spoilt")
def _spoilt(of: Situation, name: str) -> Field:
    gone = _gone(of.state)
    serial = None if gone is None else gone.serial
    return Field(name, "count", least=serial, most=serial, default=serial)


@fills_in("ReplaceForm.patron_signed", "ReplaceForm.statement", "ReplaceForm.stated_by")
def _without_signature(of: Situation, name: str) -> Field:
    if name == "patron_signed":
        return Field(name, "flag", default=False)
    if name == "statement":
        return Field(name, "text", default=_LEFT)
    there = of.state[Duty].persons(Role.DEALER)
    dealer = next(iter(there), Role.DEALER.value)
    return Field(name, "text", default=dealer)


@fills_in("DropForm.pit_boss", "DropForm.pit_clerk")
def _witness(of: Situation, name: str) -> Field:
    form = _to_drop(of.state)
    signed = "" if form is None else getattr(form, name)
    return Field(name, "person", default=signed, source="person")


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
def _custodian(of: Situation, name: str) -> Field:
    there = of.state[Duty].persons(Role.PIT_CLERK)
    keeps_them = of.state[FormBook].custodian
    if of.action.command is acts.ReceiveForms:
        keeps_them = next(iter(there), keeps_them)
    default = keeps_them or next(iter(there), Role.PIT_CLERK.value)
    return Field(name, "person", default=default, source="person")


@fills_in("ForwardForms.pit_clerk")
def _keeper(of: Situation, name: str) -> Field:
    kept = [form.kept_by for form in of.state[FormBook].used.values()]
    return Field(name, "person", default=next(iter(kept), ""), source="person")


def _keepers_gone(state: TableState) -> tuple[str, ...]:
    """Pit clerks who have Forms and are not assigned to the table."""
    book, there = state[FormBook], state[Duty].persons(Role.PIT_CLERK)
    keepers = dict.fromkeys(form.kept_by for form in book.used.values())
    if book.next_serial is not None and book.custodian is not None:
        keepers[book.custodian] = None
    return tuple(keeper for keeper in keepers if keeper not in there)


@fills_in("gone")
def _whose_forms(of: Situation, name: str) -> Field:
    return Field(name, "text", default=next(iter(_keepers_gone(of.state)), ""))


@fills_in("TakeOverForms.pit_clerk")
def _who_takes_over(of: Situation, name: str) -> Field:
    there = of.state[Duty].persons(Role.PIT_CLERK)
    return Field(name, "person", default=next(iter(there), "another pit clerk"), source="person")


@fills_in("CarryForms.table")
def _other_table(_of: Situation, name: str) -> Field:
    return Field(name, "text", default="another table")


@fills_in("EndGamingDay.supervisor", "EndGamingDay.reason")
def _seldom_needed(of: Situation, name: str) -> Field:
    kind = "person" if name == "supervisor" else "text"
    return Field(name, kind, default="", needed=not is_another_day(of.state))


@fills_in("first", "last")
def _series(of: Situation, name: str) -> Field:
    first = of.state[FormBook].last_serial + 1
    if name == "first":
        return Field(name, "count", least=first, default=first)
    most = first + MOST_FORMS - 1
    return Field(name, "count", least=first, most=most, default=first + 99)


@fills_in("originals")
def _originals(of: Situation, name: str) -> Field:
    forwarded = of.state[FormBook].forwarded
    choices = tuple((one, f"Form {one}") for one in forwarded)
    return Field(name, "serials", choices=choices, default=tuple(forwarded))


@also_offers(ANY_TIME)
def _what_else_forms_allow(state: TableState, rules: TableRules) -> Iterator[Action]:
    if not has_forms(rules):
        return
    book = state[FormBook]
    if book.next_serial is None:
        series = rules.cites("forms.series")
        yield Action(acts.ReceiveForms, Role.PIT_CLERK, series, must=False, awaited=True)
    else:
        yield Action(acts.VoidForm, Role.PIT_CLERK, rules.cites("forms.void"), must=False)
        yield Action(acts.CarryForms, Role.PIT_CLERK, rules.cites("forms.series"), must=False)
        if _gone(state) is not None:
            yield Action(acts.ReplaceForm, Role.PIT_CLERK, rules.cites("forms.void"), must=False)
    if book.custodian is not None:
        yield Action(acts.HandOverForms, Role.PIT_CLERK, rules.cites("forms.series"), must=False)
    if _keepers_gone(state):
        yield Action(acts.TakeOverForms, Role.PIT_CLERK, rules.cites("forms.series"), must=False)
    duplicates = rules.cites("forms.duplicate")
    waits = bool(book.forwarded)
    yield Action(acts.CompareForms, Role.ACCOUNTING, duplicates, must=False, awaited=waits)
    keeper = next((form.kept_by for form in book.used.values()), "")
    if not isinstance(decide(state, acts.ForwardForms(keeper), rules), Refusal):
        yield Action(acts.ForwardForms, Role.PIT_CLERK, rules.cites("forms.duplicate"), must=False)
    again = () if book.under_way else (Role.SUPERVISOR, "another day")
    day_ends = acts.EndGamingDay(book.custodian or Role.PIT_CLERK, *again)
    if not isinstance(decide(state, day_ends, rules), Refusal):
        yield Action(acts.EndGamingDay, Role.PIT_CLERK, rules.cites("forms.duplicate"), must=False)
