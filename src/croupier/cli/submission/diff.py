"""``croupier submission diff``: two submissions compared, and the notices due."""

from __future__ import annotations

from pathlib import Path

import click

from croupier.cli.common.document import give
from croupier.cli.common.files import FILES, FORMS, document_options, input_file
from croupier.cli.submission.differences import differences
from croupier.cli.submission.rules import rules_of
from croupier.reports.differences import submission_diff_tree


@click.command("diff", short_help="List what differs between two submissions, and notices due.")
@click.argument("old", type=input_file)
@click.argument("new", type=input_file)
@document_options(*FORMS, to_file=FILES)
def diff(old: Path, new: Path, output_format: str) -> None:
    """List what differs between the submissions OLD and NEW: elections, limits, layout, readings,
    procedures, and the house edge of every wager.

    The notices that the regulation requires before the change are listed with their addressees,
    how long before, and their clauses, along with when the elections may change and which tables
    must change with them. Exit status: 2 if a submission is refused.
    """  # noqa: D205  (the command's help is its first paragraph)
    found = differences((old, new), (rules_of(old), rules_of(new)))
    give(found, submission_diff_tree, output_format)
