"""A settled round, settled again on the truth: wagers, awards, meters, and their clauses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from croupier.acts import CorrectedAmount
from croupier.baccarat.coup import Coup, Tableau
from croupier.baccarat.wagers import Moment
from croupier.law.cite import cites
from croupier.money.settlement import Settled, Stake, settle
from croupier.rules import Outcome, TableRules
from croupier.table.irregular.misread import dealt_again
from croupier.table.machine import hooks
from croupier.table.machine.core import Refusal
from croupier.table.machine.house import SettledRound
from croupier.table.machine.position import Position
from croupier.table.settling.awards import HandPays, by_hand
from croupier.table.settling.settling import settled_under

Key = tuple[int, str]
"""A seat and a wager."""


class Both(NamedTuple):
    """A round as settled, and as it should have been settled.

    ``meters`` are the readings from which the awards of the latter are paid; ``is_drawn`` says that
    its draw is over.
    """

    was: tuple[Settled, ...]
    now: tuple[Settled, ...]
    meters: Mapping[str, int]
    round: int
    is_drawn: bool

    @property
    def changed(self) -> tuple[dict[Key, Settled], dict[Key, Settled]]:
        """The wagers that are settled otherwise, as they were and as they are now."""
        before, after = (
            {(result.seat, result.wager): result for result in results if result not in others}
            for results, others in ((self.was, self.now), (self.now, self.was))
        )
        return before, after


def is_early(wager: str, rules: TableRules) -> bool:
    offer = rules.offers.get(wager)
    return offer is not None and offer.wager.settled_at is Moment.FOUR_CARDS


def with_stake(stakes: Mapping[Key, Stake], key: Key, stake: Stake) -> dict[Key, Stake]:
    changed_to = {**stakes, key: stake}
    return {key: placed for key, placed in changed_to.items() if placed.cents}


def settled_again(position: Position, before: SettledRound, truth: SettledRound) -> Both | Refusal:
    """Settlements before and after a correction; refuses if the corrected round has no result."""
    tableau, rules = position.state.tableau, position.rules
    meters = dict(before.meters)
    for meter, cents in contributed(before.stakes, truth.stakes, rules).items():
        meters[meter] = meters.get(meter, 0) + cents
    was = _settle(before, before.meters, tableau, rules)
    now = _settle(truth, meters, tableau, rules)
    if was is None or now is None:
        message = (
            "by the true card another card was due, and no one knows which: the settlement stands"
        )
        return Refusal("not_dealt", rules.ruling("settlement-in-error"), message)
    return Both(was, now, meters, before.round, before.drawn is not None)


def _settle(
    settled_round: SettledRound, meters: Mapping[str, int], tableau: Tableau, rules: TableRules
) -> tuple[Settled, ...] | None:
    stakes = {(seat, wager): stake for seat, wager, stake in settled_round.stakes}
    early_stakes = {key: stake for key, stake in stakes.items() if is_early(key[1], rules)}
    other_stakes = {key: stake for key, stake in stakes.items() if key not in early_stakes}
    first = Coup(tableau, *(settled_round.early_hands or settled_round.first_cards))
    results = settle(rules, first.initial_facts, early_stakes) if early_stakes else ()
    coup = dealt_again(Coup(tableau, settled_round.player, settled_round.banker)).coup
    if coup.due is not None:
        return None if other_stakes else results
    won_cents = {result.seat: result.won_cents for result in results}
    for seat, (wager_added, cents) in settled_round.added.items():
        # A payout that was not due never belonged to the patron.
        undue_cents = cents - min(cents, won_cents.get(seat, 0))
        if undue_cents and (seat, wager_added) in other_stakes:
            stake = other_stakes[seat, wager_added]
            stake_left = Stake(stake.chips_cents - undue_cents, stake.coupon_cents)
            other_stakes = with_stake(other_stakes, (seat, wager_added), stake_left)
    return results + settle(rules, rules.facts_of(coup), other_stakes, meters)


def handed_over(position: Position, settled_round: SettledRound, key: Key) -> int:
    """Return what was paid at the table for a wager, by the record of the first settlement."""
    first = settled_round.first or settled_round
    results = _settle(first, first.meters, position.state.tableau, position.rules) or ()
    if key in first.numbers_by_hand:
        return 0
    return sum(result.won_cents for result in results if (result.seat, result.wager) == key)


class SeatResult(NamedTuple):
    chips_cents: int = 0
    taken_cents: int = 0
    marked_cents: int = 0

    def less(self, other: SeatResult) -> SeatResult:
        return SeatResult(*(cents - two for cents, two in zip(self, other, strict=True)))


def result_of(result: Settled, rules: TableRules, *, in_chips: bool = True) -> SeatResult:
    """Return the result of one wager; an award not paid ``in_chips`` is due by hand."""
    is_lost = result.decision.outcome is Outcome.LOSE or result.decision.keeps_stake
    chips = (result.won_cents if in_chips else 0) - (result.stake.chips_cents if is_lost else 0)
    if rules.vigorish.deferred and result.decision.outcome is Outcome.WIN:
        return SeatResult(chips, 0, result.vigorish_cents)
    return SeatResult(chips, result.vigorish_cents, 0)


def seat_result(
    changed: Mapping[Key, Settled], seat: int, hand_paid: frozenset[Key], rules: TableRules
) -> SeatResult:
    of_seat = ((key, one) for key, one in changed.items() if key[0] == seat)
    results = (result_of(one, rules, in_chips=key not in hand_paid) for key, one in of_seat)
    return SeatResult(*map(sum, zip(SeatResult(), *results, strict=True)))


def due_by_hand(position: Position, settled_round: SettledRound) -> frozenset[Key]:
    due = position.state[HandPays].due
    return frozenset(key for key, number in settled_round.numbers_by_hand.items() if number in due)


def awarded_by_hand(position: Position, changed: Mapping[Key, Settled]) -> frozenset[Key]:
    """Awards above the licensee's limit, and those of meters that do not pay now."""
    rules, failed = position.rules, hooks.due_by_hand.ask(position.state, position.rules)
    return frozenset(
        key
        for key, result in changed.items()
        if (award := result.decision.award) is not None
        and (
            by_hand(result.wager, result.won_cents, rules)
            or (failed is not None and award.meter is not None)
        )
    )


