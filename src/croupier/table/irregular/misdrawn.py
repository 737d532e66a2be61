"""Cards that left the shoe irregularly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from croupier import acts
from croupier.baccarat.cards import Card, Rank
from croupier.baccarat.coup import POINT_VALUE, TENS
from croupier.law.cite import cites, once
from croupier.rules import TableRules
from croupier.table.machine import core
from croupier.table.machine.core import Events
from croupier.table.machine.state import (
    IN_THE_DEAL,
    NONE_HELD,
    WITH_SHOE,
    Phase,
    SimulatedOrder,
    TableState,
)
from croupier.table.settling.settling import give_back, simulated_under

THIRD_CARD: Final = "third-card"
"""An unauthorized third card of Player's Hand was disclosed."""
DISCLOSED: Final = "disclosed"
"""Another card was disclosed."""
FACE_UP: Final = "face-up"
"""A card was face up in the shoe."""

_FACE_UP_TEN: Final[Mapping[str | None, int]] = {"none": 0, "one": 1, "ten": 10}

_WITH_ONE: Final = "irregularity.discard_one"
_BY_VALUE: Final = "irregularity.discard_by_value"
_DISCLOSED: Final[Mapping[str, str | None]] = {
    "simulated-round": None,
    "discard": "irregularity.disclosed_card",
    "discard-one": _WITH_ONE,
    "discard-by-value": _BY_VALUE,
}
"""The rule that discards a disclosed card; none where it begins a simulated round."""


def put_aside(
    state: TableState,
    order: SimulatedOrder,
    rules: TableRules,
    *,
    disclosed: bool,
    clauses: tuple[str, ...],
) -> Events:
    """Hold a card for the next hand; if it was disclosed, follow the elected procedure."""
    if not disclosed:
        return (acts.CardHeld(order.card, clauses),)
    return (_disclosed(state, order, rules),)


@cites(
    "irregularity.discard_by_value", "irregularity.ten_extra", "irregularity.discard_one",
    "irregularity.simulated_round",
)  # fmt: skip
def _disclosed(
    state: TableState, order: SimulatedOrder, rules: TableRules
) -> acts.CardDiscarded | acts.SimulatedRoundOrdered:
    card, rule = order.card, rules.by_word("irregularity.disclosed_card", _DISCLOSED)
    if rule is None:
        return acts.SimulatedRoundOrdered(card, order.cause, simulated_under(order.cause, rules))
    clauses = rules.cites(rule)
    if rule == _BY_VALUE and card.rank in TENS:
        clauses = once(clauses, rules.cites("irregularity.ten_extra"))
    due = _following(rule, card, rules)
    due = due and min(due, state.shoe.remaining - 1)
    return acts.CardDiscarded(
        card, from_shoe=False, to_discard=due, unseen=rule == _WITH_ONE, clauses=clauses
    )


def beside_disclosed(rank: Rank, rules: TableRules) -> int:
    return rules.value("irregularity.ten_extra", int) if rank in TENS else POINT_VALUE[rank]


def beside_face_up(rank: Rank, rules: TableRules) -> int:
    by_word = {
        "discard": 0,
        "discard-one": 1,
        "discard-by-value": None,
        "in-play": 0,
        "simulated-round": None,
    }
    extra = rules.by_word("irregularity.face_up", by_word)
    if extra is not None:
        return extra
    if rank in TENS:
        return _FACE_UP_TEN[rules.reading("face_up_ten.discards")]
    return POINT_VALUE[rank]


def _following(rule: str, card: Card | None, rules: TableRules) -> int:
    if card is None or rule == "discard.order":
        return 0
    if rule == "irregularity.face_up_card":
        return beside_face_up(card.rank, rules)
    if rules.elected("irregularity.disclosed_card", "discard-by-value"):
        return beside_disclosed(card.rank, rules)
    return int(rule == _WITH_ONE)


