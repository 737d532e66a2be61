"""``croupier law acts``: a sheet for each act of a table."""

from __future__ import annotations

import click
from msgspec import to_builtins

from croupier.acts.command import TERMS
from croupier.acts.sheet import ActSheet
from croupier.cli.common.document import give
from croupier.cli.common.files import FILES, FORMS, document_options
from croupier.cli.common.output import command_line, fail
from croupier.cli.common.text_named import texts_named
from croupier.cli.law.documents import ActSheets
from croupier.cli.law.naming import head
from croupier.files.suggest import did_you_mean
from croupier.reports.law_show import act_sheets_tree
from croupier.rules.documents import made


@click.command("acts", short_help="Show who does an act, and what is said, shown, and placed.")
@click.argument("act", required=False)
@click.option("--law", "law_id", metavar="ID", help="One regulation (default: all included).")
@document_options(*FORMS, to_file=FILES)
def show_acts(act: str | None, law_id: str | None, output_format: str) -> None:
    """Show a sheet for each act: who gives it, who consents, what is entered and who sees it, the
    words to speak, and every clause that it carries out or is checked against, in the
    regulation's order.

    ACT is a command, such as ShuffleCards, or a word of its title or group: shuffle, chips. A
    clause is marked as said, shown, or placed, and with persons, by words of its paraphrase alone.
    """  # noqa: D205  (the command's help is its first paragraph)
    from croupier.table.machine.act_sheets import act_sheets  # noqa: PLC0415  (the whole table)

    found: ActSheets = {"format": "croupier-act-sheets/1", **made(command_line()), "laws": []}
    for text in texts_named(law_id):
        acts = [sheet for sheet in act_sheets(text) if act is None or _is_asked(act, sheet)]
        if acts:
            found["laws"].append({**head(text), "acts": to_builtins(acts)})
    if not found["laws"]:
        fail(f"no act is named {act!r}{did_you_mean(str(act), TERMS)}; all: croupier law acts")
    give(found, act_sheets_tree, output_format)


def _is_asked(asked: str, sheet: ActSheet) -> bool:
    return asked.lower() in {sheet.act.lower(), sheet.group, *sheet.title.lower().split()}
