"""Deferred vigorish that is collected, and the closing."""

from __future__ import annotations

from croupier.frozen import frozen
from croupier.table.commands.command import Command

__all__ = ["CloseTable", "CollectVigorish"]


@frozen
class CollectVigorish(Command):
    """Collect vigorish that a patron owes: all of it, or ``cents`` if not all can be had."""

    seat: int
    cents: int | None = None


@frozen
class CloseTable(Command):
    """Close the table."""
