"""Settlement after the result: losers, winners, vigorish, and clearing the layout."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from croupier import acts
from croupier.acts.roles import Role
from croupier.baccarat.cards import DECK_SIZE
from croupier.baccarat.wagers import Moment
from croupier.law.cite import cites, once
from croupier.law.faults import LawError
from croupier.money.settlement import Settled, Stake, settle
from croupier.rules import Outcome, TableRules, remembered
from croupier.table.cards.cutting import vigorish_outstanding
from croupier.table.cards.device import device_down
from croupier.table.cards.out_of_use import cards_flawed, taken_out_under
from croupier.table.machine import core, hooks
from croupier.table.machine.core import Action, Answer, Events, Refusal, evolve_all
from croupier.table.machine.state import (
    NONE_HELD,
    Phase,
    RoundState,
    TableShoe,
    TableState,
    with_money,
)
from croupier.table.people.seating import descending
from croupier.table.settling import awards


def discards_due(state: TableState, rules: TableRules) -> Refusal | None:
    if not state.to_discard:
        return None
    return Refusal(
        "discards_due",
        rules.cites(state.discard_rule),
        f"{state.to_discard} more cards must go to the {rules.value('discard.place', str)} first",
    )


def owed_by_the_shoe(state: TableState, rules: TableRules) -> Refusal | None:
    """Refusal to remove cards that stay in play although the table ends."""
    if refusal := discards_due(state, rules):
        return refusal
    if not state.simulate_with:
        return None
    return Refusal(
        "simulated_round_due",
        simulated_under(state.simulate_with[0].cause, rules),
        "first deal a round without wagers that begins with the card disclosed in error",
    )


@cites("irregularity.simulated_round")
def simulated_under(cause: str, rules: TableRules) -> tuple[str, ...]:
    return rules.cites_for("irregularity.simulated_round", cause)


@cites("irregularity.insufficient", "shoe.hands_after_call", "shuffle.directed")
def until_reshuffled(state: TableState, rules: TableRules) -> Refusal | None:
    """Refuse dealing at the end of a shoe, under what ended it."""
    if state.phase is not Phase.SHOE_COMPLETED:
        return None
    last_hand_called = state.cutting_card_out if state.hands_left is None else state.hands_left == 0
    clauses = rules.cites("shoe.hands_after_call")
    if state.shoe.remaining == 0 and state.hands_left != 0:
        clauses = rules.cites_for("irregularity.insufficient", "reshuffle")
    elif state.flawed and state.hands_left != 0:
        return cards_flawed(state, rules)
    elif rules.applies("shuffle.directed") and not last_hand_called:
        clauses = rules.cites("shuffle.directed")
    return Refusal("not_now", clauses, "no more cards may be dealt before a reshuffle")


# --- settlement --------------------------------------------------------------------------------


@core.decides(
    acts.SettleWagers, Phase.DECIDED, cites=("settlement.collect_first", "settlement.pay")
)
def _settle(state: TableState, _command: acts.SettleWagers, rules: TableRules) -> Answer:
    if refusal := discards_due(state, rules):
        return refusal
    if state.round is None or state.round.facts is None:
        return Refusal("not_now", (), "there is no result to settle")
    stakes = {
        (seat, wager): state.stakes[seat, wager]
        for seat in descending(rules.submission.layout)
        if seat in state.seats
        for wager in rules.offers
        if (seat, wager) in state.stakes
    }
    before = hooks.before_settlement.ask(state, rules)
    meters = hooks.meters_shown.ask(evolve_all(state, before) if before else state) or {}
    results = settle(rules, rules.facts_of(state.round.coup), stakes, meters)
    losers = collect_losers(results, rules.cites("settlement.collect_first"))
    stakes_kept = keep_stakes(results)
    payments = tuple(_in_order(state, results, rules))
    return (*before, *losers, *stakes_kept, release(results), *awards.numbered(state, payments))


def _taken(results: Iterable[Settled]) -> tuple[acts.LostStake, ...]:
    return tuple(
        acts.LostStake(
            result.seat,
            result.wager,
            result.stake.chips_cents,
            result.stake.coupon_cents,
        )
        for result in results
    )


def collect_losers(results: Sequence[Settled], clauses: tuple[str, ...]) -> Events:
    losers = [result for result in results if result.decision.outcome is Outcome.LOSE]
    if not losers:
        return ()
    return (acts.LosingWagersCollected(_taken(losers), clauses + _clauses_of(losers)),)


def keep_stakes(results: Sequence[Settled]) -> Events:
    kept = [
        result
        for result in results
        if result.decision.outcome is Outcome.WIN and result.decision.keeps_stake
    ]
    return (acts.StakesKept(_taken(kept), _clauses_of(kept)),) if kept else ()


def give_back(state: TableState, clauses: tuple[str, ...]) -> acts.StakesReleased:
    stakes = tuple(
        acts.Release(seat, wager, "push", "void", stake.chips_cents, stake.coupon_cents)
        for (seat, wager), stake in state.stakes.items()
    )
    return acts.StakesReleased(stakes, clauses)


def _clauses_of(results: Iterable[Settled]) -> tuple[str, ...]:
    decisions = dict.fromkeys(result.decision.clauses for result in results)
    return tuple(dict.fromkeys(clause for clauses in decisions for clause in clauses))


def release(results: Sequence[Settled]) -> acts.StakesReleased:
    released = [result for result in results if not result.decision.keeps_stake]
    stakes = tuple(
        acts.Release(
            result.seat,
            result.wager,
            result.decision.outcome.value,
            result.decision.recorded_line,
            result.stake.chips_cents,
            result.stake.coupon_cents,
        )
        for result in released
    )
    return acts.StakesReleased(stakes, _clauses_of(released))


@remembered
def _order(rules: TableRules) -> tuple[str, tuple[str, ...]]:
    # A table exempt from all orders takes no vigorish, so the order does not matter.
    order = ""
    clauses: tuple[str, ...] = ()
    if rules.applies("settlement.order"):
        order = rules.value("settlement.order", str)
        clauses = rules.cites_for("settlement.order", order)
    is_free = rules.vigorish.win_rate is None and rules.vigorish.tie_rate is None
    if is_free and rules.applies("settlement.no_vigorish"):
        clauses = once(clauses, rules.cites("settlement.no_vigorish"))
    return order, clauses


@cites("settlement.no_vigorish", "vigorish.collection", "vigorish.tie_collection")
def _in_order(
    state: TableState, results: Sequence[Settled], rules: TableRules
) -> Iterator[acts.Event]:
    """``settled`` is in descending order of seats."""
    order, clauses = _order(rules)
    groups: dict[int, list[Settled]] = {}
    for result in results:
        # Record an award whatever its meter shows.
        awarded = result.decision.award is not None
        if result.won_cents or result.vigorish_cents or result.waived or awarded:
            groups.setdefault(result.seat, []).append(result)
    seats = list(groups.values())
    match order:
        case "payments-first":
            passes = [(_pay, seats), (_take_vigorish, seats)]
        case "vigorish-first":
            passes = [(_take_vigorish, seats), (_pay, seats)]
        case "payment-then-vigorish":
            passes = [(act, [seat]) for seat in seats for act in (_pay, _take_vigorish)]
        case "vigorish-then-payment" | "":
            passes = [(act, [seat]) for seat in seats for act in (_take_vigorish, _pay)]
        case _:
            raise LawError(f"{rules.law.id}: settlement.order: {order!r} is not implemented")
    for act, walked in passes:
        for wagers in walked:
            yield from act(state, wagers, rules, clauses)


def _pay(
    state: TableState, wagers: Sequence[Settled], rules: TableRules, order: tuple[str, ...]
) -> Iterator[acts.Event]:
    for wager in wagers:
        if wager.decision.award is not None:
            yield from _award(state, wager, rules, order)
        elif wager.decision.odds is not None:
            line = wager.decision.recorded_line
            clauses = once(order, wager.decision.clauses, rules.cites("settlement.rounds_to"))
            odds = str(wager.decision.odds)
            yield acts.WagerPaid(wager.seat, wager.wager, line, odds, wager.won_cents, clauses)


def _award(
    state: TableState, result: Settled, rules: TableRules, order: tuple[str, ...]
) -> Iterator[acts.Event]:
    award = result.decision.award
    if award is not None:
        clauses = once(order, result.decision.clauses)
        line = result.decision.recorded_line
        payment = acts.AwardPaid(
            result.seat, result.wager, line, result.won_cents, award.meter, clauses
        )
        yield awards.award(state, rules, payment)
        yield from hooks.award_paid.ask(award, rules)


@remembered
@cites("vigorish.rounded", "vigorish.collection")
def win_vigorish_cites(rules: TableRules) -> tuple[str, ...]:
    """Clauses of vigorish on a win: its rate, rounding, and time of collection."""
    if rules.applies("vigorish.rate_unwaived"):
        clauses = rules.cites("vigorish.rate_unwaived")
    else:
        clauses = rules.cites_for("vigorish.scheme", rules.vigorish.scheme)
    if rules.vigorish.rounding_unit_cents is not None:
        clauses += rules.cites(rules.vigorish.rounded_by)
    collection = rules.value("vigorish.collection", str)
    return once(clauses, rules.cites_for("vigorish.collection", collection))


def vigorish_clauses(result: Settled, rules: TableRules) -> tuple[str, ...]:
    """Clauses of the vigorish that was charged or waived; empty if none was due."""
    if result.waived:
        return rules.cites("vigorish.waiver") + rules.cites("settlement.no_vigorish")
    if not result.vigorish_cents:
        return ()
    if result.decision.outcome is Outcome.PUSH:
        return rules.tie_vigorish_cites + rules.cites("vigorish.tie_collection")
    return win_vigorish_cites(rules)


@cites("vigorish.tie_collection")
def _take_vigorish(
    state: TableState, wagers: Sequence[Settled], rules: TableRules, order: tuple[str, ...]
) -> Iterator[acts.Event]:
    terms = rules.vigorish
    for result in wagers:
        under = vigorish_clauses(result, rules)
        if result.waived:
            yield acts.VigorishWaived(result.seat, under)
        elif result.vigorish_cents and result.decision.outcome is Outcome.PUSH:
            clauses = once(order, under)
            yield acts.VigorishCollected(
                result.seat, result.vigorish_cents, deferred=False, clauses=clauses
            )
        elif result.vigorish_cents and terms.deferred:
            owed = state.seats[result.seat].owed_cents + result.vigorish_cents
            marker = rules.cites_for("vigorish.marker", "placed")
            clauses = once(order, under, marker)
            yield acts.VigorishMarked(result.seat, result.vigorish_cents, owed, clauses)
        elif result.vigorish_cents:
            clauses = once(order, under)
            yield acts.VigorishCollected(
                result.seat, result.vigorish_cents, deferred=False, clauses=clauses
            )


@cites("vigorish.tie_collection", "vigorish.marker", "settlement.collect_first")
def settled_under(result: Settled, rules: TableRules, *, vigorish: bool = False) -> tuple[str, ...]:
    """Clauses by which a wager is settled, and its ``vigorish`` collected or marked."""
    decision, wager = result.decision, rules.offers[result.wager].wager
    under: tuple[str, ...] = ()
    if wager.settled_at is Moment.FOUR_CARDS:
        under = rules.cites_for(f"{wager.offered_by}.settle", "settled")
    elif decision.outcome is Outcome.LOSE:
        under = rules.cites("settlement.collect_first")
    elif decision.outcome is Outcome.WIN:
        under = _order(rules)[1]
    if vigorish and rules.vigorish.tie_rate is not None:
        under += rules.tie_vigorish_cites + rules.cites("vigorish.tie_collection")
    elif vigorish:
        marker = "placed" if decision.outcome is Outcome.WIN else "removed"
        under += win_vigorish_cites(rules)
        under += rules.cites_for("vigorish.marker", marker) if rules.vigorish.deferred else ()
    return once(under, decision.clauses)


@core.applies(acts.LosingWagersCollected, acts.StakesKept)
def _collected(
    state: TableState, event: acts.LosingWagersCollected | acts.StakesKept
) -> TableState:
    stakes = dict(state.stakes)
    for lost_stake in event.stakes:
        del stakes[lost_stake.seat, lost_stake.wager]
    return replace(state, stakes=stakes)


@core.applies(acts.StakesReleased)
def _released(state: TableState, event: acts.StakesReleased) -> TableState:
    returned_cents: dict[int, int] = {}
    stakes: dict[tuple[int, str], Stake] = {}
    for stake in event.stakes:
        returned_cents[stake.seat] = returned_cents.get(stake.seat, 0) + stake.cents
    if len(event.stakes) < len(state.stakes):
        released = {(stake.seat, stake.wager) for stake in event.stakes}
        stakes = {key: stake for key, stake in state.stakes.items() if key not in released}
    seats = dict(state.seats)
    for seat, cents in returned_cents.items():
        patron = seats[seat]
        seats[seat] = replace(patron, chips_cents=patron.chips_cents + cents)
    phase = Phase.SETTLED if state.phase is Phase.DECIDED else state.phase
    return replace(state, seats=seats, stakes=stakes, phase=phase)


@core.applies(acts.WagerPaid, acts.AwardPaid)
def _paid(state: TableState, event: acts.WagerPaid | acts.AwardPaid) -> TableState:
    return with_money(state, event.seat, chips_cents=event.cents)


@core.applies(acts.VigorishMarked)
def _marked(state: TableState, event: acts.VigorishMarked) -> TableState:
    return with_money(state, event.seat, owed_cents=event.cents)


@core.applies(acts.VigorishCollected)
def _vigorish_collected(state: TableState, event: acts.VigorishCollected) -> TableState:
    owed_cents = -event.cents if event.deferred else 0
    return with_money(state, event.seat, chips_cents=-event.cents, owed_cents=owed_cents)


# Nothing was owed.
core.no_effect(acts.VigorishWaived)


# --- the layout, and the end of the shoe -------------------------------------------------------


@core.decides(
    acts.ClearLayout,
    Phase.SETTLED,
    cites=("discard.order", "announce.last_hand", "shoe.hands_after_call", "shoe.cutting_card"),
)
def _clear(state: TableState, _command: acts.ClearLayout, rules: TableRules) -> Answer:
    if refusal := discards_due(state, rules):
        return refusal
    round_ = state.round
    if round_ is None:
        return Refusal("not_now", (), "there are no cards on the layout")
    if refusal := hooks.before_clearing.ask(state, rules):
        return refusal
    counts = not round_.void and (
        not round_.simulated or rules.reading("simulated_round.hand") == "counts"
    )
    cleared = acts.LayoutCleared(
        round_.number,
        round_.coup.player,
        round_.coup.banker,
        round_.simulated,
        counts,
        simulated_under(round_.cause, rules) if round_.simulated else rules.cites("discard.order"),
    )
    ending_events = hooks.round_over.ask(state, round_, rules)
    return (cleared, *_end_of_hand(state, round_, rules, counts=counts), *ending_events)


def shoe_ends(state: TableState, clauses: tuple[str, ...]) -> Events:
    """End the shoe; wagers that lie through a simulated round have no hand left and go back."""
    completed = acts.ShoeCompleted(state.shoe.number, clauses)
    return (completed, give_back(state, clauses)) if state.stakes else (completed,)


def _end_of_hand(
    state: TableState, round_: RoundState, rules: TableRules, *, counts: bool
) -> Events:
    if state.flawed:
        return shoe_ends(state, taken_out_under(state.flawed, rules))
    completed = acts.ShoeCompleted(state.shoe.number, rules.cites("shoe.hands_after_call"))
    if state.hands_left is not None:
        if state.hands_left > int(counts) or state.simulate_with:
            # A pending simulated round is dealt from this shoe.
            return ()
        return shoe_ends(state, completed.clauses)
    counts_void = rules.reading("void_cover_card_round.call") == "completed"
    if not state.cutting_card_out or (counts_void and not counts):
        return ()
    ends = round_.began_with_cutting_card and rules.reading("cutting_card_first.hands") == "last"
    words = rules.value("announce.last_hand", str)
    hands = 0 if ends and not round_.void else rules.value("shoe.hands_after_call", int)
    if not hands and not state.simulate_with:
        return shoe_ends(state, completed.clauses)
    return (acts.LastHandCalled(words, hands, rules.cites("announce.last_hand")),)


@core.applies(acts.LayoutCleared)
def _cleared(state: TableState, event: acts.LayoutCleared) -> TableState:
    left = state.hands_left
    if left is not None and event.counted:
        left = max(left - 1, 0)
    # Unused held cards of this hand begin the next one.
    waiting_cards = () if state.round is None else state.round.begins_with
    held, shoe = (*waiting_cards, *state.held), state.shoe
    if state.round is not None and (state.round.void or state.round.simulated):
        # A round without a settlement cannot be settled again with a card that was misread.
        for card in (*event.player, *event.banker):
            shoe = shoe.discarding(card, "discard.order", begins=True)
    return replace(state, phase=Phase.BETTING, round=None, hands_left=left, held=held, shoe=shoe)


@core.applies(acts.LastHandCalled)
def _last_hand(state: TableState, event: acts.LastHandCalled) -> TableState:
    return replace(state, hands_left=event.hands)


@core.applies(acts.ShoeCompleted)
def _shoe_completed(state: TableState, _event: acts.ShoeCompleted) -> TableState:
    """Cards held for a next hand go to the rack with the rest."""
    return replace(state, phase=Phase.SHOE_COMPLETED, **NONE_HELD)


def cards_out_of_device(state: TableState) -> int:
    """Return the number of cards to put back in a continuous device: all but held cards."""
    return state.shoe.decks * DECK_SIZE - state.shoe.remaining - len(state.kept)


def device_lacks_cards(state: TableState, rules: TableRules) -> bool:
    return rules.elected("device", "continuous") and cards_out_of_device(state) > 0


@core.decides(acts.ReturnDiscards, Phase.BETTING, cites=("device.continuous",))
def _return_discards(state: TableState, _command: acts.ReturnDiscards, rules: TableRules) -> Answer:
    clauses = rules.cites("device.continuous")
    if not rules.elected("device", "continuous"):
        return Refusal("no_device", (), "this table has no continuous device")
    if refusal := discards_due(state, rules) or device_down(state, rules):
        return refusal
    if not cards_out_of_device(state):
        return Refusal("nothing_to_return", clauses, "no card is out of the device")
    cites = rules.cites_for("vigorish.before_reshuffle", "reshuffle")
    return vigorish_outstanding(state, cites) or (acts.DiscardsReturned(clauses),)


@core.applies(acts.DiscardsReturned)
def _discards_returned(state: TableState, _event: acts.DiscardsReturned) -> TableState:
    """Cards held for the next hand or a simulated one stay out."""
    shoe = TableShoe.full(state.shoe.number, state.shoe.decks, state.shoe.batch, None)
    for card in state.kept:
        shoe = shoe.without(card)
    return replace(state, shoe=shoe)


@core.offers(Phase.DECIDED, Phase.SETTLED)
def _next_after_result(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    if state.to_discard:
        return ()
    if state.phase is Phase.DECIDED:
        return (Action(acts.SettleWagers, Role.DEALER, rules.cites("settlement.collect_first")),)
    if hooks.before_clearing.ask(state, rules) is not None:
        return ()
    return (Action(acts.ClearLayout, Role.DEALER, rules.cites("discard.order")),)
