"""Opening the table, and preparing a shoe."""

from __future__ import annotations

from datetime import date

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


class OpenTable(Command, frozen=True):
    """Open the table with chips in its inventory, under a dealer and a floorperson."""

    inventory_cents: int
    dealer: str
    floorperson: str
    gaming_date: date


class ReceiveCards(Command, frozen=True):
    """Receive the decks at the table, pre-shuffled or to be inspected.

    ``name`` tells this set of decks from every other; empty if it has none.
    """

    decks: int
    preshuffled: bool = False
    name: str = ""


class InspectCards(Command, frozen=True):
    """The dealer inspects the cards."""


class VerifyCards(Command, frozen=True):
    """The floorperson verifies the inspection, or the seals of pre-shuffled cards, or rejects."""

    floorperson: str
    accepted: bool = True


class SpreadCards(Command, frozen=True):
    """Spread the cards face up in rows, by deck and suit in sequence; batch by batch."""


class ViewSpread(Command, frozen=True):
    """A participant has looked at the spread cards."""

    seat: int


class WashCards(Command, frozen=True):
    """Turn the cards face down, wash and stack them."""


class StackCards(Command, frozen=True):
    """Turn one batch face down and stack it, for the shuffler."""


class ExchangeBatches(Command, frozen=True):
    """Put the stacked batch into the shuffler and take the stored batch out, if there is one."""


class RequestInspection(Command, frozen=True):
    """A player asks to see the batch that came out of the shuffler at an idle table."""

    seat: int


class ShuffleCards(Command, frozen=True):
    """Shuffle the stack; name the dealer if several shuffle one after another."""

    dealer: str = ""


class FeatherStack(Command, frozen=True):
    """Leave the shuffled stack feathered."""


class VerifyFeather(Command, frozen=True):
    """The floorperson judges from the feathered stack whether the mix is even."""

    floorperson: str
    even: bool = True


class LaceStack(Command, frozen=True):
    """Lace about one deck into the rest of the stack."""


class ReshuffleStack(Command, frozen=True):
    """Shuffle some or all of the cards again after lacing."""


class AcceptCut(Command, frozen=True):
    """The seat that is asked cuts the stack; ``position`` is cards above the cutting card."""

    seat: int
    position: int


class DeclineCut(Command, frozen=True):
    """The seat that is offered the stack declines the cut."""

    seat: int


class CutStack(Command, frozen=True):
    """The dealer cuts because no participant accepted the cut."""

    position: int


class RequireRecut(Command, frozen=True):
    """A supervisor requires the cards to be cut again."""

    supervisor: str
    reason: str


class InsertCuttingCards(Command, frozen=True):
    """Complete the cut; insert a cutting card that far from the back."""

    from_back: int


class LoadShoe(Command, frozen=True):
    """Put the stack into the dealing shoe, or the cards into the continuous device."""


class PerformShuffleStep(Command, frozen=True):
    """One step of the hand shuffle: ``plug``, ``riffle``, ``turn`` or ``strip``."""

    step: str


class DirectShuffle(Command, frozen=True):
    """A floorperson, or someone above, directs that the cards be shuffled now."""

    supervisor: str
