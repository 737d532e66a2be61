"""``croupier par sweep``: every wager under every election that affects an edge."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from croupier.cli.common.document import give
from croupier.cli.common.files import FILES, FORMS, document_options
from croupier.cli.common.output import command_line, fail
from croupier.cli.common.text_named import as_of_option, text_named
from croupier.law.model import Instrument
from croupier.law.resolve import AsOf
from croupier.odds.sheet import fraction
from croupier.reports.comparisons import sweep_tree
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
@document_options(*FORMS, name="form", to_file=FILES)
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
    if not found:
        fail(f"no table can be dealt under {law_id}")
    ids = (one.wager if isinstance(one, SweepRow) else one.figure.package for one in found)
    offered = list(dict.fromkeys(ids))
    if unknown := [wager for wager in wagers if wager not in offered]:
        fail(f"--wager {', '.join(unknown)}: tables of {law_id} offer {', '.join(offered)}")
    give(_sweep(law, rows, figures), sweep_tree, form)


def _sweep(law: Instrument, rows: Iterable[SweepRow], figures: Iterable[SweepFigure]) -> EdgeSweep:
    return {
        "format": "croupier-par-sweep/2",
        **made(command_line()),
        **of_law(law),
        "figures": [_swept(row) for row in rows],
        "packages": [_swept_figure(figure) for figure in figures],
    }


def _swept_figure(figure: SweepFigure) -> SweptFigure:
    at = figure.figure
    return {
        "package": at.package,
        "row": at.row,
        "column": at.column,
        "unit": at.unit,
        "decks": figure.decks,
        "elections": dict(figure.elections),
        "value": None if at.value is None else fraction(at.value),
        "cites": list(figure.cites),
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
