"""The order of a shoe's rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from croupier.records.rounds.record import RoundRecord
from croupier.verify.rounds.findings import Finding, RoundDivergence, ShoeSpan

if TYPE_CHECKING:
    from croupier.verify.rounds import documents

_MOST_MISSING: Final = 1_000
"""Maximum number of missing rounds searched for."""

_MOST_SPANS: Final = 5
_NEAR: Final = 500
"""A shoe that goes on in another file has rows within so many lines of where the file ends."""


def missing_between(
    files: Sequence[tuple[documents.VerifiedFile, Mapping[str, ShoeSpan]]],
) -> None:
    """Add the rounds of a shoe that are missing between files to what is found in the later."""
    spans: dict[str, list[tuple[ShoeSpan, int]]] = {}
    for place, (file, by_shoe) in enumerate(files):
        # A line that cannot be read may be the one that is missing.
        for shoe, span in () if "format" in file["by_kind"] else by_shoe.items():
            if shoe:
                spans.setdefault(shoe, []).append((span, place))
    for shoe, places in spans.items():
        for (span_before, place), (after, place_after) in pairwise(sorted(places)):
            number, last, file = after.first, span_before.last, files[place_after][0]
            starts = min(span.line for span in files[place_after][1].values())
            ends = max(span.end for span in files[place][1].values())
            # Another table may have a shoe of that name, in the middle of its file.
            if number <= last + 1 or after.line > starts + _NEAR or span_before.end < ends - _NEAR:
                continue
            message = (
                f"round {number} follows round {last} of {files[place][0]['file']}: "
                f"{_named(range(last + 1, number))} missing"
            )
            finding = Finding("procedure", message, (), None, last + 1, number)
            file["divergences"].append(finding.at(after.line, shoe, str(number)).as_data())
            file["by_kind"] = Counter(file["by_kind"]) + Counter(["procedure"])
            file["clean"] = False
    for (file, by_shoe), (next_file, next_shoes) in pairwise(files):
        ended, begins = by_shoe.get(""), next_shoes.get("")
        if ended is not None and begins is not None and begins.first > 1:
            next_file["hints"] += _between_unnamed(ended.last, begins.first, file["file"])


def _between_unnamed(last: int, number: int, file: str) -> Iterator[str]:
    """Yield what is known of the rounds between two files that do not name their shoes."""
    if number > last + 1:
        missing = _named(range(last + 1, number))
        yield (
            f"It begins with round {number}, and {file} ends with round {last}: if they are of one "
            f"shoe, which no column names, {missing} missing."
        )
    elif number <= last:
        missing = _named(range(1, number))
        yield (
            f"It begins with round {number} of a shoe that is not the last one of {file}, which "
            f"ends with round {last}: {missing} in neither file."
        )


def number_of(name: str) -> int | None:
    return int(name) if name.isascii() and name.isdigit() and len(name) < 16 else None


class _Gap:
    def __init__(self, last: int, number: int) -> None:
        self.last = last
        self.number = number
        self.missing: Sequence[int] = range(last + 1, number)
        self.later: list[int] = []
        self.divergence: RoundDivergence | None = None

    def __str__(self) -> str:
        text = f"round {self.number} follows round {self.last}"
        if not self.later:
            return f"{text}: {_named(self.missing)} missing"
        if self.missing:
            return f"{text}: {_named(self.missing)} missing, and {_named(self.later)} out of order"
        if self.later == [self.number - 1]:
            return f"rounds {self.number - 1} and {self.number} are out of order"
        return f"{text}: {_named([*self.later, self.number])} out of order"


class RoundOrder:
    def __init__(self) -> None:
        self.first: int | None = None
        self.last: int | None = None
        self.repeated = False
        """Whether the last number is a repetition; its cards may be those of the earlier round."""
        self.amended: list[tuple[RoundDivergence, RoundDivergence]] = []
        self._is_simulated = False
        """Whether the rounds of the last number so far are simulated."""
        self._gaps: dict[int, _Gap] = {}
        self._open: _Gap | None = None

    def has(self, number: int | None) -> bool:
        if number is None or self.first is None or self.last is None or number in self._gaps:
            return False
        return self.first <= number <= self.last

    def begins_again(self, number: int | None, *, is_named: bool) -> bool:
        if number is None or self.last is None or number > 1 or number >= self.last:
            return False
        return number not in self._gaps and not (is_named and self.first == number + 1)

    def see(
        self, number: int, record: RoundRecord, unread_count: int, last_of_all: int | None
    ) -> Iterator[Finding]:
        last, self.repeated = self.last, False
        is_simulated = record.marked("simulated")
        # A simulated round has the number of the round before or after it.
        is_same = number == last and (is_simulated or self._is_simulated)
        self._is_simulated = is_simulated and (number != last or self._is_simulated)
        if last is None or self.first is None:
            self.first = self.last = number
            return
        self.last = max(number, last)
        if number in self._gaps:
            self._fill_gap(number)
            return
        self.repeated = number <= last and not is_simulated and not is_same
        is_running = last_of_all is not None and last < number == last_of_all + 1
        is_next = last < number <= last + 1 + unread_count
        if is_next or is_running or is_same:
            return
        message = f"round {number} follows round {last}"
        if number == last:
            message = f"round {number} is recorded a second time"
        elif number > last:
            gap = _Gap(last, number)
            message = str(gap)
            if len(self._gaps) + len(gap.missing) <= _MOST_MISSING:
                self._open = gap
                self._gaps |= dict.fromkeys(gap.missing, gap)
        expected = None if number == last else last + 1
        yield Finding("procedure", message, (), None, expected, number)

    def note_divergences(self, divergences: Sequence[RoundDivergence]) -> None:
        """Record the last round's divergences; the first is about its number."""
        if self._open is not None:
            self._open.divergence, self._open = divergences[0], None

    def _fill_gap(self, number: int) -> None:
        gap = self._gaps.pop(number)
        gap.missing = [missing for missing in gap.missing if missing != number]
        gap.later.append(number)
        if gap.divergence is not None:
            divergence = replace(gap.divergence, message=str(gap))
            self.amended.append((gap.divergence, divergence))
            gap.divergence = divergence


def _named(numbers: Sequence[int]) -> str:
    spans: list[list[int]] = []
    if isinstance(numbers, range):
        spans = [[numbers[0], numbers[-1]]]
    else:
        for number in sorted(numbers):
            if spans and number == spans[-1][1] + 1:
                spans[-1][1] = number
            else:
                spans.append([number, number])
    texts = [str(span) if span == end else f"{span} to {end}" for span, end in spans[:_MOST_SPANS]]
    if len(spans) > _MOST_SPANS:
        texts.append("others")
    names = " and ".join(filter(None, [", ".join(texts[:-1]), texts[-1]]))
    return f"round {names} is" if len(numbers) == 1 else f"rounds {names} are"
