"""Deferred vigorish that is collected, and the closing."""

from __future__ import annotations

from croupier.acts.command import Command, command
from croupier.acts.fields import (
    PatronCents,
    Seat,
)
from croupier.acts.roles import Role


@command(
    "Collect the vigorish of seat {seat}", by=Role.DEALER, rule="vigorish.marker", group="money"
)
class CollectVigorish(Command, frozen=True):
    """Collect vigorish that a patron owes: all of it, or ``cents`` if not all can be had."""

    seat: Seat
    cents: PatronCents | None = None


@command("Close the table", by=Role.FLOORPERSON, together=Role.DEALER)
class CloseTable(Command, frozen=True):
    """Close the table."""
