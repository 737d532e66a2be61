"""Verdicts on table logs, divergences, and findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import datetime
from typing import Any

from msgspec import Struct, field

from croupier.baccarat.coup import WINNERS
from croupier.money.ledger import Ledger
from croupier.records.chain import time_fault
from croupier.records.codec import CodecError, from_json
from croupier.records.entry import FIRST
from croupier.records.header import LogHeader


class LogDivergence(Struct, frozen=True):
    """The first place where a log differs from the expected events.

    Its ``kind`` is one of

    - ``header``: It gives other rules than its hash names, or is not written in this format.
    - ``edition``: The edition and the law file that the header names were never together.
    - ``chain``: A seal is not that of its line.
    - ``sequence``: An entry is missing, doubled, or misplaced; or the last line is wrong or early.
    - ``time``: A time is not written as a time, or goes back.
    - ``command``: The line has no command, or one that does not exist.
    - ``refused``: The rules do not allow the command at this moment.
    - ``event``: An event differs from the rules, or did not happen.
    - ``missing event``: An event that the rules require is not recorded.
    - ``ledger``: An account is negative.
    - ``head``: No line has the seal that was noted before.
    - ``continues``: It does not continue the log given, or carries over something else.
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
    """A difference from today's rules, with the corrections that explain it."""

    found: LogDivergence
    corrections: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.found}; corrected since: {', '.join(self.corrections)}"


class LogFinding(Struct, frozen=True):
    """A lawful entry that verification reports; one that ``fails`` makes the verdict unclean.

    ``kind`` is ``corrected`` for a round's result, ``lost``, ``withheld``, ``unneeded``, ``open``
    for must-hit secrets, ``date`` for days and times far from known ones, ``corrects`` for
    an entry of another kind, ``pit`` for another table's election, ``edition`` for a continued log
    that would differ under today's edition, ``law`` for a law that only the log has.
    """

    round: int
    kind: str
    message: str
    fails: bool

    def __str__(self) -> str:
        return f"round {self.round}: {self.message}" if self.round else self.message


class Verdict(Struct):
    """The result of verifying a log, with its first divergence.

    ``is_cited_otherwise`` is set if citations were corrected since, ``is_other_edition`` if binding
    rules were and the log is affected. ``at_end`` are findings about the last position. ``kinds``
    has a number for each entry's command, and ``corrections`` each entry with the one corrected.
    ``heads`` has the entry of each given seal, and whether it closes the log.
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
    heads: dict[str, tuple[int, bool]] = field(default_factory=dict)
    is_cited_otherwise: bool = False
    is_other_edition: bool = False
    differences: list[LogDifference] = field(default_factory=list)
    unrecorded: set[str] = field(default_factory=set)
    findings: list[LogFinding] = field(default_factory=list)
    continued: bool = False
    at_end: tuple[LogFinding, ...] = ()
    kinds: bytearray = field(default_factory=bytearray)
    corrections: list[tuple[int, int]] = field(default_factory=list)

    @property
    def last(self) -> int:
        """The number of the last entry verified, counting earlier logs."""
        return self.header.before + self.entries

    @property
    def rounds_by_result(self) -> dict[str, int]:
        """Rounds by winner; ``no_result`` counts those without a result, such as void rounds."""
        counts = {name: self.results[name] for name in WINNERS}
        return {**counts, "no_result": self.rounds - sum(counts.values())}

    @property
    def table_win_cents(self) -> int:
        return self.ledger.table_win_cents - self.header.opening.ledger.table_win_cents

    @property
    def is_judged(self) -> bool:
        return self.divergence is None or self.divergence.kind != "edition"

    @property
    def is_clean(self) -> bool:
        return self.divergence is None and not any(finding.fails for finding in self.findings)


class Diverged(Exception):  # noqa: N818  (it carries a finding, not an error)
    """A log diverges; verification ends there."""

    def __init__(self, divergence: LogDivergence) -> None:
        super().__init__(str(divergence))
        self.divergence = divergence


def diverge(line: int, kind: str, message: str, **details: Any) -> Diverged:
    clauses = details.pop("clauses", ())
    return Diverged(LogDivergence(line, details.pop("round", 0), kind, clauses, message, **details))


def entry_of(body: bytes, divergence: Callable[..., Diverged]) -> dict[str, Any]:
    """Read a line as an entry. Raises ``divergence(kind, message)``."""
    try:
        entry = from_json(body)
    except CodecError as error:
        raise divergence("command", str(error)) from error
    if not isinstance(entry, dict):
        raise divergence("command", "the line is not an entry of a log")
    return entry


def time_in_order(time: str, time_before: str, error: Callable[..., Diverged]) -> datetime:
    """Parse a time not earlier than ``time_before``. Raises ``error(kind, message)``."""
    if fault := time_fault(time, time_before):
        raise error("time", fault, expected=time_before, found=time)
    return datetime.fromisoformat(time)
