"""The opening of a table, and the preparation of a shoe."""

from __future__ import annotations

from typing import Annotated

from croupier.acts.command import BEFORE_TIME, SUPERVISORS, Command, Event, command, event
from croupier.acts.fields import (
    BatchNumber,
    Count,
    Dealer,
    DealtCard,
    Flag,
    Floorperson,
    GamingDate,
    Label,
    MeterReadings,
    Reason,
    Seat,
    ShoeNumber,
    StaffName,
    Supervisor,
    TrayCents,
    Word,
)
from croupier.acts.roles import Role
from croupier.acts.words import who
from croupier.law.cite import Clauses
from croupier.law.resolve import texts_citing


def _cutting_cards_inserted(event: CuttingCardsInserted) -> str:
    """Describe the cutting cards; mention the one at the end only if a cited clause requires it."""
    places = (law.cites(["cut.second_at_end"]) for law in texts_citing(event.clauses))
    at_end = any(place and {*place} <= {*event.clauses} for place in places)
    text = (
        f"{event.moved} cards go to the back; the cutting card is {event.from_back} from the back"
    )
    return f"{text}, the other at the end" if at_end else text


@command("Open the table", by=Role.FLOORPERSON, together=Role.DEALER)
class OpenTable(Command, frozen=True):
    """Open the table with chips in its inventory, under a dealer and a floorperson."""

    inventory_cents: Annotated[TrayCents, Label("Chips in the tray")]
    dealer: Dealer
    floorperson: Floorperson
    gaming_date: GamingDate


@command("Receive the cards", by=Role.DEALER, rule="opening.receive", group="cards")
class ReceiveCards(Command, frozen=True):
    """Receive the decks at the table, pre-shuffled or to be inspected."""

    decks: Count
    preshuffled: Annotated[Flag, Label("Pre-shuffled")] = False
    name: Annotated[Word, Label("Set of decks")] = ""


@command("Inspect the cards", by=Role.DEALER, rule="opening.inspect")
class InspectCards(Command, frozen=True):
    """The dealer inspects the cards."""


@command(
    "Verify the cards",
    by=Role.FLOORPERSON,
    rule="opening.verify",
    apart=("InspectCards",),
    group="cards",
)
class VerifyCards(Command, frozen=True):
    """The floorperson verifies or rejects the inspection, or the seals of pre-shuffled cards."""

    floorperson: Floorperson
    accepted: Flag = True


@command("Spread the cards face up", by=Role.DEALER, rule="opening.spread")
class SpreadCards(Command, frozen=True):
    """Spread the cards face up in rows, by deck and suit in sequence; batch by batch."""


@command("Seat {seat}: look at the cards", by=Role.PATRON, rule="opening.spread")
class ViewSpread(Command, frozen=True):
    """A participant has looked at the spread cards."""

    seat: Seat


@command("Wash the cards and stack them", by=Role.DEALER, rule="opening.wash")
class WashCards(Command, frozen=True):
    """Turn the cards face down, wash and stack them."""


@command("Turn the batch face down and stack it", by=Role.DEALER, rule="device.exchange")
class StackCards(Command, frozen=True):
    """Turn one batch face down and stack it, for the shuffler."""


@command(
    "Put the batch into the shuffler and take the other one out",
    by=Role.DEALER,
    rule="device.exchange",
    group="cards",
)
class ExchangeBatches(Command, frozen=True):
    """Exchange the stacked batch for the one in the shuffler, if any."""


@command(
    "Seat {seat}: ask to see the cards", by=Role.PATRON, rule="idle.reinspection", group="cards"
)
class RequestInspection(Command, frozen=True):
    """A player asks to see the batch from the shuffler at an idle table."""

    seat: Seat


@command("Shuffle the cards", by=Role.DEALER, rule="shuffle.mix")
class ShuffleCards(Command, frozen=True):
    """Shuffle the stack; name the dealer if several shuffle one after another."""

    dealer: Dealer = ""


@command("Leave the stack feathered", by=Role.DEALER, rule="shuffle.feather")
class FeatherStack(Command, frozen=True):
    """Leave the shuffled stack feathered."""


@command(
    "Judge the mix of the feathered stack",
    by=Role.FLOORPERSON,
    rule="shuffle.feather",
    apart=("ShuffleCards",),
    group="cards",
)
class VerifyFeather(Command, frozen=True):
    """The floorperson decides whether the mix is even."""

    floorperson: Floorperson
    even: Annotated[Flag, Label("The mix is even")] = True


@command("Lace one deck into the stack", by=Role.DEALER, rule="shuffle.lace")
class LaceStack(Command, frozen=True):
    """Lace about one deck into the rest of the stack."""


