"""Corrections: of a wager until it is settled, of a settlement until the table closes.

The record is never rewritten: a correction is an entry that names the wrong one. Overpayments are
only recorded, because no clause lets the house take chips back.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from croupier import acts
from croupier.baccarat.cards import Card, face
from croupier.baccarat.coup import Coup, Hand, winner_name
from croupier.law.cite import once
from croupier.law.usage import money
from croupier.money import ledger
from croupier.money.forms import FormBook
from croupier.money.ledger import Posting
from croupier.money.settlement import Stake
from croupier.rules import TableRules
from croupier.table.cards.out_of_use import is_elsewhere
from croupier.table.irregular.misread import dealt_again, with_card
from croupier.table.irregular.settled_again import (
    Both,
    amounts,
    awarded_by_hand,
    due_by_hand,
    handed_over,
    is_early,
    seat_result,
    settled_again,
    with_stake,
)
from croupier.table.machine import core, hooks
from croupier.table.machine.bookkeeping import moves
from croupier.table.machine.core import Answer, Events, Refusal, not_there
from croupier.table.machine.house import SettledRound, with_truth
from croupier.table.machine.position import Position, house_decides, when_settled
from croupier.table.machine.state import ANY_TIME, AT_TABLE, Phase, TableState, with_money
from croupier.table.people.patrons import whole_cents
from croupier.table.settling.awards import HandPays
from croupier.table.settling.unclaimed_amounts import KeptAmounts, kept_more
from croupier.table.wagering.wagering import needs_cites, unfit_stake

_NO_REASON: Final = "a correction has a reason, which stays in the record"


# --- a wager, until it is settled --------------------------------------------------------------


@house_decides(acts.CorrectWager, AT_TABLE)
def _correct_wager(position: Position, command: acts.CorrectWager) -> Answer:
    # The chips on the layout are the wager; the entry only describes them.
    state, seat, wager, rules = position.state, command.seat, command.wager, position.rules
    entry = rules.ruling("wager-misrecorded")
    placed_entry = position.house.placed.get(command.of)
    if placed_entry is None:
        message = f"entry {command.of} put nothing on the layout that is there now"
        return Refusal("entry", entry, message)
    empty = None if seat in state.seats else not_there(state, seat)
    if refusal := _unreasoned(command.reason) or empty:
        return refusal
    if not whole_cents(command.cents):
        return Refusal("amount", (), f"{command.cents!r} is not an amount in cents")
    # The wager of one seat may have been recorded for another.
    recorded = placed_entry.cents.get(wager, 0) if placed_entry.seat == seat else 0
    difference = command.cents - recorded
    if not difference:
        message = f"entry {command.of} has {money(recorded)} on {wager} already for seat {seat}"
        return Refusal("same", (), message)
    if refusal := _cannot_lie(position, seat, wager, difference):
        return refusal
    clauses = once(rules.cites("wagers.tender"), entry)
    return (
        acts.WagerCorrected(
            command.of, seat, wager, recorded, command.cents, command.reason, clauses
        ),
    )


def _unreasoned(reason: str) -> Refusal | None:
    return None if reason.strip() else Refusal("reason", (), _NO_REASON)


def _cannot_lie(position: Position, seat: int, wager: str, delta: int) -> Refusal | None:
    state, rules = position.state, position.rules
    stake = state.stakes.get((seat, wager), Stake(0))
    if stake.chips_cents + delta < 0:
        message = f"{money(stake.chips_cents)} lie on {wager}, and {money(-delta)} are too much"
        return Refusal("amount", (), message)
    if delta > state.seats[seat].chips_cents:
        chips = money(state.seats[seat].chips_cents)
        return Refusal("chips", (), f"seat {seat} has {chips} in chips by the record")
    other_wagers = {name for number, name in state.stakes if number == seat and name != wager}
    stakes = with_stake(
        state.stakes, (seat, wager), Stake(stake.chips_cents + delta, stake.coupon_cents)
    )
    if (seat, wager) not in state.stakes:
        if position.house.early and is_early(wager, rules):
            clauses = rules.ruling("wager-misrecorded")
            return Refusal("settled", clauses, f"{wager} has been settled in this round")
        if refusal := hooks.before_wagers.ask(state, rules, [wager]):
            return refusal
    if (seat, wager) in stakes:
        now = stakes[seat, wager]
        return unfit_stake(wager, now.chips_cents, now.coupon_cents, {*other_wagers, wager}, rules)
    return _still_needed(wager, other_wagers, rules)


def _still_needed(wager: str, other_wagers: set[str], rules: TableRules) -> Refusal | None:
    for name in rules.offers.keys() & other_wagers:
        for need in rules.offers[name].needs:
            if wager in need.one_of and other_wagers.isdisjoint(need.one_of):
                return Refusal("needs_base", needs_cites(need.rule_id, rules), need.kept)
    return None


@core.applies(acts.WagerCorrected)
def _wager_corrected(state: TableState, event: acts.WagerCorrected) -> TableState:
    seat, difference = event.seat, event.cents - event.recorded_cents
    stake = state.stakes.get((seat, event.wager), Stake(0))
    stake = Stake(stake.chips_cents + difference, stake.coupon_cents)
    stakes = with_stake(state.stakes, (seat, event.wager), stake)
    return replace(with_money(state, seat, chips_cents=-difference), stakes=stakes)


@moves(acts.WagerCorrected)
def _stake_moved(event: acts.WagerCorrected) -> tuple[Posting, ...]:
    chips, layout = ledger.patron(event.seat), ledger.layout(event.seat)
    return ledger.moved(chips, layout, event.cents - event.recorded_cents)


# --- a settlement, until the table closes ------------------------------------------------------


@house_decides(acts.CorrectSettlement, ANY_TIME)
def _correct_settlement(position: Position, command: acts.CorrectSettlement) -> Answer:
    settled_round = position.house.settled_by(command.of)
    entry = position.rules.ruling("settlement-in-error")
    if position.state.phase is Phase.CLOSED:
        return Refusal("not_now", entry, "a settlement is corrected until the table closes")
    if settled_round is None or settled_round.early == command.of:
        return Refusal("entry", entry, f"entry {command.of} settled no round of this gaming day")
    position = when_settled(position, command.of)
    if refusal := _unreasoned(command.reason) or _no_truth(position, command, settled_round):
        return refusal
    correction = _correction(position, command, settled_round)
    true_round = with_truth(settled_round, correction)
    results = settled_again(position, settled_round, true_round)
    if isinstance(results, Refusal):
        return results
    if refusal := _added_to_wager(position, command, results):
        return refusal
    differences = tuple(_differences(position, command, settled_round, results))
    if refusal := _not_returned(position, command, settled_round, differences):
        return refusal
    rules, state = position.rules, position.state
    corrected_meters: Answer | None = hooks.meters_corrected.ask(
        state, command.of, results, position.house.reset, rules
    )
    if isinstance(corrected_meters, Refusal):
        return corrected_meters
    correction = replace(
        _with_result(correction, settled_round, true_round, position), differences=differences
    )
    correction, awards = _awards(position, settled_round, correction, results)
    if any(map(correction.forgone_cents, correction.differences)):
        if refusal := _form_at_hand(position, correction):
            return refusal
        clauses = once(correction.clauses, rules.ruling("vigorish-in-error"))
        correction = replace(correction, clauses=clauses)
    return (correction, *awards, *(corrected_meters or ()))


def _form_at_hand(position: Position, correction: acts.SettlementCorrected) -> Refusal | None:
    """Refuse while a Form that can be voided documents vigorish that was not due."""
    seats = {one.now for one in correction.differences if correction.forgone_cents(one)}
    for form in position.state[FormBook].used.values():
        if form.seat in seats and not (form.void or form.dropped):
            clauses = once(position.rules.cites("forms.void"), correction.clauses)
            message = f"the original of Form {form.serial} is not in the drop box: void it first"
            return Refusal("form", clauses, message)
    return None


def _added_to_wager(
    position: Position, command: acts.CorrectSettlement, results: Both
) -> Refusal | None:
    """Refuse to take back a payout while it lies on another wager of the round in play."""
    if position.house.early != command.of:
        return None
    before, after = ({result.seat: result.won_cents for result in wagers} for wagers in results[:2])
    for seat, (wager, _) in position.house.added.items():
        if after.get(seat, 0) < before[seat]:
            clauses = position.rules.ruling("settlement-in-error")
            message = f"the payout lies on {wager}: correct the settlement of the round instead"
            return Refusal("on_layout", clauses, message)
    return None


def _awards(
    position: Position,
    round_: SettledRound,
    correction: acts.SettlementCorrected,
    results: Both,
) -> tuple[acts.SettlementCorrected, Events]:
    rules, (before, after) = position.rules, results.changed
    withdrawn = due_by_hand(position, round_)
    next_number = position.state[HandPays].last + 1
    changed: list[acts.CorrectedAmount] = []
    awards: list[acts.HandPayDue | acts.HandPayWithdrawn] = []
    paid = {(one.seat, correction.wager): one.misstated_cents for one in correction.differences}
    for one in amounts(results, paid, rules):
        key = one.seat, one.wager
        if key in before and key in withdrawn:
            number = round_.numbers_by_hand[key]
            awards.append(acts.HandPayWithdrawn(number, before[key].won_cents, one.clauses))
        if key in after and key in awarded_by_hand(position, after):
            cents, patron = after[key].won_cents, round_.sittings[one.seat].patron
            # The meter is corrected on its own.
            details = (next_number, one.seat, patron, one.wager, one.line, cents, None, one.clauses)
            awards.append(acts.HandPayDue(*details))
            one, next_number = replace(one, number=next_number), next_number + 1  # noqa: PLW2901
        changed.append(one)
    clauses = once(correction.clauses, *(amount.clauses for amount in changed))
    correction = replace(correction, amounts=tuple(changed), meters=results.meters, clauses=clauses)
    return correction, tuple(awards)


def _correction(
    position: Position, command: acts.CorrectSettlement, settled_round: SettledRound
) -> acts.SettlementCorrected:
    recorded = None
    is_settled = False
    if command.hand is not None and command.actual is not None:
        recorded = _recorded(settled_round, command.hand, command.ordinal, command.actual)
        was_reported = (command.hand, command.ordinal, command.actual) in settled_round.misread
        is_on_layout = _hand(settled_round, command.hand)[command.ordinal - 1] is command.actual
        is_settled = command.of in position.house.settled and not (was_reported or is_on_layout)
    return acts.SettlementCorrected(
        command.of, settled_round.round, recorded, command.actual, command.hand, command.ordinal,
        is_settled, (), (), "", "", command.seat, command.wager, command.cents, command.paid_cents,
        (), (), {}, command.reason, position.rules.ruling("settlement-in-error"),
    )  # fmt: skip


def _with_result(
    correction: acts.SettlementCorrected,
    before: SettledRound,
    true_round: SettledRound,
    position: Position,
) -> acts.SettlementCorrected:
    if correction.actual is None:
        return correction
    was, now = (
        dealt_again(Coup(position.state.tableau, settled_round.player, settled_round.banker)).coup
        for settled_round in (before, true_round)
    )
    ended = was.due is None and now.due is None
    winners = [winner_name(coup.facts.winner) if ended else "" for coup in (was, now)]
    return replace(
        correction, player=now.player, banker=now.banker, winner_was=winners[0], winner=winners[1]
    )


def _recorded(settled_round: SettledRound, hand: Hand, ordinal: int, actual: Card) -> Card | None:
    """Card on which a round was settled; ``None`` if it was the true one.

    Early wagers may have been settled on another card than the rest.
    """
    early_hands = settled_round.early_hands or ((), ())
    hands = (_hand(settled_round, hand), early_hands[0] if hand is Hand.PLAYER else early_hands[1])
    lay = (cards[ordinal - 1] for cards in hands if 0 < ordinal <= len(cards))
    return next((card for card in lay if card is not actual), None)


def _hand(settled_round: SettledRound, hand: Hand) -> tuple[Card, ...]:
    return settled_round.player if hand is Hand.PLAYER else settled_round.banker


def _no_truth(
    position: Position, command: acts.CorrectSettlement, settled_round: SettledRound
) -> Refusal | None:
    kinds = (command.actual, command.cents, command.paid_cents)
    stated = [kind for kind in kinds if kind is not None]
    if len(stated) > 1 or (not stated and not command.returned):
        message = "a settlement is corrected by a card, by a stake, or by a payment: one at a time"
        return Refusal("truth", (), message)
    if command.actual is not None:
        return _no_card(position, command, settled_round)
    if not stated:
        return None
    if command.seat not in settled_round.sittings:
        return Refusal("seat", (), f"seat {command.seat} was empty in round {settled_round.round}")
    if not all(map(whole_cents, stated)):
        return Refusal("amount", (), f"{stated[0]!r} is not an amount in cents")
    return _no_stake(position, command, settled_round)


def _no_card(
    position: Position, command: acts.CorrectSettlement, settled_round: SettledRound
) -> Refusal | None:
    actual, hand, rules = command.actual, command.hand, position.rules
    round_ = position.state.round
    recorded_card = None
    if actual is not None and hand is not None:
        recorded_card = _recorded(settled_round, hand, command.ordinal, actual)
    if actual is None or recorded_card is None:
        message = f"there was no other card than {face(actual)} in that place of the hand"
        return Refusal("not_there", rules.cites("cards.values"), message)
    correction = _correction(position, command, settled_round)
    is_in_play = round_ is not None and not round_.void and position.house.early == command.of
    if is_in_play and (hand, command.ordinal, actual) not in settled_round.misread:
        message = "the round is in play: report the misread card first, then correct House Money"
        return Refusal("in_play", rules.cites("cards.values"), message)
    if correction.counted and is_elsewhere(position.state, actual):
        message = (
            f"{face(actual)} has been drawn {position.state.shoe.decks} times: it was not there"
        )
        return Refusal("no_such_card", rules.cites("decks"), message)
    return None


def _no_stake(
    position: Position, command: acts.CorrectSettlement, settled_round: SettledRound
) -> Refusal | None:
    seat, wager, rules = command.seat, command.wager, position.rules
    stakes = {(number, name): stake for number, name, stake in settled_round.stakes}
    stake = stakes.get((seat or 0, wager))
    if command.paid_cents is not None:
        if stake is None:
            return Refusal("no_wager", (), f"seat {seat} had no wager on {wager}")
        if (seat, wager) in settled_round.numbers_by_hand:
            message = f"the award of seat {seat} is paid by the cage on a slip, not at the table"
            return Refusal("by_hand", (), message)
        if (seat, wager) in settled_round.repaid:
            message = f"the payment of seat {seat} on {wager} was corrected before"
            return Refusal("same", (), message)
        return None
    cents = command.cents or 0
    if cents == (stake or Stake(0)).chips_cents:
        return Refusal("same", (), f"seat {seat} was settled on {money(cents)} already")
    other_wagers = {name for number, name in stakes if number == seat and name != wager}
    if not cents:
        return _still_needed(wager, other_wagers, rules)
    coupon = 0 if stake is None else stake.coupon_cents
    return unfit_stake(wager, cents, coupon, {*other_wagers, wager}, rules)


def _differences(
    position: Position, command: acts.CorrectSettlement, round_: SettledRound, results: Both
) -> Iterator[acts.Difference]:
    rules, (before, after) = position.rules, results.changed
    hand_paid, withdrawn = awarded_by_hand(position, after), due_by_hand(position, round_)
    seats = {sitting_now.number: seat for seat, sitting_now in position.house.sittings.items()}
    for seat, sitting in round_.sittings.items():
        now = seats.get(sitting.number)
        change = seat_result(after, seat, hand_paid, rules).less(
            seat_result(before, seat, withdrawn, rules)
        )
        owed_cents = 0 if now is None else position.state.seats[now].owed_cents
        # A marker is corrected as far as possible; collected vigorish is returned in chips.
        known = position.house.forgone.get(sitting.number)
        forgone = _forgone(known, change.marked_cents, owed_cents)
        marked = 0 if now is None else max(change.marked_cents - forgone, -owed_cents)
        taken = change.taken_cents + change.marked_cents - marked - forgone
        misstated = _misstated(position, command, round_, seat)
        owing_cents = round_.owing.get(seat, 0)
        cents = change.chips_cents - taken - misstated - owing_cents
        if not (change.chips_cents or taken or marked or misstated or seat in command.returned):
            continue
        kept_cents = position.state[KeptAmounts].cents(command.of, seat) if now is None else 0
        outcome = _outcome(cents, now, kept_cents, returned=seat in command.returned)
        left = max(0, -cents - kept_cents) if outcome in {"uncollected", "unpaid"} else 0
        yield acts.Difference(
            seat, sitting.patron, now, cents, outcome, misstated, left - owing_cents, taken, marked
        )


def _forgone(kept: tuple[int, int] | None, marked_cents: int, owed_cents: int) -> int:
    """Change of vigorish that stands as documented or written off: no chips move for it."""
    documented, due = kept or (0, 0)
    if marked_cents < 0:
        return max(min(marked_cents + owed_cents, 0), -due)
    return min(marked_cents, documented - due)


def _misstated(
    position: Position, command: acts.CorrectSettlement, round_: SettledRound, seat: int
) -> int:
    if command.paid_cents is None or command.seat != seat:
        return 0
    return command.paid_cents - handed_over(position, round_, (seat, command.wager))


def _outcome(cents: int, seat_now: int | None, kept_cents: int, *, returned: bool) -> str:
    """Unclaimed amounts offset an overpayment first."""
    if not cents:
        return "none"
    if cents > 0:
        return "unpaid" if seat_now is None else "paid"
    if kept_cents:
        return "unpaid"
    return "returned" if returned else "uncollected"


def _not_returned(
    position: Position,
    command: acts.CorrectSettlement,
    settled_round: SettledRound,
    differences: tuple[acts.Difference, ...],
) -> Refusal | None:
    if command.paid_cents is not None and not any(delta.misstated_cents for delta in differences):
        return Refusal("same", (), "that is what the record says was paid")
    outcomes = {difference.seat: difference for difference in differences}
    entry = position.rules.ruling("settlement-in-error")
    for seat in command.returned:
        delta = outcomes.get(seat)
        if seat not in settled_round.sittings or delta is None or delta.outcome != "returned":
            return Refusal("returned", entry, f"seat {seat} was given nothing too much to return")
        if delta.now is None or delta.now not in position.state.present:
            return Refusal("returned", entry, f"{delta.patron} has left, and returns nothing")
        chips_cents = position.state.seats[delta.now].chips_cents + delta.misstated_cents
        if chips_cents < -delta.cents:
            message = f"{delta.patron} has {money(chips_cents)} in chips, not {money(-delta.cents)}"
            return Refusal("chips", (), message)
    return None


@core.applies(acts.SettlementCorrected)
def _settlement_corrected(state: TableState, event: acts.SettlementCorrected) -> TableState:
    for difference in event.differences:
        if difference.now is None:
            continue
        paid_cents = difference.cents if difference.outcome in {"paid", "returned"} else 0
        chips_cents, owed_cents = difference.misstated_cents + paid_cents, difference.marked_cents
        state = with_money(state, difference.now, chips_cents=chips_cents, owed_cents=owed_cents)
    return _counted(state, event) if event.counted else state


def _counted(state: TableState, event: acts.SettlementCorrected) -> TableState:
    if event.recorded is None or event.actual is None or event.hand is None:
        return state
    state = replace(state, shoe=state.shoe.reread(event.recorded, event.actual))
    round_ = state.round
    if round_ is None or round_.simulated or round_.number != event.round:
        return state
    if state.phase is not Phase.SETTLED:
        return state
    coup = with_card(round_.coup, event.hand, event.ordinal, event.actual)
    return replace(state, round=replace(round_, coup=coup))


@moves(acts.SettlementCorrected)
def _posted(event: acts.SettlementCorrected) -> tuple[Posting, ...]:
    return tuple(posting for difference in event.differences for posting in _of(difference))


def _of(delta: acts.Difference) -> Iterator[Posting]:
    # Chips that were never handed over are not at the cage, where the record put them.
    chips = ledger.CAGE if delta.now is None else ledger.patron(delta.now)
    yield from ledger.moved(ledger.INVENTORY, chips, delta.misstated_cents)
    if delta.outcome in {"paid", "returned"}:
        yield from ledger.moved(ledger.INVENTORY, chips, delta.cents)
    yield from ledger.moved(ledger.INVENTORY, ledger.UNPAID, kept_more(delta))
    yield from ledger.moved(ledger.DIFFERENCES, ledger.UNCOLLECTED, delta.uncollected_cents)
    yield from ledger.moved(ledger.VIGORISH, ledger.VIGORISH_TAKEN, delta.vigorish_cents)
    if delta.now is not None:
        yield from ledger.moved(ledger.VIGORISH, ledger.owed(delta.now), delta.marked_cents)
