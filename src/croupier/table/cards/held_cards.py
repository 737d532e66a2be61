"""Held cards: for the next hand, or the first card of a simulated round."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from croupier import acts
from croupier.acts.roles import Role
from croupier.baccarat.coup import Coup
from croupier.law.cite import once
from croupier.rules import TableRules
from croupier.table.cards.device import no_round
from croupier.table.cards.out_of_use import records_removed
from croupier.table.dealing.dealing import card_due, deal
from croupier.table.irregular.misdrawn import DISCLOSED, begin_simulated
from croupier.table.machine import core
from croupier.table.machine.core import Action, Answer, Events, Refusal, evolve_all
from croupier.table.machine.state import WITH_SHOE, Phase, RoundState, SimulatedOrder, TableState
from croupier.table.settling.settling import discards_due, simulated_under


def _none_waits() -> Refusal:
    return Refusal("no_held_card", (), "no card drawn in error is reserved for this hand")


def held_card_cites(state: TableState, cards: int, rules: TableRules) -> tuple[str, ...]:
    """Return the clauses under which the next cards of this hand were held for it."""
    plain = rules.cites("irregularity.drawn_in_error")
    return once(*(clauses or plain for clauses in state.held_under[:cards] or (plain,)))


@core.decides(acts.UseHeldCard, Phase.DEALING, cites=("irregularity.drawn_in_error",))
def _use_held(state: TableState, command: acts.UseHeldCard, rules: TableRules) -> Answer:
    cards = () if state.round is None else state.round.begins_with
    if not cards or not card_due(state):
        return _none_waits()
    if command.disclosed and rules.applies("irregularity.disclosed_other"):
        clauses = rules.cites("irregularity.disclosed_other")
        disclosure = acts.HeldCardDisclosed(cards[0], clauses)
        order = SimulatedOrder(cards[0], DISCLOSED)
        return (disclosure, *begin_simulated(_disclosed(state, disclosure), order, rules, clauses))
    first, *rest = deal(state, cards[0], rules, "held")
    if isinstance(first, acts.CardDealt):
        first = replace(first, clauses=held_card_cites(state, 1, rules) + first.clauses)
    return (first, *rest)


@core.applies(acts.HeldCardDisclosed)
def _disclosed(state: TableState, _event: acts.HeldCardDisclosed) -> TableState:
    if state.round is None:
        return state
    round_ = replace(state.round, begins_with=state.round.begins_with[1:])
    return replace(state, round=round_, held_under=state.held_under[1:])


@core.decides(acts.PassOverHeldCard, Phase.DEALING, cites=("irregularity.drawn_in_error",))
def _pass_over(state: TableState, command: acts.PassOverHeldCard, rules: TableRules) -> Answer:
    cards = () if state.round is None else state.round.begins_with
    if not cards:
        return _none_waits()
    clauses = held_card_cites(state, len(cards), rules)
    if not command.supervisor:
        return Refusal("nobody", (), "the supervisor who lets the hand stand is not named")
    return (acts.HeldCardPassedOver(cards, command.supervisor, clauses),)


@core.applies(acts.HeldCardPassedOver)
def _passed_over(state: TableState, event: acts.HeldCardPassedOver) -> TableState:
    if state.round is None:
        return state
    round_ = replace(state.round, begins_with=())
    return replace(state, round=round_, held=(*event.cards, *state.held))


@core.releases
def _released(state: TableState, events: Events, rules: TableRules) -> Events:
    """Say where held cards go if the shoe ends, the table idles or closes before their hand."""
    after = evolve_all(state, events)
    if after.phase in WITH_SHOE:
        return ()
    orders = Counter(order.card for order in state.simulate_with)
    cards = tuple((Counter(state.kept) - orders).elements())
    if not cards:
        return ()
    destination = "spread" if after.phase in {Phase.SPREAD_UP, Phase.SPREAD_DOWN} else "rack"
    if records_removed(rules) and any(isinstance(event, acts.CardsRemoved) for event in events):
        destination = "removed set"
    shoe_is_completed = after.phase is Phase.SHOE_COMPLETED
    entry = rules.ruling("held-card-of-a-shoe" if shoe_is_completed else "held-card-released")
    return (acts.HeldCardsReleased(cards, destination, entry),)


core.applies(acts.HeldCardsReleased)(lambda state, _: replace(state, held=(), held_under=()))


@core.decides(acts.BeginSimulatedRound, Phase.BETTING, cites=("irregularity.simulated_round",))
def _begin_simulated(
    state: TableState, _command: acts.BeginSimulatedRound, rules: TableRules
) -> Answer:
    if not state.simulate_with:
        return Refusal("not_ordered", (), "no card disclosed in error requires this")
    if refusal := discards_due(state, rules) or no_round(state, rules):
        return refusal
    order = state.simulate_with[0]
    clauses = simulated_under(order.cause, rules)
    begun = acts.SimulatedRoundBegun(order.cause, clauses)
    first, *rest = deal(_simulated(state, begun), order.card, rules, "irregular")
    return (begun, replace(first, clauses=once(clauses, first.clauses)), *rest)


@core.applies(acts.SimulatedRoundBegun)
def _simulated(state: TableState, event: acts.SimulatedRoundBegun) -> TableState:
    round_ = RoundState(state.rounds, Coup(state.tableau), simulated=True, cause=event.cause)
    return replace(state, phase=Phase.DEALING, round=round_, simulate_with=state.simulate_with[1:])


@core.offers(Phase.BETTING)
def _next_simulated(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    if not state.simulate_with or state.to_discard or no_round(state, rules):
        return ()
    clauses = simulated_under(state.simulate_with[0].cause, rules)
    return (Action(acts.BeginSimulatedRound, Role.DEALER, clauses),)


@core.offers(Phase.DEALING)
def _next_held(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    if state.round is None or not state.round.begins_with or not card_due(state):
        return ()
    clauses = held_card_cites(state, 1, rules)
    return (
        Action(acts.UseHeldCard, Role.DEALER, clauses),
        Action(acts.PassOverHeldCard, Role.SUPERVISOR, clauses, must=False),
    )
