"""Explanation of one logged round: outcome, reason, and payment of each wager."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from croupier import acts
from croupier.acts.words import short
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Coup, Facts, Hand
from croupier.baccarat.wagers import PUSH
from croupier.money.settlement import Settled, Stake, rounding_cites, settle
from croupier.records.entry import body_of
from croupier.records.header import LogHeader, header_of
from croupier.records.log import LogLines
from croupier.records.narration import NarrationLine, odds_in_words
from croupier.rules import Outcome, TableRules
from croupier.table.elections.election_changes import rules_after


class LoggedRound(Struct, frozen=True):
    """A round's events from its first wager on, with its rules."""

    number: int
    events: tuple[acts.Event, ...]
    rules: TableRules

    @property
    def stakes(self) -> dict[tuple[int, str], Stake]:
        """Stakes at settlement. Raises ``LookupError`` for impossible events."""
        stakes: dict[tuple[int, str], Stake] = {}
        for event in self.events:
            match event:
                case acts.WagerPlaced():
                    old_stake = stakes.get((event.seat, event.wager), Stake(0))
                    stake = Stake(event.cents, event.coupon_cents)
                    stakes[event.seat, event.wager] = old_stake.plus(stake)
                case acts.WagersPlaced():
                    for wager, cents in event.stakes.items():
                        old_stake = stakes.get((event.seat, wager), Stake(0))
                        stakes[event.seat, wager] = old_stake.plus(Stake(cents))
                case acts.WagerWithdrawn():
                    del stakes[event.seat, event.wager]
                case acts.PayoutAdded():
                    stakes[event.seat, event.to] = stakes[event.seat, event.to].plus(
                        Stake(event.cents)
                    )
                case acts.WagerPaid() if (event.seat, event.wager) not in stakes:
                    raise LookupError(
                        f"{event.wager} is paid at seat {event.seat}, which has no such wager"
                    )
        return stakes

    @property
    def meters(self) -> Mapping[str, int]:
        for event in self.events:
            if isinstance(event, acts.MetersAdvanced):
                return event.meters
        return {}

    def facts(self, *, as_settled: bool = False) -> Facts | None:
        """Return the facts of the cards or, ``as_settled``, before a card was corrected later."""
        hands: dict[Any, list[Card]] = {}
        for event in reversed(self.events):
            match event:
                case acts.RoundVoided(simulated=False):
                    return None
                case acts.LayoutCleared(simulated=False):
                    hands = {Hand.PLAYER: [*event.player], Hand.BANKER: [*event.banker]}
                case acts.CardMisread(stands=True) | acts.SettlementCorrected() if as_settled:
                    if event.hand in hands and event.recorded is not None:
                        hands[event.hand][event.ordinal - 1] = event.recorded
        if not hands:
            return None
        return self.rules.facts_of(Coup(self.rules.tableau, *map(tuple, hands.values())))


def read_header(path: Path, table: str | None = None) -> LogHeader:
    """Read a log's unverified header. Raises ``LogError``."""
    return header_of(path, body_of(next(iter(LogLines(path, table)))))


QUESTIONS: Final = (
    acts.DisputeOpened, acts.HandReconstructed, acts.DisputeDecided, acts.SettlementCorrected,
)  # fmt: skip
"""Events about a settled round, which may be an earlier one."""


def round_in_question(events: Iterable[acts.Event], disputes: dict[int, int]) -> int | None:
    """Return the settling entry of the round that is in question, if one is; note disputes."""
    for event in events:
        match event:
            case acts.SettlementCorrected(entry=settled):
                return settled
            case acts.DisputeOpened(dispute=dispute, settled=settled):
                disputes[dispute] = settled
                return settled
            case acts.HandReconstructed(dispute=dispute) | acts.DisputeDecided(dispute=dispute):
                return disputes.get(dispute)
    return None


