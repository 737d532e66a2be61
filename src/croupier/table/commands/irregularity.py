"""Irregularities, and the table that stands idle."""

from __future__ import annotations

from croupier.baccarat.hand import Hand
from croupier.cards import Card
from croupier.frozen import frozen
from croupier.table.commands.command import Command

__all__ = [
    "BeginSimulatedRound",
    "CorrectMisreadCard",
    "DeclareIdle",
    "DrawCardInError",
    "FindFaceUpCard",
    "FindShoeEmpty",
    "FindWrongCard",
    "PassOverHeldCard",
    "TurnSpreadUp",
    "VoidRound",
]


@frozen
class DrawCardInError(Command):
    """Report a card that left the shoe when none was due, or that was disclosed as it was dealt.

    ``dealt_to`` is the hand it was dealt to, if any; ``disclosed`` says that its face was seen.
    """

    card: Card
    disclosed: bool
    dealt_to: Hand | None = None


@frozen
class FindFaceUpCard(Command):
    """Report that the next card in the shoe is face up."""

    card: Card


@frozen
class FindShoeEmpty(Command):
    """Report that the shoe is empty though the count of its cards says otherwise."""

    supervisor: str


@frozen
class FindWrongCard(Command):
    """Report a card that cannot be among the decks in use.

    ``kind`` is ``surplus`` for a card that has come out as often as the decks have it, ``foreign``,
    or ``damaged``; ``card`` may be omitted if the card cannot be identified.
    """

    kind: str
    supervisor: str
    card: Card | None = None


@frozen
class CorrectMisreadCard(Command):
    """Report that the recorded card was misread.

    It is the card ``ordinal`` of a hand of the current round, or, without a ``hand``, one that
    waits for a hand to come.
    """

    recorded: Card
    actual: Card
    supervisor: str
    hand: Hand | None = None
    ordinal: int = 0


@frozen
class BeginSimulatedRound(Command):
    """Begin the round without wagers that the card disclosed in error requires."""


@frozen
class PassOverHeldCard(Command):
    """Report that a hand was dealt without the held cards that should have begun it.

    The named supervisor lets it stand; the cards begin the hand after it.
    """

    supervisor: str


@frozen
class VoidRound(Command):
    """Void the round: the shoe has no card left for it."""


@frozen
class DeclareIdle(Command):
    """The table is idle: take the cards from shoe and rack and spread them."""

    face_up: bool


@frozen
class TurnSpreadUp(Command):
    """Turn the cards of an idle table face up because a player has arrived."""
