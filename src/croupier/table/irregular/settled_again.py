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

    ``meters`` are the readings from which the awards of the latter are paid.
    """

    was: tuple[Settled, ...]
    now: tuple[Settled, ...]
    meters: Mapping[str, int]
    round: int

    @property
    def changed(self) -> tuple[dict[Key, Settled], dict[Key, Settled]]:
        """The wagers that are settled otherwise, as they were and as they are now."""
        was, now = (
            {(one.seat, one.wager): one for one in these if one not in others}
            for these, others in ((self.was, self.now), (self.now, self.was))
        )
        return was, now


def is_early(wager: str, rules: TableRules) -> bool:
    offer = rules.offers.get(wager)
    return offer is not None and offer.wager.settled_at is Moment.FOUR_CARDS


def with_stake(stakes: Mapping[Key, Stake], key: Key, stake: Stake) -> dict[Key, Stake]:
    changed_to = {**stakes, key: stake}
    return {one: held for one, held in changed_to.items() if held.cents}


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
    return Both(was, now, meters, before.round)


def _settle(
    settled: SettledRound, meters: Mapping[str, int], tableau: Tableau, rules: TableRules
) -> tuple[Settled, ...] | None:
    stakes = {(seat, wager): stake for seat, wager, stake in settled.stakes}
    early = {key: stake for key, stake in stakes.items() if is_early(key[1], rules)}
    others = {key: stake for key, stake in stakes.items() if key not in early}
    first = Coup(tableau, *(settled.early_hands or settled.first_cards))
    found = settle(rules, first.initial_facts, early) if early else ()
    coup = dealt_again(Coup(tableau, settled.player, settled.banker)).coup
    if coup.due is not None:
        return None if others else found
    won = {settlement.seat: settlement.won_cents for settlement in found}
    for seat, (to, cents) in settled.added.items():
        # A payout that was not due never belonged to the patron.
        undue = cents - min(cents, won.get(seat, 0))
        if undue and (seat, to) in others:
            stake = others[seat, to]
            left = Stake(stake.chips_cents - undue, stake.coupon_cents)
            others = with_stake(others, (seat, to), left)
    return found + settle(rules, rules.facts_of(coup), others, meters)


class SeatResult(NamedTuple):
    chips_cents: int = 0
    taken_cents: int = 0
    marked_cents: int = 0

    def less(self, other: SeatResult) -> SeatResult:
        return SeatResult(*(one - two for one, two in zip(self, other, strict=True)))


def result_of(one: Settled, rules: TableRules, *, in_chips: bool = True) -> SeatResult:
    """Return the result of one wager; an award not paid ``in_chips`` is due by hand."""
    lost = one.decision.outcome is Outcome.LOSE or one.decision.keeps_stake
    chips = (one.won_cents if in_chips else 0) - (one.stake.chips_cents if lost else 0)
    if rules.vigorish.deferred and one.decision.outcome is Outcome.WIN:
        return SeatResult(chips, 0, one.vigorish_cents)
    return SeatResult(chips, one.vigorish_cents, 0)


def seat_result(
    changed: Mapping[Key, Settled], seat: int, hand_paid: frozenset[Key], rules: TableRules
) -> SeatResult:
    total = SeatResult()
    for key, settlement in changed.items():
        if key[0] == seat:
            more = result_of(settlement, rules, in_chips=key not in hand_paid)
            total = SeatResult(*map(sum, zip(total, more, strict=True)))
    return total


def due_by_hand(position: Position, settled: SettledRound) -> frozenset[Key]:
    due = position.state[HandPays].due
    return frozenset(key for key, number in settled.numbers_by_hand.items() if number in due)


def awarded_by_hand(position: Position, changed: Mapping[Key, Settled]) -> frozenset[Key]:
    """Awards above the licensee's limit, and those of meters that do not pay now."""
    rules, failed = position.rules, hooks.due_by_hand.ask(position.state, position.rules)
    return frozenset(
        key
        for key, settlement in changed.items()
        if (award := settlement.decision.award) is not None
        and (
            by_hand(settlement.wager, settlement.won_cents, rules)
            or (failed is not None and award.meter is not None)
        )
    )


def contributed(
    before: Iterable[Sequence[Any]], truth: Iterable[Sequence[Any]], rules: TableRules
) -> Counter[str]:
    """Change of each meter caused by stakes that were recorded wrong.

    A stake begins with its seat and wager; it feeds meters by its fixed amount.
    """
    change = Counter[str]()
    for stakes, sign in ((truth, 1), (before, -1)):
        for _, wager, *_ in stakes:
            for meter, share in rules.meter_shares.get(wager, {}).items():
                change[meter] += sign * ((rules.offers[wager].fixed_cents or 0) * share).numerator
    return Counter({meter: cents for meter, cents in change.items() if cents})


@cites("settlement.pay", "settlement.collect_first")
def amounts(both: Both, paid: Mapping[Key, int], rules: TableRules) -> Iterator[CorrectedAmount]:
    """Yield what changes for each wager, with the clauses by which it is settled now.

    ``paid`` is what was handed over for a wager beyond the record.
    """
    was, now = both.changed
    for one in both.was:
        if more_cents := paid.get((one.seat, one.wager), 0):
            clauses = settled_under(one, rules)
            line = one.decision.recorded_line
            yield CorrectedAmount(one.seat, one.wager, line, -more_cents, 0, None, clauses)
    for key in dict.fromkeys((*was, *now)):
        before, after = was.get(key), now.get(key)
        settled = after or before
        if settled is None:
            continue
        more = SeatResult() if after is None else result_of(after, rules)
        more = more if before is None else more.less(result_of(before, rules))
        vigorish = more.taken_cents + more.marked_cents
        line = "" if after is None else after.decision.recorded_line
        clauses = settled_under(settled, rules, vigorish=bool(vigorish))
        yield CorrectedAmount(*key, line, more.chips_cents, vigorish, None, clauses)
