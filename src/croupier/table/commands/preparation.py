"""Opening the table, and preparing a shoe."""

from __future__ import annotations

from datetime import date

from croupier.frozen import frozen
from croupier.table.commands.command import Command

__all__ = [
    "AcceptCut",
    "CutStack",
    "DeclineCut",
    "DirectShuffle",
    "ExchangeBatches",
    "FeatherStack",
    "InsertCuttingCards",
    "InspectCards",
    "LaceStack",
    "LoadShoe",
    "OpenTable",
    "PerformShuffleStep",
    "ReceiveCards",
    "RequestInspection",
    "RequireRecut",
    "ReshuffleStack",
    "ShuffleCards",
    "SpreadCards",
    "StackCards",
    "VerifyCards",
    "VerifyFeather",
    "ViewSpread",
    "WashCards",
]


@frozen
class OpenTable(Command):
    """Open the table with chips in its inventory, under a dealer and a floorperson."""

    inventory_cents: int
    dealer: str
    floorperson: str
    gaming_date: date


@frozen
class ReceiveCards(Command):
    """Receive the decks at the table, pre-shuffled or to be inspected.

    ``name`` tells this set of decks from every other; empty if it has none.
    """

    decks: int
    preshuffled: bool = False
    name: str = ""


@frozen
class InspectCards(Command):
    """The dealer inspects the cards."""


@frozen
class VerifyCards(Command):
    """The floorperson verifies the inspection, or the seals of pre-shuffled cards, or rejects."""

    floorperson: str
    accepted: bool = True


@frozen
class SpreadCards(Command):
    """Spread the cards face up in rows, by deck and suit in sequence; batch by batch."""


@frozen
class ViewSpread(Command):
    """A participant has looked at the spread cards."""

    seat: int


@frozen
class WashCards(Command):
    """Turn the cards face down, wash and stack them."""


@frozen
class StackCards(Command):
    """Turn one batch face down and stack it, for the shuffler."""


@frozen
class ExchangeBatches(Command):
    """Put the stacked batch into the shuffler and take the stored batch out, if there is one."""


@frozen
class RequestInspection(Command):
    """A player asks to see the batch that came out of the shuffler at an idle table."""

    seat: int


@frozen
class ShuffleCards(Command):
    """Shuffle the stack; name the dealer if several shuffle one after another."""

    dealer: str = ""


@frozen
class FeatherStack(Command):
    """Leave the shuffled stack feathered."""


@frozen
class VerifyFeather(Command):
    """The floorperson judges from the feathered stack whether the mix is even."""

    floorperson: str
    even: bool = True


@frozen
class LaceStack(Command):
    """Lace about one deck into the rest of the stack."""


@frozen
class ReshuffleStack(Command):
    """Shuffle some or all of the cards again after lacing."""


@frozen
class AcceptCut(Command):
    """The seat that is asked cuts the stack; ``position`` is cards above the cutting card."""

    seat: int
    position: int


@frozen
class DeclineCut(Command):
    """The seat that is offered the stack declines the cut."""

    seat: int


@frozen
class CutStack(Command):
    """The dealer cuts because no participant accepted the cut."""

    position: int


@frozen
class RequireRecut(Command):
    """A supervisor requires the cards to be cut again."""

    supervisor: str
    reason: str


@frozen
class InsertCuttingCards(Command):
    """Complete the cut; insert a cutting card that far from the back."""

    from_back: int


@frozen
class LoadShoe(Command):
    """Put the stack into the dealing shoe, or the cards into the continuous device."""


@frozen
class PerformShuffleStep(Command):
    """One step of the hand shuffle: ``plug``, ``riffle``, ``turn`` or ``strip``."""

    step: str


@frozen
class DirectShuffle(Command):
    """A floorperson, or someone above, directs that the cards be shuffled now."""

    supervisor: str
