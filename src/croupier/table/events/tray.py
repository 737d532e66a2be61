"""Events of the chip tray and the drop box."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.table.events.event import Clauses, Event

__all__ = [
    "ChipsChanged", "CreditIssued", "CreditReceived", "CreditRequested", "DropCounted",
    "DropRemoved", "FillIssued", "FillReceived", "FillRequested", "InventoryCounted", "SlipVoided",
]  # fmt: skip


class FillRequested(Event, frozen=True):
    """Chips were asked for, on a slip."""

    slip: int
    chips: Mapping[int, int]
    cents: int
    clauses: Clauses


class FillIssued(Event, frozen=True):
    """The chips of a fill are on their way from the cage."""

    slip: int
    cents: int
    clauses: Clauses


class FillReceived(Event, frozen=True):
    """The chips of a fill are in the tray."""

    slip: int
    cents: int
    clauses: Clauses


class CreditRequested(Event, frozen=True):
    """Chips are to go to the cage, on a slip."""

    slip: int
    chips: Mapping[int, int]
    cents: int
    clauses: Clauses


class CreditIssued(Event, frozen=True):
    """The chips of a credit are on their way to the cage."""

    slip: int
    cents: int
    clauses: Clauses


class CreditReceived(Event, frozen=True):
    """The chips of a credit are in the cage."""

    slip: int
    cents: int
    clauses: Clauses


class SlipVoided(Event, frozen=True):
    """A slip is void; ``returned_cents`` of chips in transit were returned."""

    slip: int
    kind: str
    returned_cents: int
    reason: str
    clauses: Clauses


class InventoryCounted(Event, frozen=True):
    """The tray was counted; the ledger expected ``expected_cents``. A closing count is final."""

    chips: Mapping[int, int]
    cents: int
    expected_cents: int
    closing: bool
    clauses: Clauses


class DropRemoved(Event, frozen=True):
    """A drop box was removed with its contents."""

    box: str
    next_box: str
    cash_cents: int
    coupon_cents: int
    clauses: Clauses


class DropCounted(Event, frozen=True):
    """A drop box was counted; ``expected`` amounts are what the record put into it."""

    box: str
    cash_cents: int
    expected_cents: int
    coupon_cents: int
    expected_coupon_cents: int
    clauses: Clauses


class ChipsChanged(Event, frozen=True):
    """A patron's chips were changed for others of the same value."""

    seat: int
    taken: Mapping[int, int]
    given: Mapping[int, int]
    cents: int
    clauses: Clauses
