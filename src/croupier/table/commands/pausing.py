"""A table that is paused, notes in its record, and seats that are kept for patrons."""

from __future__ import annotations

from datetime import datetime

from croupier.frozen import frozen
from croupier.table.commands.command import Command

__all__ = ["PauseTable", "ReleaseSeat", "ReserveSeat", "ResumeTable", "WriteNote"]


@frozen
class PauseTable(Command):
    """Stop play: until it is resumed, only chips, people, corrections, and notes go on."""

    reason: str


@frozen
class ResumeTable(Command):
    """Let play go on where it was paused."""


@frozen
class WriteNote(Command):
    """Write a note of 1 to 500 characters in the record, about entry ``of`` if one is named."""

    text: str
    of: int | None = None


@frozen
class ReserveSeat(Command):
    """Keep a seat for a patron by name, until a time in UTC, or until it is released."""

    seat: int
    patron: str
    until: datetime | None = None


@frozen
class ReleaseSeat(Command):
    """Keep a seat for its patron no longer."""

    seat: int
