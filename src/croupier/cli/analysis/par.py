"""``croupier par``: the PAR sheet of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from croupier.cli.analysis.par_also import also_asked, also_options
from croupier.cli.analysis.par_tables import compare_tables, sweep_elections
from croupier.cli.common.document import give
from croupier.cli.common.files import (
    FORMS,
    check_outputs,
    document_options,
    form_named,
    input_file,
    input_path,
    out_options,
    workbook_paper_option,
)
from croupier.cli.common.numbers import seed_option
from croupier.cli.common.output import (
    blank,
    command_line,
    exit_unless,
    fail,
    print_text,
    usual_option,
)
from croupier.cli.records.record_options import encoding_asked, encoding_option
from croupier.cli.submission.rules import own_option, rules_of
from croupier.cli.submission.table_asked import TableAsked, rules_options
from croupier.law.usage import amount_of
from croupier.odds.par import STAKES, par_sheet
from croupier.odds.progressive import MeterError
from croupier.odds.sheet import is_taken
from croupier.rules import TableRules


@click.group(invoke_without_command=True)
@rules_options
@click.option("--wager", "wagers", multiple=True, metavar="ID", help="Only this wager; repeatable.")
@own_option
@click.option(
    "--stake",
    "stakes",
    multiple=True,
    metavar="DOLLARS",
    help="Show the effect of vigorish rounding on a Banker wager of this amount; repeatable.",
)
@also_options
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    help="Format of a printed sheet; a file's suffix sets its format.",
)
@click.option("--summary", is_flag=True, help="Print one line for each wager.")
@workbook_paper_option
@out_options
@click.pass_context
def par(  # noqa: PLR0913, PLR0917  (each is an option of the command)
    context: click.Context,
    /,
    asked: TableAsked,
    wagers: tuple[str, ...],
    own: tuple[Path, ...],
    stakes: tuple[str, ...],
    form: str | None,
    paper: str,
    out: Path | None,
    *,
    summary: bool,
    force: bool,
    **parts: Any,
) -> None:
    """Print the PAR sheet of a table: the exact outcomes, house edge (house advantage), hit
    frequency, variance, and clauses of every wager offered.

    RTP is 100% minus the house edge. Exit status: 2 for an impossible shoe, or a wager that the
    table does not offer.
    """  # noqa: D205  (the command's help is its first paragraph)
    if context.invoked_subcommand is not None:
        return
    check_outputs(out, force=force)
    if summary and form not in {None, "text"}:
        raise click.UsageError("--summary prints text: remove --format")
    form = form_named(out, form, ("text",) if summary else FORMS)
    rules, shoe = asked.rules_and_shoe(own, dealt=False)
    if unknown := [wager for wager in wagers if wager not in rules.offers]:
        offered = ", ".join(rules.offers)
        fail(f"{', '.join(unknown)}: this table offers {offered}")
    also = also_asked(rules, wagers, **parts)
    try:
        sheet = par_sheet(
            rules, shoe, reproduce=command_line(), stakes=_stakes(rules, stakes), also=also
        )
    except MeterError as error:
        fail(f"--meter: {error}")
    if wagers:
        sheet["wagers"] = [wager for wager in sheet["wagers"] if wager["id"] in wagers]
    from croupier.reports.par import par_tree, summary_tree  # noqa: PLC0415  (JSON needs neither)

    tree = summary_tree if summary else par_tree
    give(sheet, tree, form, out, paper=paper, force=force)
    if form == "text" and out is None and not summary:
        blank()
        print_text("For one line for each wager, add --summary.")


def _stakes(rules: TableRules, texts: tuple[str, ...]) -> tuple[int, ...]:
    if not texts:
        return STAKES
    try:
        stakes = tuple(map(amount_of, texts))
    except ValueError as error:
        fail(f"--stake: {error}")
    for text, cents in zip(texts, stakes, strict=True):
        if not is_taken(rules.bearing, cents):
            title = rules.bearing.wager.title
            fail(f"--stake {text}: not a valid {title} wager at this table")
    return stakes


par.add_command(compare_tables)
par.add_command(sweep_elections)


def _pairs(_context: Any, _parameter: Any, pairs: Sequence[str]) -> Mapping[str, str]:
    for pair in pairs:
        if "=" not in pair:
            raise click.BadParameter(f"{pair}: write THEIRS=OURS")
    split = (pair.rpartition("=") for pair in pairs)
    return {theirs: ours for theirs, _, ours in split}


_map_option = click.option(
    "--map",
    "names",
    multiple=True,
    metavar="THEIRS=OURS",
    callback=_pairs,
    help="Their name of a column, wager, or outcome, and ours, or of a wager with its outcome, and "
    "WAGER/OUTCOME; nothing leaves a column out.",
)


@par.command("check", short_help="Check a vendor's figures against the exact ones.")
@click.argument("vendor", metavar="VENDOR", type=input_path)
@rules_options
@own_option
@_map_option
@click.option("--sheet", "page", metavar="NAME", help="Sheet of a workbook.")
@encoding_option
@document_options()
def check_vendor_file(  # noqa: PLR0913, PLR0917  (each is an option of the command)
    vendor: Path,
    asked: TableAsked,
    own: tuple[Path, ...],
    names: dict[str, str],
    page: str | None,
    output_format: str,
) -> None:
    """Check the figures that VENDOR states against the exact ones of a table.

    VENDOR is a CSV file, a workbook, or a folder of them. Each has a column for the wager, one for
    the outcome if it lists outcomes, and one for each figure. Every figure gets a verdict: equal at
    the digits given, rounded otherwise, or wrong. Exit status: 1 if a figure is wrong, 2 if a file
    cannot be read.
    """
    from croupier.odds.vendor_check import check_vendor  # noqa: PLC0415
    from croupier.odds.vendor_file import HowToRead  # noqa: PLC0415
    from croupier.reports.comparisons import vendor_tree  # noqa: PLC0415

    rules, shoe = asked.rules_and_shoe(own, dealt=False)
    sheet = par_sheet(rules, shoe, stakes=())
    how = HowToRead(names, encoding_asked(), page)
    found = check_vendor(vendor, rules, sheet, how, command_line())
    titles = {bet["id"]: bet["title"] for bet in (*sheet["wagers"], *sheet["packages"])}
    give(found, partial(vendor_tree, titles=titles), output_format)
    exit_unless(found["agrees"])


@par.command("blackjack", short_help="Calculate the streak and bonus wagers of a blackjack table.")
@click.argument("submission", type=input_file)
@click.option(
    "--results",
    metavar="COUNTS",
    help="Number of rounds by result, such as win=433,push=87,lose=480.",
)
@usual_option(
    "--rounds",
    type=click.IntRange(1000, 10_000_000),
    default=100_000,
    help="Rounds of the reference game, if --results is not given.",
)
@seed_option("Seed of the reference game")
@document_options()
def blackjack_wagers(
    submission: Path, results: str | None, rounds: int, seed: int, output_format: str
) -> None:
    """Calculate the edge of the streak and bonus wagers under SUBMISSION.

    A streak wager depends on how often a round is won, pushed, or lost: as given, or as simulated
    in the reference game. A bonus wager depends on its payout schedule, whose house advantage the
    regulation limits.
    """
    from croupier.odds import blackjack  # noqa: PLC0415  (few weigh blackjack)

    rules = rules_of(submission)
    if not rules.applies("streak.offered"):
        fail(f"{submission}: {rules.law.title} has no blackjack wagers")
    try:
        counts = blackjack.parse_results(results or "win=1,lose=1")
    except blackjack.OutcomeCountsError as error:
        fail(f"--results: {error}")
    source = f"results given: {results}"
    if not rules.elected("streak.offered", choice=True):
        source = "the payout schedule"
    elif results is None:
        counts = blackjack.played_results(rounds, seed)
        counted = ", ".join(f"{name} {number:,}" for name, number in counts.items())
        source = f"reference game, {rounds:,} rounds, seed {seed}: {counted}"
    sheet = blackjack.blackjack_sheet(rules, counts, source=source, reproduce=command_line())
    from croupier.reports.par import par_tree  # noqa: PLC0415  (as above)

    give(sheet, par_tree, output_format)
