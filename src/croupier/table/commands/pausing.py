"""A table that is paused, notes in its record, and seats that are kept for patrons."""

from __future__ import annotations

from datetime import datetime

from croupier.table.commands.command import Command

__all__ = ["PauseTable", "ReleaseSeat", "ReserveSeat", "ResumeTable", "WriteNote"]


class PauseTable(Command, frozen=True):
    """Stop play: until it is resumed, only chips, people, corrections, and notes go on."""

    reason: str


class ResumeTable(Command, frozen=True):
    """Let play go on where it was paused."""


class WriteNote(Command, frozen=True):
    """Write a note of 1 to 500 characters in the record, about entry ``of`` if one is named."""

    text: str
    of: int | None = None


class ReserveSeat(Command, frozen=True):
    """Keep a seat for a patron by name, until a time in UTC, or until it is released."""

    seat: int
    patron: str
    until: datetime | None = None


class ReleaseSeat(Command, frozen=True):
    """Keep a seat for its patron no longer."""

    seat: int
