"""Awards that are paid by hand, and the meters as accounting reads them."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.frozen import frozen
from croupier.table.commands.command import Command

__all__ = ["PayByHand", "ReconcileMeters"]


@frozen
class PayByHand(Command):
    """The cage pays an award that is due by hand, on a numbered slip."""

    number: int
    slip: int


@frozen
class ReconcileMeters(Command):
    """Accounting compares what the meters show, in cents, with their accounts."""

    shown: Mapping[str, int]
