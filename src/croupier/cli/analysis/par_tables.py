"""``croupier par compare`` and ``sweep``: the edges of two tables, and of every election."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from croupier.cli.common.arguments import as_of_option, text_named
from croupier.cli.common.files import document_options, give, input_file
from croupier.cli.common.output import command_line, fail
from croupier.cli.submission.rules import table_of
from croupier.law.resolve import AsOf
from croupier.odds import documents
from croupier.odds.sheet import fraction
from croupier.odds.shoe import ShoeComposition
from croupier.rules.documents import fields_of, made, of_law, of_rules

if TYPE_CHECKING:
    from croupier.odds.comparison import EdgeComparison, SweepFigure, SweepRow


@click.command("compare", short_help="Attribute the change of each edge to the rules that differ.")
@click.argument("one", type=input_file)
@click.argument("other", type=input_file)
@document_options()
def compare_tables(one: Path, other: Path, output_format: str) -> None:
    """Compare the edges at the tables of two rules submissions, from ONE to OTHER.

    The rules of ONE are changed into those of OTHER group by group; each step shows its effect on
    the edge, and the steps add up to the total.
    """
    from croupier.odds.comparison import compare, compare_packages  # noqa: PLC0415  (as asked)
    from croupier.reports.comparisons import comparison_tree  # noqa: PLC0415  (the same)

    tables = table_of(one), table_of(other)
    shoes = tuple(ShoeComposition.of_decks(rules.decks_per_shoe) for rules in tables)
    comparisons = compare(*tables, (shoes[0], shoes[1]))
    packages = compare_packages(*tables, (shoes[0], shoes[1]))
    titles = {name: wager.title for rules in tables for name, wager in rules.wagers.items()}
    tree = partial(comparison_tree, titles=titles)
    document: documents.ParComparison = {
        "format": "croupier-par-comparison/2",
        **made(command_line()),
        "before": of_rules(tables[0]),
        "after": of_rules(tables[1]),
        "wagers": [_compared(comparison) for comparison in comparisons],
        "packages": [fields_of(documents.PackageChange, package) for package in packages],
    }
    give(document, tree, output_format)


def _compared(comparison: EdgeComparison) -> documents.EdgeChange:
    steps = [
        fields_of(
            documents.ParComparisonStep,
            step,
            cites={"before": list(step.cites[0]), "after": list(step.cites[1])},
        )
        for step in comparison.steps
    ]
    return fields_of(documents.EdgeChange, comparison, steps=steps)


@click.command(
    "sweep", short_help="Calculate every wager under every election that affects an edge."
)
@click.argument("law_id", metavar="LAW")
@as_of_option
@click.option(
    "--wager", "wagers", multiple=True, metavar="ID", help="Only this wager or package; repeatable."
)
@document_options(name="form")
def sweep_elections(law_id: str, as_of: AsOf | None, wagers: tuple[str, ...], form: str) -> None:
    """Calculate every wager of LAW under all pay tables and schemes, with 6 to 8 decks.

    Give the date of the regulation: place/game@2001-01-16 or place/game@latest, or --as-of.
    """
    from croupier.odds.comparison import SweepFigure, SweepRow, sweep  # noqa: PLC0415  (as asked)
    from croupier.reports.comparisons import sweep_tree  # noqa: PLC0415  (the same)

    law = text_named(law_id, as_of)
    swept = list(sweep(law.id, law.in_force_from))
    rows = [
        row for row in swept if isinstance(row, SweepRow) and (not wagers or row.wager in wagers)
    ]
    figures = [
        row
        for row in swept
        if isinstance(row, SweepFigure) and (not wagers or row.figure.package in wagers)
    ]
    if not swept:
        fail(f"no table can be dealt under {law_id}")
    ids = (row.wager if isinstance(row, SweepRow) else row.figure.package for row in swept)
    offered_names = list(dict.fromkeys(ids))
    if absent := [wager for wager in wagers if wager not in offered_names]:
        fail(f"--wager {', '.join(absent)}: tables of {law_id} offer {', '.join(offered_names)}")
    document: documents.EdgeSweep = {
        "format": "croupier-par-sweep/2",
        **made(command_line()),
        **of_law(law),
        "figures": [_swept(row) for row in rows],
        "packages": [_swept_figure(figure) for figure in figures],
    }
    titles = {row.wager: row.title for row in rows}
    give(document, partial(sweep_tree, titles=titles), form)


def _swept_figure(figure: SweepFigure) -> documents.SweptFigure:
    return fields_of(
        documents.SweptFigure,
        figure.figure,
        decks=figure.decks,
        elections=dict(figure.elections),
        cites=list(figure.cites),
    )


def _swept(row: SweepRow) -> documents.SweptEdge:
    return fields_of(
        documents.SweptEdge,
        row,
        elections=dict(row.elections),
        house_edge_percent=float(row.house_edge * 100),
        return_to_player=fraction(1 - row.house_edge),
    )
