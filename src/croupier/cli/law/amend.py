"""``croupier law amend``: draft the law file of an amended regulation."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from croupier.cli.common.files import check_outputs, put_file
from croupier.cli.common.output import fail
from croupier.cli.common.text_named import texts_named
from croupier.files.streams import echo, note
from croupier.law.amending import MARK, lay_out
from croupier.law.resolve import source_of


@click.command("amend", short_help="Lay out the law file of an amended regulation.")
@click.argument("law_id", metavar="ID")
@click.option(
    "--on",
    "day",
    metavar="YYYY-MM-DD",
    type=click.DateTime(["%Y-%m-%d"]),
    required=True,
    help="The first date on which the amended text is in force.",
)
@click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write to FILE, which must not exist.",
)
def amend(law_id: str, day: datetime, out: Path | None) -> None:
    """Lay out a complete copy of the last text of ID before a day, to be amended by hand.

    The copy has the new date. A comment that begins with AMEND stands above each place that must
    be compared with the new text: each section, each clause that an interpretation is about, and
    what is said of the source. Never replaces a file. The guide is docs/amending-a-law.md.
    """
    on = day.date()
    before = [text for text in texts_named(law_id) if text.in_force_from < on]
    if not before:
        fail(f"no version of {law_id} from before {on} is included: there is nothing to amend")
    if out is not None:
        check_outputs(out, force=False)
    text = before[-1]
    laid = lay_out(text, source_of(text), on)
    if out is None:
        echo(laid.removesuffix("\n"))
    else:
        put_file(out, laid.encode(), force=False)
    note(f"{text.id}@{on}, drafted from {text.key}: {laid.count(MARK)} places to check")