def contributed(
    before: Iterable[Sequence[Any]], true_stakes: Iterable[Sequence[Any]], rules: TableRules
) -> Counter[str]:
    """Change of each meter caused by stakes that were recorded wrong.

    A stake begins with its seat and wager; it feeds meters by its fixed amount.
    """
    change = Counter[str]()
    for stakes, sign in ((true_stakes, 1), (before, -1)):
        for _, wager, *_ in stakes:
            for meter, share in rules.meter_shares.get(wager, {}).items():
                change[meter] += sign * ((rules.offers[wager].fixed_cents or 0) * share).numerator
    return Counter({meter: cents for meter, cents in change.items() if cents})


@cites("settlement.pay", "settlement.collect_first")
def amounts(pair: Both, paid: Mapping[Key, int], rules: TableRules) -> Iterator[CorrectedAmount]:
    """Yield what changes for each wager, with the clauses by which it is settled now.

    ``paid`` is what was handed over for a wager beyond the record.
    """
    before_all, after_all = pair.changed
    for result in pair.was:
        if more_cents := paid.get((result.seat, result.wager), 0):
            clauses = settled_under(result, rules)
            line = result.decision.recorded_line
            yield CorrectedAmount(result.seat, result.wager, line, -more_cents, 0, None, clauses)
    for key in dict.fromkeys((*before_all, *after_all)):
        before, after = before_all.get(key), after_all.get(key)
        settlement_now = after or before
        if settlement_now is None:
            continue
        change = SeatResult() if after is None else result_of(after, rules)
        change = change if before is None else change.less(result_of(before, rules))
        vigorish = change.taken_cents + change.marked_cents
        line = "" if after is None else after.decision.recorded_line
        clauses = settled_under(settlement_now, rules, vigorish=bool(vigorish))
        yield CorrectedAmount(*key, line, change.chips_cents, vigorish, None, clauses)
