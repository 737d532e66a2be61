"""Placing and withdrawing of wagers until the call of no more bets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from croupier import acts
from croupier.acts.roles import Role
from croupier.law.cite import cites, once
from croupier.law.usage import money
from croupier.money.settlement import Stake
from croupier.rules import TableRules
from croupier.table.cards.device import may_take_back, waits_for_device
from croupier.table.cards.out_of_use import ordered_off
from croupier.table.machine import core, hooks
from croupier.table.machine.core import Action, Answer, Events, Refusal, not_now, not_there
from croupier.table.machine.state import ANY_TIME, Phase, TableState, with_money
from croupier.table.people.patrons import bought, whole_cents
from croupier.table.settling.settling import (
    device_lacks_cards,
    owed_by_the_shoe,
    simulated_under,
    until_reshuffled,
)
from croupier.table.wagering.together import excluded, unbalanced, unfit_together

_NOTHING: Final = Stake(0)


# --- wagers ------------------------------------------------------------------------------------


def needs_cites(rule_id: str, rules: TableRules) -> tuple[str, ...]:
    """Clauses by which a wager requires another: the text, and a reading of it."""
    return once(rules.cites(rule_id), rules.cites_for(rule_id, "beside"))


@cites("wagers.permitted", "wagers.bonus.needs_base", "wagers.royal_9.before_deal")
def unfit_stake(
    wager: str, chips_cents: int, coupon_cents: int, other_wagers: Iterable[str], rules: TableRules
) -> Refusal | None:
    """Refuse an invalid stake, given the seat's other wagers, regardless of its chips.

    Codes: ``not_offered``, ``limit``, ``fraction_of_a_cent``, ``vigorish_above_win``, ``coupon``,
    ``needs_base``, ``not_together``.
    """
    wagers = {wager, *other_wagers}
    offer = rules.offers.get(wager)
    if offer is None:
        offered = ", ".join(rules.offers)
        clauses = rules.cites_for("wagers.permitted", wager)
        return Refusal("not_offered", clauses, f"{wager}: this table offers {offered}")
    cents = chips_cents + coupon_cents
    limit = offer.limit
    if limit is not None and not limit.min_cents <= cents <= limit.max_cents:
        minimum, maximum = money(limit.min_cents), money(limit.max_cents)
        message = f"{wager}: {money(cents)} is outside the limits {minimum} to {maximum}"
        return Refusal("limit", rules.cites_if_any(f"wagers.{wager}.stake"), message)
    if cents % offer.unit_cents:
        unit = money(offer.unit_cents)
        message = f"{wager}: the stake must be a multiple of {unit}; no other is paid exactly"
        return Refusal("fraction_of_a_cent", offer.unit_cites, message)
    if cents < offer.floor_cents:
        terms = rules.vigorish
        to = money(terms.rounding_unit_cents or 0)
        message = f"{wager}: {money(cents)} would win less than vigorish, which is rounded to {to}"
        return Refusal("vigorish_above_win", rules.cites(terms.rounded_by), message)
    if coupon_cents:
        coupon = rules.coupon
        if coupon is None:
            tender = rules.value("wagers.tender", tuple)
            message = f"wagers must be made in {' or '.join(tender)}"
            return Refusal("coupon", rules.cites("wagers.tender"), message)
        if coupon_cents > chips_cents:
            message = f"a {coupon} requires chips of at least its amount"
            return Refusal("coupon", rules.cites("wagers.tender"), message)
    for need in offer.needs:
        if wagers.isdisjoint(need.one_of):
            return Refusal("needs_base", needs_cites(need.rule_id, rules), need.says)
    return excluded(wagers, rules)


@core.decides(
    acts.PlaceWager,
    ANY_TIME,
    cites=("wagers.tender", "wagers.closed", "wagers.untouched", "wagers.permitted"),
)
def _place(state: TableState, command: acts.PlaceWager, rules: TableRules) -> Answer:
    seat, cents, coupon = command.seat, command.cents, command.coupon_cents
    additions = ((command.wager, cents, coupon),)
    if refusal := _unfit_placing(state, seat, additions, rules):
        return refusal
    return (acts.WagerPlaced(seat, command.wager, cents, coupon, rules.cites("wagers.tender")),)


@core.decides(
    acts.PlaceWagers, ANY_TIME, cites=("wagers.tender", "wagers.closed", "wagers.permitted")
)
def _place_all(state: TableState, command: acts.PlaceWagers, rules: TableRules) -> Answer:
    stakes = command.stakes
    wagers = [wager for wager in rules.offers if wager in stakes]
    if len(wagers) < len(stakes):
        wagers += sorted(stakes.keys() - rules.offers.keys())
    additions = tuple((wager, stakes[wager], 0) for wager in wagers)
    if refusal := _unfit_placing(state, command.seat, additions, rules):
        return refusal
    amounts = {wager: stakes[wager] for wager in wagers}
    return (acts.WagersPlaced(command.seat, amounts, rules.cites("wagers.tender")),)


def _unfit_placing(
    state: TableState, seat: int, additions: tuple[tuple[str, int, int], ...], rules: TableRules
) -> Refusal | None:
    if not wagers_open(state, rules):
        return bets_closed(state, rules)
    if refusal := ordered_off(state, rules) or _no_hand_left(state, rules):
        return refusal
    if refusal := not_there(state, seat):
        return refusal
    patron = state.seats[seat]
    tender = rules.cites("wagers.tender")
    if not additions:
        return Refusal("amount", tender, "no wager is given")
    if refusal := hooks.before_wagers.ask(state, rules, [wager for wager, _, _ in additions]):
        return refusal
    former_wagers = {wager for number, wager in state.stakes if number == seat}
    wagers = former_wagers.union(wager for wager, _, _ in additions)
    total = 0
    for wager, chips, coupon in additions:
        if not whole_cents(chips) or not whole_cents(coupon) or chips == 0:
            message = f"{wager}: {chips!r} is not an amount above zero"
            return Refusal("amount", tender, message)
        before = state.stakes[seat, wager] if wager in former_wagers else _NOTHING
        refusal = unfit_stake(
            wager, before.chips_cents + chips, before.coupon_cents + coupon, wagers, rules
        )
        if refusal is not None:
            return refusal
        total += chips
    if total > patron.chips_cents:
        has = money(patron.chips_cents)
        return Refusal("chips", tender, f"seat {seat} has {has} in chips, not {money(total)}")
    return unfit_together(state, additions, rules)


@cites("wagers.closed_at")
def wagers_open(state: TableState, rules: TableRules) -> bool:
    """Whether wagers may change: before the call, or before the first card of the round."""
    if state.phase is Phase.BETTING:
        return True
    open_by_word = {"call": False, "first-card": True}
    deal_has_begun = state.round is None or state.round.coup.player or state.round.simulated
    return (
        state.phase is Phase.DEALING
        and not deal_has_begun
        and rules.applies("wagers.closed_at")
        and rules.by_word("wagers.closed_at", open_by_word)
    )


def _no_hand_left(state: TableState, rules: TableRules) -> Refusal | None:
    hands_left, orders = state.hands_left, state.simulate_with
    if hands_left is None or not orders:
        return None
    counting = len(orders) if rules.reading("simulated_round.hand") == "counts" else 0
    if hands_left > counting:
        return None
    clauses = once(rules.cites("shoe.hands_after_call"), simulated_under(orders[0].cause, rules))
    message = "no hand is left that could decide it: a round without wagers ends the shoe"
    return Refusal("no_hand", clauses, message)


def bets_closed(state: TableState, rules: TableRules) -> Refusal:
    if state.round is None:
        return not_now(state)
    if state.round.simulated:
        clauses = simulated_under(state.round.cause, rules)
        return Refusal("simulated_round", clauses, "no wagers are accepted in a simulated round")
    if state.phase is Phase.SETTLED:
        # Every wager is settled, and the next round has not begun.
        return Refusal("not_now", (), "not at this moment: the cards are picked up first")
    clauses = rules.cites("wagers.closed")
    if state.round.coup.player:
        clauses += rules.cites("wagers.untouched")
    return Refusal("no_more_bets", clauses, "no more bets has been called: wagers cannot change")


@core.applies(acts.WagerPlaced)
def _placed(state: TableState, event: acts.WagerPlaced) -> TableState:
    return _stake(state, event.seat, ((event.wager, event.cents, event.coupon_cents),))


@core.applies(acts.WagersPlaced)
def _all_placed(state: TableState, event: acts.WagersPlaced) -> TableState:
    return _stake(state, event.seat, [(wager, cents, 0) for wager, cents in event.stakes.items()])


def _stake(state: TableState, seat: int, additions: Iterable[tuple[str, int, int]]) -> TableState:
    stakes = dict(state.stakes)
    total = 0
    for wager, chips, coupon in additions:
        addition = Stake(chips, coupon)
        before = stakes.get((seat, wager))
        stakes[seat, wager] = addition if before is None else before.plus(addition)
        total += chips
    return replace(with_money(state, seat, chips_cents=-total), stakes=stakes)


@core.decides(acts.PlaceVerbalWager, ANY_TIME, cites=("wagers.verbal",))
def _place_verbal(state: TableState, command: acts.PlaceVerbalWager, rules: TableRules) -> Answer:
    if not wagers_open(state, rules):
        return bets_closed(state, rules)
    clauses = rules.cites_for("wagers.verbal", "confirmed")
    if not rules.applies("wagers.verbal"):
        tender = " or ".join(rules.value("wagers.tender", tuple))
        message = f"verbal wagers are not accepted: wager in {tender}"
        return Refusal("tender", rules.cites("wagers.tender"), message)
    confirmers = rules.value("wagers.verbal.confirmed_by", tuple)
    unsupervised = "casino supervisor" in confirmers and not command.supervisor
    if not command.dealer_confirms or unsupervised:
        message = f"a verbal wager is accepted only if confirmed by {' and '.join(confirmers)}"
        return Refusal("unconfirmed", clauses, message)
    purchase = bought(state, acts.BuyChips(command.seat, command.cents), rules)
    if isinstance(purchase, Refusal):
        return purchase
    after = with_money(state, command.seat, chips_cents=command.cents)
    placement = _place(after, acts.PlaceWager(command.seat, command.wager, command.cents), rules)
    if isinstance(placement, Refusal):
        return placement
    confirmation = acts.VerbalWagerConfirmed(
        command.seat, command.wager, command.cents, command.supervisor, clauses
    )
    cites = rules.cites_for("wagers.verbal", "converted")
    return (confirmation, acts.ChipsBought(command.seat, command.cents, cites), *placement)


# Separate events follow: for the chips and the wager, and for the call that begins the round.
core.no_effect(acts.VerbalWagerConfirmed, acts.FreeHandRequested)


@core.decides(acts.WithdrawWager, ANY_TIME, cites=("wagers.closed", "wagers.untouched"))
def _withdraw(state: TableState, command: acts.WithdrawWager, rules: TableRules) -> Answer:
    is_correction = may_take_back(state)
    # A burn that is counted again may come after the first wagers.
    is_burning = state.phase is Phase.TO_BURN and bool(state.stakes)
    if not (is_correction or is_burning or wagers_open(state, rules)):
        return bets_closed(state, rules)
    seat, wager = command.seat, command.wager
    stake = state.stakes.get((seat, wager))
    clauses = rules.cites("device.failure.round" if is_correction else "wagers.closed")
    if stake is None:
        return Refusal("no_wager", (), f"seat {seat} has no wager on {wager}")
    if refusal := not_there(state, seat):
        return refusal
    wagers_left = {other for number, other in state.stakes if number == seat and other != wager}
    offers = (offer for name, offer in rules.offers.items() if name in wagers_left)
    for need in (need for offer in reversed([*offers]) for need in offer.needs):
        if wager in need.one_of and wagers_left.isdisjoint(need.one_of):
            return Refusal("needs_base", needs_cites(need.rule_id, rules), need.kept)
    return (acts.WagerWithdrawn(seat, wager, stake.chips_cents, stake.coupon_cents, clauses),)


@core.applies(acts.WagerWithdrawn)
def _withdrawn(state: TableState, event: acts.WagerWithdrawn) -> TableState:
    state = with_money(state, event.seat, chips_cents=event.cents)
    stakes = dict(state.stakes)
    del stakes[event.seat, event.wager]
    return replace(state, stakes=stakes)


@core.decides(
    acts.CallNoMoreBets,
    Phase.BETTING,
    Phase.SHOE_COMPLETED,
    cites=("announce.no_more_bets", "deal.two_hands"),
)
def _no_more_bets(state: TableState, _command: acts.CallNoMoreBets, rules: TableRules) -> Answer:
    if refusal := _round_waits(state, rules) or unbalanced(state, rules):
        return refusal
    if refusal := nobody_plays(state, rules):
        return refusal
    if not state.stakes and "free_hand.allowed" in rules.settled:
        message = "there are no wagers: a hand without wagers is dealt only at a player's request"
        return Refusal("no_wagers", rules.cites("free_hand"), message)
    return _begin(state, rules)


@cites("idle.spread")
def nobody_plays(state: TableState, rules: TableRules) -> Refusal | None:
    if state.present or state.stakes:
        return None
    clauses = rules.cites("idle.spread") if rules.applies("idle.spread") else ()
    return Refusal("nobody", clauses, "nobody is at the table to play")


def _begin(state: TableState, rules: TableRules) -> Events:
    words = rules.value("announce.no_more_bets", str)
    called = acts.NoMoreBetsCalled(state.rounds + 1, words, rules.cites("announce.no_more_bets"))
    return (called, *hooks.round_begun.ask(rules))


@core.decides(acts.DealFreeHand, Phase.BETTING, Phase.SHOE_COMPLETED, cites=("free_hand",))
def _free_hand(state: TableState, command: acts.DealFreeHand, rules: TableRules) -> Answer:
    clauses = rules.cites("free_hand")
    if not rules.elected("free_hand.allowed", choice=True):
        return Refusal("not_elected", clauses, "this table deals no free hands")
    if refusal := not_there(state, command.seat):
        return refusal
    if state.stakes:
        return Refusal("wagers", clauses, "a free hand requires a table with no wagers")
    if refusal := _round_waits(state, rules):
        return refusal
    return (acts.FreeHandRequested(command.seat, clauses), *_begin(state, rules))


def _round_waits(state: TableState, rules: TableRules) -> Refusal | None:
    if refusal := until_reshuffled(state, rules) or owed_by_the_shoe(state, rules):
        return refusal
    if device_lacks_cards(state, rules):
        message = "return the discarded cards to the device first"
        return Refusal("return_discards", rules.cites("device.continuous"), message)
    return hooks.before_round.ask(state, rules)


def _may_begin(state: TableState, rules: TableRules) -> bool:
    if nobody_plays(state, rules):
        return False
    if not state.stakes and "free_hand.allowed" in rules.settled:
        return False
    return _round_waits(state, rules) is None


@core.offers(Phase.BETTING)
def _next_at_betting(state: TableState, rules: TableRules) -> Iterator[Action]:
    simulated = bool(state.simulate_with)
    if device_lacks_cards(state, rules):
        must_wait = state.to_discard or state.owed_cents or waits_for_device(state, rules)
        if not must_wait:
            clauses = rules.cites("device.continuous")
            yield Action(acts.ReturnDiscards, Role.DEALER, clauses, must=not simulated)
    elif not simulated and not state.to_discard and _may_begin(state, rules):
        yield Action(acts.CallNoMoreBets, Role.DEALER, rules.cites("announce.no_more_bets"))
    for seat in () if ordered_off(state, rules) else state.present:
        yield Action(
            acts.PlaceWager, Role.PATRON, rules.cites("wagers.tender"), must=False, seat=seat
        )
        yield Action(
            acts.PlaceWagers, Role.PATRON, rules.cites("wagers.tender"), must=False, seat=seat
        )


@core.offers(Phase.BETTING, Phase.TO_BURN)
def _may_withdraw(state: TableState, rules: TableRules) -> Iterator[Action]:
    clauses = rules.cites("wagers.closed")
    for seat, _ in state.stakes:
        yield Action(acts.WithdrawWager, Role.PATRON, clauses, must=False, seat=seat)


@core.offers(Phase.BETTING, optional=True)
def _free_hands(state: TableState, rules: TableRules) -> Iterator[Action]:
    if not rules.elected("free_hand.allowed", choice=True) or state.stakes:
        return
    if _round_waits(state, rules) is None:
        for seat in state.present:
            yield Action(
                acts.DealFreeHand, Role.PATRON, rules.cites("free_hand"), must=False, seat=seat
            )
