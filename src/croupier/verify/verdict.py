"""What comes of verifying a table log: a verdict, and the first divergence if there is one."""

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
    """A place where today's rules differ, and the later corrections that explain it.

    Each correction is named by the first rule that it is of.
    """

    found: LogDivergence
    corrections: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.found}; corrected since: {', '.join(self.corrections)}"


class LogFinding(Struct, frozen=True):
    """Something that the rules allow to be recorded, and that a judge of the record reports.

    ``kind`` is ``lost`` or ``withheld``, of the secret of a must-hit award, ``pit``, of an election
    that a table has otherwise than others of its pit or its licensee, or ``edition``, of a log that
    is continued and would differ under today's edition. What ``fails`` is
    held against whoever kept the record.
    """

    round: int
    kind: str
    message: str
    fails: bool

    def __str__(self) -> str:
        return f"round {self.round}: {self.message}" if self.round else self.message


class Verdict(Struct):
    """What came of verifying a log: what it holds, and the first divergence if there is one.

    ``is_open`` is set for a log without its last line, ``torn`` is the number of a last line that
    breaks off and was left out. ``head`` is the seal of the last line judged; ``has_head`` says
    whether it was held to seals noted before. ``is_cited_otherwise`` is set if citations
    were corrected since, ``is_other_edition`` if what binds the table was and it makes a difference
    here: ``differences`` are all places where today's rules differ, each explained by a correction.
    ``unrecorded`` are fields of events that came after the log. ``findings`` are lawful entries
    that are reported. ``continued`` is set if what the log carries over was compared with the log
    that it continues.
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

    @property
    def last(self) -> int:
        """The number of the last entry judged, those of the logs before it counted, too."""
        return self.header.before + self.entries

    @property
    def table_win_cents(self) -> int:
        """What the table won in this log, whatever it carries over."""
        return self.ledger.table_win_cents - self.header.opening.ledger.table_win_cents

    @property
    def is_judged(self) -> bool:
        """Whether the edition that the log names is known: no other log can be judged."""
        return self.divergence is None or self.divergence.kind != "edition"

    @property
    def is_clean(self) -> bool:
        """Whether the log conforms to the rules throughout, and no finding fails it."""
        return self.divergence is None and not any(one.fails for one in self.findings)


class Diverged(Exception):  # noqa: N818  (it carries a finding, not an error)
    """A log diverges: nothing after that place is judged."""

    def __init__(self, divergence: LogDivergence) -> None:
        super().__init__(str(divergence))
        self.divergence = divergence


def diverge(line: int, kind: str, message: str, **more: Any) -> Diverged:
    """Return a divergence to raise; ``more`` are the other fields of ``LogDivergence``."""
    clauses = more.pop("clauses", ())
    return Diverged(LogDivergence(line, more.pop("round", 0), kind, clauses, message, **more))


def time_in_order(at: str, before: str, wrong: Callable[..., Diverged]) -> datetime:
    """Return a time that is written as a log writes it and is not before the last one.

    Raises what ``wrong`` makes of a kind of divergence and a message for any other.
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
