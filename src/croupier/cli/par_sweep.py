"""``croupier par sweep``: every wager and package under every election that affects an edge."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

import click

from croupier.cli.files import document_options
from croupier.cli.output import blank, command_line, fail, plain_table, print_json, print_table
from croupier.cli.text_named import as_of_option, text_named
from croupier.law.model import Instrument
from croupier.law.resolve import AsOf
from croupier.odds.sheet import fraction
from croupier.rules.documents import made, of_law

if TYPE_CHECKING:
    from croupier.odds.documents import EdgeSweep, SweptEdge, SweptFigure
    from croupier.odds.sweep import SweepFigure, SweepRow


@click.command(
    "sweep", short_help="Calculate every wager under every election that affects an edge."
)
@click.argument("law_id", metavar="LAW")
@as_of_option
@click.option(
    "--wager", "wagers", multiple=True, metavar="ID", help="Only this wager or package; repeatable."
)
@document_options("text", "json", "csv", name="form")
def sweep_elections(law_id: str, as_of: AsOf | None, wagers: tuple[str, ...], form: str) -> None:
    """Calculate every wager of LAW under all pay tables and schemes, with 6 to 8 decks.

    Give the date of the regulation: place/game@2001-01-16 or place/game@latest, or --as-of.
    """
    from croupier.odds.sweep import SweepFigure, SweepRow, sweep  # noqa: PLC0415  (as asked)

    law = text_named(law_id, as_of)
    found = list(sweep(law.id, law.in_force_from))
    rows = [
        one for one in found if isinstance(one, SweepRow) and (not wagers or one.wager in wagers)
    ]
    figures = [
        one
        for one in found
        if isinstance(one, SweepFigure) and (not wagers or one.figure.package in wagers)
    ]
    if not rows and not figures:
        fail(f"no table can be dealt under {law_id}, or none offers that wager")
    if form == "json":
        print_json(_sweep(law, rows, figures))
    elif form == "csv":
        _sweep_csv(law, rows, figures)
    else:
        from croupier.reports.figures import percent  # noqa: PLC0415  (for text alone)

        table = plain_table("Wager", "Decks", "Elections", "Edge", "RTP", "Hits")
        for row in rows:
            told = ", ".join(value for _, value in row.elections)
            wager, hits = row.wager.replace("_", " "), f"{float(row.hit_frequency * 100):.3f}%"
            edge = (percent(row.house_edge), percent(1 - row.house_edge))
            table.add_row(wager, str(row.decks), told, *edge, hits)
        print_table(table)
        # A terminal is for the edges; the other figures are in the other formats.
        edges = [one for one in figures if one.figure.unit == "rate"]
        if edges:
            blank()
            table = plain_table("Package", "Decks", "Elections", "Row", "Column", "Edge")
            for one in edges:
                told = ", ".join(value for _, value in one.elections)
                at = one.figure
                cells = (at.package, str(one.decks), told, at.row, at.column)
                table.add_row(*cells, percent(at.value or Fraction()))
            print_table(table)


def _sweep_csv(law: Instrument, rows: Iterable[SweepRow], figures: Iterable[SweepFigure]) -> None:
    """Print the sweep as CSV: the wagers, then the package figures, which have no wager."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    named = {**made(command_line()), **of_law(law)}
    of_wager = ("wager", "decks", "elections", "house_edge", "house_edge_percent")
    of_package = ("package", "row", "column", "unit", "value")
    writer.writerow([*of_wager, *of_package, *named])
    for row in rows:
        told = "; ".join(f"{name}={value}" for name, value in row.elections)
        edge = (fraction(row.house_edge), float(row.house_edge * 100))
        writer.writerow([row.wager, row.decks, told, *edge, *[""] * 5, *named.values()])
    for one in figures:
        told = "; ".join(f"{name}={value}" for name, value in one.elections)
        *place, value = one.figure
        exact = "" if value is None else fraction(value)
        writer.writerow(["", one.decks, told, "", "", *place, exact, *named.values()])


def _sweep(law: Instrument, rows: Iterable[SweepRow], figures: Iterable[SweepFigure]) -> EdgeSweep:
    return {
        "format": "croupier-par-sweep/2",
        **made(command_line()),
        **of_law(law),
        "figures": [_swept(row) for row in rows],
        "packages": [_swept_figure(one) for one in figures],
    }


def _swept_figure(one: SweepFigure) -> SweptFigure:
    at = one.figure
    return {
        "package": at.package,
        "row": at.row,
        "column": at.column,
        "unit": at.unit,
        "decks": one.decks,
        "elections": dict(one.elections),
        "value": None if at.value is None else fraction(at.value),
        "cites": list(one.cites),
    }


def _swept(row: SweepRow) -> SweptEdge:
    return {
        "wager": row.wager,
        "decks": row.decks,
        "elections": dict(row.elections),
        "house_edge": fraction(row.house_edge),
        "house_edge_percent": float(row.house_edge * 100),
        "return_to_player": fraction(1 - row.house_edge),
        "hit_frequency": fraction(row.hit_frequency),
        "variance": fraction(row.variance),
        "cites": list(row.cites),
    }
