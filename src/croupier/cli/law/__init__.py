"""``croupier law``: browse the included regulations."""

from __future__ import annotations

import click

from croupier.cli.common.helping import HelpGroup
from croupier.cli.law.compare import show_comparison, show_diff, show_history
from croupier.cli.law.coverage import show_coverage
from croupier.cli.law.drafts import add_pack, amend, check_files, new_file, pack_folder
from croupier.cli.law.elections import show_elections, show_register
from croupier.cli.law.test import test_law
from croupier.cli.law.texts import list_texts, search_law, show, show_acts

__all__ = ["law"]


@click.group(cls=HelpGroup)
def law() -> None:
    """Browse the regulations: versions, clauses, rules, and coverage."""


for _command in (
    list_texts,
    show,
    search_law,
    show_acts,
    show_elections,
    show_comparison,
    show_diff,
    show_history,
    show_register,
    show_coverage,
    new_file,
    check_files,
    test_law,
    pack_folder,
    add_pack,
    amend,
):
    law.add_command(_command)
