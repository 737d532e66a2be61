"""Events of irregularities, and of an idle table."""

from __future__ import annotations

from croupier.baccarat.hand import Hand
from croupier.cards import Card
from croupier.frozen import frozen
from croupier.table.events.event import Clauses, Event

__all__ = [
    "CardDiscarded",
    "CardDrawnInError",
    "CardHeld",
    "CardMisread",
    "FaceUpCardFound",
    "HeldCardPassedOver",
    "RoundVoided",
    "ShoeFoundEmpty",
    "SimulatedRoundBegun",
    "SimulatedRoundOrdered",
    "SpreadTurnedUp",
    "TableIdle",
    "ThirdCardWaits",
    "ThirdCardWaitsNoMore",
    "WrongCardFound",
]


@frozen
class CardDrawnInError(Event):
    """A card left the shoe when none was due."""

    card: Card
    disclosed: bool
    dealt_to: Hand | None
    clauses: Clauses


@frozen
class CardHeld(Event):
    """A card drawn in error is kept as the first card of the next hand."""

    card: Card
    clauses: Clauses


@frozen
class HeldCardPassedOver(Event):
    """A hand stands that was dealt without the held cards: they begin the hand after it."""

    cards: tuple[Card, ...]
    supervisor: str
    clauses: Clauses


@frozen
class CardMisread(Event):
    """A card was taken for another; the hands are as they truly lie.

    ``hand`` is ``None`` for a card that waits for a hand to come. Where the result ``stands``, the
    wagers have been settled by the card recorded.
    """

    recorded: Card
    actual: Card
    hand: Hand | None
    ordinal: int
    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    stands: bool
    supervisor: str
    clauses: Clauses


@frozen
class ShoeFoundEmpty(Event):
    """The shoe is empty, though by the count cards should be in it: those are ``missing``."""

    missing: int
    supervisor: str
    clauses: Clauses


@frozen
class WrongCardFound(Event):
    """A card was found that cannot be among the decks in use: they are taken out of use."""

    kind: str
    card: Card | None
    supervisor: str
    clauses: Clauses


@frozen
class ThirdCardWaits(Event):
    """A third card dealt before its time waits until the hands say whose it is."""

    card: Card
    disclosed: bool
    dealt_to: Hand
    clauses: Clauses


@frozen
class ThirdCardWaitsNoMore(Event):
    """The hands say whose third card the one that waited is; nobody's if ``hand`` is ``None``."""

    card: Card
    hand: Hand | None
    clauses: Clauses


@frozen
class FaceUpCardFound(Event):
    """A card lay face up in the shoe.

    It was ``discarded``, with ``to_discard`` more that follow it, or begins a simulated round.
    """

    card: Card
    discarded: bool
    to_discard: int
    clauses: Clauses


@frozen
class CardDiscarded(Event):
    """A card was discarded; unseen where ``card`` is ``None``. ``to_discard`` follow."""

    card: Card | None
    from_shoe: bool
    to_discard: int
    unseen: bool
    clauses: Clauses


@frozen
class SimulatedRoundOrdered(Event):
    """A card disclosed in error will be the first of a round without wagers."""

    card: Card
    clauses: Clauses


@frozen
class SimulatedRoundBegun(Event):
    """The round without wagers began."""

    clauses: Clauses


@frozen
class RoundVoided(Event):
    """The round is void: the shoe could not finish it, or a card was disclosed in the middle.

    ``reshuffle`` tells that all cards are reshuffled before the next round.
    """

    round: int
    cards_dealt: int
    simulated: bool
    reshuffle: bool
    clauses: Clauses


@frozen
class TableIdle(Event):
    """Nobody plays: the cards left shoe and rack and are spread."""

    face_up: bool
    clauses: Clauses


@frozen
class SpreadTurnedUp(Event):
    """The cards of the idle table were turned face up."""

    clauses: Clauses
