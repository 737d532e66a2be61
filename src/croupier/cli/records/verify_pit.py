"""``croupier verify`` for the log of a pit."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from msgspec.structs import asdict

from croupier.cli.common.document import give
from croupier.cli.common.output import FAILS, command_line
from croupier.records.header import LogError
from croupier.records.log import LogLines
from croupier.records.pit_log import is_pit_header
from croupier.reports.verification import pit_verification_tree
from croupier.rules.documents import made
from croupier.verify.pit_log import PitVerdict, verify_pit_log

if TYPE_CHECKING:
    from croupier.cli.records.pit_documents import FindingInPit, PitLogVerification


def is_pit_log(path: Path, table: str | None) -> bool:
    try:
        return is_pit_header(next(iter(LogLines(path, table)), b""))
    except LogError:
        return False


def verify_pit(log: Path, table: str | None, beside: tuple[Path, ...], output_format: str) -> None:
    verdict = verify_pit_log(log, beside, table)
    give(_data(verdict), partial(pit_verification_tree, log=str(log)), output_format)
    if not verdict.is_clean:
        raise SystemExit(FAILS)


def _data(verdict: PitVerdict) -> PitLogVerification:
    found = verdict.divergence
    return {
        **made(command_line()),
        "format": "croupier-pit-log-verification/1",
        "pit": verdict.header.pit,
        "entries": verdict.entries,
        "events": verdict.events,
        "clean": verdict.is_clean,
        "open": verdict.is_open,
        "torn_line": verdict.torn,
        "head": {"entry": verdict.entries, "sha256": verdict.head},
        "tables": [*verdict.tables],
        "meters": verdict.meters,
        "findings": [cast("FindingInPit", asdict(finding)) for finding in verdict.findings],
        "divergence": None
        if found is None
        else {
            "line": found.line,
            "kind": found.kind,
            "clauses": list(found.clauses),
            "message": found.message,
        },
    }
