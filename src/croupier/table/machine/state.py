"""The state of a table: all that its events have made of it, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Any, Final, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from croupier.acts.fields import (
    Count,
    DealtCard,
    Flag,
    GamingDate,
    Moment,
    NamedHand,
    PatronCents,
    PatronName,
    Seat,
    Word,
)
from croupier.acts.opening import OpeningProcedure
from croupier.baccarat.coup import Coup, Facts
from croupier.baccarat.hand import Hand
from croupier.baccarat.tableau import Tableau
from croupier.cards import DECK_SIZE, Card
from croupier.law.sight import Sight
from croupier.money.settlement import Stake

State = TypeVar("State")
Slice = TypeVar("Slice")


class AnyPhase(Enum):
    """Where a table stands; the value says it in words, for messages.

    ``in_play`` are those from the call of no more bets until the layout is clear.
    """

    # Members are singletons: identity is a sound hash, and Enum's own costs a Python call.
    __hash__ = object.__hash__

    @property
    def in_play(self) -> bool:
        """Whether a round is in hand; a part has phases of its own only within one."""
        return True


class Phase(AnyPhase):
    """Where any table may stand."""

    CLOSED = "closed"
    OPEN = "open, without cards"
    RECEIVED = "waiting for the dealer to inspect the cards"
    INSPECTED = "waiting for the floorperson to verify the cards"
    TO_SPREAD = "waiting for the cards to be spread"
    SPREAD_DOWN = "idle, with the cards spread face down"
    SPREAD_UP = "waiting for a participant to look at the cards"
    VIEWED = "waiting for the cards to be turned down and stacked"
    TO_EXCHANGE = "waiting for the stack to go into the shuffler"
    TO_SHUFFLE = "waiting for the cards to be shuffled"
    TO_FINISH = "waiting for the shuffled stack to be finished"
    FEATHERED = "waiting for the floorperson to verify the mix"
    LACED = "waiting for the laced cards to be shuffled again"
    TO_CUT = "waiting for the cut"
    CUT = "waiting for the cutting cards"
    TO_LOAD = "waiting for the shoe to be loaded"
    TO_BURN = "waiting for the burn"
    BETTING = "open for wagers"
    DEALING = "in the deal"
    DECIDED = "waiting for settlement"
    SETTLED = "waiting for the layout to be cleared"
    SHOE_COMPLETED = "at the end of its shoe"

    @property
    def in_play(self) -> bool:
        """Whether a round is in hand."""
        return self in {Phase.DEALING, Phase.DECIDED, Phase.SETTLED}


class Phases:
    """Phases by what they have in common, those of the parts among them."""

    def __init__(self, *, closed: bool, in_play: bool) -> None:
        self._closed = closed
        self._in_play = in_play
        self._known: dict[AnyPhase, bool] = {}

    def __contains__(self, phase: AnyPhase) -> bool:
        # Asked with every wager, so each phase is looked at once.
        known = self._known.get(phase)
        if known is None:
            open_too = self._in_play or not phase.in_play
            known = self._known[phase] = self._closed if phase is Phase.CLOSED else open_too
        return known


ANY_TIME: Final = Phases(closed=True, in_play=True)
AT_TABLE: Final = Phases(closed=False, in_play=True)
"""While a table is open."""
BETWEEN_ROUNDS: Final = Phases(closed=False, in_play=False)
"""While it is open, and no round is in hand."""

NOT_IN_PLAY: Final = Phases(closed=True, in_play=False)
"""While no round is in hand, closed or open."""


class _WithShoe(Phases):
    def __contains__(self, phase: AnyPhase) -> bool:
        return phase.in_play or phase in {Phase.TO_BURN, Phase.BETTING}


WITH_SHOE: Final = _WithShoe(closed=False, in_play=True)
"""While cards are in the shoe, from the burn on."""


class _InPlay(Phases):
    def __contains__(self, phase: AnyPhase) -> bool:
        return phase.in_play


IN_PLAY: Final = _InPlay(closed=False, in_play=True)
"""From the call of no more bets until the layout is clear."""


class _InTheDeal(Phases):
    def __contains__(self, phase: AnyPhase) -> bool:
        return phase.in_play and phase not in {Phase.DECIDED, Phase.SETTLED}


IN_THE_DEAL: Final = _InTheDeal(closed=False, in_play=True)
"""From the call of no more bets to the result, also where a part has the deal wait."""


class Patron(Struct, frozen=True):
    """Someone in a seat: the chips there, and the vigorish that the marker shows.

    ``away`` is who has walked away from wagers that are still in play.
    """

    name: PatronName
    chips_cents: PatronCents = 0
    owed_cents: PatronCents = 0
    away: Flag = False


class TableShoe(Struct, frozen=True):
    """The cards in the shoe. ``unseen[i]`` says how many of ``DECK[i]`` may still be drawn.

    ``cards_behind`` is how many cards lie behind the cutting card; ``None`` once it has appeared,
    and where there is none. A card discarded unseen lowers ``remaining`` alone.
    """

    number: Count = 0
    decks: Count = 0
    remaining: Count = 0
    unseen: Annotated[bytes, Sight.ODDS] = b""
    cards_behind: Count | None = None
    batch: Count = 1

    @classmethod
    def full(cls, number: int, decks: int, batch: int, cards_behind: int | None) -> TableShoe:
        """Return a shoe that holds whole decks."""
        return cls(
            number, decks, decks * DECK_SIZE, bytes([decks] * DECK_SIZE), cards_behind, batch
        )

    def without(self, card: Card | None) -> TableShoe:
        """Return the shoe after its next card has been drawn."""
        unseen = self.unseen
        if card is not None:
            at = card.index
            unseen = unseen[:at] + bytes((unseen[at] - 1,)) + unseen[at + 1 :]
        return replace(self, remaining=self.remaining - 1, unseen=unseen)


class Cut(Struct, frozen=True):
    """How the cut stands: who is asked, who was, who cut and where.

    ``asked`` is the seat that the stack is offered to, ``None`` for the dealer. The seats of
    ``asked_before`` had their turn. ``cutter`` and ``position`` stand once the stack has been cut;
    the cutter may have ``left`` since. ``again`` says that a recut was ordered.
    """

    asked: Seat | None = None
    asked_before: tuple[Seat, ...] = ()
    cutter: Seat | None = None
    position: Count | None = None
    left: Flag = False
    again: Flag = False


class Offering(Struct, frozen=True):
    """A relinquished hand on offer to a seat; some were asked before."""

    hand: NamedHand
    seat: Seat
    asked_before: tuple[Seat, ...] = ()


class EarlyCard(Struct, frozen=True):
    """A third card dealt before its time, which waits for the hands to say whose it is."""

    card: DealtCard
    disclosed: Flag
    dealt_to: NamedHand


class SimulatedOrder(Struct, frozen=True):
    """A card that begins a round without wagers, and the cause for which it does."""

    card: DealtCard
    cause: Word


class RoundState(Struct, frozen=True):
    """A round of play: its coup, and which cards lie face down with whom.

    ``begins_with`` are cards drawn in error before it that are still to be dealt. ``down`` are the
    hands whose newest cards are still face down, in the order in which they are to be turned.
    ``holders`` names the seat that turns a hand, the dealer where it is ``None``; ``gave_up`` are
    the seats that have given up a hand, ``None`` for one who has left since. ``early`` is a third
    card dealt before its time, and ``void`` says that the round has been voided. ``cause`` is why
    it is ``simulated``.
    """

    number: Count
    coup: Annotated[Coup, Sight.CARD]
    simulated: Flag = False
    begins_with: Annotated[tuple[Card, ...], Sight.CARD] = ()
    down: Annotated[tuple[Hand, ...], Sight.OPEN] = ()
    handed: NamedHand | None = None
    holders: Annotated[Mapping[Hand, int | None], Sight.OPEN] = field(default_factory=dict)
    offering: Annotated[Offering | None, Sight.OPEN] = None
    gave_up: Annotated[tuple[tuple[Hand, int | None], ...], Sight.OPEN] = ()
    began_with_cutting_card: Flag = False
    facts: Annotated[Facts | None, Sight.OPEN] = None
    early: Annotated[EarlyCard | None, Sight.CARD] = None
    void: Flag = False
    cause: Word = ""


class TableState(Struct, frozen=True):
    """A table at one moment. Immutable: ``evolve`` makes the next state out of an event.

    ``hands_left`` counts the hands after the last hand was called, ``None`` before;
    ``to_burn`` and ``to_discard`` the cards that must leave the shoe before anything else;
    ``idle`` tells that the cards came out of an idle table's shoe;
    ``held`` the cards that begin the next hands; ``flawed`` why the cards are taken out of use;
    ``in_device`` the batch in the shuffler;
    ``worked`` the steps of the shuffle that are done, and ``shuffled_by`` who has shuffled;
    ``slices`` what each part keeps, by its class: ask for it as ``state[CuratorState]``;
    ``at`` the time in UTC of the entry that is decided or was the last, ``None`` without a clock.
    """

    tableau: Annotated[Tableau, Sight.KEPT]
    course: OpeningProcedure = field(default_factory=OpeningProcedure)
    phase: Annotated[AnyPhase, Sight.OPEN] = Phase.CLOSED
    gaming_date: GamingDate | None = None
    seats: Annotated[Mapping[int, Patron], Sight.PARTS] = field(default_factory=dict)
    stakes: Annotated[Mapping[tuple[int, str], Stake], Sight.STAKE] = field(default_factory=dict)
    decks: Count = 0
    preshuffled: Annotated[bool, Sight.KEPT] = False
    stacked: Annotated[tuple[int, ...], Sight.OPEN] = ()
    in_device: Count | None = None
    batch: Count = 1
    inspection_offered: Annotated[bool, Sight.KEPT] = False
    idle: Flag = False
    cut: Annotated[Cut, Sight.OPEN] = field(default_factory=Cut)
    from_back: Count | None = None
    shoe: Annotated[TableShoe, Sight.OPEN] = field(default_factory=TableShoe)
    to_burn: Count | None = None
    cutting_card_out: Flag = False
    hands_left: Count | None = None
    round: Annotated[RoundState | None, Sight.OPEN] = None
    rounds: Count = 0
    held: Annotated[tuple[Card, ...], Sight.CARD] = ()
    to_discard: Count = 0
    discard_unseen: Annotated[bool, Sight.KEPT] = False
    discard_rule: Annotated[str, Sight.KEPT] = ""
    flawed: Word = ""
    simulate_with: Annotated[tuple[SimulatedOrder, ...], Sight.CARD] = ()
    worked: Annotated[tuple[str, ...], Sight.KEPT] = ()
    shuffled_by: Annotated[tuple[str, ...], Sight.STAFF] = ()
    slices: Annotated[Mapping[type, Any], Sight.PARTS] = field(default_factory=dict)
    at: Moment | None = None

    def __getitem__(self, kind: type[Slice]) -> Slice:
        """Return what a part keeps of this table, by the class of it."""
        kept: Slice | None = self.slices.get(kind)
        return kind() if kept is None else kept

    @property
    def kept(self) -> tuple[Card, ...]:
        """Cards that are out of the shoe for a hand to come: held, or for a simulated round."""
        round_, waiting = self.round, self.held
        if round_ is not None:
            early = () if round_.early is None else (round_.early.card,)
            waiting = (*round_.begins_with, *early, *waiting)
        return (*waiting, *(order.card for order in self.simulate_with))

    @property
    def present(self) -> tuple[int, ...]:
        """The seats of those who sit at the table, and have not walked away."""
        return tuple(seat for seat, patron in self.seats.items() if not patron.away)

    @property
    def owed_cents(self) -> int:
        """All vigorish that markers show."""
        return sum(patron.owed_cents for patron in self.seats.values())


def with_slice(state: TableState, kept: object) -> TableState:
    """Return the state with what a part keeps of it replaced."""
    return replace(state, slices={**state.slices, type(kept): kept})
