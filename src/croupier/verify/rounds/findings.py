"""Findings in external rounds, and the verification report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from msgspec import Struct, convert, field

from croupier.baccarat.coup import Facts
from croupier.money.settlement import Settled
from croupier.records.rounds.record import RoundRecord
from croupier.rules import TableRules
from croupier.rules.documents import fields_of
from croupier.verify.rounds import documents


class Finding(NamedTuple):
    """An error in a round, without its place in the record."""

    kind: str
    message: str
    clauses: tuple[str, ...] = ()
    hand: str | None = None
    expected: object = None
    found: object = None
    seat: int | None = None
    wager: str | None = None
    follows: tuple[str, ...] = ()

    def at(self, line: int, shoe: str, round_: str) -> RoundDivergence:
        return RoundDivergence(line, shoe, round_, **self._asdict())


class RoundDivergence(Struct, frozen=True):
    """One place where a record does not conform to the rules.

    ``follows`` names its consequences in the round, which are not reported separately.
    """

    line: int
    shoe: str
    round: str
    kind: str
    message: str
    clauses: tuple[str, ...] = ()
    hand: str | None = None
    seat: int | None = None
    wager: str | None = None
    expected: object = None
    found: object = None
    follows: tuple[str, ...] = ()

    def __str__(self) -> str:
        law = f" [{', '.join(self.clauses)}]" if self.clauses else ""
        round_ = f", round {self.round}" if self.round else ""
        shoe = f", shoe {self.shoe}" if self.shoe else ""
        seat = "" if self.seat is None else f", seat {self.seat}"
        kinds = f"; also affected: {', '.join(self.follows)}" if self.follows else ""
        return f"line {self.line}{shoe}{round_}{seat}: {self.kind}: {self.message}{kinds}{law}"

    @classmethod
    def of_data(cls, data: documents.RoundDivergence) -> RoundDivergence:
        shoe, round_ = ("" if text is None else str(text) for text in (data["shoe"], data["round"]))
        return convert({**data, "shoe": shoe, "round": round_}, cls)

    def as_data(self) -> documents.RoundDivergence:
        clause = self.clauses[0] if self.clauses else None
        shoe, round_ = plain_name(self.shoe), plain_name(self.round)
        return fields_of(documents.RoundDivergence, self, shoe=shoe, round=round_, clause=clause)


def plain_name(name: str) -> int | str | None:
    """Name as JSON has it: an integer if it is one.

    >>> plain_name("12"), plain_name("12a"), plain_name("012"), plain_name("")
    (12, '12a', '012', None)
    """
    if name.isascii() and name.isdigit() and len(name) < 16 and str(int(name)) == name:
        return int(name)
    return name or None


class ShoeSpan(NamedTuple):
    """The first and last number of a shoe in a file, and their lines."""

    first: int
    last: int
    line: int
    end: int


class VerifiedRound(Struct, frozen=True):
    """A verified round and its expected settlements.

    ``facts`` is ``None`` if a card is missing or the round is void or simulated. ``settled`` is
    parallel to ``record.wagers``, ``None`` if the rules cannot settle a wager. A round that was
    settled again ``is_corrected`` and has the facts by which it was.
    """

    record: RoundRecord
    facts: Facts | None
    settled: tuple[Settled | None, ...]
    divergences: tuple[RoundDivergence, ...] = ()
    is_corrected: bool = False


class VerificationReport(Struct):
    """The result of verifying a file; ``divergences`` are at most ``limit``."""

    rules: TableRules
    rounds: int = 0
    shoes: int = 0
    by_kind: Counter[str] = field(default_factory=Counter)
    divergences: list[RoundDivergence] = field(default_factory=list)
    limit: int | None = None
    unverified: Counter[str] = field(default_factory=Counter)
    hints: list[str] = field(default_factory=list)
    assumptions: list[str] = field(default_factory=list)
    explained_by: documents.SettingThatExplains | None = None
    census: documents.Census | None = None
    columns_read: list[str] = field(default_factory=list)
    columns_unread: list[str] = field(default_factory=list)
    money: documents.MoneyRead = "none"
    spans: dict[str, ShoeSpan] = field(default_factory=dict)
    """The numbers of each named shoe, as far as shoes are remembered."""
    noted: Callable[[RoundDivergence], object] | None = None
    """Called with every divergence, kept or not."""
    amended: Callable[[RoundDivergence, RoundDivergence], object] | None = None
    """Called with a divergence that later rounds have changed."""

    @property
    def is_clean(self) -> bool:
        return not self.by_kind and self.explained_by is None and self.money != "unread"

    def add(self, divergence: RoundDivergence) -> None:
        self.by_kind[divergence.kind] += 1
        if self.limit is None or len(self.divergences) < self.limit:
            self.divergences.append(divergence)
        if self.noted is not None:
            self.noted(divergence)

    def amend(self, old: RoundDivergence, new: RoundDivergence) -> None:
        for index in range(len(self.divergences) - 1, -1, -1):
            if self.divergences[index] is old:
                self.divergences[index] = new
                break
        if self.amended is not None:
            self.amended(old, new)

    def as_data(self) -> documents.Judged:
        return fields_of(
            documents.Judged,
            self,
            columns={
                "read": self.columns_read,
                "unread": self.columns_unread,
                "money": self.money,
            },
            clean=self.is_clean,
            divergences=[divergence.as_data() for divergence in self.divergences],
            divergences_left_out=self.by_kind.total() - len(self.divergences),
            by_kind={kind: self.by_kind[kind] for kind in documents.KINDS if self.by_kind[kind]},
        )
