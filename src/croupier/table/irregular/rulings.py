"""Supervisors' rulings if a text is silent, so that any round and table can be ended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from croupier import acts
from croupier.acts.roles import Role
from croupier.money import ledger
from croupier.rules import TableRules
from croupier.table.cards.cutting import cut_cites, cut_refused, next_cut_offer
from croupier.table.cards.preparing import not_shown, viewed_under
from croupier.table.dealing.dealing import holder_of, reveal
from croupier.table.dealing.hand_over import (
    hand_offer_refused,
    handed_under,
    hold,
    next_hand_offers,
    offer_cites,
    turning,
)
from croupier.table.irregular.supervisor import ruling
from croupier.table.machine import core, hooks
from croupier.table.machine.bookkeeping import moves
from croupier.table.machine.core import Action, Answer, Refusal
from croupier.table.machine.state import ANY_TIME, AT_TABLE, IN_THE_DEAL, Phase, TableState
from croupier.table.people.patrons import leaving
from croupier.table.settling.settling import give_back
from croupier.table.wagering.wagering import bets_closed

_NOT_RETURNED: Final = "hand-not-returned"


@core.applies(acts.RulingGiven)
def _ruled(state: TableState, event: acts.RulingGiven) -> TableState:
    """Other rulings take effect through later events."""
    round_ = state.round
    if event.matter != _NOT_RETURNED or round_ is None or not round_.down:
        return state
    return hold(state, round_.down[0], None)


@core.decides(
    acts.PassOver,
    ANY_TIME,
    cites=("cut.offer", "curator.offer", "irregularity.relinquish", "opening.spread"),
)
def _pass_over(state: TableState, command: acts.PassOver, rules: TableRules) -> Answer:
    seat = command.seat
    if state.phase in {Phase.SPREAD_UP, Phase.SPREAD_DOWN}:
        looked = acts.OfferUnanswered(seat, "look", rules.cites(viewed_under(state)))
        return not_shown(state, seat, rules) or (looked,)
    if (answer := hooks.passed_over.ask(state, seat, rules)) is not None:
        return answer
    offering = None if state.round is None else state.round.offering
    if state.phase is Phase.TO_CUT and state.cut.asked is not None:
        asked, offer, clauses = state.cut.asked, "cut", cut_cites(state.cut.asked, rules)
    elif offering is not None and state.phase in IN_THE_DEAL:
        was_declined = bool(offering.asked_before)
        asked, offer, clauses = offering.seat, "hand", offer_cites(rules, declined=was_declined)
    else:
        return Refusal("no_offer", (), "no offer is waiting for an answer")
    if asked != seat:
        return Refusal("not_asked", clauses, f"it is seat {asked} that has to answer")
    unanswered = acts.OfferUnanswered(seat, offer, clauses)
    if offering is None or offer == "cut":
        return (unanswered, next_cut_offer(_unanswered(state, unanswered), rules))
    return (unanswered, *next_hand_offers(state, rules))


@core.applies(acts.OfferUnanswered)
def _unanswered(state: TableState, event: acts.OfferUnanswered) -> TableState:
    match event.offer:
        case "cut":
            return cut_refused(state, event.seat)
        case "hand":
            return hand_offer_refused(state, event.seat)
        case "look":
            return replace(state, phase=Phase.VIEWED)
        case _:
            return state


@core.decides(acts.RecallHand, Phase.DEALING, cites=("deal.hand_over",))
def _recall(state: TableState, command: acts.RecallHand, rules: TableRules) -> Answer:
    hand, round_ = command.hand, turning(state, command.hand)
    if rules.applies("irregularity.relinquish"):
        clauses = rules.cites_for("irregularity.relinquish", "compelled")
        message = "the right to turn a hand is taken away from its holder, and offered to others"
        return Refusal("relinquish", clauses, message)
    holder = holder_of(state, hand, rules)
    if round_ is None or holder is None:
        return Refusal("no_holder", (), f"nobody is to turn the {hand.title} but the dealer")
    clauses = handed_under(round_, hand, "returned", rules)
    authority = command.supervisor, command.reason
    turn_events = reveal(state, acts.CardsReturned(None, hand, clauses), rules)
    return ruling(_NOT_RETURNED, authority, holder, clauses, rules, *turn_events)


@core.decides(acts.WriteOffVigorish, AT_TABLE, cites=("vigorish.marker",))
def _write_off(state: TableState, command: acts.WriteOffVigorish, rules: TableRules) -> Answer:
    seat = command.seat
    patron = state.seats.get(seat)
    if patron is None:
        return Refusal("seat_empty", (), f"seat {seat} is empty")
    if not patron.owed_cents:
        return Refusal("nothing_owed", (), f"seat {seat} owes no vigorish")
    if hooks.instead_of_collecting.ask(rules) is not None:
        message = "vigorish that is not collected is documented on a Form"
        return Refusal("document_it", rules.cites("forms.table_win"), message)
    clauses = rules.cites_for("vigorish.marker", "removed")
    authority = command.supervisor, command.reason
    write_off = acts.VigorishWrittenOff(seat, patron.owed_cents, clauses)
    return ruling("vigorish-not-had", authority, seat, clauses, rules, write_off)


@core.applies(acts.VigorishWrittenOff)
def _written_off(state: TableState, event: acts.VigorishWrittenOff) -> TableState:
    patron = replace(state.seats[event.seat], owed_cents=0)
    return replace(state, seats={**state.seats, event.seat: patron})


moves(acts.VigorishWrittenOff)(
    lambda event: ((ledger.owed(event.seat), ledger.UNCOLLECTED, event.cents),)
)


@core.decides(acts.ReturnWagers, ANY_TIME, cites=("wagers.closed",))
def _return_wagers(state: TableState, command: acts.ReturnWagers, rules: TableRules) -> Answer:
    if state.phase not in {Phase.BETTING, Phase.TO_BURN}:
        return bets_closed(state, rules)
    stakes = {key: stake for key, stake in state.stakes.items() if key[0] == command.seat}
    if not stakes:
        return Refusal("no_wager", (), f"seat {command.seat} has no wager on the layout")
    clauses = rules.cites("wagers.closed")
    authority = command.supervisor, command.reason
    refund = give_back(replace(state, stakes=stakes), clauses)
    return ruling("wagers-not-played", authority, command.seat, clauses, rules, refund)


@core.decides(acts.DismissPatron, AT_TABLE, cites=("vigorish.before_reshuffle",))
def _dismiss(state: TableState, command: acts.DismissPatron, rules: TableRules) -> Answer:
    authority = command.supervisor, command.reason
    answer = ruling("patron-stays", authority, command.seat, (), rules)
    if isinstance(answer, Refusal):
        return answer
    departure = leaving(state, acts.LeaveTable(command.seat), rules)
    return departure if isinstance(departure, Refusal) else (*answer, *departure)


@core.offers(Phase.SPREAD_UP, Phase.SPREAD_DOWN, Phase.TO_CUT, optional=True)
def _silence(state: TableState, rules: TableRules) -> Iterator[Action]:
    clauses: tuple[str, ...]
    seats: tuple[int, ...] = ()
    if state.phase is Phase.TO_CUT:
        seats, clauses = (state.cut.asked or 0,), cut_cites(state.cut.asked, rules)
    elif state.phase is Phase.SPREAD_UP or not rules.elected("idle.on_arrival", "turn-up"):
        seats, clauses = state.present, rules.cites(viewed_under(state))
    for seat in seats:
        if seat:
            yield Action(acts.PassOver, Role.DEALER, clauses, must=False, seat=seat)


@core.offers(IN_THE_DEAL, optional=True)
def _silence_on_a_hand(state: TableState, rules: TableRules) -> Iterator[Action]:
    offering = None if state.round is None else state.round.offering
    if offering is not None:
        clauses = offer_cites(rules, declined=bool(offering.asked_before))
        yield Action(acts.PassOver, Role.DEALER, clauses, must=False, seat=offering.seat)


@core.offers(AT_TABLE, optional=True)
def _by_ruling(state: TableState, rules: TableRules) -> Iterator[Action]:
    may_be_written_off = hooks.instead_of_collecting.ask(rules) is None
    bettors = {seat for seat, _ in state.stakes}
    for seat, patron in state.seats.items():
        if patron.owed_cents and may_be_written_off:
            clauses = rules.cites_for("vigorish.marker", "removed")
            yield Action(acts.WriteOffVigorish, Role.SUPERVISOR, clauses, must=False, seat=seat)
        if seat in bettors and state.phase in {Phase.BETTING, Phase.TO_BURN}:
            clauses = rules.cites("wagers.closed")
            yield Action(acts.ReturnWagers, Role.SUPERVISOR, clauses, must=False, seat=seat)
