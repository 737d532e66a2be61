"""The chip tray and the drop box: fills, credits, counts, and the change of chips."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.frozen import frozen
from croupier.table.commands.command import Command

__all__ = [
    "ChangeChips", "CountDrop", "CountInventory", "IssueCredit", "IssueFill", "ReceiveCredit",
    "ReceiveFill", "RemoveDrop", "RequestCredit", "RequestFill", "VoidSlip",
]  # fmt: skip


@frozen
class RequestFill(Command):
    """Ask the cage for chips, on a numbered slip; ``chips`` by value in cents."""

    slip: int
    chips: Mapping[int, int]


@frozen
class IssueFill(Command):
    """The cage sends the chips of a slip to the table."""

    slip: int
    chips: Mapping[int, int]


@frozen
class ReceiveFill(Command):
    """The dealer counts the chips of a slip into the tray, before the floorperson."""

    slip: int
    chips: Mapping[int, int]


@frozen
class RequestCredit(Command):
    """Announce chips that go from the tray to the cage, on a numbered slip."""

    slip: int
    chips: Mapping[int, int]


@frozen
class IssueCredit(Command):
    """The dealer counts the chips of a slip out of the tray, before the floorperson."""

    slip: int
    chips: Mapping[int, int]


@frozen
class ReceiveCredit(Command):
    """The cage receives the chips of a slip from the table."""

    slip: int
    chips: Mapping[int, int]


@frozen
class VoidSlip(Command):
    """Void a slip that is not completed; chips in transit are returned."""

    slip: int
    reason: str


@frozen
class CountInventory(Command):
    """Count the chips in the tray; the ``closing`` count after the table is closed."""

    chips: Mapping[int, int]
    closing: bool = False


@frozen
class RemoveDrop(Command):
    """Remove the drop box, and put another one in its place."""

    box: str
    next_box: str


@frozen
class CountDrop(Command):
    """Count a removed drop box: its cash and its match play coupons."""

    box: str
    cash_cents: int
    coupon_cents: int = 0


@frozen
class ChangeChips(Command):
    """Change or color up a patron's chips for others of the same value, by value in cents."""

    seat: int
    taken: Mapping[int, int]
    given: Mapping[int, int]
