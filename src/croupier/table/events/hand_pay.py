"""Events of awards that are paid by hand, and of meters that are read or reconciled."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.table.events.event import Clauses, Event

__all__ = ["MetersRead", "MetersReconciled", "PaidByHand"]


class PaidByHand(Event, frozen=True):
    """An award was paid by hand, on a slip, and not from the chip tray."""

    number: int
    slip: int
    patron: str
    cents: int
    clauses: Clauses


class MetersReconciled(Event, frozen=True):
    """The meters showed ``shown``, their accounts held ``expected``; ``due`` are hand pays owed."""

    shown: Mapping[str, int]
    expected: Mapping[str, int]
    due: tuple[int, ...]
    clauses: Clauses


class MetersRead(Event, frozen=True):
    """What linked meters show, in cents; without a ``link`` they are the table's own again."""

    link: str
    shown: Mapping[str, int]
    clauses: Clauses
