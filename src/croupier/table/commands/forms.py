"""Vigorish, its Forms, and the closing."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import field

from croupier.table.commands.command import Command

__all__ = [
    "CompareForms",
    "DropForm",
    "EndGamingDay",
    "HandOverForms",
    "PrepareForm",
    "ReceiveForms",
    "ReplaceForm",
    "VoidForm",
]


class ReceiveForms(Command, frozen=True):
    """The pit clerk receives a series of Complimentary Vigorish Forms, numbered first to last."""

    pit_clerk: str
    first: int
    last: int


class HandOverForms(Command, frozen=True):
    """A pit clerk hands what is on the pad, and what was used, over to another one."""

    pit_clerk: str
    taken_by: str


class PrepareForm(Command, frozen=True):
    """Document vigorish that a patron does not pay on the next Form of the series.

    ``patron_signed`` or else a ``statement`` why the signature could not be obtained, made by the
    dealer or the pit boss (``stated_by``). ``cents`` is what is not collected; all if not given.
    """

    serial: int
    seat: int
    pit_clerk: str
    dealer: str
    pit_boss: str
    patron_signed: bool
    statement: str | None = None
    stated_by: str | None = None
    cents: int | None = None


class VoidForm(Command, frozen=True):
    """Void the next Form of the series, or one spoilt in preparation: both copies are signed."""

    serial: int
    pit_clerk: str
    pit_boss: str


class ReplaceForm(Command, frozen=True):
    """Void a spoilt Form whose patron has left, and document its vigorish on the next one.

    Whoever signs the new Form signs both copies of the ``spoilt`` one as void. The patron's
    signature, or a statement in its place, is that of ``PrepareForm``.
    """

    serial: int
    spoilt: int
    pit_clerk: str
    dealer: str
    pit_boss: str
    patron_signed: bool
    statement: str | None = None
    stated_by: str | None = None


class DropForm(Command, frozen=True):
    """The dealer drops the original of a Form before the pit boss and pit clerk who signed it."""

    serial: int
    pit_boss: str
    pit_clerk: str


class EndGamingDay(Command, frozen=True):
    """The pit clerk forwards duplicates and void Forms, and records the complimentaries."""

    pit_clerk: str


class CompareForms(Command, frozen=True):
    """Accounting compares the duplicates with the originals found in the drop box.

    ``amounts`` are those on the originals, in cents by serial; any left out are not compared.
    """

    originals: tuple[int, ...]
    amounts: Mapping[int, int] = field(default_factory=dict)
