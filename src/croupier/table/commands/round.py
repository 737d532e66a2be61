"""The round of play."""

from __future__ import annotations

from croupier.baccarat.hand import Hand
from croupier.cards import Card
from croupier.table.commands.command import Command

__all__ = [
    "AcceptCards",
    "ClearLayout",
    "DeclineCards",
    "DrawCard",
    "HandCards",
    "PermitTurning",
    "RelinquishCards",
    "RequestBankerFirst",
    "RequireRelinquishment",
    "ReturnCards",
    "ReturnDiscards",
    "SettleWagers",
    "TurnHand",
    "UseHeldCard",
]


class DrawCard(Command, frozen=True):
    """Draw the next card from the shoe, for whatever is due: burn, hand, or discard.

    ``card`` is ``None`` if the card must be discarded unseen.
    """

    card: Card | None


class UseHeldCard(Command, frozen=True):
    """Deal the card that was drawn in error earlier, as the first of this hand."""


class RequestBankerFirst(Command, frozen=True):
    """A player asks that Banker's Hand be turned before Player's."""

    seat: int


class TurnHand(Command, frozen=True):
    """The dealer turns the face-down cards of a hand."""

    hand: Hand


class HandCards(Command, frozen=True):
    """Hand the face-down cards of a hand to its holder."""

    hand: Hand


class ReturnCards(Command, frozen=True):
    """The holder returns the cards of a hand, face up."""

    seat: int
    hand: Hand


class RelinquishCards(Command, frozen=True):
    """The holder relinquishes the right to turn a hand."""

    seat: int
    hand: Hand


class RequireRelinquishment(Command, frozen=True):
    """The dealer or the floorperson takes the right to turn a hand from its holder.

    ``grounds`` is ``delay`` or ``violation``.
    """

    seat: int
    hand: Hand
    by: str
    grounds: str


class AcceptCards(Command, frozen=True):
    """The player who is offered a relinquished hand takes it."""

    seat: int
    hand: Hand


class DeclineCards(Command, frozen=True):
    """The player who is offered a relinquished hand declines it."""

    seat: int
    hand: Hand


class SettleWagers(Command, frozen=True):
    """Collect the losing wagers, pay the winning ones, take the vigorish, in the elected order."""


class ClearLayout(Command, frozen=True):
    """Pick up the cards of the round and place them in the discard rack, in order."""


class ReturnDiscards(Command, frozen=True):
    """Put the discarded cards back into the continuous device."""


class PermitTurning(Command, frozen=True):
    """Let a bettor on the other hand turn a hand with no wagers."""

    seat: int
    hand: Hand
