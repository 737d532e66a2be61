"""``croupier check --report``: the dossier of one submission, written to a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from croupier.cli.files import check_outputs, put_file
from croupier.cli.output import fail
from croupier.files.streams import say
from croupier.files.write import form_of
from croupier.rules import TableRules

_FORMS: Final = ("pdf", "html", "json")
"""The formats of a dossier, which is always written to a file."""


def check_report(report: Path | None, submissions: Sequence[Path], *, force: bool) -> None:
    """Refuse, before any work is done, a dossier that cannot be written."""
    if report is None:
        return
    if len(submissions) > 1:
        raise click.UsageError("--report is of one submission: give one file")
    form_of(report, _FORMS)
    check_outputs(report, force=force)


def write_report(  # noqa: PLR0913  (what a dossier is made of)
    path: Path,
    rules: TableRules | None,
    vigorish: str | None,
    report: Path,
    paper: str,
    *,
    force: bool,
) -> None:
    """Write the dossier of a submission; a refused one, whose rules are ``None``, has none."""
    if rules is None:
        say(f"{report}: not written, because the submission is refused")
        return
    from croupier.cli.submission.dossier import dossier_of  # noqa: PLC0415  (if asked for)
    from croupier.reports import MissingExtraError, written_dossier  # noqa: PLC0415

    dossier = dossier_of(path, rules, vigorish)
    try:
        content = written_dossier(dossier, form_of(report, _FORMS), paper)
    except MissingExtraError as error:
        fail(str(error))
    put_file(report, content, force=force)
