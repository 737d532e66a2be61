"""Decks that are changed by the clock."""

from __future__ import annotations

from datetime import datetime

from croupier.frozen import frozen
from croupier.table.commands.command import Command

__all__ = ["RecordTime", "RemoveCards"]


@frozen
class RecordTime(Command):
    """Record the time that the clock of the pit shows, in UTC, where entries have no time."""

    at: datetime


@frozen
class RemoveCards(Command):
    """Take the decks off the table, so that others can be received."""
