"""Awards that are paid by hand, and meters as accounting or a pit reads them."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.table.commands.command import Command

__all__ = ["PayByHand", "ReadMeters", "ReconcileMeters"]


class PayByHand(Command, frozen=True):
    """The cage pays an award that is due by hand, on a numbered slip."""

    number: int
    slip: int


class ReconcileMeters(Command, frozen=True):
    """Accounting compares what the meters show, in cents, with their accounts."""

    shown: Mapping[str, int]


class ReadMeters(Command, frozen=True):
    """Take over what meters show that are linked with those of other tables, in cents.

    ``link`` names the link; without a name the table keeps these meters alone from now on.
    """

    link: str
    shown: Mapping[str, int]
