"""Verification of the wagers of a round."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from croupier.baccarat.coup import CardFacts, Facts
from croupier.law.model import ConstraintKind, condition_holds
from croupier.law.usage import currency_in_use, money
from croupier.money.settlement import Settled, Stake, settle
from croupier.records.rounds.record import WagerRecord
from croupier.rules import Outcome, TableRules
from croupier.table.settling.settling import win_vigorish_cites
from croupier.table.wagering.wagering import unfit_stake
from croupier.verify.rounds.findings import Finding

_MOST_KNOWN: Final = 100_000
_NO_SEAT: Final = 0
_KINDS: Final = {
    "not_offered": "offer",
    "needs_base": "offer",
    "coupon": "offer",
    "limit": "limit",
    "fraction_of_a_cent": "limit",
    "vigorish_above_win": "limit",
}
"""The kind of divergence for each reason for refusing a stake."""


class _Placed(NamedTuple):
    wager: str
    stake: Stake
    seat: int | None
    beside: tuple[tuple[str, int], ...]
    meters: tuple[tuple[str, int], ...]


def net_of(one: Settled) -> int:
    """Return a bettor's net result in cents after vigorish; coupons are not the bettor's money."""
    lost = one.decision.outcome is Outcome.LOSE or one.decision.keeps_stake
    return one.won_cents - one.vigorish_cents - (one.stake.chips_cents if lost else 0)


def is_recorded(record: WagerRecord) -> bool:
    return (record.net_cents, record.paid_cents, record.vigorish_cents) != (None, None, None)


class WagerVerifier:
    def __init__(self, rules: TableRules) -> None:
        self._rules = rules
        self._known: dict[tuple[Facts, _Placed], Settled | None] = {}

    def unfit(self, one: WagerRecord, others: Collection[str]) -> Finding | None:
        """Why the table does not take a wager next to the seat's others."""
        refusal = unfit_stake(one.wager, one.stake_cents, one.coupon_cents, others, self._rules)
        if refusal is None or (not one.stake_cents and refusal.code != "not_offered"):
            return None
        message, clauses = refusal.message, refusal.clauses
        expected: object = None
        offer = self._rules.offers.get(one.wager)
        if offer is None:
            expected = list(self._rules.offers)
            for says, cites in self._excluded(one.wager):
                message, clauses = f"{message}; {says}", (*clauses, *cites)
        elif refusal.code == "limit" and offer.limit is not None:
            expected = [offer.limit.min_cents, offer.limit.max_cents]
        elif refusal.code == "fraction_of_a_cent":
            expected = offer.unit_cents
        elif refusal.code == "vigorish_above_win":
            expected = offer.floor_cents
        kind = _KINDS[refusal.code]
        found = one.wager if kind == "offer" else one.stake_cents
        return Finding(kind, message, clauses, None, expected, found, one.seat, one.wager)

    def _excluded(self, wager: str) -> list[tuple[str, tuple[str, ...]]]:
        law, settled = self._rules.law, self._rules.settled
        known = self._rules.wagers.get(wager)
        rule = None if known is None else law.rules.get(known.offered_by)
        if rule is None:
            return []
        wanted = rule.applies_when.items()
        return [
            (constraint.says, constraint.cites)
            for constraint in law.constraints
            if constraint.kind is ConstraintKind.EXCLUDES
            and (
                (condition_holds(constraint.when, settled) and constraint.then.items() <= wanted)
                or (condition_holds(constraint.then, settled) and constraint.when.items() <= wanted)
            )
        ]

    def settled(
        self,
        record: WagerRecord,
        facts: Facts,
        beside: Sequence[WagerRecord],
        meters: Mapping[str, int],
    ) -> Settled | None:
        """Settle one wager with the others of its seat, unless cards are missing from the facts."""
        if record.wager not in self._rules.offers:
            return None
        wager = self._rules.offers[record.wager].wager
        if "cards" in wager.asks and not isinstance(facts, CardFacts):
            return None
        by_seat = wager.at_chair is not None
        waived_by: tuple[tuple[str, int], ...] = ()
        if wager.bears_vigorish and self._rules.vigorish.waived:
            waived_by = tuple((other.wager, other.stake_cents) for other in beside)
        stake = Stake(record.stake_cents + record.added_cents, record.coupon_cents)
        placed = _Placed(
            record.wager, stake, record.seat if by_seat else None, waived_by, tuple(meters.items())
        )
        key = (facts, placed)
        if key not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[key] = self._settle(facts, placed)
        found = self._known[key]
        return found if found is None or by_seat else found._replace(seat=record.seat or _NO_SEAT)

    def _settle(self, facts: Facts, placed: _Placed) -> Settled | None:
        seat = placed.seat or _NO_SEAT
        stakes: dict[tuple[int, str], Stake] = {}
        for wager, cents in placed.beside:
            if wager in self._rules.offers:
                stakes[seat, wager] = stakes.get((seat, wager), Stake(0)).plus(Stake(cents))
        stakes[seat, placed.wager] = placed.stake
        try:
            settled = settle(self._rules, facts, stakes, dict(placed.meters))
        except ValueError:
            return None
        found = next(settlement for settlement in settled if settlement.wager == placed.wager)
        award = found.decision.award
        if award is not None and award.meter is not None and award.meter not in dict(placed.meters):
            return None
        return found

    def wrong(self, one: WagerRecord, settled: Settled) -> Finding | None:
        won, due, net = settled.won_cents, settled.vigorish_cents, net_of(settled)
        net += due if one.is_gross else 0
        follows = []
        finding = None
        wrong_net = one.net_cents is not None and (one.net_cents != net or "net" in one.broken)
        if one.vigorish_cents is not None and (
            one.vigorish_cents != due or "vigorish" in one.broken
        ):
            found = one.broken.get("vigorish", one.vigorish_cents)
            finding = self._wrong("vigorish", one, settled, due, found)
        if one.paid_cents is not None and not self._is_paid(one, settled):
            if finding is not None:
                follows.append(finding.kind)
            paid = one.broken.get("paid", one.paid_cents)
            right = won - due if one.deducted else won
            finding = self._wrong("settlement", one, settled, right, paid)
        if not wrong_net:
            return None if finding is None else finding._replace(follows=tuple(follows))
        if finding is not None:
            return finding._replace(follows=(*follows, "settlement"))
        recorded_net = one.broken.get("net", one.net_cents)
        kind = "vigorish" if self._is_about_vigorish(one, settled) else "settlement"
        return self._wrong(kind, one, settled, net, recorded_net)

    @staticmethod
    def _is_paid(record: WagerRecord, settled: Settled) -> bool:
        if "paid" in record.broken:
            return False
        right = {settled.won_cents}
        if record.deducted:
            right = {settled.won_cents - settled.vigorish_cents}
        elif record.vigorish_cents is None and record.deducted is None:
            right |= {settled.won_cents - settled.vigorish_cents, net_of(settled)}
        return record.paid_cents in right

    def _is_about_vigorish(self, record: WagerRecord, settled: Settled) -> bool:
        bears_vigorish = self._rules.wagers[record.wager].bears_vigorish
        if not bears_vigorish or record.net_cents is None or record.is_gross:
            return False
        terms = self._rules.vigorish
        if settled.decision.outcome is Outcome.WIN:
            taken = settled.won_cents - record.net_cents
            most = settled.won_cents // 10 + (terms.rounding_unit_cents or 0)
            return 0 <= taken <= most
        is_tie = settled.decision.outcome is Outcome.PUSH and terms.tie_rate is not None
        return is_tie and 0 <= -record.net_cents <= settled.stake.cents // 2

    def _wrong(
        self, kind: str, one: WagerRecord, settled: Settled, expected: int, found: object
    ) -> Finding:
        message = f"{self._settlement_text(settled)}; {_money(found)} is recorded"
        clauses = settled.decision.clauses
        if kind == "vigorish":
            clauses = self._vigorish_cites(settled)
        elif settled.decision.outcome is Outcome.WIN and isinstance(found, int) and found > 0:
            # The wager certainly won, so its payment is checked first.
            rule = self._rules.wagers[one.wager].offered_by
            decides = self._rules.cites_if_any(rule)
            clauses = tuple(sorted(clauses, key=lambda clause: clause in decides))
        return Finding(kind, message, clauses, None, expected, found, one.seat, one.wager)

    def _vigorish_cites(self, settled: Settled) -> tuple[str, ...]:
        rules = self._rules
        if settled.waived:
            return rules.cites("vigorish.waiver") + rules.cites("settlement.no_vigorish")
        if settled.decision.outcome is Outcome.PUSH and rules.vigorish.tie_rate is not None:
            return rules.cites("vigorish.tie_rate")
        if rules.vigorish.win_rate is not None:
            return win_vigorish_cites(rules)
        return rules.cites_for("vigorish.scheme", rules.vigorish.scheme)

    def _settlement_text(self, settled: Settled) -> str:
        title = self._rules.wagers[settled.wager].title
        decision, stake = settled.decision, money(settled.stake.cents)
        less = ""
        if settled.vigorish_cents:
            vigorish, net = money(settled.vigorish_cents), money(net_of(settled))
            less = f" less {vigorish} of vigorish, which is {net}"
        elif settled.waived:
            less = ", its vigorish waived"
        if decision.outcome is Outcome.LOSE:
            return f"{title}: {stake} is lost"
        if decision.outcome is Outcome.PUSH:
            return f"{title}: {stake} neither wins nor loses{less}"
        pays = decision.odds if decision.award is None else decision.award
        return f"{title}: {stake} wins {money(settled.won_cents)} at {pays}{less}"


def _money(cents: object) -> str:
    return money(cents) if isinstance(cents, int) else f"{currency_in_use().sign}{cents}"
