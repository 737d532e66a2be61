"""Vigorish, its Forms, and the closing."""

from __future__ import annotations

from croupier.frozen import frozen
from croupier.table.commands.command import Command

__all__ = [
    "CompareForms",
    "DropForm",
    "EndGamingDay",
    "PrepareForm",
    "ReceiveForms",
    "VoidForm",
]


@frozen
class ReceiveForms(Command):
    """The pit clerk receives a series of Complimentary Vigorish Forms, numbered first to last."""

    pit_clerk: str
    first: int
    last: int


@frozen
class PrepareForm(Command):
    """Document vigorish that a patron does not pay on the next Form of the series.

    ``patron_signed`` or else a ``statement`` why the signature could not be obtained.
    """

    serial: int
    seat: int
    pit_clerk: str
    dealer: str
    pit_boss: str
    patron_signed: bool
    statement: str | None = None


@frozen
class VoidForm(Command):
    """Void the next Form of the series: both copies are marked and signed."""

    serial: int
    pit_clerk: str
    pit_boss: str


@frozen
class DropForm(Command):
    """The dealer drops the original of a Form before the pit boss and pit clerk who signed it."""

    serial: int
    pit_boss: str
    pit_clerk: str


@frozen
class EndGamingDay(Command):
    """The pit clerk forwards duplicates and void Forms, and records the complimentaries."""

    pit_clerk: str


@frozen
class CompareForms(Command):
    """Accounting compares the duplicates with the originals found in the drop box."""

    originals: tuple[int, ...]
