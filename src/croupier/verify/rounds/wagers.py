"""Verification of the wagers of a round."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from croupier.baccarat.coup import CardFacts, Facts
from croupier.law.cite import once
from croupier.law.model import ConstraintKind, condition_holds
from croupier.law.usage import currency_in_use, money
from croupier.money.settlement import Settled, Stake, decisions_of, rounding_cites, settle
from croupier.records.rounds.record import WagerRecord
from croupier.rules import Decision, Outcome, TableRules
from croupier.table.settling.settling import win_vigorish_cites
from croupier.table.wagering.together import above_limit_of_all
from croupier.table.wagering.wagering import unfit_stake
from croupier.verify.rounds.findings import Finding

_MOST_KNOWN: Final = 100_000
_NO_SEAT: Final = 0
_KINDS: Final = {
    "not_offered": "offer",
    "needs_base": "offer",
    "coupon": "offer",
    "not_together": "offer",
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


def net_of(result: Settled) -> int:
    """Return a bettor's net result in cents after vigorish; coupons are not the bettor's money."""
    loses = result.decision.outcome is Outcome.LOSE or result.decision.keeps_stake
    return result.won_cents - result.vigorish_cents - (result.stake.chips_cents if loses else 0)


def is_recorded(record: WagerRecord) -> bool:
    return (record.net_cents, record.paid_cents, record.vigorish_cents) != (None, None, None)


class WagerVerifier:
    def __init__(self, rules: TableRules) -> None:
        self._rules = rules
        self._known: dict[tuple[Facts | Decision, _Placed], Settled | None] = {}

    def unfit(self, bet: WagerRecord, bet_names: Collection[str]) -> Finding | None:
        """Why the table does not take a wager next to the seat's others."""
        refusal = unfit_stake(bet.wager, bet.stake_cents, bet.coupon_cents, bet_names, self._rules)
        if refusal is not None and refusal.code == "not_together":
            # Amounts without a seat may be those of several patrons; the last wager is reported.
            is_last = bet.wager in self._rules.not_together(bet_names)[-1:]
            refusal = refusal if is_last and bet.seat is not None else None
        if refusal is None or (not bet.stake_cents and refusal.code != "not_offered"):
            return None
        message, clauses = refusal.message, refusal.clauses
        expected: object = None
        offer = self._rules.offers.get(bet.wager)
        if offer is None:
            expected = list(self._rules.offers)
            for text, clauses_of_text in self._exclusions(bet.wager):
                message, clauses = f"{message}; {text}", (*clauses, *clauses_of_text)
        elif refusal.code == "limit" and offer.limit is not None:
            expected = [offer.limit.min_cents, offer.limit.max_cents]
        elif refusal.code == "fraction_of_a_cent":
            expected = offer.unit_cents
        elif refusal.code == "vigorish_above_win":
            expected = offer.floor_cents
        kind = _KINDS[refusal.code]
        value = bet.wager if kind == "offer" else bet.stake_cents
        return Finding(kind, message, clauses, None, expected, value, bet.seat, bet.wager)

    def unfit_together(self, bets: Sequence[WagerRecord]) -> Finding | None:
        """Why the table does not take the wagers of all patrons."""
        stakes = ((bet.wager, bet.stake_cents + bet.coupon_cents) for bet in bets)
        refusal = above_limit_of_all(stakes, self._rules)
        return None if refusal is None else Finding("limit", refusal.message, refusal.clauses)

    def _exclusions(self, wager: str) -> list[tuple[str, tuple[str, ...]]]:
        law, values = self._rules.law, self._rules.settled
        known_wager = self._rules.wagers.get(wager)
        rule = None if known_wager is None else law.rules.get(known_wager.offered_by)
        if rule is None:
            return []
        terms = rule.applies_when.items()
        return [
            (constraint.says, constraint.cites)
            for constraint in law.constraints
            if constraint.kind is ConstraintKind.EXCLUDES
            and (
                (condition_holds(constraint.when, values) and constraint.then.items() <= terms)
                or (condition_holds(constraint.then, values) and constraint.when.items() <= terms)
            )
        ]

    def settled(
        self,
        record: WagerRecord,
        facts: Facts,
        records_of_seat: Sequence[WagerRecord],
        meters: Mapping[str, int],
    ) -> Settled | None:
        """Settle one wager with the others of its seat, unless cards are missing from the facts."""
        if record.wager not in self._rules.offers:
            return None
        wager = self._rules.offers[record.wager].wager
        if "cards" in wager.asks and not isinstance(facts, CardFacts):
            return None
        by_chair = wager.at_chair is not None
        waived_by: tuple[tuple[str, int], ...] = ()
        if wager.bears_vigorish and self._rules.vigorish.waived:
            waived_by = tuple((bet.wager, bet.stake_cents) for bet in records_of_seat)
        stake = Stake(record.stake_cents + record.added_cents, record.coupon_cents)
        bet = _Placed(
            record.wager, stake, record.seat if by_chair else None, waived_by, tuple(meters.items())
        )
        # A few decisions cover many facts, but other wagers that waive vigorish need these.
        decided = facts if by_chair or waived_by else decisions_of(facts, self._rules)[bet.wager]
        key = (decided, bet)
        if key not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[key] = self._settle(facts, bet)
        found = self._known[key]
        return found if found is None or by_chair else found._replace(seat=record.seat or _NO_SEAT)

    def _settle(self, facts: Facts, bet: _Placed) -> Settled | None:
        seat = bet.seat or _NO_SEAT
        stakes: dict[tuple[int, str], Stake] = {}
        for wager, cents in bet.beside:
            if wager in self._rules.offers:
                stakes[seat, wager] = stakes.get((seat, wager), Stake(0)).plus(Stake(cents))
        stakes[seat, bet.wager] = bet.stake
        try:
            settlements = settle(self._rules, facts, stakes, dict(bet.meters))
        except ValueError:
            return None
        settlement = next(settlement for settlement in settlements if settlement.wager == bet.wager)
        award = settlement.decision.award
        if award is not None and award.meter is not None and award.meter not in dict(bet.meters):
            return None
        return settlement

    def wrong(self, bet: WagerRecord, settlement: Settled) -> Finding | None:
        win, due_cents, net = settlement.won_cents, settlement.vigorish_cents, net_of(settlement)
        net += due_cents if bet.is_gross else 0
        kinds = []
        finding = None
        wrong_net = bet.net_cents is not None and (bet.net_cents != net or "net" in bet.broken)
        if bet.vigorish_cents is not None and (
            bet.vigorish_cents != due_cents or "vigorish" in bet.broken
        ):
            value = bet.broken.get("vigorish", bet.vigorish_cents)
            finding = self._finding("vigorish", bet, settlement, due_cents, value)
        if bet.paid_cents is not None and not self._is_paid(bet, settlement):
            if finding is not None:
                kinds.append(finding.kind)
            paid_cents = bet.broken.get("paid", bet.paid_cents)
            right_cents = win - due_cents if bet.deducted else win
            is_vigorish = finding is None and self._is_about_vigorish(bet, settlement)
            kind = "vigorish" if bet.deducted and is_vigorish else "settlement"
            finding = self._finding(kind, bet, settlement, right_cents, paid_cents)
        if not wrong_net:
            return None if finding is None else finding._replace(follows=tuple(kinds))
        if finding is not None:
            return finding._replace(follows=(*kinds, "settlement"))
        recorded_net = bet.broken.get("net", bet.net_cents)
        kind = "vigorish" if self._is_about_vigorish(bet, settlement) else "settlement"
        return self._finding(kind, bet, settlement, net, recorded_net)

    @staticmethod
    def _is_paid(record: WagerRecord, settlement: Settled) -> bool:
        if "paid" in record.broken:
            return False
        amounts = {settlement.won_cents}
        if record.deducted:
            amounts = {settlement.won_cents - settlement.vigorish_cents}
        elif record.vigorish_cents is None and record.deducted is None:
            amounts |= {settlement.won_cents - settlement.vigorish_cents, net_of(settlement)}
        return record.paid_cents in amounts

    def _is_about_vigorish(self, record: WagerRecord, settlement: Settled) -> bool:
        result_cents = record.paid_cents if record.net_cents is None else record.net_cents
        bears_vigorish = self._rules.wagers[record.wager].bears_vigorish
        if not bears_vigorish or result_cents is None or record.is_gross:
            return False
        terms = self._rules.vigorish
        if settlement.decision.outcome is Outcome.WIN:
            cents = settlement.won_cents - result_cents
            limit = settlement.won_cents // 10 + (terms.rounding_unit_cents or 0)
            return 0 <= cents <= limit
        is_tie = settlement.decision.outcome is Outcome.PUSH and terms.tie_rate is not None
        return is_tie and 0 <= -result_cents <= settlement.stake.cents // 2

    def _finding(
        self, kind: str, bet: WagerRecord, settlement: Settled, expected: int, value: object
    ) -> Finding:
        message = f"{self._settlement_text(settlement)}; {_money(value)} is recorded"
        clauses = settlement.decision.clauses
        if kind == "vigorish":
            clauses = self._vigorish_cites(settlement)
        elif settlement.decision.outcome is Outcome.WIN and isinstance(value, int) and value > 0:
            # The wager certainly won, so its payment is checked first.
            rule = self._rules.wagers[bet.wager].offered_by
            clauses_of_rule = self._rules.cites_if_any(rule)
            clauses = tuple(sorted(clauses, key=lambda clause: clause in clauses_of_rule))
        clauses = once(clauses, rounding_cites(settlement, self._rules))
        return Finding(kind, message, clauses, None, expected, value, bet.seat, bet.wager)

    def _vigorish_cites(self, settlement: Settled) -> tuple[str, ...]:
        rules = self._rules
        if settlement.waived:
            return rules.cites("vigorish.waiver") + rules.cites("settlement.no_vigorish")
        if settlement.decision.outcome is Outcome.PUSH and rules.vigorish.tie_rate is not None:
            return rules.tie_vigorish_cites
        if rules.vigorish.win_rate is not None:
            return win_vigorish_cites(rules)
        return rules.cites_for("vigorish.scheme", rules.vigorish.scheme)

    def _settlement_text(self, settlement: Settled) -> str:
        title = self._rules.wagers[settlement.wager].title
        decision, stake = settlement.decision, money(settlement.stake.cents)
        suffix = ""
        if settlement.vigorish_cents:
            vigorish, net = money(settlement.vigorish_cents), money(net_of(settlement))
            suffix = f" less {vigorish} of vigorish, which is {net}"
        elif settlement.waived:
            suffix = ", its vigorish waived"
        if rounding_cites(settlement, self._rules):
            suffix += f", rounded {self._rules.vigorish.direction} to the smallest chip"
        if decision.outcome is Outcome.LOSE:
            return f"{title}: {stake} is lost"
        if decision.outcome is Outcome.PUSH:
            return f"{title}: {stake} neither wins nor loses{suffix}"
        odds = decision.odds if decision.award is None else decision.award
        return f"{title}: {stake} wins {money(settlement.won_cents)} at {odds}{suffix}"


def _money(cents: object) -> str:
    return money(cents) if isinstance(cents, int) else f"{currency_in_use().sign}{cents}"
