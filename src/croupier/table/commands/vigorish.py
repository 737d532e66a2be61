"""Deferred vigorish that is collected, and the closing."""

from __future__ import annotations

from croupier.frozen import frozen
from croupier.table.commands.command import Command

__all__ = ["CloseTable", "CollectVigorish"]


@frozen
class CollectVigorish(Command):
    """Collect all the vigorish that a patron owes."""

    seat: int


@frozen
class CloseTable(Command):
    """Close the table."""
