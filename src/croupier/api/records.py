"""Verification of table logs and external rounds."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from numbers import Number
from pathlib import Path
from typing import IO, Any, cast

from croupier.api.figures import Document
from croupier.api.result import Figures, Frame, TypedResult
from croupier.api.rules import GameRules
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Tableau
from croupier.files.arguments import checks_types
from croupier.files.pipes import reopenable, spooled
from croupier.law.usage import under
from croupier.records.header import LogError
from croupier.records.rounds.fields import RecordBuilder
from croupier.records.rounds.finding import open_each
from croupier.records.rounds.mapping import RoundMapping, mapping_of, read_mapping
from croupier.records.rounds.reading import RoundReader, RowRounds, arrow_rows
from croupier.rules.documents import provenance
from croupier.verify.log import verify_log as verify_table
from croupier.verify.rounds import documents
from croupier.verify.rounds.file import finished, verify_all
from croupier.verify.rounds.findings import RoundDivergence
from croupier.verify.rounds.verifier import RecordVerifier

__all__ = [
    "LogError", "LogVerdict", "RoundDivergence", "RoundsVerdict", "verify_log", "verify_rounds",
]  # fmt: skip

Rounds = str | os.PathLike[str] | IO[Any] | TypedResult | Iterable[object]


class LogVerdict(TypedResult, frozen=True):
    """Result of verifying a table log: its counts, and its first divergence, if any."""

    is_clean: bool
    entries: int
    events: int
    rounds: int
    results: Mapping[str, int]
    """Rounds by winner; ``no_result`` counts those without a result, such as void rounds."""
    table_win_cents: int
    divergence: str | None
    clauses: tuple[str, ...]
    rules_hash: str
    differences: tuple[str, ...] = ()
    """Differences from the current edition of the regulation, which a correction explains."""

    def figures(self) -> Iterator[Figures]:
        """Yield the verdict and the counts."""
        rows = [
            ("Entries", str(self.entries)),
            ("Events", str(self.events)),
            ("Rounds", str(self.rounds)),
            *(
                (name.replace("_", " ").capitalize(), str(count))
                for name, count in self.results.items()
            ),
        ]
        if self.differences:
            rows.append(("Differences of another edition", str(len(self.differences))))
        if self.divergence is not None:
            rows.append(("First divergence", self.divergence))
        yield Figures("PASS" if self.is_clean else "FAIL", (), rows)


class RoundsVerdict(Document, frozen=True):
    """Result of verifying external rounds."""

    form = documents.VerificationReport

    def _frame(self) -> Frame:
        return (RoundDivergence,), ((divergence,) for divergence in self.divergences)

    @property
    def is_clean(self) -> bool:
        """Whether every round conforms to the rules, and recorded amounts were read."""
        return bool(self.document["clean"])

    @property
    def rounds(self) -> int:
        """Number of rounds read."""
        return int(self.document["rounds"])

    @property
    def divergences(self) -> tuple[RoundDivergence, ...]:
        """Divergences from the rules, in the order found."""
        return tuple(map(RoundDivergence.of_data, self.document["divergences"]))

    def figures(self) -> Iterator[Figures]:
        """Yield the verdict, and the number of divergences of each kind."""
        kinds = [(kind, str(count)) for kind, count in self.document["by_kind"].items()]
        passed = "PASS" if self.is_clean else "FAIL" if kinds else "INCOMPLETE"
        yield Figures(passed, (), [("Rounds", str(self.rounds)), *kinds])
        if self.divergences:
            rows = [(str(one.line), one.kind, one.message) for one in self.divergences[:20]]
            yield Figures("Divergences", ("Line", "Kind", "What is wrong"), rows)


@checks_types
def verify_log(path: str | os.PathLike[str], *, table: str | None = None) -> LogVerdict:
    """Verify a table log by deriving every event again from its commands.

    ``table`` names the record in a store of several. Raises ``LogError`` if it cannot be read or is
    truncated.
    """
    with reopenable(Path(path)) as log:
        verdict = verify_table(log, table=table)
    divergence = verdict.divergence
    return LogVerdict(
        verdict.is_clean,
        verdict.entries,
        verdict.events,
        verdict.rounds,
        verdict.rounds_by_result,
        verdict.table_win_cents,
        None if divergence is None else str(divergence),
        () if divergence is None else divergence.clauses,
        verdict.header.rules.sha256,
        tuple(map(str, verdict.differences)),
    )


@checks_types
def verify_rounds(  # noqa: PLR0913  (what rounds are verified with)
    rounds: Rounds,
    rules: GameRules,
    *,
    mapping: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    cards_behind: int | None = None,
    max_listed: int = 10_000,
    found: Callable[[RoundDivergence], object] | None = None,
) -> RoundsVerdict:
    """Verify external rounds.

    ``rounds`` is the path of a file, a file that is open, a data frame, or an iterable of mappings
    and of ``RoundResult`` objects, which is read once and in bounded memory; the ``line`` of a
    divergence then counts its items from 1. A data frame is anything with ``__arrow_c_stream__``,
    and requires the extra ``croupier[parquet]``.

    ``mapping`` maps other column names and values: a file, or its tables. ``cards_behind`` is the
    number of cards behind the cutting card, if known. ``found`` is called with each divergence when
    it is found, listed or not. Raises ``FileError`` for rounds or a mapping that cannot be read.

    >>> from datetime import date
    >>> import croupier
    >>> rules = croupier.default_rules("us-nj/minibaccarat", date(2011, 2, 22))
    >>> dealt = [{"player": "9h Kd", "banker": "Th 7c", "winner": "banker"}]
    >>> croupier.verify_rounds(dealt, rules).divergences[0].kind
    'winner'
    """
    own_bets = [offer.wager.id for offer in rules.table.own]
    with under(rules.table.law.usage):
        if mapping is None:
            names = RoundMapping()
        elif isinstance(mapping, Mapping):
            names = mapping_of(mapping, own_bets)
        else:
            names = read_mapping(Path(mapping), own_bets)
        verifier = RecordVerifier(rules.table, names, cards_behind=cards_behind, limit=max_listed)
        verifier.verification.noted = found
        with _read(rounds, names, rules.table.tableau) as readers:
            for reader in readers:
                verify_all(reader, verifier)
            report = finished(verifier, *readers)
    document: documents.VerificationReport = {
        "format": "croupier-verification/1",
        **provenance(rules.table),
        **report.as_data(),
        "repair": None,
        "differences": None,
    }
    return RoundsVerdict(document)


@contextmanager
def _read(rounds: Rounds, names: RoundMapping, tableau: Tableau) -> Iterator[list[RoundReader]]:
    if isinstance(rounds, str | os.PathLike):
        with reopenable(Path(rounds)) as record:
            yield open_each(record, names, tableau)
    elif isinstance(rounds, TypedResult):
        yield [RowRounds([_row(rounds)], RecordBuilder(names, tableau))]
    elif hasattr(rounds, "read"):
        name = getattr(rounds, "name", None)
        file = cast("IO[Any]", rounds)
        with spooled(name if isinstance(name, str) else "rounds", file=file) as record:
            yield open_each(record, names, tableau)
    elif hasattr(rounds, "__arrow_c_stream__"):
        yield [RowRounds(arrow_rows(rounds), RecordBuilder(names, tableau))]
    elif isinstance(rounds, Iterable) and not isinstance(rounds, Mapping | bytes):
        yield [RowRounds(map(_row, rounds), RecordBuilder(names, tableau))]
    else:
        kind = type(rounds).__name__
        raise TypeError(f"rounds is a {kind}: give a path, an open file, a frame, or an iterable")


def _row(row: object) -> object:
    if isinstance(row, TypedResult):
        row = row.to_dict()
    # A row of a database cursor has keys, but may be no mapping.
    keys = getattr(row, "keys", None)
    return row if keys is None else {name: _cell(cast("Any", row)[name]) for name in keys()}


def _cell(value: object) -> object:
    if isinstance(value, list | tuple):
        return [str(item) if isinstance(item, Card) else item for item in value]
    if isinstance(value, Card):
        return str(value)
    # A number of numpy has the type of Python that it stands for.
    return value.item() if isinstance(value, Number) and hasattr(value, "item") else value
