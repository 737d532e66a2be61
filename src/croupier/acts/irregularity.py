"""Irregularities, and the idle table."""

from __future__ import annotations

from typing import Annotated

from croupier.acts.command import SUPERVISORS, Command, Event, command, event
from croupier.acts.fields import (
    Count,
    DealtCard,
    Flag,
    Label,
    NamedHand,
    Ordinal,
    Reason,
    RoundNumber,
    Seat,
    StaffName,
    Supervisor,
    Word,
)
from croupier.acts.roles import Role
from croupier.acts.words import HANDS, seat_words, who
from croupier.baccarat.cards import face
from croupier.law.cite import Clauses
from croupier.law.usage import counted, named


def _in_error(event: CardDrawnInError) -> str:
    hand = "" if event.dealt_to is None else f" to the {HANDS[event.dealt_to]}"
    disclosure = "disclosed" if event.disclosed else "not disclosed"
    if event.seen_by:
        disclosure += f", seen by {' and '.join(map(seat_words, event.seen_by))} alone"
    curator = "" if event.curator is None else named(f" by the curator in seat {event.curator}")
    return f"{face(event.card)} is drawn in error{curator}{hand}, {disclosure}"


def _waited(event: ThirdCardWaitsNoMore) -> str:
    if event.hand is None:
        return f"{face(event.card)} may not be the third card of either hand"
    return f"{face(event.card)} is the third card of the {HANDS[event.hand]}"


def _discarded(event: CardDiscarded) -> str:
    card = "A card, unseen," if event.card is None else face(event.card)
    return f"{card} is discarded"


@command(
    "Report a card drawn in error or disclosed",
    by=Role.DEALER,
    rule="irregularity.drawn_in_error",
    draws=True,
    asks="Was a card drawn that is not due, or was one shown too early?",
)
class DrawCardInError(Command, frozen=True):
    """Report a card that left the shoe when none was due, or was ``disclosed`` as dealt.

    ``seen_by`` are the patrons who have seen it, if nobody else has.
    """

    card: DealtCard
    disclosed: Annotated[Flag, Label("Its face was seen")]
    dealt_to: NamedHand | None = None
    seen_by: Annotated[tuple[Seat, ...], Label("By these patrons alone")] = ()


@command(
    "Report a card face up in the shoe",
    by=Role.DEALER,
    rule="irregularity.face_up_card",
    draws=True,
    asks="Did you find a card face up in the shoe?",
)
class FindFaceUpCard(Command, frozen=True):
    """Report that the next card in the shoe is face up."""

    card: DealtCard


@command(
    "Report that the shoe is empty",
    by=SUPERVISORS,
    rule="irregularity.insufficient",
    while_paused=True,
    asks="Are there too few cards left to finish the round?",
    ends=True,
)
class FindShoeEmpty(Command, frozen=True):
    """Report that the shoe is empty before the count of its cards is reached."""

    supervisor: Supervisor


@command(
    "Report that the burn fell short",
    by=SUPERVISORS,
    rule="burn.count",
    while_paused=True,
    asks="Were too few cards burned before play began?",
)
class FindBurnShort(Command, frozen=True):
    """Report that fewer cards were burned than are due, and that play began.

    ``hand_begun`` is set if a hand has been dealt a card since.
    """

    supervisor: Supervisor
    reason: Annotated[Reason, Label("What was found")]
    hand_begun: Annotated[Flag, Label("A hand has been dealt a card")] = False


@command(
    "Report a card that cannot be there",
    by=SUPERVISORS,
    rule="decks",
    while_paused=True,
    asks="Is a card damaged, missing, one too many, or of another deck?",
    ends=True,
)
class FindWrongCard(Command, frozen=True):
    """Report a card that is not of the decks: ``surplus``, ``foreign``, or ``damaged``."""

    kind: Annotated[Word, Label("What is wrong")]
    supervisor: Supervisor
    card: DealtCard | None = None


@command(
    "Correct a card that was misread",
    by=(*SUPERVISORS, Role.DEALER),
    together=Role.SUPERVISOR,
    consents_by_giving=True,
    rule="cards.values",
    while_paused=True,
    asks="Was a card entered wrongly?",
)
class CorrectMisreadCard(Command, frozen=True):
    """Report that a card of the current round, or a burned, discarded, or held one was misread.

    Without a ``hand``, ``ordinal`` is the place among the burned, and then the discarded cards, or
    0 for a held card. A supervisor consents if the dealer reports it.
    """

    recorded: Annotated[DealtCard, Label("Recorded as")]
    actual: Annotated[DealtCard, Label("In truth")]
    supervisor: Supervisor
    hand: NamedHand | None = None
    ordinal: Ordinal = 0


