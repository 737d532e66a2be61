"""Which cards lie face down at a position, and where in a command or an event one is named.

A card is closed from the draw until it is turned, returned, shown or disclosed. Cards of a round
that is void before they were turned are open once they are in the discard rack, where they can be
shown; those of a shoe that is over can change nothing any more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from croupier import acts
from croupier.acts import Command, CorrectMisreadCard, CorrectSettlement
from croupier.baccarat.hand import Hand
from croupier.cards import Card
from croupier.rules import TableRules
from croupier.table.machine.core import Events, Refusal
from croupier.table.machine.position import Position
from croupier.table.machine.state import RoundState, TableState

Place = tuple[Hand, int]
"""A card of a hand: which of them, from 0."""


def closed_places(state: TableState, rules: TableRules) -> frozenset[Place]:
    """Return where the hands of the round in hand have a card that lies face down."""
    round_ = state.round
    if round_ is None or rules.elected("deal.option", choice="face-up"):
        return frozenset()
    return frozenset(
        (hand, at)
        for hand in (Hand.PLAYER, Hand.BANKER)
        for at in range(len(round_.coup.hand(hand)))
        if _is_down(round_, hand, at)
    )


def _is_down(round_: RoundState, hand: Hand, at: int) -> bool:
    """Return whether a card of a hand has not been turned, where cards are dealt face down."""
    if len(round_.coup.player) + len(round_.coup.banker) < 4:
        return True
    # The newest cards of a hand are down: its first two, and later its third.
    return hand in round_.down and (at == 2 or len(round_.coup.hand(hand)) == 2)


def _waiting(state: TableState) -> tuple[Card, ...]:
    """Return the cards drawn in error that wait for a hand and that no one has seen."""
    round_ = state.round
    if round_ is None:
        return state.held
    early = round_.early
    unseen = () if early is None or early.disclosed else (early.card,)
    return (*round_.begins_with, *unseen, *state.held)


def closed_cards(state: TableState, rules: TableRules) -> tuple[Card, ...]:
    """Return every card that lies face down, in the hands and waiting for one."""
    round_ = state.round
    if round_ is None:
        return state.held
    in_hands = (round_.coup.hand(hand)[at] for hand, at in closed_places(state, rules))
    return (*in_hands, *_waiting(state))


def is_open(position: Position) -> bool:
    """Return whether no card lies face down: only then does a seal tell nothing.

    The seal of an entry is a hash over its cards: of one unknown card it takes 52 trials to break.
    So seals, the tags of documents, anchors, and exports end at the last such entry.
    """
    return not (closed_cards(position.state, position.rules) or position.house.reader_locked)


class Around(NamedTuple):
    """What decides whether a card of an entry is closed: the table before and after, the events."""

    before: TableState
    after: TableState
    events: Events
    rules: TableRules

    def still_closed(self, hand: Hand) -> tuple[bool, ...]:
        """Return for each card of a hand whether it lies face down after the entry."""
        closed = closed_places(self.after, self.rules)
        return tuple((hand, at) in closed for at in range(3))


Closed = Callable[[Any, Around], bool | tuple[bool, ...]]


def _always(told: Any, around: Around) -> bool:
    del told, around
    return True


def _never(told: Any, around: Around) -> bool:
    del told, around
    return False


def _undisclosed(told: Any, around: Around) -> bool:
    del around
    return not told.disclosed


def _misread(told: Any, around: Around) -> bool:
    """Return whether the place of a misread card is closed: in a hand, or among those that wait."""
    if told.hand is None:
        return bool(_waiting(around.before))
    return (told.hand, told.ordinal - 1) in closed_places(around.before, around.rules)


def _waited(told: Any, around: Around) -> bool:
    del told
    round_ = around.before.round
    early = None if round_ is None else round_.early
    return early is None or not early.disclosed


CARDS: Final[Mapping[str, Closed]] = {
    "DrawCard.card": lambda _, around: any(
        isinstance(one, acts.CardDealt) and not one.face_up for one in around.events
    ),
    "DrawCardInError.card": _undisclosed,
    "FindFaceUpCard.card": _never,
    "FindWrongCard.card": _never,
    "CorrectMisreadCard.recorded": _misread,
    "CorrectMisreadCard.actual": _misread,
    "CardBurned.card": lambda told, _: not told.shown,
    "CardDealt.card": lambda told, _: not told.face_up,
    "CardDiscarded.card": _never,
    "CardDrawnInError.card": _undisclosed,
    "CardHeld.card": _always,
    "CardMisread.recorded": _misread,
    "CardMisread.actual": _misread,
    "CardMisread.player": lambda _, around: around.still_closed(Hand.PLAYER),
    "CardMisread.banker": lambda _, around: around.still_closed(Hand.BANKER),
    "FaceUpCardFound.card": _never,
    "HeldCardPassedOver.cards": _always,
    "ReportOverdraw.card": _always,
    "ReaderLocked.card": _always,
    "LayoutCleared.player": _never,
    "LayoutCleared.banker": _never,
    "SimulatedRoundOrdered.card": _never,
    "ThirdCardWaits.card": _undisclosed,
    "ThirdCardWaitsNoMore.card": _waited,
    "WrongCardFound.card": _never,
    # The cards of a round that is settled lie open.
    "CorrectSettlement.actual": _never,
    "SettlementCorrected.recorded": _never,
    "SettlementCorrected.actual": _never,
}
"""When a card that a command or an event names is closed, by type and field; for hands, card by
card."""


def asks_of_closed(position: Position, command: Command) -> Refusal | None:
    """Refuse what would tell a card that lies face down by the answer alone.

    Nobody can know that a card was misread which nobody has seen, and whoever asks would learn from
    the answer whether a guess is right. Ask this before a command is proposed.
    """
    state, rules = position.state, position.rules
    if isinstance(command, CorrectSettlement):
        # Whether the true card can have been there is told by all that were drawn.
        closed = command.actual is not None and bool(closed_cards(state, rules))
    elif not isinstance(command, CorrectMisreadCard):
        return None
    elif command.hand is None:
        closed = bool(_waiting(state))
    else:
        closed = (command.hand, command.ordinal - 1) in closed_places(state, rules)
    if not closed:
        return None
    message = "a card lies face down: it is turned before anything is said of it"
    return Refusal("closed_card", (), message)
