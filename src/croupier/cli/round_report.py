"""``croupier explain --report``: one round of a log on a page, with the layout as it was."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from croupier.cli.files import put_file
from croupier.cli.log_reading import log_shown
from croupier.cli.output import command_line, fail
from croupier.files.write import form_of
from croupier.records.replay import replayed_round
from croupier.verify.round_report import report_of

FORMS: Final = ("pdf", "html", "json")
"""The formats of the report, which is always written to a file."""


def write_report(  # noqa: PLR0913  (each is an option of the command)
    path: Path,
    number: int,
    report: Path,
    *,
    seat: int | None,
    at: int | None,
    paper: str,
    force: bool,
) -> None:
    """Write the report of a round; exit with status 2 if the log has no such round or entry.

    Exit with status 1 if the chain of the log is broken.
    """
    from croupier.reports import MissingExtraError, written_round  # noqa: PLC0415

    with log_shown(path) as log:
        try:
            played = replayed_round(log, number)
            found = report_of(path, played, command_line(), chain=log.data(), seat=seat, at=at)
            content = written_round(found, form_of(report, FORMS), paper)
        except MissingExtraError as error:
            fail(str(error))
        put_file(report, content, force=force)
