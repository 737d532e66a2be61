"""Events of irregularities, and of an idle table."""

from __future__ import annotations

from croupier.baccarat.hand import Hand
from croupier.cards import Card
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


class CardDrawnInError(Event, frozen=True):
    """A card left the shoe when none was due.

    ``curator`` is the seat of the participant who dealt it; ``None`` says that it was the dealer.
    """

    VERSION = 2

    card: Card
    disclosed: bool
    dealt_to: Hand | None
    curator: int | None
    clauses: Clauses


class CardHeld(Event, frozen=True):
    """A card drawn in error is kept as the first card of the next hand."""

    card: Card
    clauses: Clauses


class HeldCardPassedOver(Event, frozen=True):
    """A hand dealt without the held cards stands: they begin the hand after it."""

    cards: tuple[Card, ...]
    supervisor: str
    clauses: Clauses


class CardMisread(Event, frozen=True):
    """A card was misread; the hands are corrected.

    ``hand`` is ``None`` for a card that waits for a hand to come. If the result ``stands``, the
    wagers were settled on the recorded card.
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


class ShoeFoundEmpty(Event, frozen=True):
    """The shoe is empty before the count of its cards is reached: ``missing`` cards are gone."""

    missing: int
    supervisor: str
    clauses: Clauses


class WrongCardFound(Event, frozen=True):
    """A card was found that cannot belong to the decks in use, which are taken out of use."""

    kind: str
    card: Card | None
    supervisor: str
    clauses: Clauses


class ThirdCardWaits(Event, frozen=True):
    """A third card dealt before its time waits until the hands say whose it is."""

    card: Card
    disclosed: bool
    dealt_to: Hand
    clauses: Clauses


class ThirdCardWaitsNoMore(Event, frozen=True):
    """The hands decide whose third card the waiting card is; no one's if ``hand`` is ``None``."""

    card: Card
    hand: Hand | None
    clauses: Clauses


class FaceUpCardFound(Event, frozen=True):
    """A card was face up in the shoe.

    It was ``discarded``, with ``to_discard`` more that follow it, or begins a simulated round.
    """

    card: Card
    discarded: bool
    to_discard: int
    clauses: Clauses


class CardDiscarded(Event, frozen=True):
    """A card was discarded; unseen if ``card`` is ``None``. ``to_discard`` follow."""

    card: Card | None
    from_shoe: bool
    to_discard: int
    unseen: bool
    clauses: Clauses


class SimulatedRoundOrdered(Event, frozen=True):
    """A card disclosed in error will be the first of a round without wagers.

    ``cause`` says which: a ``third-card`` that Player's Hand may not have, another card
    ``disclosed``, or one found ``face-up`` in the shoe.
    """

    VERSION = 2

    card: Card
    cause: str
    clauses: Clauses


class SimulatedRoundBegun(Event, frozen=True):
    """The round without wagers began, for the ``cause`` for which it was ordered."""

    VERSION = 2

    cause: str
    clauses: Clauses


class RoundVoided(Event, frozen=True):
    """The round is void: the shoe could not finish it, or a card was disclosed in the middle.

    ``reshuffle`` says that all cards are reshuffled before the next round.
    """

    round: int
    cards_dealt: int
    simulated: bool
    reshuffle: bool
    clauses: Clauses


class TableIdle(Event, frozen=True):
    """The table is idle: the cards left shoe and rack and are spread."""

    face_up: bool
    clauses: Clauses


class SpreadTurnedUp(Event, frozen=True):
    """The cards of the idle table were turned face up."""

    clauses: Clauses
