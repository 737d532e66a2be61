"""Corrections: of a wager until it is settled, of a settlement until the table closes.

The record is never rewritten: a correction is an entry that names the wrong one. Overpayments are
only recorded, because no clause lets the house take chips back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from msgspec.structs import replace

from croupier.acts import (
    CorrectSettlement,
    CorrectWager,
    Difference,
    SettlementCorrected,
    WagerCorrected,
)
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Coup
from croupier.baccarat.hand import Hand
from croupier.baccarat.tableau import Tableau
from croupier.baccarat.wagers import Moment
from croupier.money import ledger
from croupier.money.ledger import Posting
from croupier.money.settlement import Settled, Stake, dollars, settle
from croupier.rules import Outcome, TableRules
from croupier.table.irregular.misread import dealt_again
from croupier.table.machine import hooks
from croupier.table.machine.bookkeeping import moves
from croupier.table.machine.core import Events, Refusal, applies
from croupier.table.machine.house import SettledRound, with_truth
from croupier.table.machine.position import Position, house_decides
from croupier.table.machine.state import AT_TABLE, Phase, TableState
from croupier.table.people.patrons import not_there, whole_cents
from croupier.table.settling.unclaimed_amounts import KeptAmounts, kept_more, register_entry
from croupier.table.wagering.wagering import unfit_stake

_NO_REASON: Final = "a correction has a reason, which stays in the record"


# --- a wager, until it is settled --------------------------------------------------------------


@house_decides(CorrectWager, AT_TABLE)
def _correct_wager(position: Position, command: CorrectWager) -> Events | Refusal:
    # The chips on the layout are the wager; the entry only describes them.
    state, seat, wager = position.state, command.seat, command.wager
    placed = position.house.placed.get(command.of)
    if placed is None or placed.seat != seat:
        message = f"entry {command.of} put nothing on the layout that is there now for seat {seat}"
        return Refusal("entry", (), message)
    if refusal := _unreasoned(command.reason) or not_there(state, seat):
        return refusal
    if not whole_cents(command.cents):
        return Refusal("amount", (), f"{command.cents!r} is not an amount in cents")
    recorded = placed.cents.get(wager, 0)
    more = command.cents - recorded
    if not more:
        message = f"entry {command.of} has {dollars(recorded)} on {wager} already"
        return Refusal("same", (), message)
    if refusal := _cannot_lie(position, seat, wager, more):
        return refusal
    clauses = register_entry("wager-misrecorded", position.rules)
    return (
        WagerCorrected(command.of, seat, wager, recorded, command.cents, command.reason, clauses),
    )


def _unreasoned(reason: str) -> Refusal | None:
    return None if reason.strip() else Refusal("reason", (), _NO_REASON)


def _cannot_lie(position: Position, seat: int, wager: str, more: int) -> Refusal | None:
    state, rules = position.state, position.rules
    stake = state.stakes.get((seat, wager), Stake(0))
    if stake.chips_cents + more < 0:
        message = f"{dollars(stake.chips_cents)} lie on {wager}, and {dollars(-more)} are too much"
        return Refusal("amount", (), message)
    if more > state.seats[seat].chips_cents:
        has = dollars(state.seats[seat].chips_cents)
        return Refusal("chips", (), f"seat {seat} has {has} in chips by the record")
    others = {name for at, name in state.stakes if at == seat and name != wager}
    stakes = _with(state.stakes, (seat, wager), Stake(stake.chips_cents + more, stake.coupon_cents))
    if (seat, wager) not in state.stakes:
        if position.house.early and _is_early(wager, rules):
            return Refusal("settled", (), f"{wager} has been settled in this round")
        if refusal := hooks.before_wagers.ask(state, rules, [wager]):
            return refusal
    if (seat, wager) in stakes:
        now = stakes[seat, wager]
        return unfit_stake(wager, now.chips_cents, now.coupon_cents, {*others, wager}, rules)
    return _still_needed(wager, others, rules)


def _still_needed(wager: str, others: set[str], rules: TableRules) -> Refusal | None:
    for name in rules.offers.keys() & others:
        for need in rules.offers[name].needs:
            if wager in need.one_of and others.isdisjoint(need.one_of):
                return Refusal("needs_base", rules.cites_for(need.rule_id, "beside"), need.kept)
    return None


def _is_early(wager: str, rules: TableRules) -> bool:
    offer = rules.offers.get(wager)
    return offer is not None and offer.wager.settled_at is Moment.FOUR_CARDS


def _with(
    stakes: Mapping[tuple[int, str], Stake], key: tuple[int, str], stake: Stake
) -> dict[tuple[int, str], Stake]:
    changed_to = {**stakes, key: stake}
    return {one: held for one, held in changed_to.items() if held.cents}


@applies(WagerCorrected)
def _wager_corrected(state: TableState, event: WagerCorrected) -> TableState:
    seat, more = event.seat, event.cents - event.recorded_cents
    stake = state.stakes.get((seat, event.wager), Stake(0))
    stake = Stake(stake.chips_cents + more, stake.coupon_cents)
    patron = state.seats[seat]
    patron = replace(patron, chips_cents=patron.chips_cents - more)
    stakes = _with(state.stakes, (seat, event.wager), stake)
    return replace(state, stakes=stakes, seats={**state.seats, seat: patron})


@moves(WagerCorrected)
def _stake_moved(event: WagerCorrected) -> tuple[Posting, ...]:
    chips, on_layout = ledger.patron(event.seat), ledger.layout(event.seat)
    return _moved(chips, on_layout, event.cents - event.recorded_cents)


def _moved(source: str, destination: str, cents: int) -> tuple[Posting, ...]:
    if cents < 0:
        source, destination = destination, source
    return ((source, destination, abs(cents)),) if cents else ()


# --- a settlement, until the table closes ------------------------------------------------------


@house_decides(CorrectSettlement, AT_TABLE)
def _correct_settlement(position: Position, command: CorrectSettlement) -> Events | Refusal:
    settled = position.house.settled_by(command.of)
    if settled is None:
        message = (
            f"entry {command.of} settled no round of this gaming day under the elections now in"
            " force"
        )
        return Refusal("entry", (), message)
    if refusal := _unreasoned(command.reason) or _no_truth(position, command, settled):
        return refusal
    told = _told(position, command, settled)
    again = _settled_again(position, settled, with_truth(settled, told))
    if isinstance(again, Refusal):
        return again
    differences = tuple(_differences(position, command, settled, again))
    if refusal := _not_returned(position, command, settled, differences):
        return refusal
    return (replace(told, differences=differences),)


def _told(
    position: Position, command: CorrectSettlement, settled: SettledRound
) -> SettlementCorrected:
    recorded = None
    counted = False
    if command.hand is not None and command.actual is not None:
        recorded = _hand(settled, command.hand)[command.ordinal - 1]
        reported = (command.hand, command.ordinal, command.actual) in settled.misread
        counted = command.of in position.house.settled and not reported
    return SettlementCorrected(
        command.of, settled.round, recorded, command.actual, command.hand, command.ordinal,
        counted, command.seat, command.wager, command.cents, command.paid_cents, (),
        command.reason, register_entry("settlement-in-error", position.rules),
    )  # fmt: skip


def _hand(settled: SettledRound, hand: Hand) -> tuple[Card, ...]:
    return settled.player if hand is Hand.PLAYER else settled.banker


def _no_truth(
    position: Position, command: CorrectSettlement, settled: SettledRound
) -> Refusal | None:
    kinds = (command.actual, command.cents, command.paid_cents)
    told = [one for one in kinds if one is not None]
    if len(told) > 1 or (not told and not command.returned):
        message = "a settlement is corrected by a card, by a stake, or by a payment: one at a time"
        return Refusal("truth", (), message)
    if command.actual is not None:
        return _no_card(position, command, settled)
    if not told:
        return None
    if command.seat not in settled.sittings:
        return Refusal("seat", (), f"seat {command.seat} had no wager in round {settled.round}")
    if not all(map(whole_cents, told)):
        return Refusal("amount", (), f"{told[0]!r} is not an amount in cents")
    return _no_stake(position, command, settled)


def _no_card(
    position: Position, command: CorrectSettlement, settled: SettledRound
) -> Refusal | None:
    actual, rules = command.actual, position.rules
    cards = () if command.hand is None else _hand(settled, command.hand)
    lay = cards[max(command.ordinal - 1, 0) : command.ordinal]
    if actual is None or not lay or lay[0] is actual:
        message = f"there was no other card than {actual} in that place of the hand"
        return Refusal("not_there", (), message)
    told = _told(position, command, settled)
    if told.counted and not position.state.shoe.unseen[actual.index]:
        message = f"{actual} has been drawn {position.state.shoe.decks} times: it was not there"
        return Refusal("no_such_card", rules.cites("decks"), message)
    return None


def _no_stake(
    position: Position, command: CorrectSettlement, settled: SettledRound
) -> Refusal | None:
    seat, wager, rules = command.seat, command.wager, position.rules
    stakes = {(at, name): stake for at, name, stake in settled.stakes}
    stake = stakes.get((seat or 0, wager))
    if command.paid_cents is not None:
        if stake is None:
            return Refusal("no_wager", (), f"seat {seat} had no wager on {wager}")
        if (seat, wager) in settled.repaid:
            message = f"the payment of seat {seat} on {wager} was corrected before"
            return Refusal("same", (), message)
        return None
    cents = command.cents or 0
    if cents == (stake or Stake(0)).chips_cents:
        return Refusal("same", (), f"seat {seat} was settled on {dollars(cents)} already")
    if wager in rules.meter_shares:
        return _of_a_meter(wager)
    others = {name for at, name in stakes if at == seat and name != wager}
    if not cents:
        return _still_needed(wager, others, rules)
    coupon = 0 if stake is None else stake.coupon_cents
    return unfit_stake(wager, cents, coupon, {*others, wager}, rules)


def _of_a_meter(wager: str) -> Refusal:
    message = f"{wager} is paid from a meter, which has gone on: no settlement of it is corrected"
    return Refusal("meter", (), message)


class _Both(NamedTuple):
    """A round as settled, and as it should have been settled."""

    was: tuple[Settled, ...]
    now: tuple[Settled, ...]


def _settled_again(
    position: Position, before: SettledRound, truth: SettledRound
) -> _Both | Refusal:
    tableau, rules = position.state.tableau, position.rules
    was, now = _settle(before, tableau, rules), _settle(truth, tableau, rules)
    if was is None or now is None:
        message = (
            "by the true card another card was due, and no one knows which: the settlement stands"
        )
        return Refusal("not_dealt", (), message)
    lines = [{(one.seat, one.wager): one.decision for one in settled} for settled in (was, now)]
    for key in lines[0].keys() | lines[1].keys():
        decisions = [found for one in lines if (found := one.get(key)) is not None]
        metered = any(one.award is not None and one.award.meter is not None for one in decisions)
        if metered and lines[0].get(key) != lines[1].get(key):
            return _of_a_meter(key[1])
    return _Both(was, now)


def _settle(
    settled: SettledRound, tableau: Tableau, rules: TableRules
) -> tuple[Settled, ...] | None:
    coup = dealt_again(Coup(tableau, settled.player, settled.banker)).coup
    if coup.due is not None:
        return None
    stakes = {(seat, wager): stake for seat, wager, stake in settled.stakes}
    found = settle(rules, rules.facts_of(coup), stakes)
    won = {one.seat: one.won_cents for one in found if _is_early(one.wager, rules)}
    undue = {
        (seat, to): cents - min(cents, won.get(seat, 0))
        for seat, (to, cents) in settled.added.items()
    }
    if not any(undue.values()):
        return found
    # A payout that was not due never belonged to the patron.
    for key, cents in undue.items():
        if key in stakes:
            stake = stakes[key]
            stakes = _with(stakes, key, Stake(stake.chips_cents - cents, stake.coupon_cents))
    return settle(rules, rules.facts_of(coup), stakes)


class _Result(NamedTuple):
    chips_cents: int = 0
    taken_cents: int = 0
    marked_cents: int = 0

    def less(self, other: _Result) -> _Result:
        return _Result(*(one - two for one, two in zip(self, other, strict=True)))


def _result(settled: tuple[Settled, ...], seat: int, rules: TableRules) -> _Result:
    chips = taken = marked = 0
    for one in settled:
        if one.seat != seat:
            continue
        lost = one.decision.outcome is Outcome.LOSE or one.decision.keeps_stake
        chips += one.won_cents - (one.stake.chips_cents if lost else 0)
        if rules.vigorish.deferred and one.decision.outcome is Outcome.WIN:
            marked += one.vigorish_cents
        else:
            taken += one.vigorish_cents
    return _Result(chips, taken, marked)


def _differences(
    position: Position, command: CorrectSettlement, settled: SettledRound, both: _Both
) -> Iterator[Difference]:
    rules = position.rules
    sits = {one.number: seat for seat, one in position.house.sittings.items()}
    for seat, sitting in settled.sittings.items():
        now = sits.get(sitting.number)
        more = _result(both.now, seat, rules).less(_result(both.was, seat, rules))
        owed = 0 if now is None else position.state.seats[now].owed_cents
        # A marker is corrected as far as possible; collected vigorish is returned in chips.
        marked = 0 if now is None else max(more.marked_cents, -owed)
        taken = more.taken_cents + more.marked_cents - marked
        misstated = _misstated(command, both.was, seat)
        owing = settled.owing.get(seat, 0)
        cents = more.chips_cents - taken - misstated - owing
        if not (more.chips_cents or taken or marked or misstated or seat in command.returned):
            continue
        kept = position.state[KeptAmounts].cents(command.of, seat) if now is None else 0
        outcome = _outcome(cents, now, kept, returned=seat in command.returned)
        left = max(0, -cents - kept) if outcome in {"uncollected", "unpaid"} else 0
        yield Difference(
            seat, sitting.patron, now, cents, outcome, misstated, left - owing, taken, marked
        )


def _misstated(command: CorrectSettlement, was: tuple[Settled, ...], seat: int) -> int:
    if command.paid_cents is None or command.seat != seat:
        return 0
    paid = sum(one.won_cents for one in was if one.seat == seat and one.wager == command.wager)
    return command.paid_cents - paid


def _outcome(cents: int, now: int | None, kept: int, *, returned: bool) -> str:
    """Unclaimed amounts offset an overpayment first."""
    if not cents:
        return "none"
    if cents > 0:
        return "unpaid" if now is None else "paid"
    if kept:
        return "unpaid"
    return "returned" if returned else "uncollected"


def _not_returned(
    position: Position,
    command: CorrectSettlement,
    settled: SettledRound,
    differences: tuple[Difference, ...],
) -> Refusal | None:
    if command.paid_cents is not None and not any(one.misstated_cents for one in differences):
        return Refusal("same", (), "that is what the record says was paid")
    outcomes = {one.seat: one for one in differences}
    for seat in command.returned:
        one = outcomes.get(seat)
        if seat not in settled.sittings or one is None or one.outcome != "returned":
            return Refusal("returned", (), f"seat {seat} was given nothing too much to return")
        if one.now is None:
            return Refusal("returned", (), f"{one.patron} has left, and returns nothing")
        has = position.state.seats[one.now].chips_cents + one.misstated_cents
        if has < -one.cents:
            message = f"{one.patron} has {dollars(has)} in chips, not {dollars(-one.cents)}"
            return Refusal("chips", (), message)
    return None


@applies(SettlementCorrected)
def _settlement_corrected(state: TableState, event: SettlementCorrected) -> TableState:
    seats = dict(state.seats)
    for one in event.differences:
        if one.now is None:
            continue
        patron = seats[one.now]
        given = one.cents if one.outcome in {"paid", "returned"} else 0
        seats[one.now] = replace(
            patron,
            chips_cents=patron.chips_cents + one.misstated_cents + given,
            owed_cents=patron.owed_cents + one.marked_cents,
        )
    state = replace(state, seats=seats)
    return _counted(state, event) if event.counted else state


def _counted(state: TableState, event: SettlementCorrected) -> TableState:
    if event.recorded is None or event.actual is None or event.hand is None:
        return state
    unseen = list(state.shoe.unseen)
    unseen[event.recorded.index] += 1
    unseen[event.actual.index] -= 1
    state = replace(state, shoe=replace(state.shoe, unseen=bytes(unseen)))
    round_ = state.round
    if round_ is None or round_.number != event.round or state.phase is not Phase.SETTLED:
        return state
    hands = {Hand.PLAYER: round_.coup.player, Hand.BANKER: round_.coup.banker}
    cards = list(hands[event.hand])
    cards[event.ordinal - 1] = event.actual
    hands[event.hand] = tuple(cards)
    coup = Coup(state.tableau, hands[Hand.PLAYER], hands[Hand.BANKER])
    return replace(state, round=replace(round_, coup=coup))


@moves(SettlementCorrected)
def _posted(event: SettlementCorrected) -> tuple[Posting, ...]:
    return tuple(posting for one in event.differences for posting in _of(one))


def _of(one: Difference) -> Iterator[Posting]:
    # Chips that were never handed over are not at the cage, where the record put them.
    chips = ledger.CAGE if one.now is None else ledger.patron(one.now)
    yield from _moved(ledger.INVENTORY, chips, one.misstated_cents)
    if one.outcome in {"paid", "returned"}:
        yield from _moved(ledger.INVENTORY, chips, one.cents)
    yield from _moved(ledger.INVENTORY, ledger.UNPAID, kept_more(one))
    yield from _moved(ledger.DIFFERENCES, ledger.UNCOLLECTED, one.uncollected_cents)
    yield from _moved(ledger.VIGORISH, ledger.VIGORISH_TAKEN, one.vigorish_cents)
    if one.now is not None:
        yield from _moved(ledger.VIGORISH, ledger.owed(one.now), one.marked_cents)
