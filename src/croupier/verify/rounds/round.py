"""Verification of one round in isolation."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from operator import attrgetter
from typing import Final, NamedTuple

from croupier.baccarat.coup import TIED, CardFacts, Facts, Hand
from croupier.law.usage import money
from croupier.money.settlement import Settled
from croupier.records.rounds.mapping import RoundMapping
from croupier.records.rounds.record import RoundRecord, RowResult, WagerRecord
from croupier.rules import TableRules
from croupier.verify.rounds.cards import (
    CardVerifier,
    Ruled,
    card_facts,
    hand_shown,
    recorded_details,
    wanted_by,
)
from croupier.verify.rounds.findings import Finding
from croupier.verify.rounds.wagers import WagerVerifier, is_recorded

CARD_MISSING: Final = "a required card is missing: wagers of that round"
_LIMITS_OFF: Final = "the mapping leaves limits unchecked: stakes outside the limits"
_COMPLETE: Final = "why a round whose hands have all their cards is void"
_NO_SETTLING: Final = "the wager's winnings are not recorded, or are not in whole cents"


class RoundFindings(NamedTuple):
    facts: Facts | None
    ruled: Ruled
    settled: tuple[Settled | None, ...]
    findings: tuple[Finding, ...]
    unverified: tuple[str, ...]


class _Cause:
    def __init__(self, finding: Finding, other_facts: Iterable[Facts]) -> None:
        self.finding = finding
        self.instead = list(other_facts)
        self.follows = list(finding.follows)


class RoundVerifier:
    def __init__(self, rules: TableRules, mapping: RoundMapping | None = None) -> None:
        self.rules = rules
        self.mapping = RoundMapping() if mapping is None else mapping
        self.cards = CardVerifier(rules)
        self.wagers = WagerVerifier(rules)
        self.wanted = {name: wanted_by(offer.wager) for name, offer in rules.offers.items()}
        self.of_cards = [name for name, one in rules.offers.items() if "cards" in one.wager.asks]
        """Wagers that depend on the cards themselves."""
        self.census: dict[str, dict[Facts, int]] = {name: {} for name in self.of_cards}
        """Hit counts of the lines of such wagers, by the first facts that hit them."""
        self._hit: dict[tuple[str, str], CardFacts] = {}

    def count(self, facts: CardFacts, details: frozenset[str]) -> None:
        for name in self.of_cards:
            if self.wanted[name] <= details:
                line = self.rules.offers[name].wager.line_of(facts)
                key = self._hit.setdefault((name, line), facts)
                self.census[name][key] = self.census[name].get(key, 0) + 1

    def verify(self, record: RoundRecord) -> RoundFindings:
        ruled = self.cards.verify(hand_shown(record.player), hand_shown(record.banker))
        return _Judging(self, record, ruled).verify()

    def verify_part(
        self, record: RoundRecord, ruled: Ruled, facts: Facts, names: Container[str]
    ) -> RoundFindings:
        """Verify the result of a round whose cards are right, and of its wagers only these."""
        return _Judging(self, record, ruled).verify_part(facts, names)


class _Judging:
    def __init__(self, verifier: RoundVerifier, record: RoundRecord, ruled: Ruled) -> None:
        self.verifier = verifier
        self.rules = verifier.rules
        self.wagers = verifier.wagers
        self.record = record
        self.ruled = ruled
        self.causes: list[_Cause] = []
        self.unverified: list[str] = []

    def verify(self) -> RoundFindings:
        if self.record.marked("void"):
            return self.void()
        facts, as_dealt = self.ruled.facts, self.ruled.as_dealt
        self.unverified += self.ruled.unverified
        # A missing card is reported once; other errors in the cards share the possible facts.
        candidates = [] if as_dealt is None else [as_dealt, *self.ruled.possible]
        for finding in self.ruled.findings:
            self.causes.append(_Cause(finding, ()))
            self.causes[-1].instead = candidates
        if as_dealt is not None:
            self.results(facts or as_dealt)
        settlements: tuple[Settled | None, ...]
        if self.record.marked("simulated") or self.record.marked("free-hand"):
            self.no_wagers()
            settlements = (None,) * len(self.record.wagers)
        else:
            if facts is not None and self.verifier.of_cards:
                facts = self.with_cards(facts)
            settlements = tuple(self.each_wager(facts))
        if self.record.marked("simulated"):
            facts = None
        return self.found(facts, settlements)

    def verify_part(self, facts: Facts, names: Container[str]) -> RoundFindings:
        self.results(facts)
        return self.found(facts, tuple(self.each_wager(facts, names)))

    def results(self, facts: Facts) -> None:
        record = self.record
        recorded_result = RowResult(record.winner, record.player_total, record.banker_total)
        for result in (recorded_result, *record.others):
            self.totals(facts, result)
            self.winner(facts, result)

    def found(self, facts: Facts | None, settlements: tuple[Settled | None, ...]) -> RoundFindings:
        findings = tuple(
            cause.finding._replace(follows=tuple(dict.fromkeys(cause.follows)))
            for cause in self.causes
        )
        return RoundFindings(facts, self.ruled, settlements, findings, tuple(self.unverified))

    def totals(self, facts: Facts, result: RowResult) -> None:
        totals = (result.player_total, result.banker_total)
        of_cards = tuple(self.causes)
        candidates = _with_totals(facts, totals)
        for total, (hand, count) in zip(totals, _COUNTS.items(), strict=True):
            right_total = count(facts)
            if total is None or (total == right_total and self.ruled.facts is not None):
                continue
            fits = _matching(count, total)
            if total == right_total:
                _narrow(of_cards, fits)
            elif _narrow(of_cards, fits):
                of_cards[0].follows.append("totals")
            else:
                message = f"{hand.title} has a Point Count of {right_total}; {total} is recorded"
                clauses = self.rules.cites("point_count")
                finding = Finding("totals", message, clauses, hand.value, right_total, total)
                self.causes.append(_Cause(finding, candidates))

    def winner(self, facts: Facts, result: RowResult) -> None:
        winner, right_winner = result.winner, facts.winner_name
        if winner is None or winner == right_winner:
            return
        for cause in self.causes:
            if _narrow((cause,), lambda possible_facts: possible_facts.winner_name == winner):
                cause.follows.append("winner")
                return
        counts = f"Player {facts.player_count}, Banker {facts.banker_count}"
        message = f"{counts}: {_SAYS[right_winner]}; {_SAYS[winner]} is recorded"
        clauses = self.rules.cites("announce.result")
        if TIED in {winner, right_winner}:
            clauses = (*clauses, *self.rules.cites("announce.tie"))
        finding = Finding("winner", message, clauses, None, right_winner, winner)
        self.causes.append(_Cause(finding, _with_winner(facts, winner)))

    @cached_property
    def recorded(self) -> frozenset[str]:
        cards = (*self.record.player, *self.record.banker)
        return recorded_details(cards, tens_alike=self.verifier.mapping.tens_alike)

    def with_cards(self, facts: Facts) -> Facts:
        cards = card_facts(self.record, facts)
        if cards is None:
            return facts
        self.verifier.count(cards, self.recorded)
        return cards

    def no_wagers(self) -> None:
        staked_bets = [wager for wager in self.record.wagers if wager.stake_cents]
        if not staked_bets:
            return
        is_simulated = self.record.marked("simulated")
        clauses = self.rules.cites("irregularity.simulated_round" if is_simulated else "free_hand")
        round_ = "a simulated round" if is_simulated else "a free hand"
        names = sorted({record.wager for record in staked_bets})
        message = f"{round_} must be dealt without wagers; it has {', '.join(names)}"
        self.causes.append(_Cause(Finding("procedure", message, clauses, None, [], names), ()))

    def each_wager(
        self, facts: Facts | None, verified: Container[str] | None = None
    ) -> Iterator[Settled | None]:
        wagers = self.record.wagers
        if together := self.wagers.unfit_together(wagers):
            self.refused(together)
        by_seat: dict[int | None, list[WagerRecord]] = {}
        for wager in wagers:
            by_seat.setdefault(wager.seat, []).append(wager)
        names = {seat: {w.wager for w in bets if w.stake_cents} for seat, bets in by_seat.items()}
        for wager in wagers:
            if verified is not None and wager.wager not in verified:
                continue
            seat_bets = by_seat[wager.seat]
            finding = self.wagers.unfit(wager, names[wager.seat])
            if finding is not None:
                self.refused(finding)
            if wager.wager not in self.rules.offers:
                yield None
            elif facts is None:
                self.without_result(wager, seat_bets)
                yield None
            else:
                yield self.wager(wager, facts, seat_bets)

    def refused(self, finding: Finding) -> None:
        if finding.kind == "limit" and not self.verifier.mapping.limits_checked:
            self.unverified.append(_LIMITS_OFF)
        else:
            self.causes.append(_Cause(finding, ()))

    def wager(
        self, record: WagerRecord, facts: Facts, wagers_of_seat: Sequence[WagerRecord]
    ) -> Settled | None:
        if reason := self.missing(record.wager):
            if is_recorded(record):
                self.unverified.append(reason)
            return None
        if type(facts) is not Facts and record.wager not in self.verifier.of_cards:
            facts = Facts(*facts)  # Without the cards it is settled as many rounds before it.
        settlement = self.wagers.settled(record, facts, wagers_of_seat, self.record.meters)
        if settlement is None:
            if is_recorded(record):
                self.unverified.append(_NO_SETTLING)
            return None
        finding = self.wagers.wrong(record, settlement)
        if finding is not None and not self.follows(record, finding, wagers_of_seat):
            self.causes.append(_Cause(finding, ()))
        return settlement

    def missing(self, wager: str) -> str | None:
        details, row_details = self.verifier.wanted[wager], self.recorded
        if details <= row_details:
            return None
        if "royals" in self.rules.offers[wager].wager.asks and self.ruled.suited:
            return None  # It depends on the first two cards alone.
        title = self.rules.wagers[wager].title
        if "rank" in details - row_details:
            return f"{title} depends on ranks, but ten, jack, queen, and king are recorded alike"
        return f"{title} depends on suits, but cards are recorded by rank only"

    def follows(self, record: WagerRecord, finding: Finding, bets: Sequence[WagerRecord]) -> bool:
        for cause in self.causes:
            for facts in cause.instead:
                if facts in self.ruled.possible:
                    continue  # The card is not known: what it would bring follows from nothing.
                settlement = self.wagers.settled(record, facts, bets, self.record.meters)
                if settlement is not None and self.wagers.wrong(record, settlement) is None:
                    cause.follows.append(finding.kind)
                    return True
        return False

    def without_result(self, record: WagerRecord, wagers_of_seat: Sequence[WagerRecord]) -> None:
        if not is_recorded(record):
            return
        if not self.follows(record, Finding("settlement", ""), wagers_of_seat):
            self.unverified.append(CARD_MISSING)

    def void(self) -> RoundFindings:
        clauses = self.rules.cites_for("irregularity.insufficient", "void")
        is_complete = self.ruled.complete and not self.ruled.findings
        if is_complete and self.rules.reading("disclosed_card.fate") == "void":
            # A card disclosed or face up may void it before its result is announced.
            self.unverified.append(_COMPLETE)
        elif is_complete:
            message = "a round whose hands have all their cards is not void"
            finding = Finding("procedure", message, clauses, None, "a result", "void")
            self.causes.append(_Cause(finding, ()))
        for finding in self.ruled.findings:
            if finding.found not in {0, 1, "stay"}:  # It broke off: what it lacks is no fault.
                self.causes.append(_Cause(finding, ()))
        if self.record.winner is not None:
            message = f"a void round has no winner; {_SAYS[self.record.winner]} is recorded"
            finding = Finding("winner", message, clauses, None, None, self.record.winner)
            self.causes.append(_Cause(finding, ()))
        for bet in self.record.wagers:
            amounts = (bet.net_cents, bet.paid_cents, bet.vigorish_cents)
            cents = next((cents for cents in amounts if cents), 0)
            if cents:
                message = f"{bet.wager}: the stake of a void round must be returned; {money(cents)}"
                finding = Finding(
                    "settlement", f"{message} is recorded", clauses, None, 0, cents, bet.seat,
                    bet.wager,
                )  # fmt: skip
                self.causes.append(_Cause(finding, ()))
        return self.found(None, (None,) * len(self.record.wagers))


_SAYS: Final = {"player": "Player wins", "banker": "Banker wins", "tie": "a tie"}


_COUNTS: Final[Mapping[Hand, Callable[[Facts], int]]] = {
    Hand.PLAYER: attrgetter("player_count"),
    Hand.BANKER: attrgetter("banker_count"),
}


def _matching(count: Callable[[Facts], int], total: int) -> Callable[[Facts], bool]:
    return lambda facts: count(facts) == total


def _narrow(causes: Sequence[_Cause], fits: Callable[[Facts], bool]) -> bool:
    if not causes or not (candidates := list(filter(fits, causes[0].instead))):
        return False
    causes[0].instead[:] = candidates
    return True


def _with_totals(facts: Facts, totals: Sequence[int | None]) -> tuple[Facts, ...]:
    player, banker = totals
    player = facts.player_count if player is None else player
    banker = facts.banker_count if banker is None else banker
    if max(player, banker) > 9:
        return ()
    return (facts._replace(player_count=player, banker_count=banker),)


def _with_winner(facts: Facts, winner_name: str) -> tuple[Facts, ...]:
    player, banker = facts.player_count, facts.banker_count
    low, high = sorted((player, banker))
    counts = {
        "tie": ((player, player), (banker, banker)),
        "player": ((high, low), (max(player, 1), max(player - 1, 0))),
        "banker": ((low, high), (max(banker - 1, 0), max(banker, 1))),
    }
    candidates = (
        facts._replace(player_count=count, banker_count=other)
        for count, other in counts[winner_name]
    )
    return tuple(candidate for candidate in candidates if candidate.winner_name == winner_name)