@command("Shuffle the laced cards again", by=Role.DEALER, rule="shuffle.reshuffle")
class ReshuffleStack(Command, frozen=True):
    """Shuffle some or all of the cards again after lacing."""


@command("Seat {seat}: cut the cards", by=Role.PATRON, rule="cut.offer")
class AcceptCut(Command, frozen=True):
    """The seat that is asked cuts the stack, with ``position`` cards above the cutting card."""

    seat: Seat
    position: Annotated[Count, Label("Cards above the cut")]


@command("Seat {seat}: decline the cut", by=Role.PATRON, rule="cut.offer")
class DeclineCut(Command, frozen=True):
    """The seat that is offered the stack declines the cut."""

    seat: Seat


@command("Cut the cards", by=Role.DEALER, rule="cut.offer", group="cards")
class CutStack(Command, frozen=True):
    """The dealer cuts because no participant did."""

    position: Annotated[Count, Label("Cards above the cut")]


@command("Require another cut", by=SUPERVISORS, rule="cut.recut_by", group="cards")
class RequireRecut(Command, frozen=True):
    """A supervisor requires another cut."""

    supervisor: Supervisor
    reason: Reason


@command("Complete the cut and insert the cutting cards", by=Role.DEALER, rule="cut.execute")
class InsertCuttingCards(Command, frozen=True):
    """Complete the cut; insert a cutting card at the given distance from the back."""

    from_back: Annotated[Count, Label("Cards behind the cutting card")]


@command("Load the shoe", by=Role.DEALER, rule="shoe.load")
class LoadShoe(Command, frozen=True):
    """Put the stack into the dealing shoe, or the cards into the continuous device."""


@command("{step}", by=Role.DEALER, rule="shuffle.work")
class PerformShuffleStep(Command, frozen=True):
    """One step of the hand shuffle: ``plug``, ``riffle``, ``turn`` or ``strip``."""

    step: Word


@command("Direct a shuffle", by=SUPERVISORS, rule="shuffle.directed", group="cards")
class DirectShuffle(Command, frozen=True):
    """A floorperson or superior directs a shuffle now."""

    supervisor: Supervisor


@command(
    "Take the decks off the table", by=Role.DEALER, rule="decks.change",
    besides={Role.FLOORPERSON: BEFORE_TIME}, group="cards",
)  # fmt: skip
class RemoveCards(Command, frozen=True):
    """Remove the decks, so that others can be received."""


@command("Order other decks", by=SUPERVISORS, rule="opening.receive", group="cards")
class OrderDecks(Command, frozen=True):
    """Have the decks removed, at the end of their shoe, so that others can be received."""

    supervisor: Supervisor
    reason: Reason


@event("The table opens with {inventory_cents:short} in chips")
class TableOpened(Event, frozen=True):
    """The table is open. ``meters`` are its progressive meters in cents."""

    VERSION = 2

    inventory_cents: TrayCents
    dealer: StaffName
    floorperson: StaffName
    gaming_date: GamingDate
    meters: MeterReadings
    clauses: Clauses


@event(lambda x: f"{x.decks} decks are received{', pre-shuffled' if x.preshuffled else ''}")
class CardsReceived(Event, frozen=True):
    """The decks are at the table."""

    VERSION = 2

    decks: Count
    preshuffled: Flag
    name: Word
    clauses: Clauses


@event("The dealer inspects the cards")
class CardsInspected(Event, frozen=True):
    """The dealer has inspected the cards."""

    clauses: Clauses


@event("{floorperson:who} verifies the cards")
class CardsVerified(Event, frozen=True):
    """The floorperson has verified the cards."""

    floorperson: StaffName
    clauses: Clauses


@event("{floorperson:who} rejects the cards")
class CardsRejected(Event, frozen=True):
    """The floorperson did not verify the cards: others must be received."""

    floorperson: StaffName
    clauses: Clauses


@event(
    lambda x: (
        f"{x.decks} decks are spread face up,{x.laid_out and f' in {x.laid_out}'} by deck, "
        "suit and sequence"
    )
)
class CardsSpread(Event, frozen=True):
    """The cards, or those of one batch, are face up by deck, suit, and sequence."""

    VERSION = 2

    batch: BatchNumber
    decks: Count
    laid_out: Word
    clauses: Clauses


@event("Seat {seat} looks at the cards")
class SpreadViewed(Event, frozen=True):
    """The first participants have looked at the cards."""

    seat: Seat
    clauses: Clauses


