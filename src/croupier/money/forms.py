"""Complimentary Vigorish Forms: a prenumbered series, its custody, and used Forms."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Annotated, Final

from msgspec import Struct, field
from msgspec.structs import replace

from croupier.law.sight import Key, Sight

_Serial = Annotated[int, Key("serial")]
MOST_FORMS: Final = 1_000_000
"""Every unused Form is accounted for by number."""


class Form(Struct, frozen=True):
    """A used Form, filled in or void; ``seat`` is the patron's current one, 0 after leaving."""

    serial: int
    patron: str
    cents: int
    pit_boss: str
    pit_clerk: str
    void: bool = False
    dropped: bool = False
    seat: int = 0
    kept_by: str = ""


class FormBook(Struct, frozen=True):
    """A pit clerk's series of Forms, and those used since the last accounting.

    ``forwarded`` are the amounts of Forms sent to accounting, by serial. ``under_way`` is whether
    the table opened since a day ``ended``, and ``ended_at`` is when that was, by its clock.
    """

    custodian: Annotated[str | None, Sight.STAFF] = None
    next_serial: Annotated[int | None, Sight.OPEN] = None
    last_serial: Annotated[int, Sight.OPEN] = 0
    used: Annotated[Mapping[_Serial, Form], Sight.PAPER] = field(default_factory=dict)
    forwarded: Annotated[Mapping[_Serial, int], Sight.OPEN] = field(default_factory=dict)
    ended: Annotated[date | None, Sight.OPEN] = None
    ended_at: Annotated[datetime | None, Sight.KEPT] = None
    under_way: Annotated[bool, Sight.KEPT] = True

    def __post_init__(self) -> None:
        if self.next_serial is not None and self.last_serial - self.next_serial >= MOST_FORMS:
            raise ValueError(f"more than {MOST_FORMS:,} Forms are unused")

    def received(self, pit_clerk: str, first: int, last: int) -> FormBook:
        return replace(self, custodian=pit_clerk, next_serial=first, last_serial=last)

    def handed_over(self, pit_clerk: str, successor: str, serials: tuple[int, ...]) -> FormBook:
        """Book after a pit clerk handed unused Forms, if any, and these copies over."""
        forms = {serial: replace(self.used[serial], kept_by=successor) for serial in serials}
        custodian = successor if pit_clerk == self.custodian else self.custodian
        return replace(self, custodian=custodian, used={**self.used, **forms})

    def carried_away(self, first: int) -> FormBook:
        """Book without its unused Forms, which are used at another table."""
        return replace(self, custodian=None, next_serial=None, last_serial=first - 1)

    def kept_by(self, pit_clerk: str) -> tuple[Form, ...]:
        return tuple(form for form in self.used.values() if form.kept_by == pit_clerk)

    def with_form(self, form: Form) -> FormBook:
        following = self.next_serial
        if form.serial == following:
            following = form.serial + 1 if form.serial < self.last_serial else None
        return replace(self, next_serial=following, used={**self.used, form.serial: form})

    def reseated(self, seat: int, new_seat: int) -> FormBook:
        """Book after a patron changed seats, or left (``to`` is 0)."""
        forms_at_seat = {serial: form for serial, form in self.used.items() if form.seat == seat}
        forms = {serial: replace(form, seat=new_seat) for serial, form in forms_at_seat.items()}
        return replace(self, used={**self.used, **forms}) if forms else self

    def after_forwarding(self, duplicates: tuple[int, ...], void: tuple[int, ...]) -> FormBook:
        amounts = {serial: self.used[serial].cents for serial in duplicates}
        serials = {*duplicates, *void}
        remaining = {serial: form for serial, form in self.used.items() if serial not in serials}
        return replace(self, used=remaining, forwarded={**self.forwarded, **amounts})

    def after_comparison(self) -> FormBook:
        return replace(self, forwarded={})

    @property
    def unused(self) -> tuple[int, ...]:
        return (
            () if self.next_serial is None else tuple(range(self.next_serial, self.last_serial + 1))
        )
