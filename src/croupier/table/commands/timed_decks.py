"""Decks that are changed by the clock."""

from __future__ import annotations

from datetime import datetime

from croupier.table.commands.command import Command

__all__ = ["RecordTime", "RemoveCards"]


class RecordTime(Command, frozen=True):
    """Record the time that the clock of the pit shows, in UTC, where entries have no time."""

    at: datetime


class RemoveCards(Command, frozen=True):
    """Take the decks off the table, so that others can be received."""
