"""``croupier law new`` and ``amend``: lay out law files."""

from __future__ import annotations

import re
from datetime import datetime
from functools import partial
from pathlib import Path

import click

from croupier.cli.common.files import check_outputs, give_text, put_file
from croupier.cli.common.output import fail, usual_option
from croupier.cli.common.text_named import text_named, texts_named
from croupier.files.streams import note
from croupier.law.amending import MARK, lay_out
from croupier.law.laying_out import new_law, new_register
from croupier.law.resolve import law_ids, source_of

folder_option = partial(
    usual_option,
    "-o",
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    default=Path("laws"),
)
_day_option = partial(
    click.option,
    "--on",
    "day",
    metavar="YYYY-MM-DD",
    type=click.DateTime(["%Y-%m-%d"]),
    required=True,
)


@click.command("new", short_help="Lay out the law file of a regulation of your own.")
@click.argument("law_id", metavar="ID")
@click.option("--from", "model", metavar="ID@DATE", required=True, help="The regulation to follow.")
@_day_option(help="The first date on which the text is in force.")
@folder_option(help="Write FOLDER/ID@DATE.toml, which must not exist.")
def new_file(law_id: str, model: str, day: datetime, out: Path) -> None:
    """Lay out the law file of ID, such as au-nsw/mini-baccarat, with every rule as a question.

    Rules that the model has are written as it has them, but cite no clause; all others are
    comments. croupier law check lists what is still open. Also writes interpretations.toml, with
    the readings that the program may ask for, unless the folder has that file.
    """
    if not re.fullmatch(r"[a-z0-9-]+(/[a-z0-9-]+)+", law_id):
        fail(f"{law_id!r} is not an id: write place/game in lower-case letters, digits, hyphens")
    if law_id in law_ids():
        fail(f"{law_id} exists: croupier law amend lays out another date of it")
    text = text_named(model)
    path = out / f"{law_id}@{day.date()}.toml"
    register = path.with_name("interpretations.toml")
    check_outputs(path, force=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    put_file(path, new_law(text, source_of(text), law_id, day.date()).encode(), force=False)
    if not register.exists():
        put_file(register, new_register().encode(), force=False)
    note(f"list what is open with: croupier law check {path}")


@click.command("amend", short_help="Lay out the law file of an amended regulation.")
@click.argument("law_id", metavar="ID")
@_day_option(help="The first date on which the amended text is in force.")
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
    give_text(laid, out, force=False)
    note(f"{text.id}@{on}, drafted from {text.key}: {laid.count(MARK)} places to check")
