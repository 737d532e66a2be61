"""Complimentary Vigorish Forms: a prenumbered series, its custody, and what became of each Form."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Annotated

from msgspec import Struct, field
from msgspec.structs import replace

from croupier.law.sight import Sight


class Form(Struct, frozen=True):
    """One Form that has left the pad: filled in for the patron of a seat, or void.

    ``seat`` is where that patron sits now, 0 for one who has left.
    """

    serial: int
    patron: str
    cents: int
    pit_boss: str
    pit_clerk: str
    void: bool = False
    dropped: bool = False
    seat: int = 0


class FormBook(Struct, frozen=True):
    """The series that a pit clerk holds, and the Forms used from it since it was accounted for.

    ``next_serial`` is the only one that may be used next; ``None`` where no series was received
    or where it is used up. ``forwarded`` are the amounts of the Forms whose duplicates went to
    accounting, by serial. ``ended`` is the last gaming day that was ended.
    """

    custodian: Annotated[str | None, Sight.STAFF] = None
    next_serial: Annotated[int | None, Sight.OPEN] = None
    last_serial: Annotated[int, Sight.OPEN] = 0
    used: Annotated[Mapping[int, Form], Sight.PAPER] = field(default_factory=dict)
    forwarded: Annotated[Mapping[int, int], Sight.OPEN] = field(default_factory=dict)
    ended: Annotated[date | None, Sight.OPEN] = None

    def received(self, pit_clerk: str, first: int, last: int) -> FormBook:
        """Return the book after a new series has come in."""
        return replace(self, custodian=pit_clerk, next_serial=first, last_serial=last)

    def handed_over(self, pit_clerk: str) -> FormBook:
        """Return the book once another pit clerk holds what is on the pad and what was used."""
        return replace(self, custodian=pit_clerk)

    def with_form(self, form: Form) -> FormBook:
        """Return the book after a Form was used or changed; a new one moves the series on."""
        following = self.next_serial
        if form.serial == following:
            following = form.serial + 1 if form.serial < self.last_serial else None
        return replace(self, next_serial=following, used={**self.used, form.serial: form})

    def reseated(self, seat: int, to: int) -> FormBook:
        """Return the book once the patron of a seat sits elsewhere; at 0 the patron has left."""
        at = {serial: form for serial, form in self.used.items() if form.seat == seat}
        moved = {serial: replace(form, seat=to) for serial, form in at.items()}
        return replace(self, used={**self.used, **moved}) if moved else self

    def after_forwarding(self, duplicates: tuple[int, ...], ended: date | None = None) -> FormBook:
        """Return the book at the end of the gaming day: the used Forms have left it."""
        sent = {serial: self.used[serial].cents for serial in duplicates}
        return replace(self, used={}, forwarded={**self.forwarded, **sent}, ended=ended)

    def after_comparison(self) -> FormBook:
        """Return the book once accounting has compared what was forwarded."""
        return replace(self, forwarded={})

    @property
    def unused(self) -> tuple[int, ...]:
        """The serials still on the pad."""
        return (
            () if self.next_serial is None else tuple(range(self.next_serial, self.last_serial + 1))
        )
