"""``croupier law test``: play the scenarios of a regulation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from croupier.cli.common.files import document_options, give, input_path
from croupier.cli.common.output import exit_unless
from croupier.reports.law import law_test_tree


@click.command("test", short_help="Play scenarios: what a regulation says must happen at a table.")
@click.argument("paths", metavar="[FILE|FOLDER]...", nargs=-1, type=input_path)
@click.option("--law", "law_id", metavar="ID", help="Only scenarios of this regulation.")
@click.option("--only", metavar="TEXT", help="Only scenarios whose id contains this text.")
@click.option(
    "--coverage", is_flag=True, help="Also list clauses and choices that no scenario covers."
)
@click.option(
    "--mutate",
    is_flag=True,
    help="Also change each value of the regulation; a scenario must fail for each.",
)
@document_options()
def test_law(  # noqa: PLR0913  (one parameter per option)
    paths: Sequence[Path],
    law_id: str | None,
    only: str | None,
    output_format: str,
    *,
    coverage: bool,
    mutate: bool,
) -> None:
    """Play the scenarios in files and folders (default: the folder scenarios).

    Each scenario sets a table, takes its steps, and compares the answers with what it expects. The
    log of each table is then verified. docs/law-scenarios.md describes the notation.

    Exit status: 1 if a scenario fails, if --coverage finds something that no scenario covers, or
    if --mutate finds a change that no scenario notices; 2 for a malformed file.
    """
    from croupier.cli.law.played import played_document  # noqa: PLC0415  (a table, to play)

    document = played_document(
        paths or (Path("scenarios"),), law_id, only, coverage=coverage, mutate=mutate
    )
    give(document, law_test_tree, output_format)
    has_survivors = any(mutant["noticed_by"] is None for mutant in document["mutants"])
    has_untested = any(law["clauses"] or law["choices"] for law in document["untested"])
    exit_unless(not (document["failed"] or has_survivors or has_untested))
