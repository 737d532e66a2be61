"""``croupier explain --report``: one round of a log on a page, with the layout as it was."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from croupier.cli.files import put_file
from croupier.cli.output import command_line, fail
from croupier.files.write import form_of
from croupier.records.header import LogError
from croupier.records.replay import replayed_round
from croupier.verify.round_report import report_of

FORMS: Final = ("pdf", "html", "json")
"""The formats of the report, which is always written to a file."""


def write_report(  # noqa: PLR0913  (each is an option of the command)
    log: Path,
    number: int,
    report: Path,
    *,
    table: str | None,
    seat: int | None,
    at: int | None,
    paper: str,
    force: bool,
) -> None:
    """Write the report of a round; exit with status 2 if the log has no such round or entry."""
    from croupier.reports import MissingExtraError, written_round  # noqa: PLC0415

    try:
        found = report_of(log, replayed_round(log, number, table), command_line(), seat=seat, at=at)
        content = written_round(found, form_of(report, FORMS), paper)
    except (LogError, MissingExtraError) as error:
        fail(str(error))
    put_file(report, content, force=force)
