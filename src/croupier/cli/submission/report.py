"""``croupier check --report``: the dossier of one submission."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from croupier.cli.common.document import give
from croupier.cli.common.files import FORMS, check_outputs
from croupier.files.streams import say
from croupier.files.write import form_of
from croupier.rules import TableRules


def check_report(report: Path | None, submissions: Sequence[Path], *, force: bool) -> None:
    if report is None:
        return
    if len(submissions) > 1:
        raise click.UsageError("--report is of one submission: give one file")
    form_of(report, FORMS)
    check_outputs(report, force=force)


def write_report(
    path: Path, rules: TableRules | None, report: Path, paper: str, *, force: bool
) -> None:
    """Write the dossier of a submission; ``rules`` is ``None`` for a refused one."""
    if rules is None:
        say(f"{report}: not written, because the submission is refused")
        return
    from croupier.cli.submission.dossier import dossier_of  # noqa: PLC0415  (if asked for)
    from croupier.reports.dossier import dossier_tree  # noqa: PLC0415

    dossier = dossier_of(path, rules)
    give(dossier, dossier_tree, form_of(report, FORMS), report, paper=paper, force=force)
