"""``croupier explain --report``: one round of a log on a page, with the layout as it was."""

from __future__ import annotations

from pathlib import Path

from croupier.cli.document import give
from croupier.cli.files import FORMS
from croupier.cli.output import command_line, fail
from croupier.files.write import form_of
from croupier.records.header import LogError
from croupier.records.replay import replayed_round
from croupier.verify.round_report import report_of


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
    from croupier.reports.rounds import round_tree  # noqa: PLC0415  (it draws a layout)

    try:
        found = report_of(log, replayed_round(log, number, table), command_line(), seat=seat, at=at)
    except LogError as error:
        fail(str(error))
    give(found, round_tree, form_of(report, FORMS), report, paper=paper, force=force)
