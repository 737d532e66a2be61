"""The chip tray and the drop box: fills, credits, counts, and the change of chips."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.table.commands.command import Command

__all__ = [
    "ChangeChips", "CountDrop", "CountInventory", "IssueCredit", "IssueFill", "ReceiveCredit",
    "ReceiveFill", "RemoveDrop", "RequestCredit", "RequestFill", "VoidSlip",
]  # fmt: skip


class RequestFill(Command, frozen=True):
    """Ask the cage for chips, on a numbered slip; ``chips`` by value in cents."""

    slip: int
    chips: Mapping[int, int]


class IssueFill(Command, frozen=True):
    """The cage sends the chips of a slip to the table."""

    slip: int
    chips: Mapping[int, int]


class ReceiveFill(Command, frozen=True):
    """The dealer counts the chips of a slip into the tray, before the floorperson."""

    slip: int
    chips: Mapping[int, int]


class RequestCredit(Command, frozen=True):
    """Announce chips that go from the tray to the cage, on a numbered slip."""

    slip: int
    chips: Mapping[int, int]


class IssueCredit(Command, frozen=True):
    """The dealer counts the chips of a slip out of the tray, before the floorperson."""

    slip: int
    chips: Mapping[int, int]


class ReceiveCredit(Command, frozen=True):
    """The cage receives the chips of a slip from the table."""

    slip: int
    chips: Mapping[int, int]


class VoidSlip(Command, frozen=True):
    """Void a slip that is not completed; chips in transit are returned."""

    slip: int
    reason: str


class CountInventory(Command, frozen=True):
    """Count the chips in the tray; the ``closing`` count after the table is closed."""

    chips: Mapping[int, int]
    closing: bool = False


class RemoveDrop(Command, frozen=True):
    """Remove the drop box, and put another one in its place."""

    box: str
    next_box: str


class CountDrop(Command, frozen=True):
    """Count a removed drop box: its cash and its match play coupons."""

    box: str
    cash_cents: int
    coupon_cents: int = 0


class ChangeChips(Command, frozen=True):
    """Change or color up a patron's chips for others of the same value, by value in cents."""

    seat: int
    taken: Mapping[int, int]
    given: Mapping[int, int]
