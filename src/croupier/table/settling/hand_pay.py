"""Cage payments and meter readings: acts of the house."""

from __future__ import annotations

from msgspec.structs import replace

from croupier import acts
from croupier.law.cite import once
from croupier.law.usage import money
from croupier.money import ledger
from croupier.table.irregular.disputes import Disputes
from croupier.table.machine import core, hooks
from croupier.table.machine.bookkeeping import moves
from croupier.table.machine.core import Answer, Refusal
from croupier.table.machine.offered import Field, Situation, fills_in
from croupier.table.machine.position import Position, house_decides
from croupier.table.machine.state import ANY_TIME, TableState, with_slice
from croupier.table.people.patrons import whole_cents
from croupier.table.people.seating import same_name
from croupier.table.settling.awards import HandPays
from croupier.table.settling.unclaimed_amounts import KeptAmounts


@house_decides(acts.PayByHand, ANY_TIME)
def _pay(position: Position, command: acts.PayByHand) -> Answer:
    hand_pay = position.state[HandPays].due.get(command.number)
    if hand_pay is None:
        return Refusal("nothing_due", (), f"no award is due by hand under number {command.number}")
    if refusal := _held_back(position, command.number) or _used_slip(position.state, command.slip):
        return refusal
    return (acts.PaidByHand(command.number, command.slip, hand_pay.patron, hand_pay.cents, ()),)


def _held_back(position: Position, number: int) -> Refusal | None:
    state, rules = position.state, position.rules
    if refusal := hooks.before_hand_pay.ask(state, number, rules):
        return refusal
    if rules.reading("disputed_award.payment") == "paid":
        return None
    round_ = next((one for _, one in position.house.rounds if number in one.awards), None)
    for dispute, one in state[Disputes].open.items():
        # Of the rounds of earlier days, any may be the one that the award is due from.
        if position.house.settled_by(one.settled) is round_:
            clauses = once(rules.ruling("dispute"), rules.cites_reading("disputed_award.payment"))
            message = f"award {number} waits: dispute {dispute} of {one.patron} is decided first"
            return Refusal("disputed", clauses, message)
    return None


def _used_slip(state: TableState, slip: int) -> Refusal | None:
    if slip < 1:
        return Refusal("slip", (), f"slip {slip}: slips are numbered from 1")
    message = f"slip {slip} was used before: each slip has a number of its own"
    return Refusal("slip", (), message) if slip in state[HandPays].slips else None


@core.applies(acts.PaidByHand)
def _paid(state: TableState, event: acts.PaidByHand) -> TableState:
    hand_pays = state[HandPays].without(event.number)
    return with_slice(state, replace(hand_pays, slips=(*hand_pays.slips, event.slip)))


moves(acts.PaidByHand)(lambda event: ((ledger.HAND_PAYS_DUE, ledger.PAID_BY_HAND, event.cents),))


@house_decides(acts.PayKeptAmount, ANY_TIME)
def _pay_kept(position: Position, command: acts.PayKeptAmount) -> Answer:
    amount = position.state[KeptAmounts].of(command.of, command.seat)
    if amount is None:
        message = f"nothing is kept for seat {command.seat} of the round that entry {command.of}"
        return Refusal("nothing_kept", (), f"{message} settled")
    if not same_name(command.patron, amount.patron):
        message = f"it is kept for {amount.patron}, and {command.patron or 'nobody'} asks for it"
        return Refusal("another_patron", (), message)
    if not command.identified.strip():
        return Refusal("identity", (), f"say how {amount.patron} was identified")
    cents = amount.cents if command.cents is None else command.cents
    if not whole_cents(cents) or not 0 < cents <= amount.cents:
        message = f"{money(amount.cents)} are kept for {amount.patron}: pay all of it, or a part"
        return Refusal("amount", (), message)
    if refusal := _used_slip(position.state, command.slip):
        return refusal
    clauses = position.rules.ruling("kept-amount")
    payment = (command.of, command.seat, amount.patron, command.identified, command.slip)
    return (acts.KeptAmountPaid(*payment, cents, amount.cents - cents, clauses),)


@core.applies(acts.KeptAmountPaid)
def _kept_paid(state: TableState, event: acts.KeptAmountPaid) -> TableState:
    hand_pays, amounts = state[HandPays], state[KeptAmounts]
    state = with_slice(state, replace(hand_pays, slips=(*hand_pays.slips, event.slip)))
    return with_slice(state, amounts.moved(event.entry, event.seat, event.patron, -event.cents))


moves(acts.KeptAmountPaid)(lambda event: ((ledger.UNPAID, ledger.PAID_LATER, event.cents),))


@fills_in("PayByHand.number", "PayKeptAmount.of", "PayKeptAmount.seat")
def _due_amount(situation: Situation, name: str) -> Field:
    awards, kept = situation.state[HandPays].due.items(), situation.state[KeptAmounts].due
    is_award = name == "number"
    due = awards if is_award else ((one.entry if name == "of" else one.seat, one) for one in kept)
    choices = tuple((value, f"{one.patron}, {money(one.cents)}") for value, one in due)
    default = next((value for value, _ in choices), None)
    return Field(name, "one" if is_award else "choice", choices=choices, default=default)


@fills_in("PayKeptAmount.cents")
def _whole_amount(_situation: Situation, name: str) -> Field:
    return Field(name, "cents", least=1)


# --- meters ------------------------------------------------------------------------------------


@house_decides(acts.ReadMeters, ANY_TIME)
def _read(position: Position, command: acts.ReadMeters) -> Answer:
    rules, readings = position.rules, command.shown
    linkable = {meter for wager in rules.offers for meter in rules.linkable(wager)}
    if not readings or not readings.keys() <= linkable:
        names = ", ".join(sorted(linkable)) or "none"
        return Refusal("meters", (), f"meters of this table that may be linked: {names}")
    if not all(whole_cents(cents) and cents >= 0 for cents in readings.values()):
        return Refusal("amount", (), "a meter shows a whole number of cents, and none below zero")
    return (acts.MetersRead(command.link, readings, ()),)


@house_decides(acts.ReconcileMeters, ANY_TIME)
def _reconcile(position: Position, command: acts.ReconcileMeters) -> Answer:
    meters = hooks.meters_shown.ask(position.state) or {}
    if not meters or command.shown.keys() != meters.keys():
        names = ", ".join(meters) or "none"
        return Refusal("meters", (), f"read every meter of this table: {names}")
    expected = {name: position.ledger.balance(ledger.meter(name)) for name in meters}
    numbers = tuple(sorted(position.state[HandPays].due))
    clauses = hooks.due_by_hand.ask(position.state, position.rules) or ()
    return (acts.MetersReconciled(command.shown, expected, numbers, clauses),)


# A differing reading is recorded without a posting.
core.no_effect(acts.MetersReconciled)
