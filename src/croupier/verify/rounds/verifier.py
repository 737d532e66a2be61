"""Verification of a record of rounds in bounded memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from croupier.baccarat.coup import Facts
from croupier.records.rounds.mapping import RoundMapping
from croupier.records.rounds.record import RoundRecord, Unreadable
from croupier.rules import TableRules
from croupier.verify.rounds.findings import (
    Finding,
    RoundDivergence,
    ShoeSpan,
    VerificationReport,
    VerifiedRound,
)
from croupier.verify.rounds.merging import merged, named_like
from croupier.verify.rounds.order import number_of
from croupier.verify.rounds.round import RoundFindings, RoundVerifier
from croupier.verify.rounds.shoe import ShoeState, ShoeTerms

_MOST_OPEN: Final = 64
"""Maximum number of interleaved shoes, as of several tables; an older one is over."""

_MOST_ENDED: Final = 50_000
"""Finished shoes remembered to detect one that comes back."""

_FORGOTTEN: Final = f"more than {_MOST_ENDED:,} shoes: whether one of the earliest comes back"
_MOST_AGAIN: Final = 1_000
_RARE: Final = 100
"""If at most one round in this many repeats a wager, it is not from a second bettor."""

_SEATLESS: Final = "no column names the seats: whether a wager recorded twice in a round is one"
_REPLACED: Final = "rows that a correction of the same round replaced: what these contain"
_NO_ORDER: Final = "the rounds are not numbered: their order"


class RecordVerifier:
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
        """Whether every round had the suits of each hand's first two cards."""
        self._open: OrderedDict[str, ShoeState] = OrderedDict()
        self._ended: dict[str, int] = {}
        """The line of the last round of each finished shoe."""
        self._again: list[RoundDivergence] = []
        self._rounds_again = 0
        """Wagers recorded twice in a round, at any seat, and the rounds that have such."""
        self._by_shoe = 0
        """Excess of rounds of interleaved shoes numbered by shoe over those numbered by file."""
        self._before: ShoeState | None = None
        self._interleaved = self._unnamed = ""
        self.shoe_of_last: ShoeState | None = None
        self.found: RoundFindings | None = None

    def verify(self, item: RoundRecord | Unreadable) -> VerifiedRound | None:
        """Verify the next round; note an unreadable line and return ``None``."""
        if isinstance(item, Unreadable):
            finding = Finding("format", item.message)
            self.verification.add(finding.at(item.line, item.shoe, item.round))
            for state in self._open.values():
                state.unread += 1
            return None
        item = self._with_shoe(item)
        if self._is_replaced(item):
            self.verification.unverified[_REPLACED] += 1
            return None
        self.found = result = self.rounds.verify(item)
        self.suited = self.suited and (result.ruled.suited or result.facts is None)
        number = number_of(item.round)
        divergences = self._comes_back(item, number)
        state = self.shoe_of(item.shoe, number)
        state.came_back = divergences[0] if divergences else state.came_back
        findings = [finding.at(item.line, item.source, item.round) for finding in result.findings]
        findings += divergences
        findings += self._repetitions(item)
        findings += state.see(item, result.ruled, self._runs_from(state, number))
        for old_divergence, new_divergence in state.order.amended:
            self.verification.amend(old_divergence, new_divergence)
        state.order.amended.clear()
        self.last_of_all = self.last_of_all if number is None else number
        counts = self.verification.unverified
        for reason in (*result.unverified, *state.irregularities.unverified, *state.unverified):
            counts[reason] += 1
        state.irregularities.unverified.clear()
        state.unverified.clear()
        if number is None:
            counts[_NO_ORDER] += 1
        self.verification.rounds += 1
        if result.facts is not None:
            key = Facts(*result.facts)  # Without the cards, of which there is no end.
            self.census[key] = self.census.get(key, 0) + 1
        for divergence in findings:
            self.verification.add(divergence)
        return VerifiedRound(item, result.facts, result.settled, tuple(findings))

    def _with_shoe(self, item: RoundRecord) -> RoundRecord:
        """Name the shoe of a row whose cell is blank, as below merged cells."""
        state = self.shoe_of_last
        if state is None or not state.name or "" not in item.shoe.split("/"):
            return item
        if named_like(item.shoe, state.name) == item.shoe:
            return item
        number, last = number_of(item.round), state.order.last
        if number is not None and last is not None and number <= last:
            return item
        self._unnamed = self._unnamed or (
            f"Line {item.line} does not name its shoe: like others without a name, it is read as of"
            f" shoe {state.name}, the one before it."
        )
        return replace(item, shoe=state.name)

    def _is_replaced(self, item: RoundRecord) -> bool:
        """Whether a row is marked so, or is void and follows the round that replaced it."""
        if item.marked("void") and (state := self._open.get(item.shoe)) is not None:
            number = number_of(item.round)
            is_new = state.order.begins_again(number, is_named=item.shoe != "")
            return state.order.has(number) and not is_new
        return item.marked("replaced")

    def passed(self, state: ShoeState, number: int) -> None:
        self._before, self.last_of_all = state, state.last
        self.verification.rounds += number

    def knows(self, name: str) -> bool:
        return name in self._open or name in self._ended

    def _comes_back(self, item: RoundRecord, number: int | None) -> list[RoundDivergence]:
        name, state = item.shoe, self._open.get(item.shoe)
        if not name or (state is None and name not in self._ended):
            return []
        if state is not None and not state.order.begins_again(number, is_named=True):
            self._undo_restart(state, number)
            shoe_before = self.shoe_of_last
            if shoe_before is not None and shoe_before is not state and not self._interleaved:
                self._interleaved = (
                    f"Shoes are interleaved, first at line {item.line}, where shoe {name} "
                    f"continues after shoe {shoe_before.name}; each is verified by itself."
                )
            return []
        line = self._ended[name] if state is None else state.place[0]
        message = f"shoe {name} comes back; it ended at line {line}"
        next_number = None if state is None or state.last is None else state.last + 1
        finding = Finding("procedure", message, (), None, next_number, number)
        return [finding.at(item.line, name, item.round)]

    def _runs_from(self, state: ShoeState, number: int | None) -> int | None:
        """Previous number if rounds are numbered through the file, not by shoe."""
        last_number, file_number = state.last, self.last_of_all
        # A shoe that begins has no number before it, though fast verification gave it one.
        is_other = state is not self._before and state.rounds > 0
        if is_other and number is not None and last_number is not None and file_number is not None:
            self._by_shoe += (number == last_number + 1 != file_number + 1) - (
                number == file_number + 1 != last_number + 1
            )
        self._before = state
        return None if self._by_shoe > 0 else file_number

    def _repetitions(self, item: RoundRecord) -> list[RoundDivergence]:
        """Without a seat, repeated wagers may be those of two bettors, so they wait."""
        if not item.again:
            return []
        seat, wager = item.again[0]
        subject = self.rules.wagers[wager].title if wager in self.rules.wagers else wager
        if seat is not None:
            subject = f"seat {seat}, {subject}" if subject else f"seat {seat}"
        message = f"{subject}: recorded a second time in round {item.round}"
        if item.is_doubled:
            message = f"round {item.round} is recorded a second time"
        finding = Finding("procedure", message, seat=seat, wager=wager or None)
        divergence = finding.at(item.line, item.source, item.round)
        if seat is not None:
            return [divergence]
        self._rounds_again += 1
        if len(self._again) < _MOST_AGAIN:
            self._again.append(divergence)
        return []

    def _undo_restart(self, state: ShoeState, number: int | None) -> None:
        """Undo the restart of a shoe whose apparent beginning repeated its first round."""
        before = state.before
        if before is None or state.rounds > 1 or before.last is None or number != before.last + 1:
            return
        self._open[state.name] = before
        self.verification.shoes -= 1
        if state.came_back is not None:
            message = f"round {state.last} is recorded again after round {before.last}"
            self.verification.amend(state.came_back, replace(state.came_back, message=message))

    def shoe_of(self, name: str, number: int | None) -> ShoeState:
        """Shoe of a round; a restarted number begins a new one."""
        state, state_before = self._open.get(name), None
        if state is not None and state.order.begins_again(number, is_named=name != ""):
            if name and state.before is None:
                state_before = self._open.pop(name)
            else:
                self._close(name, followed=True)
            state = None
        if state is None:
            state = self._open[name] = ShoeState(self.terms, name, self.last_of_all)
            state.before = state_before
            self.verification.shoes += 1
            if len(self._open) > _MOST_OPEN:
                self._close(next(iter(self._open)), followed=True)
        elif state is not self.shoe_of_last:
            self._open.move_to_end(name)
        self.shoe_of_last = state
        return state

    def _close(self, name: str, *, followed: bool) -> None:
        state = self._open.pop(name)
        self._saw(name, state)
        if name:
            self._ended.pop(name, None)
            self._ended[name] = state.place[0]
            if len(self._ended) > _MOST_ENDED:
                del self._ended[next(iter(self._ended))]
                self.verification.unverified[_FORGOTTEN] = 1
        for shoe_state, goes_on in ((state.before, True), (state, followed)):
            found, why = ([], None) if shoe_state is None else shoe_state.close(followed=goes_on)
            for divergence in found:
                self.verification.add(divergence)
            if why is not None:
                self.verification.unverified[why] += 1

    def _saw(self, name: str, state: ShoeState) -> None:
        spans, start, end = self.verification.spans, state.order.first, state.order.last
        if start is None or end is None or self.terms.wagered_only or len(spans) >= _MOST_ENDED:
            return
        span = ShoeSpan(start, end, state.line, state.place[0])
        # Of a shoe that comes back, or a name that is used again, the numbers together.
        span_before = spans.get(name, span)
        spans[name] = min(span, span_before)._replace(
            last=max(end, span_before.last), end=max(span.end, span_before.end)
        )
        if not name:  # Shoes without a name: where the first begins, and the last ends.
            spans[name] = span_before._replace(last=end, end=span.end)

    def finish(self) -> VerificationReport:
        """Close the open shoes; return the verification, without the census.

        Rounds of another sheet may follow.
        """
        last_name = next(reversed(self._open), None)
        for name in list(self._open):
            self._close(name, followed=name != last_name)
        if self._rounds_again > max(1, self.verification.rounds // _RARE):
            self.verification.unverified[_SEATLESS] = self._rounds_again
        else:
            for divergence in self._again:
                self.verification.add(divergence)
        self.verification.hints += filter(None, (self._interleaved, self._unnamed))
        self._again, self._rounds_again, self._interleaved, self._unnamed = [], 0, "", ""
        self.last_of_all = self._before = self.shoe_of_last = None
        return self.verification


def verified_rounds(
    rounds: Iterable[RoundRecord | Unreadable], verifier: RecordVerifier
) -> Iterator[VerifiedRound]:
    for item in merged(rounds):
        verified_round = verifier.verify(item)
        if verified_round is not None:
            yield verified_round
    verifier.finish()
