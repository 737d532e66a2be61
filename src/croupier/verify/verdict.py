"""Verdicts on table logs, divergences, and findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import datetime
from typing import Any

from msgspec import Struct, field

from croupier.money.ledger import Ledger
from croupier.records.entry import FIRST, moment
from croupier.records.header import LogHeader


class LogDivergence(Struct, frozen=True):
    """The first place where a log differs from the expected events of its commands.

    ``kind`` is ``header``, ``edition``, ``chain``, ``sequence``, ``time``, ``command``,
    ``refused``, ``event``, ``missing event``, ``ledger``, ``head`` or ``continues``.
    """

    line: int
    round: int
    kind: str
    clauses: tuple[str, ...]
    message: str
    expected: object = None
    found: object = None

    def __str__(self) -> str:
        law = f" [{', '.join(self.clauses)}]" if self.clauses else ""
        place = f"round {self.round}" if self.round else "before the first round"
        return f"line {self.line}, {place}: {self.message}{law}"


class LogDifference(Struct, frozen=True):
    """A difference from today's rules, and the later corrections that explain it.

    Each correction is identified by its first rule.
    """

    found: LogDivergence
    corrections: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.found}; corrected since: {', '.join(self.corrections)}"


class LogFinding(Struct, frozen=True):
    """A lawful entry that verification reports.

    ``kind`` is ``corrected`` for the result of a round that was settled again, ``lost`` or
    ``withheld`` for the secret of a must-hit award, ``unneeded`` for one given up before it was
    hit, ``open`` for one that has not been revealed, ``pit`` for an election
    that differs from other tables of the pit or licensee, ``edition`` for a continued log that
    would differ under today's edition. A finding that ``fails`` makes the verdict unclean.
    """

    round: int
    kind: str
    message: str
    fails: bool

    def __str__(self) -> str:
        return f"round {self.round}: {self.message}" if self.round else self.message


class Verdict(Struct):
    """The result of verifying a log, with the first divergence if any.

    ``is_open`` is set for a log without its last line; ``torn`` is the number of a truncated last
    line, which is skipped. ``head`` is the seal of the last line verified; ``has_head`` is set if
    required seals were given. ``is_cited_otherwise`` is set if citations were corrected since.
    ``is_other_edition`` is set if binding rules were corrected since and the log is affected;
    ``differences`` lists the places. ``unrecorded`` are event fields introduced after the log.
    ``continued`` is set if the log was compared with the one that it continues. ``open_secret``
    describes the must-hit award whose secret is not revealed.
    """

    header: LogHeader
    entries: int = 0
    events: int = 0
    rounds: int = 0
    results: Counter[str] = field(default_factory=Counter)
    ledger: Ledger = field(default_factory=Ledger)
    divergence: LogDivergence | None = None
    is_open: bool = True
    torn: int | None = None
    head: str = FIRST
    has_head: bool = False
    is_cited_otherwise: bool = False
    is_other_edition: bool = False
    differences: list[LogDifference] = field(default_factory=list)
    unrecorded: set[str] = field(default_factory=set)
    findings: list[LogFinding] = field(default_factory=list)
    continued: bool = False
    open_secret: str = ""

    @property
    def last(self) -> int:
        """The number of the last entry verified, counting the logs before it."""
        return self.header.before + self.entries

    @property
    def table_win_cents(self) -> int:
        """The table win in this log, without the amount carried over."""
        return self.ledger.table_win_cents - self.header.opening.ledger.table_win_cents

    @property
    def is_judged(self) -> bool:
        """Whether the edition named in the log is known; other logs cannot be verified."""
        return self.divergence is None or self.divergence.kind != "edition"

    @property
    def is_clean(self) -> bool:
        """Whether the log conforms to the rules and no finding fails it."""
        return self.divergence is None and not any(one.fails for one in self.findings)


class Diverged(Exception):  # noqa: N818  (it carries a finding, not an error)
    """A log diverges; verification ends there."""

    def __init__(self, divergence: LogDivergence) -> None:
        super().__init__(str(divergence))
        self.divergence = divergence


def diverge(line: int, kind: str, message: str, **more: Any) -> Diverged:
    """Return a divergence to raise; ``more`` are further fields of ``LogDivergence``."""
    clauses = more.pop("clauses", ())
    return Diverged(LogDivergence(line, more.pop("round", 0), kind, clauses, message, **more))


def time_in_order(at: str, before: str, wrong: Callable[..., Diverged]) -> datetime:
    """Parse a time in the log's notation that is not earlier than ``before``.

    Raises ``wrong(kind, message)`` for any other text.
    """
    try:
        time = datetime.fromisoformat(at)
        written = moment(time)
    except ValueError:
        written = ""
    if written != at:
        message = f"{at!r} is not a time in the format of a log"
        raise wrong("time", message, expected=written, found=at)
    if at < before:
        message = f"the time goes backward: {at} follows {before}"
        raise wrong("time", message, expected=before, found=at)
    return time
