"""Judging a record of rounds from its first line to its last, in bounded memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from croupier.baccarat.coup import Facts
from croupier.records.rounds.mapping import RoundMapping
from croupier.records.rounds.record import RoundRecord, Unreadable
from croupier.rules import TableRules
from croupier.verify.rounds.findings import (
    Finding,
    RoundDivergence,
    VerificationReport,
    VerifiedRound,
)
from croupier.verify.rounds.order import number_of
from croupier.verify.rounds.round import RoundFindings, RoundVerifier
from croupier.verify.rounds.shoe import ShoeState, ShoeTerms

__all__ = ["RecordVerifier", "merged", "verified_rounds"]

_MOST_OPEN: Final = 64
"""Shoes that may be told in turns, as of several tables; one that was told before them is over."""

_MOST_ENDED: Final = 50_000
"""Shoes that are remembered when they are over, so that one that comes back is told."""

_FORGOTTEN: Final = f"more than {_MOST_ENDED:,} shoes: whether one of the earliest comes back"
_NO_ORDER: Final = "the rounds are not numbered: their order"


class RecordVerifier:
    """Judges rounds as they come, and gathers what is found in ``verification``.

    ``mapping`` says what a record tells alike, or not at all; ``cards_behind`` is how many cards
    lie behind the cutting card, where the house says so; ``limit`` how many divergences are kept.
    ``census`` counts the facts of the rounds that could be judged.
    """

    def __init__(
        self,
        rules: TableRules,
        mapping: RoundMapping | None = None,
        *,
        cards_behind: int | None = None,
        limit: int | None = None,
    ) -> None:
        self.rules = rules
        self.verification = VerificationReport(rules, limit=limit)
        self.rounds = RoundVerifier(rules, mapping)
        self.terms = ShoeTerms.of(rules, cards_behind, mapping)
        self.census: dict[Facts, int] = {}
        self.last_of_all: int | None = None
        self.suited = True
        """Whether every round told the suits of the first two cards of each hand."""
        self._open: OrderedDict[str, ShoeState] = OrderedDict()
        self._ended: dict[str, int] = {}
        """The line of the last round of each shoe that is over."""
        self._interleaved = ""
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
        number = number_of(item.round)
        came = self._comes_back(item, number)
        state = self.shoe_of(item.shoe, number)
        state.came_back = came[0] if came else state.came_back
        findings = [finding.at(item.line, item.shoe, item.round) for finding in found.findings]
        findings += came
        findings += state.see(item, found.ruled, self.last_of_all)
        for old, new in state.order.amended:
            self.verification.amend(old, new)
        state.order.amended.clear()
        self.last_of_all = self.last_of_all if number is None else number
        unverified = self.verification.unverified
        for reason in (*found.unverified, *state.irregularities.unverified, *state.unverified):
            unverified[reason] += 1
        state.irregularities.unverified.clear()
        state.unverified.clear()
        if number is None:
            unverified[_NO_ORDER] += 1
        self.verification.rounds += 1
        if found.facts is not None:
            plain = Facts(*found.facts)  # Without the cards, of which there is no end.
            self.census[plain] = self.census.get(plain, 0) + 1
        for divergence in findings:
            self.verification.add(divergence)
        return VerifiedRound(item, found.facts, found.settled, tuple(findings))

    @property
    def shoe_of_last(self) -> ShoeState | None:
        """The shoe of the last round."""
        return self._current

    def knows(self, name: str) -> bool:
        """Return whether a shoe of that name has been seen."""
        return name in self._open or name in self._ended

    def _comes_back(self, item: RoundRecord, number: int | None) -> list[RoundDivergence]:
        """Note a shoe that comes back when it was over; and, as a hint, shoes told in turns."""
        name, state = item.shoe, self._open.get(item.shoe)
        if not name or (state is None and name not in self._ended):
            return []
        if state is not None and not state.order.begins_again(number, named=True):
            self._strayed(state, number)
            if state is not self._current and self._current is not None and not self._interleaved:
                self._interleaved = (
                    f"Shoes are interleaved, first at line {item.line}, where shoe {name} "
                    f"continues after shoe {self._current.name}; each is verified by itself."
                )
            return []
        line = self._ended[name] if state is None else state.place[0]
        message = f"shoe {name} comes back; it ended at line {line}"
        after = None if state is None or state.last is None else state.last + 1
        finding = Finding("procedure", message, (), None, after, number)
        return [finding.at(item.line, name, item.round)]

    def _strayed(self, state: ShoeState, number: int | None) -> None:
        """Take it that a shoe did not begin again where it goes on as if it had not.

        What seemed to begin it was its first round a second time.
        """
        before = state.before
        if before is None or state.rounds > 1 or before.last is None or number != before.last + 1:
            return
        self._open[state.name] = before
        self.verification.shoes -= 1
        if state.came_back is not None:
            message = f"round {state.last} is recorded again after round {before.last}"
            self.verification.amend(state.came_back, replace(state.came_back, message=message))

    def shoe_of(self, name: str, number: int | None) -> ShoeState:
        """Return the shoe that a round is of; a round that begins anew begins a new shoe."""
        state, before = self._open.get(name), None
        if state is not None and state.order.begins_again(number, named=name != ""):
            if name and state.before is None:
                before = self._open.pop(name)
            else:
                self._close(name, followed=True)
            state = None
        if state is None:
            state = self._open[name] = ShoeState(self.terms, name, self.last_of_all)
            state.before = before
            self.verification.shoes += 1
            if len(self._open) > _MOST_OPEN:
                self._close(next(iter(self._open)), followed=True)
        elif state is not self._current:
            self._open.move_to_end(name)
        self._current = state
        return state

    def _close(self, name: str, *, followed: bool) -> None:
        state = self._open.pop(name)
        if name:
            self._ended.pop(name, None)
            self._ended[name] = state.place[0]
            if len(self._ended) > _MOST_ENDED:
                del self._ended[next(iter(self._ended))]
                self.verification.unverified[_FORGOTTEN] = 1
        for one, goes_on in ((state.before, True), (state, followed)):
            found, why = ([], None) if one is None else one.close(followed=goes_on)
            for divergence in found:
                self.verification.add(divergence)
            if why is not None:
                self.verification.unverified[why] += 1

    def finish(self) -> VerificationReport:
        """Close the shoes that are open; return the verification, without the census."""
        last = next(reversed(self._open), None)
        for name in list(self._open):
            self._close(name, followed=name != last)
        if self._interleaved:
            self.verification.hints.append(self._interleaved)
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
    """Yield rounds, those told by seat or by wager on rows that follow each other made one."""
    held: RoundRecord | None = None
    for item in rounds:
        if held is not None and isinstance(item, RoundRecord) and _continues(held, item):
            held = replace(held, wagers=(*held.wagers, *item.wagers))
            continue
        if held is not None:
            yield held
            held = None
        if isinstance(item, RoundRecord) and item.is_part:
            held = item
        else:
            yield item
    if held is not None:
        yield held


def _continues(held: RoundRecord, item: RoundRecord) -> bool:
    """Return whether a row tells another seat of the same round, or another wager of its seat."""
    same = (held.shoe, held.round) == (item.shoe, item.round) and item.is_part
    cards = (item.player, item.banker)
    return same and cards in {(held.player, held.banker), ((), ())}
