"""``croupier layout``: the layout of a rules submission, as a picture or in words."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

import click

from croupier.cli.common.files import document_options, input_path
from croupier.cli.common.output import (
    blank,
    command_line,
    headline,
    plain_table,
    print_json,
    print_table,
    print_text,
    usual_option,
)
from croupier.cli.submission.rules import own_option, table_of, with_own
from croupier.law.usage import named
from croupier.records.layout import LayoutShown, layout_of
from croupier.reports.felt.drawing import FELT_CSS, draw_felt


@click.command()
@click.argument("submission", type=input_path)
@own_option
@usual_option(
    "--side",
    type=click.Choice(["patrons", "dealer"]),
    default="patrons",
    help="From which side of the table a picture is seen.",
)
@document_options("text", "json", "svg")
def layout(
    submission: Path,
    *,
    own: tuple[Path, ...],
    side: Literal["patrons", "dealer"],
    output_format: str,
) -> None:
    """Show the layout for SUBMISSION: the seats, an area for each wager with what it pays, the
    spaces for vigorish, and the sign that a push needs.

    With -o FILE.svg it is drawn. Colors and lettering are Croupier's own: a regulator approves the
    licensee's artwork, not this.
    """  # noqa: D205  (the command's help is its first paragraph)
    document = layout_of(with_own(table_of(submission), own), command_line())
    if output_format == "json":
        print_json(document)
    elif output_format == "svg":
        picture = draw_felt("layout", document, side=side)
        end = picture.index("</title>") + len("</title>")
        sys.stdout.write(f"{picture[:end]}<style>{FELT_CSS}</style>{picture[end:]}\n")
    else:
        _print(document)


def _print(shown: LayoutShown) -> None:
    headline(f"{shown['title'] or shown['law']}: pit {shown['pit']}, table {shown['table']}")
    seats = ", ".join(map(str, shown["seats"]))
    print_text(named(f"Seats from the dealer's right hand on: {seats}"))
    blank()
    table = plain_table("area", "pays", "")
    for area in shown["areas"]:
        chairs = "; ".join(f"seat {seat}: {cards}" for seat, cards in area["chairs"].items())
        table.add_row(area["title"], area["pays"], chairs)
    print_table(table)
    if shown["marker_spaces"]:
        print_text("A numbered space for each seat, before the dealer, for marking vigorish.")
    if shown["sign"]:
        print_text(f"On the layout or a posted sign: {shown['sign']}.")
