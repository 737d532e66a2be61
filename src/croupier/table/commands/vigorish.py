"""Deferred vigorish that is collected, and the closing."""

from __future__ import annotations

from croupier.table.commands.command import Command

__all__ = ["CloseTable", "CollectVigorish"]


class CollectVigorish(Command, frozen=True):
    """Collect vigorish that a patron owes: all of it, or ``cents`` if not all can be had."""

    seat: int
    cents: int | None = None


class CloseTable(Command, frozen=True):
    """Close the table."""
