"""``croupier explain --report`` for a round of a log."""

from __future__ import annotations

from pathlib import Path

from croupier.cli.common.document import give
from croupier.cli.common.files import FORMS
from croupier.cli.common.output import command_line
from croupier.cli.records.log_reading import log_shown
from croupier.files.write import form_of
from croupier.records.indexing import numbered
from croupier.records.replay import replayed_round
from croupier.verify.round_report import report_of


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
    from croupier.reports.rounds import round_tree  # noqa: PLC0415  (it draws a layout)

    with log_shown(path, wanted=numbered(range(number, number + 1))) as log:
        played = replayed_round(log, number)
        found = report_of(path, played, command_line(), chain=log.data(), seat=seat, at=at)
        give(found, round_tree, form_of(report, FORMS), report, paper=paper, force=force)
