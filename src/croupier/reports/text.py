"""A sheet on a terminal: all wagers in one table, then each with its lines."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import Any, Final

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from croupier.reports.figures import Sheet
from croupier.reports.view import view

_FILE_WIDTH: Final = 100
"""The width of a sheet written to a file."""

_ROOMY: Final = 110
"""The minimum width for tables with limits and exact fractions."""

_NARROWEST: Final = 20


def text_sheet(sheet: Sheet) -> str:
    """Return the sheet as plain text, 100 columns wide."""
    return plain_text(lambda out: print_sheet(out, sheet))


def plain_text(printed: Callable[[Console], object]) -> str:
    """Return console output as plain text, 100 columns wide."""
    file = io.StringIO()
    printed(
        Console(
            file=file,
            width=_FILE_WIDTH,
            color_system=None,
            force_terminal=False,
            legacy_windows=False,
        )
    )
    return file.getvalue()


def print_sheet(out: Console, sheet: Sheet) -> None:
    """Print a sheet to a console, at its width."""
    shown = view(sheet)
    roomy = out.width >= _ROOMY
    _print_opening(out, shown)
    out.print()
    paragraph(out, shown["meaning"], style="dim")
    for wager in shown["wagers"]:
        _print_wager(out, wager, roomy=roomy)
    for package in shown["packages"]:
        out.print()
        headline(out, package["title"])
        paragraph(out, package["says"])
        out.print()
        table(out, package["table"])
        out.print()
        facts(out, package["facts"])
    if shown["drawing"] is not None:
        out.print()
        headline(out, "Third-card rules")
        for says in shown["drawing"]["says"]:
            paragraph(out, says)
    out.print()
    headline(out, "Provenance")
    readings = [f"{name} ({reading})" for name, reading in shown["interpretations"]]
    facts(out, [*shown["provenance"], ["Readings", readings or ["none"]]])


def print_summary(out: Console, sheet: Sheet) -> None:
    """Print one line for each wager to a console, at its width."""
    _print_opening(out, view(sheet))


def _print_opening(out: Console, shown: dict[str, Any]) -> None:
    """Print what the sheet is about, its warnings, and all wagers in one table."""
    headline(out, f"PAR sheet: {shown['title']}")
    paragraph(out, f"{shown['law_title']} ({shown['law']}), in force from {shown['in_force_from']}")
    paragraph(out, f"Rules {shown['rules_short']}. {shown['shoe']}.")
    for warning in shown["warnings"]:
        paragraph(out, f"WARNING {warning}", style="bold")
    out.print()
    # Each wager shows its limits; a narrow table keeps only the figures.
    table(out, shown["summary"], leave_out=() if out.width >= _ROOMY else (7, 8, 9, 10))


def _print_wager(out: Console, wager: dict[str, Any], *, roomy: bool) -> None:
    out.print()
    headline(out, wager["title"])
    for says in wager["definition"]:
        paragraph(out, says)
    table(out, wager["lines"], leave_out=() if roomy else (5,))
    out.print()
    facts(out, wager["facts"])
    if wager["rounding"]:
        out.print()
        paragraph(out, "Rounding of vigorish:")
        table(out, wager["rounding"])


def headline(out: Console, text: str) -> None:
    """Print a heading."""
    paragraph(out, text, style="bold")


def paragraph(out: Console, text: str, *, style: str = "", indent: int = 0) -> None:
    """Print a paragraph without trailing spaces."""
    for line in Text(text, style=style).wrap(out, max(out.width - indent, _NARROWEST)):
        line.rstrip()
        out.print(Text(" " * indent).append_text(line))


def facts(out: Console, rows: Sequence[Sequence[Any]]) -> None:
    """Print names and values, with the values aligned."""
    grid = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, values in rows:
        grid.add_row(Text(name), Text(", ".join(values)))
    _print_table(out, grid)


def table(out: Console, grid: dict[str, Any], *, leave_out: Sequence[int] = ()) -> None:
    """Print a table without a frame: words left-aligned, figures right-aligned."""
    drawn = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    shown = [at for at in range(len(grid["columns"])) if at not in leave_out]
    for at in shown:
        # Do not break names unless nothing else fits.
        drawn.add_column(
            Text(grid["columns"][at]),
            justify="left" if at in grid["words"] else "right",
            overflow="fold",
            no_wrap=at == 0 and all(cell_len(row[0]) < out.width // 3 for row in grid["rows"]),
        )
    for row in grid["rows"]:
        drawn.add_row(*(Text(row[at]) for at in shown))
    if grid["foot"]:
        drawn.add_row(*(Text(grid["foot"][at], style="bold") for at in shown))
    _print_table(out, drawn)


def _print_table(out: Console, table: Table) -> None:
    """Print a table without trailing spaces."""
    for line in out.render_lines(table, pad=False):
        row = Text.assemble(*((part.text, part.style or "") for part in line))
        row.rstrip()
        out.print(row)