@command(
    "Begin the round without wagers",
    by=Role.DEALER,
    rule="irregularity.simulated_round",
    asks="Should the cards be dealt to no one?",
)
class BeginSimulatedRound(Command, frozen=True):
    """Begin the round without wagers that the card disclosed in error requires."""


@command(
    "Let a hand stand that was dealt without the held card",
    by=SUPERVISORS,
    rule="irregularity.drawn_in_error",
    asks="Should the card that was set aside not be used?",
)
class PassOverHeldCard(Command, frozen=True):
    """Accept a hand that was dealt without its held cards; they begin the next one."""

    supervisor: Supervisor


@command(
    "Void the round: the shoe has no card left",
    by=Role.DEALER,
    rule="irregularity.insufficient",
    together=Role.FLOORPERSON,
    asks="Can this round not be finished?",
    ends=True,
)
class VoidRound(Command, frozen=True):
    """Void the round: the shoe has no card left for it."""


@command(
    "Take the cards out and spread them: the table is idle",
    by=Role.DEALER,
    rule="idle.spread",
    group="cards",
)
class DeclareIdle(Command, frozen=True):
    """The table is idle: take the cards from shoe and rack and spread them."""

    face_up: Flag


@command("Turn the spread cards face up", by=Role.DEALER, rule="idle.turn_up")
class TurnSpreadUp(Command, frozen=True):
    """Turn the cards of an idle table face up for a player."""


@event(_in_error, irregular="card drawn in error")
class CardDrawnInError(Event, frozen=True):
    """A card left the shoe when none was due; ``curator`` is the seat that dealt it, if any.

    ``seen_by`` are the patrons who alone have seen it.
    """

    VERSION = 3

    card: DealtCard
    disclosed: Flag
    dealt_to: NamedHand | None
    curator: Seat | None
    seen_by: tuple[Seat, ...]
    clauses: Clauses


@event("{card:card} is held as the first card of the next hand", irregular="")
class CardHeld(Event, frozen=True):
    """A card drawn in error is kept as the first card of the next hand."""

    card: DealtCard
    clauses: Clauses


@event(
    "{card:card}, held for this hand, is disclosed as it is dealt", irregular="held card disclosed"
)
class HeldCardDisclosed(Event, frozen=True):
    """The held card was seen as it was dealt: it is the first card of no ordinary hand."""

    card: DealtCard
    clauses: Clauses


@event("To the {to}: {cards:cards} held for the next hand", irregular="")
class HeldCardsReleased(Event, frozen=True):
    """Cards held for a next hand went with the others, because no hand follows.

    ``to`` is ``spread``, ``rack``, or ``removed set``.
    """

    cards: tuple[DealtCard, ...]
    to: Word
    clauses: Clauses


@event(
    "{supervisor:who} lets the hand stand as dealt: {cards:faces} will begin the next",
    irregular="held card not used",
)
class HeldCardPassedOver(Event, frozen=True):
    """A hand without its held cards was accepted: they begin the next hand."""

    cards: tuple[DealtCard, ...]
    supervisor: StaffName
    clauses: Clauses


@event(
    lambda x: (
        f"{who(x.supervisor)} finds that {face(x.recorded)} was {face(x.actual)}"
        + (": the settlement stands" if x.stands and x.hand else "")
        + (": House Money stands until its settlement is corrected" if x.settled_early else "")
    ),
    irregular="card misread",
)
class CardMisread(Event, frozen=True):
    """A card was misread; if the result ``stands``, wagers were settled on the recorded card.

    Without a ``hand``, ``ordinal`` is the place among the burned, and then the discarded cards, or
    0 for a held card. ``settled_early`` is set if House Money was settled on the recorded card.
    """

    VERSION = 2

    recorded: DealtCard
    actual: DealtCard
    hand: NamedHand | None
    ordinal: Ordinal
    player: tuple[DealtCard, ...]
    banker: tuple[DealtCard, ...]
    stands: Flag
    supervisor: StaffName
    settled_early: Flag
    clauses: Clauses


@event(
    "By the true first card {due} more are burned: {burned} have been, and {to_burn} still are",
    irregular="burn counted again",
)
class BurnCountedAgain(Event, frozen=True):
    """The first card of the burn was misread: ``due`` follow it, and ``burned`` have followed."""

    due: Count
    burned: Count
    to_burn: Count
    clauses: Clauses


