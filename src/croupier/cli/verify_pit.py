"""``croupier verify`` of the log of a pit: alone, or with the logs of its tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from croupier.cli.output import FAILS, command_line, fail, print_json, print_text
from croupier.money.settlement import dollars
from croupier.records.header import LogError
from croupier.records.log import LogLines
from croupier.records.pit_log import is_pit_header
from croupier.rules.documents import made
from croupier.verify.pit_log import PitVerdict, verify_pit_log

if TYPE_CHECKING:
    from croupier.cli.pit_documents import PitLogVerification


def is_pit_log(path: Path, table: str | None) -> bool:
    """Return whether a file is the log of a pit; what cannot be read is not."""
    try:
        return is_pit_header(next(iter(LogLines(path, table)), b""))
    except LogError:
        return False


def verify_pit(log: Path, table: str | None, beside: tuple[Path, ...], output_format: str) -> None:
    """Judge the log of a pit, and the logs of its tables against it."""
    try:
        verdict = verify_pit_log(log, beside, table)
    except LogError as error:
        fail(str(error))
    if output_format == "json":
        print_json(_data(verdict))
    else:
        _print(log, verdict)
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
        "findings": [
            {"table": one.table, "entry": one.entry, "message": one.message}
            for one in verdict.findings
        ],
        "divergence": None
        if found is None
        else {
            "line": found.line,
            "kind": found.kind,
            "clauses": list(found.clauses),
            "message": found.message,
        },
    }


def _print(log: Path, verdict: PitVerdict) -> None:
    found = verdict.divergence
    if found is not None:
        law = f" [{', '.join(found.clauses)}]" if found.clauses else ""
        print_text(f"FAIL: {log} does not conform to the rules.", style="bold red")
        print_text(f"line {found.line}: {found.message}{law}", indent=2)
        print_text(f"Before it: {verdict.entries} entries.")
        return
    through = f" through entry {verdict.entries}; still open" if verdict.is_open else ""
    if verdict.is_clean:
        print_text(f"PASS: {log} conforms to the rules{through}.", style="bold green")
    else:
        print_text(f"FAIL: records of tables depart from {log}.", style="bold red")
    tables = ", ".join(verdict.tables) or "no table; name their logs with --beside"
    print_text(
        f"Pit {verdict.header.pit}: {verdict.entries} entries and {verdict.events} events"
        f" recomputed. Checked against it: {tables}."
    )
    for link, meters in verdict.meters.items():
        shown = ", ".join(f"{meter} {dollars(cents)}" for meter, cents in meters.items())
        print_text(f"Meters linked as {link} come to {shown}.")
    for one in verdict.findings:
        print_text(f"{one}.", indent=2)
    print_text(f"Head: entry {verdict.entries}, {verdict.head}.")
