"""Complimentary Vigorish Forms: a prenumbered series, its custody, and what became of each Form."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.frozen import field, frozen

__all__ = ["Form", "FormBook"]


@frozen
class Form:
    """One Form that has left the pad: filled in, or void."""

    serial: int
    patron: str
    cents: int
    pit_boss: str
    pit_clerk: str
    void: bool = False
    dropped: bool = False


@frozen
class FormBook:
    """The series that a pit clerk holds, and the Forms used from it since it was accounted for.

    ``next_serial`` is the only one that may be used next; ``None`` where no series was received
    or where it is used up. ``forwarded`` are the serials whose duplicates went to accounting.
    """

    custodian: str | None = None
    next_serial: int | None = None
    last_serial: int = 0
    used: Mapping[int, Form] = field(default_factory=dict)
    forwarded: tuple[int, ...] = ()

    def received(self, pit_clerk: str, first: int, last: int) -> FormBook:
        """Return the book after a new series has come in."""
        return FormBook(pit_clerk, first, last, self.used, self.forwarded)

    def with_form(self, form: Form) -> FormBook:
        """Return the book after a Form was used or changed; a new one moves the series on."""
        following = self.next_serial
        if form.serial == following:
            following = form.serial + 1 if form.serial < self.last_serial else None
        return FormBook(
            self.custodian,
            following,
            self.last_serial,
            {**self.used, form.serial: form},
            self.forwarded,
        )

    def after_forwarding(self, duplicates: tuple[int, ...]) -> FormBook:
        """Return the book at the end of the gaming day: the used Forms have left it."""
        forwarded = (*self.forwarded, *duplicates)
        return FormBook(self.custodian, self.next_serial, self.last_serial, {}, forwarded)

    def after_comparison(self) -> FormBook:
        """Return the book once accounting has compared what was forwarded."""
        return FormBook(self.custodian, self.next_serial, self.last_serial, self.used)

    @property
    def unused(self) -> tuple[int, ...]:
        """The serials still on the pad."""
        return (
            () if self.next_serial is None else tuple(range(self.next_serial, self.last_serial + 1))
        )
