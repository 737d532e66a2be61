"""House Money: settled when the first four cards are face up, before any third card."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from croupier import acts
from croupier.acts.fields import Count
from croupier.acts.roles import Role
from croupier.baccarat.cards import face
from croupier.baccarat.wagers import Moment
from croupier.law.cite import cites, once
from croupier.law.usage import money
from croupier.money import ledger
from croupier.money.settlement import Settled, settle
from croupier.rules import Offer, TableRules
from croupier.table.dealing.dealing import lacks_a_card, proceed
from croupier.table.machine import core, hooks
from croupier.table.machine.bookkeeping import moves
from croupier.table.machine.core import Action, Answer, Events, Refusal
from croupier.table.machine.house import Entry, House, SettledRound, notes
from croupier.table.machine.state import AnyPhase, Phase, TableState, with_money, with_slice
from croupier.table.people.seating import counterclockwise_from_dealer
from croupier.table.settling.settling import collect_losers, release


class HouseMoneyPhase(AnyPhase):
    """Phase between the first four cards and the third cards."""

    HOUSE_MONEY = "waiting for House Money settlement"


_DUE: Final = HouseMoneyPhase.HOUSE_MONEY


@core.keeps("house_money")
class HouseMoney(Struct, frozen=True):
    """The last round in which House Money was settled; zero before the first."""

    settled_in: Count = 0


@hooks.before_third_cards.join
def _due(state: TableState, rules: TableRules) -> Events:
    round_ = state.round
    if not rules.applies("wagers.house_money.settle") or round_ is None or round_.simulated:
        return ()
    if state[HouseMoney].settled_in == round_.number:
        return ()
    early_seats = (seat for seat, wager in state.stakes if _is_early(rules.offers[wager]))
    seats = tuple(sorted(early_seats))
    clauses = rules.cites_for("wagers.house_money.settle", "due")
    return (acts.HouseMoneyDue(seats, clauses),) if seats else ()


def _is_early(offer: Offer) -> bool:
    return offer.wager.settled_at is Moment.FOUR_CARDS


core.leads_to(_DUE, acts.HouseMoneyDue)


@core.refuses(acts.DrawCard, at=[_DUE])
def _no_card_yet(_state: TableState, _command: acts.DrawCard, rules: TableRules) -> Refusal:
    clauses = rules.cites_for("wagers.house_money.settle", "due")
    return Refusal("house_money", clauses, "House Money must be settled before any third card")


@core.decides(
    acts.SettleHouseMoney, _DUE, cites=("wagers.house_money.settle", "wagers.house_money.add")
)
@cites("irregularity.insufficient")
def _settle(state: TableState, command: acts.SettleHouseMoney, rules: TableRules) -> Answer:
    round_ = state.round
    if round_ is None:
        return Refusal("not_now", (), "there is no round to settle")
    if lacks_a_card(state):
        clauses = rules.cites_for("irregularity.insufficient", "void")
        return Refusal("round_void", clauses, "the shoe has no third card: the round is void")
    stakes = {
        (seat, wager): state.stakes[seat, wager]
        for seat in counterclockwise_from_dealer(rules.submission.layout)
        for wager, offer in rules.offers.items()
        if _is_early(offer) and (seat, wager) in state.stakes
    }
    results = settle(rules, round_.coup.initial_facts, stakes)
    winners = [result for result in results if result.decision.odds is not None]
    if refusal := _cannot_add(state, command, winners, rules):
        return refusal
    cites = rules.cites_for("wagers.house_money.settle", "settled")
    payments = tuple(
        event for winner in winners for event in _pay(winner, command.added.get(winner.seat), rules)
    )
    new_state = with_slice(state, HouseMoney(round_.number))
    return (
        *collect_losers(results, cites),
        release(results),
        *payments,
        acts.HouseMoneySettled(rules.cites_for("wagers.house_money.settle", "resumed")),
        *proceed(new_state, round_, round_.coup, rules),
    )


def _cannot_add(
    state: TableState, command: acts.SettleHouseMoney, winners: list[Settled], rules: TableRules
) -> Refusal | None:
    clauses = rules.cites_for("wagers.house_money.add", "winner")
    early_card = None if state.round is None else state.round.early
    may_see_card = rules.reading("house_money.after_disclosure") == "handed"
    if command.added and may_see_card and early_card is not None and early_card.disclosed:
        message = (
            f"{face(early_card.card)}, a third card, was seen: every payout is handed to its winner"
        )
        return Refusal("disclosed", clauses, message)
    wins = {winner.seat: winner for winner in winners}
    for seat, to in command.added.items():
        if seat not in wins:
            return Refusal("no_payout", clauses, f"seat {seat} has won no House Money")
        if seat not in state.present:
            message = f"the patron of seat {seat}, who may have a payout added, has walked away"
            return Refusal("walked_away", clauses, message)
        if (seat, to) not in state.stakes or rules.offers[to].wager.on is None:
            message = f"seat {seat} has no wager on {to} to add a payout to"
            return Refusal("no_wager", clauses, message)
        if not _added(wins[seat].won_cents, to, rules):
            cites = rules.cites("wagers.house_money.portion")
            message = f"the portion of {money(wins[seat].won_cents)} is less than {to} can take"
            return Refusal("portion", cites, message)
    return None


def _added(won_cents: int, other_wager: str, rules: TableRules) -> int:
    portion = rules.value("wagers.house_money.portion", Fraction)
    unit = rules.offers[other_wager].unit_cents
    return (won_cents * portion / unit).__floor__() * unit


def _pay(result: Settled, other_wager: str | None, rules: TableRules) -> Events:
    added_cents = 0 if other_wager is None else _added(result.won_cents, other_wager, rules)
    handed = rules.cites_for("wagers.house_money.add", "handed") if other_wager is None else ()
    clauses = rules.cites_for("wagers.house_money.settle", "settled") + result.decision.clauses
    odds = str(result.decision.odds)
    payment = acts.WagerPaid(
        result.seat,
        result.wager,
        result.decision.recorded_line,
        odds,
        result.won_cents,
        clauses + handed,
    )
    if other_wager is None:
        return (payment,)
    add_clauses = rules.cites_for("wagers.house_money.add", "placed")
    add_clauses = once(add_clauses, rules.cites("wagers.house_money.portion"))
    return (payment, acts.PayoutAdded(result.seat, other_wager, added_cents, add_clauses))


moves(acts.PayoutAdded)(
    lambda event: ((ledger.patron(event.seat), ledger.layout(event.seat), event.cents),)
)


@core.applies(acts.PayoutAdded)
def _payout_added(state: TableState, event: acts.PayoutAdded) -> TableState:
    stake = state.stakes[event.seat, event.to]
    new_stake = stake._replace(chips_cents=stake.chips_cents + event.cents)
    round_ = state.round
    if round_ is not None:
        round_ = replace(round_, added=(*round_.added, (event.seat, event.to, event.cents)))
    state = with_money(state, event.seat, chips_cents=-event.cents)
    stakes = {**state.stakes, (event.seat, event.to): new_stake}
    return replace(state, round=round_, stakes=stakes)


@core.applies(acts.HouseMoneySettled)
def _settled(state: TableState, _event: acts.HouseMoneySettled) -> TableState:
    if state.round is None:
        return state
    return with_slice(replace(state, phase=Phase.DEALING), HouseMoney(state.round.number))


@hooks.settled_early.join
def _settled_early(state: TableState) -> bool:
    round_ = state.round
    if round_ is None or round_.simulated:
        return False
    return state[HouseMoney].settled_in == round_.number


@core.offers(_DUE)
def _next_of_house_money(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    if lacks_a_card(state):
        return ()
    clauses = rules.cites_for("wagers.house_money.settle", "due")
    return (Action(acts.SettleHouseMoney, Role.DEALER, clauses),)


@notes(acts.PayoutAdded)
def _noted_added(house: House, event: acts.PayoutAdded, _entry: Entry) -> House:
    return replace(house, added={**house.added, event.seat: (event.to, event.cents)})


@notes(acts.HouseMoneySettled)
def _noted_early(house: House, _event: acts.HouseMoneySettled, entry: Entry) -> House:
    before = entry.before.round
    if before is None:
        return house
    stakes = tuple(
        (seat, wager, stake)
        for (seat, wager), stake in entry.before.stakes.items()
        if (seat, wager) not in entry.after.stakes
    )
    hands = before.coup.player[:2], before.coup.banker[:2]
    settled_round = SettledRound(before.number, *hands, stakes, house.sittings)
    return replace(house.with_round(entry.number, settled_round), early=entry.number)
