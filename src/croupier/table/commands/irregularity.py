"""Irregularities, and the table that stands idle."""

from __future__ import annotations

from croupier.baccarat.hand import Hand
from croupier.cards import Card
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


class DrawCardInError(Command, frozen=True):
    """Report a card that left the shoe when none was due, or that was disclosed as it was dealt.

    ``dealt_to`` is the hand it was dealt to, if any; ``disclosed`` says that its face was seen.
    """

    card: Card
    disclosed: bool
    dealt_to: Hand | None = None


class FindFaceUpCard(Command, frozen=True):
    """Report that the next card in the shoe is face up."""

    card: Card


class FindShoeEmpty(Command, frozen=True):
    """Report that the shoe is empty though the count of its cards says otherwise."""

    supervisor: str


class FindWrongCard(Command, frozen=True):
    """Report a card that cannot be among the decks in use.

    ``kind`` is ``surplus`` for a card that has come out as often as the decks have it, ``foreign``,
    or ``damaged``; ``card`` may be omitted if the card cannot be identified.
    """

    kind: str
    supervisor: str
    card: Card | None = None


class CorrectMisreadCard(Command, frozen=True):
    """Report that the recorded card was misread.

    It is the card ``ordinal`` of a hand of the current round, or, without a ``hand``, one that
    waits for a hand to come.
    """

    recorded: Card
    actual: Card
    supervisor: str
    hand: Hand | None = None
    ordinal: int = 0


class BeginSimulatedRound(Command, frozen=True):
    """Begin the round without wagers that the card disclosed in error requires."""


class PassOverHeldCard(Command, frozen=True):
    """Report that a hand was dealt without the held cards that should have begun it.

    The named supervisor lets it stand; the cards begin the hand after it.
    """

    supervisor: str


class VoidRound(Command, frozen=True):
    """Void the round: the shoe has no card left for it."""


class DeclareIdle(Command, frozen=True):
    """The table is idle: take the cards from shoe and rack and spread them."""

    face_up: bool


class TurnSpreadUp(Command, frozen=True):
    """Turn the cards of an idle table face up because a player has arrived."""
