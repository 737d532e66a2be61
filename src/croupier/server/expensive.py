"""Queries that are answered in a process of their own (``worker``)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from croupier.odds.chances import chances, chances_data
from croupier.reports.formats import written
from croupier.reports.rounds import round_tree
from croupier.verify.continues import compare_lines
from croupier.verify.log import verify_lines
from croupier.verify.pit_log import verify_pit_lines

if TYPE_CHECKING:
    from croupier.odds.documents import RoundOdds
    from croupier.odds.knowledge import Knowledge
    from croupier.odds.shoe import ShoeComposition
    from croupier.rules import TableRules
    from croupier.verify.round_documents import RoundReport
    from croupier.verify.verdict import LogDivergence


def record_verdict(
    records: Sequence[str], day: int, lines: Iterable[bytes], before: Iterable[bytes] = ()
) -> dict[str, Any]:
    """Verify a day's record, and the state carried over from the record before it, if named."""
    verdict = verify_lines(Path(records[0]), lines)
    for name in records[1:]:
        compare_lines(verdict, Path(name), before)
    return {
        "clean": verdict.is_clean,
        "entries": verdict.entries,
        "events": verdict.events,
        "rounds": verdict.rounds,
        "open": verdict.is_open,
        "day": day,
        "edition": verdict.header.edition,
        "differences": [
            {"line": one.found.line, "message": str(one)} for one in verdict.differences
        ],
        "divergence": _divergence(verdict.divergence),
        "findings": [*map(asdict, verdict.findings)],
    }


def pit_verdict(
    name: str, tables: Sequence[str], lines: Iterable[bytes], *beside: Iterable[bytes]
) -> dict[str, Any]:
    verdict = verify_pit_lines(Path(name), lines, zip(map(Path, tables), beside, strict=True))
    return {
        "clean": verdict.is_clean,
        "entries": verdict.entries,
        "events": verdict.events,
        "tables": [*verdict.tables],
        "meters": verdict.meters,
        "divergence": _divergence(verdict.divergence),
        "findings": [
            {"table": finding.table, "entry": finding.entry, "message": finding.message}
            for finding in verdict.findings
        ],
    }


def _divergence(found: LogDivergence | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {"line": found.line, "kind": found.kind, "message": found.message}


def round_odds(
    rules: TableRules, shoe: ShoeComposition, known: Knowledge, unseen: int
) -> RoundOdds:
    """Return the expected value of every wager. Raises ``ShoeError``."""
    return chances_data(rules, shoe, known, chances(rules, shoe, known), unseen=unseen)


def round_pdf(report: RoundReport) -> bytes:
    """Return a round's report as PDF. Raises ``MissingExtraError``."""
    return written(round_tree(report), "pdf")