@event(
    "By the true card {due} more are discarded: {discarded} have been, and {to_discard} still are",
    irregular="discards counted again",
)
class DiscardsCountedAgain(Event, frozen=True):
    """A discarded card was misread: ``due`` follow it, with those discarded together with it."""

    due: Count
    discarded: Count
    to_discard: Count
    clauses: Clauses


@event(
    lambda x: (
        f"{who(x.supervisor)} finds the shoe empty, with {counted(x.missing, 'card')} missing"
    ),
    irregular="shoe found empty",
)
class ShoeFoundEmpty(Event, frozen=True):
    """The shoe is empty with ``missing`` cards gone."""

    missing: Count
    supervisor: StaffName
    clauses: Clauses


@event(
    lambda x: (
        f"{who(x.supervisor)} finds that "
        + (f"the burn is {counted(x.missing, 'card')} short" if x.missing else "no card was burned")
        + ": play goes on"
    ),
    irregular="short burn",
)
class BurnFellShort(Event, frozen=True):
    """Fewer cards were burned than were due; play goes on from the next card.

    ``missing`` is ``None`` if no card was burned, so that their number is not known.
    """

    missing: Count | None
    hand_begun: Flag
    supervisor: StaffName
    reason: Reason
    clauses: Clauses


@event(
    lambda x: (
        f"{who(x.supervisor)} finds a {x.kind} card{f', {face(x.card)}' if x.card else ''}: "
        "the cards go out of use"
    ),
    irregular="wrong card",
)
class WrongCardFound(Event, frozen=True):
    """A card was found that cannot belong to the decks, which are taken out of use."""

    kind: Word
    card: DealtCard | None
    supervisor: StaffName
    clauses: Clauses


@event(
    "{card:card}, dealt before its time to the {dealt_to:hand}, waits",
    irregular="premature third card",
)
class ThirdCardWaits(Event, frozen=True):
    """A premature third card waits until the hands determine whose it is."""

    card: DealtCard
    disclosed: Flag
    dealt_to: NamedHand
    clauses: Clauses


@event(_waited, irregular="")
class ThirdCardWaitsNoMore(Event, frozen=True):
    """The waiting card is assigned as a third card; to no hand if ``hand`` is ``None``."""

    card: DealtCard
    hand: NamedHand | None
    clauses: Clauses


@event(
    lambda x: (
        f"{face(x.card)} lies face up in the shoe{', and is discarded' if x.discarded else ''}"
    ),
    irregular="face-up card",
)
class FaceUpCardFound(Event, frozen=True):
    """A face-up card was discarded with ``to_discard`` more, begins a simulated round, or stays."""

    card: DealtCard
    discarded: Flag
    to_discard: Count
    clauses: Clauses


@event(_discarded, irregular="")
class CardDiscarded(Event, frozen=True):
    """A card was discarded; unseen if ``card`` is ``None``. ``to_discard`` follow."""

    card: DealtCard | None
    from_shoe: Flag
    to_discard: Count
    unseen: Flag
    clauses: Clauses


@event("{card:card} will begin a round without wagers", irregular="")
class SimulatedRoundOrdered(Event, frozen=True):
    """A card disclosed in error will be the first of a round without wagers.

    ``cause`` is ``third-card`` for one not allowed to Player's Hand, ``disclosed``, or ``face-up``.
    """

    VERSION = 2

    card: DealtCard
    cause: Word
    clauses: Clauses


@event("A round without wagers begins", irregular="")
class SimulatedRoundBegun(Event, frozen=True):
    """The round without wagers began."""

    VERSION = 2

    cause: Word
    clauses: Clauses


@event(
    lambda x: (
        f"{'The simulated round' if x.simulated else f'Round {x.round}'} is void: "
        + ("no more cards are dealt from this shoe" if x.reshuffle else "a card was disclosed")
    ),
    irregular="void round",
)
class RoundVoided(Event, frozen=True):
    """The round is void; ``reshuffle`` is set if all cards are reshuffled before the next one."""

    round: RoundNumber
    cards_dealt: Count
    simulated: Flag
    reshuffle: Flag
    clauses: Clauses


@event(lambda x: f"The table is idle: its cards are spread face {'up' if x.face_up else 'down'}")
class TableIdle(Event, frozen=True):
    """The table is idle: the cards left shoe and rack and are spread."""

    face_up: Flag
    clauses: Clauses


@event("The cards are turned face up")
class SpreadTurnedUp(Event, frozen=True):
    """The cards of the idle table were turned face up."""

    clauses: Clauses
