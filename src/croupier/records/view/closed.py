"""Face-down cards: from the draw until turned, returned, shown, or disclosed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from croupier import acts
from croupier.acts import Command, CorrectMisreadCard, CorrectSettlement
from croupier.baccarat.cards import Card
from croupier.baccarat.hand import Hand
from croupier.rules import TableRules
from croupier.table.machine.core import Events, Refusal
from croupier.table.machine.position import Position
from croupier.table.machine.state import RoundState, TableState

Place = tuple[Hand, int]
"""A hand and a card index from 0."""


def closed_places(state: TableState, rules: TableRules) -> frozenset[Place]:
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
    if len(round_.coup.player) + len(round_.coup.banker) < 4:
        return True
    # The newest cards of a hand are down: its first two, and later its third.
    return hand in round_.down and (at == 2 or len(round_.coup.hand(hand)) == 2)


def _waiting(state: TableState) -> tuple[Card, ...]:
    round_ = state.round
    if round_ is None:
        return state.held
    early = round_.early
    unseen = () if early is None or early.disclosed else (early.card,)
    return (*round_.begins_with, *unseen, *state.held)


def closed_cards(state: TableState, rules: TableRules) -> tuple[Card, ...]:
    round_ = state.round
    if round_ is None:
        return state.held
    in_hands = (round_.coup.hand(hand)[at] for hand, at in closed_places(state, rules))
    return (*in_hands, *_waiting(state))


def is_open(position: Position) -> bool:
    """Whether seals may be published: a seal is a hash over cards, which 52 trials disclose."""
    house = position.house
    hidden = house.reader_locked or house.unseen_card
    return not (hidden or closed_cards(position.state, position.rules))


class Around(NamedTuple):
    before: TableState
    after: TableState
    events: Events
    rules: TableRules

    def still_closed(self, hand: Hand) -> tuple[bool, ...]:
        closed = closed_places(self.after, self.rules)
        return tuple((hand, at) in closed for at in range(3))


Closed = bool | Callable[[Any, Around], bool | tuple[bool, ...]]


def _undisclosed(recorded: Any, around: Around) -> bool:
    del around
    return not recorded.disclosed


def _misread(recorded: Any, around: Around) -> bool:
    if recorded.hand is None:
        return bool(_waiting(around.before))
    return (recorded.hand, recorded.ordinal - 1) in closed_places(around.before, around.rules)


def _waited(recorded: Any, around: Around) -> bool:
    del recorded
    round_ = around.before.round
    early = None if round_ is None else round_.early
    return early is None or not early.disclosed


CARDS: Final[Mapping[str, Closed]] = {
    "DrawCard.card": lambda _, around: any(
        isinstance(one, acts.CardDealt) and not one.face_up for one in around.events
    ),
    "DrawCardInError.card": lambda _, around: (
        not any(isinstance(one, acts.CardDrawnInError) and one.disclosed for one in around.events)
    ),
    "FindFaceUpCard.card": False,
    "FindWrongCard.card": False,
    "CorrectMisreadCard.recorded": _misread,
    "CorrectMisreadCard.actual": _misread,
    "CardBurned.card": lambda recorded, _: not recorded.shown,
    "CardDealt.card": lambda recorded, _: not recorded.face_up,
    "CardDiscarded.card": False,
    "CardDrawnInError.card": _undisclosed,
    "CardHeld.card": True,
    "CardMisread.recorded": _misread,
    "CardMisread.actual": _misread,
    "CardMisread.player": lambda _, around: around.still_closed(Hand.PLAYER),
    "CardMisread.banker": lambda _, around: around.still_closed(Hand.BANKER),
    "FaceUpCardFound.card": False,
    "HandReconstructed.player": False,
    "HandReconstructed.banker": False,
    "HeldCardDisclosed.card": False,
    "HeldCardPassedOver.cards": True,
    "HeldCardsReleased.cards": True,
    "ReportOverdraw.card": True,
    "ReaderLocked.card": True,
    "LayoutCleared.player": False,
    "LayoutCleared.banker": False,
    "SimulatedRoundOrdered.card": False,
    "ThirdCardWaits.card": _undisclosed,
    "ThirdCardWaitsNoMore.card": _waited,
    "WrongCardFound.card": False,
    # The cards of a settled round are face up.
    "CorrectSettlement.actual": False,
    "SettlementCorrected.recorded": False,
    "SettlementCorrected.actual": False,
    "SettlementCorrected.player": False,
    "SettlementCorrected.banker": False,
}
"""When a card named by a command or event is closed, by type and field; for hands, by card."""


def asks_of_closed(position: Position, command: Command) -> Refusal | None:
    """Refuse a command, before it is proposed, whose answer would disclose a face-down card."""
    state, rules = position.state, position.rules
    if isinstance(command, CorrectSettlement):
        # All drawn cards together show whether the true card is possible.
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