def ends_round(event: acts.Event) -> bool:
    """Whether a round ends; a simulated one belongs to the one after it."""
    if isinstance(event, acts.RoundVoided):
        return event.reshuffle and not event.simulated
    return isinstance(event, acts.LayoutCleared) and not event.simulated


def rounds_of(
    entries: Iterable[tuple[acts.Event, ...]], rules: TableRules
) -> Iterator[LoggedRound]:
    round_events: list[acts.Event] = []
    number = 0
    for events in entries:
        for event in events:
            if isinstance(event, (acts.ShoeLoaded, acts.TableOpened)):
                round_events.clear()
            round_events.append(event)
            if isinstance(event, acts.NoMoreBetsCalled):
                number = event.round
            if isinstance(event, acts.ElectionsAdopted):
                rules = rules_after(rules, (event,))
        if any(map(ends_round, events)):
            yield LoggedRound(number, tuple(round_events), rules)
            round_events.clear()


def explain_wagers(round_: LoggedRound) -> Iterator[NarrationLine]:
    stakes = round_.stakes
    rules = round_.rules
    facts = round_.facts(as_settled=True)
    if facts is None:
        clauses = next(
            (event.clauses for event in round_.events if isinstance(event, acts.RoundVoided)), ()
        )
        for (seat, wager), stake in stakes.items():
            start = f"Seat {seat}, {_stake(wager, stake, rules)}"
            yield NarrationLine(
                "money", f"{start}: void, like the whole round; the stake is returned", clauses
            )
        return
    for settlement in settle(rules, facts, stakes, round_.meters):
        yield explain_settled(settlement, facts, rules)


def _stake(wager: str, stake: Stake, rules: TableRules) -> str:
    return f"{rules.wagers[wager].title} {short(stake.cents)}"


def _rounded(settlement: Settled, rules: TableRules) -> tuple[str, tuple[str, ...]]:
    clauses, terms = rounding_cites(settlement, rules), rules.vigorish
    if not clauses or terms.payment_unit_cents is None:
        return "", ()
    chip = short(terms.payment_unit_cents)
    return f"; the payment is rounded {terms.direction} to a multiple of {chip}", clauses


def explain_settled(
    settlement: Settled, facts: Facts, rules: TableRules, *, is_seated: bool = True
) -> NarrationLine:
    decision = settlement.decision
    clauses = decision.clauses
    reason = rules.wagers[settlement.wager].say(facts)
    match decision.outcome:
        case Outcome.LOSE:
            result = ": lost"
        case Outcome.PUSH:
            result = ": void" if decision.line == PUSH else ": a push"
        case Outcome.WIN:
            manner = odds_in_words(decision.odds)
            if decision.award is not None:
                manner = f"{'for' if decision.award.keeps_stake else 'beside'} the stake"
            result = f" pays {short(settlement.won_cents)} ({manner})"
    seat = f"Seat {settlement.seat}, " if is_seated else ""
    text = f"{seat}{_stake(settlement.wager, settlement.stake, rules)}{result}, for {reason}"
    if settlement.waived:
        text += "; no vigorish, because the total cards wagers reach the Banker wager"
        clauses += rules.cites("vigorish.waiver")
    elif settlement.vigorish_cents:
        tie = decision.outcome is Outcome.PUSH
        text += f"; vigorish {short(settlement.vigorish_cents)}"
        if tie:
            clauses += rules.tie_vigorish_cites
        elif rules.applies("vigorish.rate_unwaived"):
            clauses += rules.cites("vigorish.rate_unwaived")
        else:
            clauses += rules.cites_for("vigorish.scheme", rules.vigorish.scheme)
        if rules.vigorish.rounding_unit_cents is not None and not tie:
            text += f" (upward to {rules.vigorish.rounding_unit_cents} cents)"
            clauses += rules.cites(rules.vigorish.rounded_by)
    rounded, rounded_by = _rounded(settlement, rules)
    text, clauses = text + rounded, clauses + rounded_by
    return NarrationLine("money", text, tuple(dict.fromkeys(clauses)))
