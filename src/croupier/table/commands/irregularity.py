"""Irregularities, and the table that stands idle."""

from __future__ import annotations

from croupier.baccarat.hand import Hand
from croupier.cards import Card
from croupier.frozen import frozen
from croupier.table.commands.command import Command

__all__ = [
    "BeginSimulatedRound",
    "DeclareIdle",
    "DrawCardInError",
    "FindFaceUpCard",
    "PassOverHeldCard",
    "TurnSpreadUp",
    "VoidRound",
]


@frozen
class DrawCardInError(Command):
    """Report a card that left the shoe when none was due, or that was disclosed as it was dealt.

    ``dealt_to`` is the hand it was dealt to, if any; ``disclosed`` tells that its face was seen.
    """

    card: Card
    disclosed: bool
    dealt_to: Hand | None = None


@frozen
class FindFaceUpCard(Command):
    """Report that the next card in the shoe lies face up."""

    card: Card


@frozen
class BeginSimulatedRound(Command):
    """Begin the round without wagers that the card disclosed in error calls for."""


@frozen
class PassOverHeldCard(Command):
    """Report that a hand was dealt without the held cards that should have begun it.

    The supervisor who is named lets it stand; the cards begin the hand after it.
    """

    supervisor: str


@frozen
class VoidRound(Command):
    """Void the round: the shoe has no card left for it."""


@frozen
class DeclareIdle(Command):
    """Nobody plays: take the cards from shoe and rack and spread them."""

    face_up: bool


@frozen
class TurnSpreadUp(Command):
    """Turn the cards of an idle table face up, as a player has arrived."""
