"""House Money."""

from __future__ import annotations

from typing import Annotated

from croupier.acts.command import Command, Event, command, event
from croupier.acts.fields import Label, PayoutsBySeat, Seat, StakeCents, Word
from croupier.acts.roles import Role
from croupier.law.cite import Clauses


@command("Settle House Money", by=Role.DEALER, rule="wagers.house_money.settle")
class SettleHouseMoney(Command, frozen=True):
    """Settle House Money before the third cards.

    ``added`` gives, by seat, the wager to which the payout is added: ``player`` or ``banker``.
    """

    added: Annotated[PayoutsBySeat, Label("Payouts placed on a wager")]


@event("House Money is settled before any third card")
class HouseMoneyDue(Event, frozen=True):
    """Both hands are face up: House Money is settled before any third card."""

    seats: tuple[Seat, ...]
    clauses: Clauses


class PayoutAdded(Event, frozen=True):
    """A House Money payout, or part of it, was placed on the winner's wager."""

    seat: Seat
    to: Word
    cents: StakeCents
    clauses: Clauses


@event("The game continues")
class HouseMoneySettled(Event, frozen=True):
    """The game continues with the third cards."""

    clauses: Clauses
