"""Events of opening the table and preparing a shoe."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from croupier.cards import Card
from croupier.table.events.event import Clauses, Event

__all__ = [
    "BatchesExchanged",
    "CardBurned",
    "CardsInspected",
    "CardsReceived",
    "CardsRejected",
    "CardsShuffled",
    "CardsSpread",
    "CardsStacked",
    "CardsVerified",
    "CardsWashed",
    "CutDeclined",
    "CutOffered",
    "CuttingCardsInserted",
    "FeatherVerified",
    "InspectionRequested",
    "MixFoundUneven",
    "RecutRequired",
    "ShoeLoaded",
    "ShuffleDirected",
    "ShuffleStepPerformed",
    "SpreadViewed",
    "StackCut",
    "StackFeathered",
    "StackLaced",
    "StackReshuffled",
    "TableOpened",
]


class TableOpened(Event, frozen=True):
    """The table is open. ``meters`` are what its progressive meters show, in cents."""

    VERSION = 2

    inventory_cents: int
    dealer: str
    floorperson: str
    gaming_date: date
    meters: Mapping[str, int]
    clauses: Clauses


class CardsReceived(Event, frozen=True):
    """The decks are at the table, under the name of their set if it has one."""

    VERSION = 2

    decks: int
    preshuffled: bool
    name: str
    clauses: Clauses


class CardsInspected(Event, frozen=True):
    """The dealer has inspected the cards."""

    clauses: Clauses


class CardsVerified(Event, frozen=True):
    """The floorperson has verified the cards."""

    floorperson: str
    clauses: Clauses


class CardsRejected(Event, frozen=True):
    """The floorperson did not verify the cards: others must be received."""

    floorperson: str
    clauses: Clauses


class CardsSpread(Event, frozen=True):
    """The cards, or those of one batch, are face up by deck, suit, and sequence.

    ``laid_out`` says how: in horizontal rows, or in columns.
    """

    VERSION = 2

    batch: int
    decks: int
    laid_out: str
    clauses: Clauses


class SpreadViewed(Event, frozen=True):
    """The first participants have looked at the cards."""

    seat: int
    clauses: Clauses


class CardsWashed(Event, frozen=True):
    """The cards were turned face down, washed and stacked, to be shuffled or put in a device."""

    for_device: bool
    clauses: Clauses


class CardsStacked(Event, frozen=True):
    """One batch was turned face down and stacked."""

    batch: int
    clauses: Clauses


class BatchesExchanged(Event, frozen=True):
    """One batch went into the shuffler, and the one stored there, if any, came out shuffled."""

    into_device: int
    out_of_device: int | None
    clauses: Clauses


class InspectionRequested(Event, frozen=True):
    """A player asked to see the batch that came out of the shuffler, so it is spread."""

    seat: int
    batch: int
    clauses: Clauses


class ShuffleStepPerformed(Event, frozen=True):
    """One step of the hand shuffle was completed."""

    step: str
    clauses: Clauses


class ShuffleDirected(Event, frozen=True):
    """A floorperson, or someone above, directed a shuffle: the shoe is over."""

    supervisor: str
    clauses: Clauses


class CardsShuffled(Event, frozen=True):
    """The stack was shuffled by hand; ``more`` dealers shuffle it after this one."""

    dealer: str
    more: int
    clauses: Clauses


class StackFeathered(Event, frozen=True):
    """The stack was left feathered."""

    clauses: Clauses


class FeatherVerified(Event, frozen=True):
    """The floorperson found the mix even."""

    floorperson: str
    clauses: Clauses


class MixFoundUneven(Event, frozen=True):
    """The floorperson found the mix uneven: the cards are shuffled again."""

    floorperson: str
    clauses: Clauses


class StackLaced(Event, frozen=True):
    """One deck was laced into the rest."""

    clauses: Clauses


class StackReshuffled(Event, frozen=True):
    """Cards were shuffled again after lacing."""

    clauses: Clauses


class CutOffered(Event, frozen=True):
    """The stack is offered for the cut, its backs away from the dealer; to the dealer as ``None``.

    ``waiting`` are the seats that are asked next.
    """

    seat: int | None
    waiting: tuple[int, ...]
    clauses: Clauses


class CutDeclined(Event, frozen=True):
    """A participant declined the cut."""

    seat: int
    clauses: Clauses


class StackCut(Event, frozen=True):
    """The cutting card was placed, ``position`` cards from the front, by a seat or the dealer."""

    seat: int | None
    position: int
    clauses: Clauses


class RecutRequired(Event, frozen=True):
    """A supervisor required another cut."""

    supervisor: str
    reason: str
    clauses: Clauses


class CuttingCardsInserted(Event, frozen=True):
    """The cards in front went to the back, and both cutting cards were inserted."""

    moved: int
    from_back: int
    clauses: Clauses


class ShoeLoaded(Event, frozen=True):
    """The cards are in the shoe, ``from_back`` of them behind the cutting card if there is one."""

    shoe: int
    decks: int
    batch: int
    from_back: int | None
    clauses: Clauses


class CardBurned(Event, frozen=True):
    """A card was burned; ``to_burn`` more follow it.

    ``shown`` as required; one that is not shown leaves the shoe unseen, as ``None``.
    """

    card: Card | None
    shown: bool
    to_burn: int
    clauses: Clauses
