"""Judging a record of rounds from its first line to its last, in bounded memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from croupier.baccarat.coup import Facts
from croupier.records.rounds.record import RoundRecord, Unreadable
from croupier.rules import TableRules
from croupier.verify.rounds.findings import Finding, VerificationReport, VerifiedRound
from croupier.verify.rounds.round import RoundFindings, RoundVerifier
from croupier.verify.rounds.shoe import ShoeState, ShoeTerms, number_of

__all__ = ["RecordVerifier", "merged", "verified_rounds"]

_MOST_OPEN: Final = 64
"""Shoes that may be told in turns, as of several tables; one that was told before them is over."""

_NO_ORDER: Final = "the rounds are not numbered: their order"


class RecordVerifier:
    """Judges rounds as they come, and gathers what is found in ``verification``.

    ``cards_behind`` is how many cards lie behind the cutting card, where the house says so;
    ``limit`` how many divergences are kept. ``census`` counts the facts of the rounds that could be
    judged.
    """

    def __init__(
        self, rules: TableRules, *, cards_behind: int | None = None, limit: int | None = None
    ) -> None:
        self.rules = rules
        self.verification = VerificationReport(rules, limit=limit)
        self.rounds = RoundVerifier(rules)
        self.terms = ShoeTerms.of(rules, cards_behind)
        self.census: dict[Facts, int] = {}
        self.last_of_all: int | None = None
        self.suited = True
        """Whether every round told the suits of the first two cards of each hand."""
        self._open: OrderedDict[str, ShoeState] = OrderedDict()
        self._current: ShoeState | None = None
        self.found: RoundFindings | None = None
        """What came of judging the last round by itself."""

    def verify(self, item: RoundRecord | Unreadable) -> VerifiedRound | None:
        """Judge the next round; a line that is none is noted, and gives ``None``."""
        if isinstance(item, Unreadable):
            finding = Finding("format", item.message)
            self.verification.add(finding.at(item.line, item.shoe, item.round))
            for state in self._open.values():
                state.unread += 1
            return None
        self.found = found = self.rounds.verify(item)
        self.suited = self.suited and (found.ruled.suited or found.facts is None)
        state = self.shoe_of(item.shoe, number_of(item.round))
        findings = [finding.at(item.line, item.shoe, item.round) for finding in found.findings]
        findings += state.see(item, found.ruled, self.last_of_all)
        number = number_of(item.round)
        self.last_of_all = self.last_of_all if number is None else number
        unverified = self.verification.unverified
        for reason in (*found.unverified, *state.irregularities.unverified):
            unverified[reason] += 1
        state.irregularities.unverified.clear()
        if number is None:
            unverified[_NO_ORDER] += 1
        self.verification.rounds += 1
        if found.facts is not None:
            self.census[found.facts] = self.census.get(found.facts, 0) + 1
        for divergence in findings:
            self.verification.add(divergence)
        return VerifiedRound(item, found.facts, found.settled, tuple(findings))

    @property
    def shoe_of_last(self) -> ShoeState | None:
        """The shoe of the last round."""
        return self._current

    def knows(self, name: str) -> bool:
        """Return whether a shoe of that name is not over."""
        return name in self._open

    def shoe_of(self, name: str, number: int | None) -> ShoeState:
        """Return the shoe that a round is of; a round that begins anew begins a new shoe.

        That is so where no column tells shoes apart, or others have come between.
        """
        state = self._open.get(name)
        if state is not None:
            restarts = number is not None and state.last is not None and number < state.last
            fresh = restarts and number is not None and number <= 1
            if fresh and (not name or state is not self._current):
                self._close(name, followed=True)
                state = None
        if state is None:
            state = self._open[name] = ShoeState(self.terms, name, self.last_of_all)
            self.verification.shoes += 1
            if len(self._open) > _MOST_OPEN:
                self._close(next(iter(self._open)), followed=True)
        elif state is not self._current:
            self._open.move_to_end(name)
        self._current = state
        return state

    def _close(self, name: str, *, followed: bool) -> None:
        found, why = self._open.pop(name).close(followed=followed)
        for divergence in found:
            self.verification.add(divergence)
        if why is not None:
            self.verification.unverified[why] += 1

    def finish(self) -> VerificationReport:
        """Close the shoes that are open; return the verification, without the census."""
        last = next(reversed(self._open), None)
        for name in list(self._open):
            self._close(name, followed=name != last)
        return self.verification


def verified_rounds(
    rounds: Iterable[RoundRecord | Unreadable], verifier: RecordVerifier
) -> Iterator[VerifiedRound]:
    """Yield rounds as they are judged, and close the verification at their end.

    What is wrong with a shoe as a whole is found when it is over, and is in the verification alone.
    """
    for item in merged(rounds):
        found = verifier.verify(item)
        if found is not None:
            yield found
    verifier.finish()


def merged(rounds: Iterable[RoundRecord | Unreadable]) -> Iterator[RoundRecord | Unreadable]:
    """Yield rounds, those that are told seat by seat on rows that follow each other made one."""
    held: RoundRecord | None = None
    for item in rounds:
        if held is not None and isinstance(item, RoundRecord) and _continues(held, item):
            held = replace(held, wagers=(*held.wagers, *item.wagers))
            continue
        if held is not None:
            yield held
            held = None
        if isinstance(item, RoundRecord) and item.seat is not None:
            held = item
        else:
            yield item
    if held is not None:
        yield held


def _continues(held: RoundRecord, item: RoundRecord) -> bool:
    """Return whether a row tells another seat of the same round, or another wager of its seat."""
    same = (held.shoe, held.round) == (item.shoe, item.round) and item.seat is not None
    cards = (item.player, item.banker)
    return same and cards in {(held.player, held.banker), ((), ())}
