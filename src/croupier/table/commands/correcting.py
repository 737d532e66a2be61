"""Corrections: what the record has wrong, put right by an entry that names the one it corrects."""

from __future__ import annotations

from croupier.baccarat.hand import Hand
from croupier.cards import Card
from croupier.table.commands.command import Command

__all__ = ["CorrectSettlement", "CorrectWager", "PayKeptAmount"]


class CorrectWager(Command, frozen=True):
    """Record what lies on the layout where entry ``of`` has another amount, before settlement.

    ``cents`` are the chips of that seat on that wager which the entry should have recorded.
    """

    of: int
    seat: int
    wager: str
    cents: int
    reason: str


class CorrectSettlement(Command, frozen=True):
    """Settle the round of entry ``of`` again with the truth, and pay the difference.

    The truth is one of three: the card ``ordinal`` of a ``hand`` was ``actual``; ``seat`` had
    ``cents`` on ``wager``; or ``seat`` was handed ``paid_cents`` for it. Seats in ``returned`` give
    back what they were given too much, also where that alone is recorded.
    """

    of: int
    reason: str
    hand: Hand | None = None
    ordinal: int = 0
    actual: Card | None = None
    seat: int | None = None
    wager: str = ""
    cents: int | None = None
    paid_cents: int | None = None
    returned: tuple[int, ...] = ()


class PayKeptAmount(Command, frozen=True):
    """The cage pays a patron who had left what was kept from the round that entry ``of`` settled.

    ``seat`` is where the patron sat in that round, ``identified`` says how the cage knows that
    it is ``patron``. ``cents`` is a part of what is kept; all of it if not given.
    """

    of: int
    seat: int
    patron: str
    identified: str
    slip: int
    cents: int | None = None
