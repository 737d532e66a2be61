"""What a Complimentary Vigorish Form is filled in with where a page or a terminal asks for it."""

from __future__ import annotations

from croupier.money.forms import Form
from croupier.table import commands as c
from croupier.table.acts import Field, Situation, fills_in
from croupier.table.duty import Duty
from croupier.table.parts.forms import MOST_FORMS, FormBook
from croupier.table.roles import Role
from croupier.table.state import TableState
from croupier.table.wording import LABELS

__all__: list[str] = []


def _to_drop(state: TableState) -> Form | None:
    used = state[FormBook].used.values()
    return next((form for form in used if not form.void and not form.dropped), None)


@fills_in("serial")
def _serial(of: Situation, name: str) -> Field:
    """Return the Form that an act is about: the next of the series, or one to be dropped."""
    to_drop, command = _to_drop(of.state), of.action.command
    serial = of.state[FormBook].next_serial
    if to_drop is not None and command is c.DropForm:
        serial = to_drop.serial
    # One that was spoilt in preparation may be void, too.
    least = to_drop.serial if to_drop is not None and command is c.VoidForm else serial
    return Field(name, "count", LABELS[name], least=least, most=serial, default=serial)


@fills_in("DropForm.pit_boss", "DropForm.pit_clerk")
def _witness(of: Situation, name: str) -> Field:
    form = _to_drop(of.state)
    signed = "" if form is None else getattr(form, name)
    return Field(name, "person", LABELS[name], default=signed, source="person")


@fills_in(
    *(
        f"{one}.pit_clerk"
        for one in ("ReceiveForms", "PrepareForm", "VoidForm", "EndGamingDay", "HandOverForms")
    )
)
def _custodian(of: Situation, name: str) -> Field:
    there = of.state[Duty].persons(Role.PIT_CLERK)
    keeps_them = of.state[FormBook].custodian
    if of.action.command is c.ReceiveForms:
        keeps_them = next(iter(there), keeps_them)
    default = keeps_them or next(iter(there), Role.PIT_CLERK.value)
    return Field(name, "person", LABELS[name], default=default, source="person")


@fills_in("first", "last")
def _series(of: Situation, name: str) -> Field:
    first = of.state[FormBook].last_serial + 1
    if name == "first":
        return Field(name, "count", LABELS[name], least=first, default=first)
    most = first + MOST_FORMS - 1
    return Field(name, "count", LABELS[name], least=first, most=most, default=first + 99)


@fills_in("originals")
def _originals(of: Situation, name: str) -> Field:
    forwarded = of.state[FormBook].forwarded
    choices = tuple((one, f"Form {one}") for one in forwarded)
    return Field(name, "serials", LABELS[name], choices=choices, default=tuple(forwarded))
