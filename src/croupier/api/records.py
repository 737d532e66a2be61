"""Records judged: a table log of our own, or rounds that somebody else dealt."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from croupier.api.figures import Document
from croupier.api.result import Figures, TypedResult
from croupier.api.rules import GameRules
from croupier.files.pipes import reopenable
from croupier.records.header import LogError
from croupier.records.rounds.mapping import read_mapping
from croupier.rules.documents import provenance
from croupier.verify.log import verify_log
from croupier.verify.rounds import documents
from croupier.verify.rounds.file import verify_file

__all__ = ["LogError", "LogVerdict", "RoundsVerdict", "verify_rounds_file", "verify_table_log"]


class LogVerdict(TypedResult, frozen=True):
    """What came of verifying a table log: what it holds, and its first divergence, if any."""

    is_clean: bool
    entries: int
    events: int
    rounds: int
    results: Mapping[str, int]
    table_win_cents: int
    divergence: str | None
    clauses: tuple[str, ...]
    rules_hash: str
    differences: tuple[str, ...] = ()
    """The places where today's edition of the regulation differs, which a correction explains."""

    def figures(self) -> Iterator[Figures]:
        """Yield the verdict and the counts."""
        rows = [
            ("Entries", str(self.entries)),
            ("Events", str(self.events)),
            ("Rounds", str(self.rounds)),
            *((name.capitalize(), str(count)) for name, count in self.results.items()),
        ]
        if self.differences:
            rows.append(("Differences of another edition", str(len(self.differences))))
        if self.divergence is not None:
            rows.append(("First divergence", self.divergence))
        yield Figures("PASS" if self.is_clean else "FAIL", (), rows)


class RoundsVerdict(Document, frozen=True):
    """What came of verifying rounds that somebody else dealt."""

    form = documents.VerificationReport

    @property
    def is_clean(self) -> bool:
        """Whether every round conforms to the rules."""
        return bool(self.document["clean"])

    @property
    def rounds(self) -> int:
        """How many rounds were read."""
        return int(self.document["rounds"])

    @property
    def divergences(self) -> tuple[Mapping[str, object], ...]:
        """What departs from the rules, in the order in which it was found."""
        return tuple(self.document["divergences"])

    def figures(self) -> Iterator[Figures]:
        """Yield the verdict, and how many divergences there are of each kind."""
        kinds = [(kind, str(count)) for kind, count in self.document["by_kind"].items()]
        yield Figures(
            "PASS" if self.is_clean else "FAIL", (), [("Rounds", str(self.rounds)), *kinds]
        )
        if self.divergences:
            rows = [
                (str(one["line"]), str(one["kind"]), str(one["message"]))
                for one in self.divergences[:20]
            ]
            yield Figures("Divergences", ("Line", "Kind", "What is wrong"), rows)


def verify_table_log(path: str | os.PathLike[str]) -> LogVerdict:
    """Verify a table log from scratch: every event is derived again from its commands.

    Raises ``LogError`` where it cannot be read at all, or is cut off.
    """
    with reopenable(Path(path)) as log:
        verdict = verify_log(log)
    found = verdict.divergence
    return LogVerdict(
        verdict.is_clean,
        verdict.entries,
        verdict.events,
        verdict.rounds,
        dict(verdict.results),
        verdict.table_win_cents,
        None if found is None else str(found),
        () if found is None else found.clauses,
        verdict.header.rules.sha256,
        tuple(map(str, verdict.differences)),
    )


def verify_rounds_file(
    path: str | os.PathLike[str],
    rules: GameRules,
    *,
    mapping: str | os.PathLike[str] | None = None,
    cards_behind: int | None = None,
    max_listed: int = 10_000,
) -> RoundsVerdict:
    """Verify rounds that somebody else dealt: a CSV, JSON Lines or Parquet file.

    ``mapping`` is a file that names other people's columns and values, ``cards_behind`` how many
    cards lie behind the cutting card, where that is known. Raises ``FileError`` where the file, or
    its mapping, cannot be read as such.
    """
    names = None if mapping is None else read_mapping(Path(mapping))
    with reopenable(Path(path)) as record:
        report = verify_file(
            record, rules.table, names, cards_behind=cards_behind, limit=max_listed
        )
    document: documents.VerificationReport = {
        "format": "croupier-verification/1",
        **provenance(rules.table),
        **report.as_data(),
        "repair": None,
        "differences": None,
    }
    return RoundsVerdict(document)
