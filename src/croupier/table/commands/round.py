"""The round of play."""

from __future__ import annotations

from croupier.baccarat.hand import Hand
from croupier.cards import Card
from croupier.frozen import frozen
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


@frozen
class DrawCard(Command):
    """Draw the next card from the shoe, for whatever is due: burn, hand, or discard.

    ``card`` is ``None`` if the card must be discarded unseen.
    """

    card: Card | None


@frozen
class UseHeldCard(Command):
    """Deal the card that was drawn in error earlier, as the first of this hand."""


@frozen
class RequestBankerFirst(Command):
    """A player asks that Banker's Hand be turned before Player's."""

    seat: int


@frozen
class TurnHand(Command):
    """The dealer turns the face-down cards of a hand."""

    hand: Hand


@frozen
class HandCards(Command):
    """Hand the face-down cards of a hand to its holder."""

    hand: Hand


@frozen
class ReturnCards(Command):
    """The holder returns the cards of a hand, face up."""

    seat: int
    hand: Hand


@frozen
class RelinquishCards(Command):
    """The holder relinquishes the right to turn a hand."""

    seat: int
    hand: Hand


@frozen
class RequireRelinquishment(Command):
    """The dealer or the floorperson takes the right to turn a hand from its holder.

    ``grounds`` is ``delay`` or ``violation``.
    """

    seat: int
    hand: Hand
    by: str
    grounds: str


@frozen
class AcceptCards(Command):
    """The player who is offered a relinquished hand takes it."""

    seat: int
    hand: Hand


@frozen
class DeclineCards(Command):
    """The player who is offered a relinquished hand declines it."""

    seat: int
    hand: Hand


@frozen
class SettleWagers(Command):
    """Collect the losing wagers, pay the winning ones, take the vigorish, in the elected order."""


@frozen
class ClearLayout(Command):
    """Pick up the cards of the round and place them in the discard rack, in order."""


@frozen
class ReturnDiscards(Command):
    """Put the discarded cards back into the continuous device."""


@frozen
class PermitTurning(Command):
    """Let a bettor on the other hand turn a hand with no wagers."""

    seat: int
    hand: Hand
