"""The state of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from typing import Annotated, Any, Final, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from croupier.acts.elections import OpeningProcedure
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
from croupier.baccarat.cards import DECK_SIZE, Card
from croupier.baccarat.coup import Coup, Facts, Hand, Tableau
from croupier.law.sight import Sight
from croupier.money.settlement import Stake

State = TypeVar("State")
Slice = TypeVar("Slice")


class AnyPhase(Enum):
    """A phase of a table; the value describes it in messages."""

    # Members are singletons: identity is a sound hash, and Enum's own costs a Python call.
    __hash__ = object.__hash__

    @property
    def in_play(self) -> bool:
        """Whether a round is in progress, from No More Bets until the layout is clear."""
        return True


class Phase(AnyPhase):
    """A phase of any table."""

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
    OUT_OF_USE = "waiting for the cards to be removed"

    @property
    def in_play(self) -> bool:
        return self in {Phase.DEALING, Phase.DECIDED, Phase.SETTLED}


class Phases:
    """Phases with a common property, including those of parts."""

    def __init__(self, has_property: Callable[[AnyPhase], bool]) -> None:
        self._has_property = cache(has_property)

    def __contains__(self, phase: AnyPhase) -> bool:
        return self._has_property(phase)


ANY_TIME: Final = Phases(lambda _: True)
AT_TABLE: Final = Phases(lambda phase: phase is not Phase.CLOSED)
"""Phases in which the table is open."""
BETWEEN_ROUNDS: Final = Phases(lambda phase: phase in AT_TABLE and not phase.in_play)
"""Phases of an open table without a round in progress."""
NOT_IN_PLAY: Final = Phases(lambda phase: not phase.in_play)
"""Phases without a round in progress, closed or open."""
WITH_SHOE: Final = Phases(lambda phase: phase.in_play or phase in {Phase.TO_BURN, Phase.BETTING})
"""Phases with cards in the shoe, from the burn on."""
CARDS_IN_SHOE: Final = Phases(lambda phase: phase in WITH_SHOE or phase is Phase.SHOE_COMPLETED)
"""Phases in which a card may leave the shoe, also after its last hand."""
WITH_CARDS: Final = Phases(lambda phase: phase not in {Phase.CLOSED, Phase.OPEN})
"""Phases with a set of cards at the table, from its receipt on."""
IN_PLAY: Final = Phases(lambda phase: phase.in_play)
IN_THE_DEAL: Final = Phases(
    lambda phase: phase.in_play and phase not in {Phase.DECIDED, Phase.SETTLED}
)


class Patron(Struct, frozen=True):
    """A patron in a seat; ``away`` if the patron left wagers in play."""

    name: PatronName
    chips_cents: PatronCents = 0
    owed_cents: PatronCents = 0
    away: Flag = False


class Discarded(Struct, frozen=True):
    """A card that left play apart from the burn and from settled rounds, under a rule.

    One that ``follows`` was due because of another of its ``group``; ``left`` are in the shoe.
    """

    card: DealtCard | None
    rule: Word
    follows: Flag
    group: Count
    left: Count


class TableShoe(Struct, frozen=True):
    """The cards in the shoe. ``unseen[i]`` copies of ``DECK[i]`` may still be drawn.

    ``cards_behind`` counts the cards behind the cutting card, ``None`` once it has appeared. A card
    discarded unseen lowers only ``remaining``. ``burned`` cards are ``None`` if not shown.
    """

    number: Count = 0
    decks: Count = 0
    remaining: Count = 0
    unseen: Annotated[bytes, Sight.ODDS] = b""
    cards_behind: Count | None = None
    batch: Count = 1
    burned: Annotated[tuple[Card | None, ...], Sight.OPEN] = ()
    discarded: Annotated[tuple[Discarded, ...], Sight.OPEN] = ()

    @classmethod
    def full(cls, number: int, decks: int, batch: int, cards_behind: int | None) -> TableShoe:
        return cls(
            number, decks, decks * DECK_SIZE, bytes([decks] * DECK_SIZE), cards_behind, batch
        )

    def without(self, card: Card | None) -> TableShoe:
        unseen = self.unseen
        if card is not None:
            index = card.index
            unseen = unseen[:index] + bytes((unseen[index] - 1,)) + unseen[index + 1 :]
        return replace(self, remaining=self.remaining - 1, unseen=unseen)

    def discarding(
        self, card: Card | None, rule: str, *, follows: bool = False, begins: bool = False
    ) -> TableShoe:
        """Shoe after a card that is not in it any more was discarded; it ``begins`` a group."""
        group = (self.discarded[-1].group if self.discarded else 0) + begins
        discarded = Discarded(card, rule, follows, group, self.remaining)
        return replace(self, discarded=(*self.discarded, discarded))

    @property
    def set_aside(self) -> tuple[Card | None, ...]:
        """The burned, and then the discarded cards."""
        return (*self.burned, *(discarded.card for discarded in self.discarded))

    @property
    def is_undealt(self) -> bool:
        """Whether no card has left it but the burned and the discarded ones."""
        return self.remaining + len(self.set_aside) == self.decks * DECK_SIZE

    def has_set_aside(self, card: Card, ordinal: int) -> bool:
        return ordinal > 0 and self.set_aside[ordinal - 1 : ordinal] == (card,)

    def with_set_aside(self, ordinal: int, actual: Card) -> TableShoe:
        burned, index = self.burned, ordinal - 1
        if index < len(burned):
            return replace(self, burned=(*burned[:index], actual, *burned[index + 1 :]))
        discarded = [*self.discarded]
        index -= len(burned)
        discarded[index] = replace(discarded[index], card=actual)
        return replace(self, discarded=tuple(discarded))

    def reread(self, recorded: Card, actual: Card) -> TableShoe:
        """Shoe after a drawn card was corrected; cards out of use are not counted."""
        if not self.unseen[actual.index]:
            return self
        unseen = list(self.unseen)
        unseen[recorded.index] += 1
        unseen[actual.index] -= 1
        return replace(self, unseen=bytes(unseen))


class Cut(Struct, frozen=True):
    """The state of the cut.

    ``asked`` is ``None`` for the dealer. The cutter may have ``left`` since. ``again`` marks an
    ordered recut.
    """

    asked: Seat | None = None
    asked_before: tuple[Seat, ...] = ()
    cutter: Seat | None = None
    position: Count | None = None
    left: Flag = False
    again: Flag = False


class Offering(Struct, frozen=True):
    """A relinquished hand on offer to a seat, with the seats asked before.

    ``waiting`` is the seat that left the other hand meanwhile, which is offered next.
    """

    hand: NamedHand
    seat: Seat
    asked_before: tuple[Seat, ...] = ()
    waiting: Seat | None = None


class EarlyCard(Struct, frozen=True):
    """A premature third card, waiting until the hands show whose it is."""

    card: DealtCard
    disclosed: Flag
    dealt_to: NamedHand


class SimulatedOrder(Struct, frozen=True):
    """A card that begins a round without wagers, and the cause."""

    card: DealtCard
    cause: Word


class RoundState(Struct, frozen=True):
    """A round of play.

    ``begins_with`` are cards drawn in error and not yet dealt. ``down`` are the hands with
    face-down cards, in the order of turning. ``holders`` are the seats that turn a hand, ``None``
    for the dealer; ``gave_up`` relinquished one, ``None`` for a seat left since. ``added`` are the
    payouts added to wagers since the first cards, in cents by seat and wager.
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
    added: Annotated[tuple[tuple[int, str, int], ...], Sight.KEPT] = ()
    void: Flag = False
    cause: Word = ""