@event("The cards are turned down, washed and stacked")
class CardsWashed(Event, frozen=True):
    """The cards were turned face down, washed and stacked."""

    for_device: Flag
    clauses: Clauses


@event("Batch {batch} is turned down and stacked")
class CardsStacked(Event, frozen=True):
    """One batch was turned face down and stacked."""

    batch: BatchNumber
    clauses: Clauses


@event(
    lambda x: (
        f"Batch {x.into_device} goes into the shuffler"
        + (f", and batch {x.out_of_device} comes out" if x.out_of_device else "")
    )
)
class BatchesExchanged(Event, frozen=True):
    """One batch went into the shuffler, and any stored one came out shuffled."""

    into_device: Count
    out_of_device: Count | None
    clauses: Clauses


@event("Seat {seat} asks to see batch {batch}")
class InspectionRequested(Event, frozen=True):
    """A player asked to see the batch from the shuffler, so it is spread."""

    seat: Seat
    batch: BatchNumber
    clauses: Clauses


@event("The dealer {step:step}")
class ShuffleStepPerformed(Event, frozen=True):
    """One step of the hand shuffle was completed."""

    step: Word
    clauses: Clauses


@event("{supervisor:who} directs a shuffle")
class ShuffleDirected(Event, frozen=True):
    """A floorperson or superior directed a shuffle: the shoe is over."""

    supervisor: StaffName
    clauses: Clauses


@event(lambda x: f"{who(x.dealer or 'dealer')} shuffles")
class CardsShuffled(Event, frozen=True):
    """The stack was shuffled by hand; ``more`` dealers follow."""

    dealer: StaffName
    more: Count
    clauses: Clauses


@event("The stack is left feathered")
class StackFeathered(Event, frozen=True):
    """The stack was left feathered."""

    clauses: Clauses


@event("{floorperson:who} finds the mix even")
class FeatherVerified(Event, frozen=True):
    """The floorperson found the mix even."""

    floorperson: StaffName
    clauses: Clauses


@event("{floorperson:who} finds the mix uneven")
class MixFoundUneven(Event, frozen=True):
    """The floorperson found the mix uneven: the cards are shuffled again."""

    floorperson: StaffName
    clauses: Clauses


@event("One deck is laced into the stack")
class StackLaced(Event, frozen=True):
    """One deck was laced into the rest."""

    clauses: Clauses


@event("The laced cards are shuffled again")
class StackReshuffled(Event, frozen=True):
    """Cards were shuffled again after lacing."""

    clauses: Clauses


@event("The cut is offered to {seat:seat}")
class CutOffered(Event, frozen=True):
    """The cut is offered to a seat, then to those ``waiting``; ``None`` is the dealer."""

    seat: Seat | None
    waiting: tuple[Seat, ...]
    clauses: Clauses


@event("Seat {seat} declines the cut")
class CutDeclined(Event, frozen=True):
    """A participant declined the cut."""

    seat: Seat
    clauses: Clauses


@event("{seat:Seat} cuts, {position} cards from the front")
class StackCut(Event, frozen=True):
    """The stack was cut, ``position`` cards from the front, by a seat or the dealer."""

    seat: Seat | None
    position: Count
    clauses: Clauses


@event("{supervisor:who} orders a recut: {reason}")
class RecutRequired(Event, frozen=True):
    """A supervisor required another cut."""

    supervisor: StaffName
    reason: Reason
    clauses: Clauses


@event(_cutting_cards_inserted)
class CuttingCardsInserted(Event, frozen=True):
    """The cards in front went to the back, and both cutting cards were inserted."""

    moved: Count
    from_back: Count
    clauses: Clauses


@event("Shoe {shoe} is loaded with {decks} decks")
class ShoeLoaded(Event, frozen=True, omit_defaults=True):
    """The cards are in the shoe, ``from_back`` of them behind any cutting card.

    Unless the first card ``burns``, or others after it, play opens at once.
    """

    shoe: ShoeNumber
    decks: Count
    batch: BatchNumber
    from_back: Count | None
    clauses: Clauses
    burns: Flag = True


class CardBurned(Event, frozen=True):
    """A card was burned; ``card`` is ``None`` unless ``shown``. ``to_burn`` more follow."""

    card: DealtCard | None
    shown: Flag
    to_burn: Count
    clauses: Clauses


@event("{supervisor:who} orders other decks: {reason}")
class DecksOrdered(Event, frozen=True):
    """A supervisor ordered other decks at an open table."""

    supervisor: StaffName
    reason: Reason
    clauses: Clauses


@event("The decks are taken off the table")
class CardsRemoved(Event, frozen=True):
    """The decks were removed, to be replaced."""

    clauses: Clauses