def recount_discards(state: TableState, index: int, actual: Card, rules: TableRules) -> Events:
    """Count the cards that follow a misread one by the true card; missing ones are discarded."""
    shoe, misread_card = state.shoe, state.shoe.discarded[index]
    rule, to_discard = misread_card.rule, state.to_discard
    difference = _following(rule, actual, rules) - _following(rule, misread_card.card, rules)
    if misread_card.follows or not difference:
        return ()
    group = [card for card in shoe.discarded if card.group == misread_card.group]
    discarded = sum(card.follows for card in group)
    heads = [(card.rule, card.card) for card in group if not card.follows]
    due = difference + sum(_following(*head, rules) for head in heads)
    last, plays_on = shoe.discarded[-1], rules.reading("discard.misread") == "play-on"
    is_in_time = shoe.remaining == last.left or shoe.is_undealt
    is_resumed = to_discard or (is_in_time and not plays_on)
    if is_resumed and last.group == misread_card.group and state.phase in WITH_SHOE:
        to_discard = min(max(due - discarded, 0), shoe.remaining)
    clauses = once(rules.cites_if_any(rule), rules.ruling("discard-misread"))
    return (acts.DiscardsCountedAgain(due, discarded, to_discard, clauses),)


core.applies(acts.DiscardsCountedAgain)(
    lambda state, event: replace(state, to_discard=event.to_discard)
)


def begin_simulated(
    state: TableState, order: SimulatedOrder, rules: TableRules, clauses: tuple[str, ...]
) -> Events:
    return (acts.SimulatedRoundOrdered(order.card, order.cause, clauses), *_abort(state, rules))


def _abort(state: TableState, rules: TableRules) -> Events:
    round_ = state.round
    if round_ is None or state.phase not in IN_THE_DEAL or round_.simulated:
        return ()
    if rules.reading("disclosed_card.fate") != "void":
        return ()
    return void_round(state, rules.cites("irregularity.disclosed_other"))


def void_round(state: TableState, clauses: tuple[str, ...]) -> Events:
    """Void the round in the deal, and return its wagers; its cards are picked up next."""
    if (round_ := state.round) is None:
        return ()
    cards_dealt = len(round_.coup.player) + len(round_.coup.banker)
    voided = acts.RoundVoided(
        round_.number, cards_dealt, simulated=False, reshuffle=False, clauses=clauses
    )
    return (voided, give_back(state, clauses))


@core.applies(acts.CardDrawnInError)
def _error(state: TableState, event: acts.CardDrawnInError) -> TableState:
    return replace(state, shoe=state.shoe.without(event.card))


@core.applies(acts.CardHeld)
def _held(state: TableState, event: acts.CardHeld) -> TableState:
    held_under = (*state.held_under, event.clauses)
    return replace(state, held=(*state.held, event.card), held_under=held_under)


@core.applies(acts.SimulatedRoundOrdered)
def _ordered(state: TableState, event: acts.SimulatedRoundOrdered) -> TableState:
    order = SimulatedOrder(event.card, event.cause)
    return replace(state, simulate_with=(*state.simulate_with, order))


@core.applies(acts.RoundVoided)
def _voided(state: TableState, event: acts.RoundVoided) -> TableState:
    round_ = state.round
    if not event.reshuffle and round_ is not None:
        # The cards on the layout go to the rack at the end of the hand; undealt cards drawn in
        # error before it begin the next hand.
        early_cards = () if round_.early is None else (round_.early.card,)
        held = (*round_.begins_with, *early_cards, *state.held)
        held_under, first = state.held_under, len(round_.begins_with)
        held_under = (*held_under[:first], *((),) * len(early_cards), *held_under[first:])
        round_ = replace(round_, begins_with=(), early=None, void=True)
        return replace(state, phase=Phase.SETTLED, round=round_, held=held, held_under=held_under)
    return replace(state, phase=Phase.SHOE_COMPLETED, round=None, **NONE_HELD)