class TableState(Struct, frozen=True):
    """A table at one moment. Immutable: ``evolve`` returns the next state.

    ``hands_left`` counts the hands after the last hand was called, ``None`` before. ``held`` cards
    begin the next hands; ``held_under`` are the clauses of each, those of this hand first.
    ``flawed`` is the reason why cards are out of use. ``worked`` are the completed steps of the
    shuffle. ``slices`` belong to parts, as in ``state[CuratorState]``.
    ``at`` is the time of the entry in UTC.
    """

    tableau: Annotated[Tableau, Sight.KEPT]
    course: OpeningProcedure = field(default_factory=OpeningProcedure)
    phase: Annotated[AnyPhase, Sight.OPEN] = Phase.CLOSED
    gaming_date: GamingDate | None = None
    seats: Annotated[Mapping[Seat, Patron], Sight.PARTS] = field(default_factory=dict)
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
    held_under: Annotated[tuple[tuple[str, ...], ...], Sight.KEPT] = ()
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
        """Slice of a part, by its class."""
        value: Slice | None = self.slices.get(kind)
        return kind() if value is None else value

    @property
    def kept(self) -> tuple[Card, ...]:
        """Cards held for a later hand or a simulated round."""
        round_, cards = self.round, self.held
        if round_ is not None:
            early_cards = () if round_.early is None else (round_.early.card,)
            cards = (*round_.begins_with, *early_cards, *cards)
        return (*cards, *(order.card for order in self.simulate_with))

    @property
    def present(self) -> tuple[int, ...]:
        return tuple(seat for seat, patron in self.seats.items() if not patron.away)

    @property
    def owed_cents(self) -> int:
        return sum(patron.owed_cents for patron in self.seats.values())


NONE_HELD: Final[Mapping[str, Any]] = {
    "held": (), "held_under": (), "to_discard": 0, "simulate_with": (),
}  # fmt: skip
"""Changes of a state in which no card is held, and none is to be discarded."""


def with_money(
    state: TableState, seat: int, *, chips_cents: int = 0, owed_cents: int = 0
) -> TableState:
    """State with more chips in front of a patron, or more vigorish on the marker."""
    patron = state.seats[seat]
    patron = replace(
        patron,
        chips_cents=patron.chips_cents + chips_cents,
        owed_cents=patron.owed_cents + owed_cents,
    )
    return replace(state, seats={**state.seats, seat: patron})


def with_slice(state: TableState, value: object) -> TableState:
    return replace(state, slices={**state.slices, type(value): value})
