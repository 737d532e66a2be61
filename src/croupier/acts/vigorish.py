"""Deferred vigorish, and the closing."""

from __future__ import annotations

from croupier.acts.command import Command, command
from croupier.acts.fields import PatronCents, Seat
from croupier.acts.roles import Role


@command(
    "Collect the vigorish of seat {seat}", by=Role.DEALER, rule="vigorish.marker", group="money"
)
class CollectVigorish(Command, frozen=True):
    """Collect vigorish that a patron owes: all, or ``cents`` if only a part can be collected."""

    seat: Seat
    cents: PatronCents | None = None


@command("Close the table", by=Role.FLOORPERSON, together=Role.DEALER)
class CloseTable(Command, frozen=True):
    """Close the table."""
