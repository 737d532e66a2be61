"""``croupier law``: reads the law as it is held here, and shows what became of every clause."""

from __future__ import annotations

import rich_click as click

from croupier.cli.law.compare import compare
from croupier.cli.law.coverage import show_coverage
from croupier.cli.law.diff import diff
from croupier.cli.law.history import show_history
from croupier.cli.law.texts import list_texts, show

__all__ = ["law"]


@click.group()
def law() -> None:
    """Read the law: its texts, clauses, rules and coverage."""


for _command in (list_texts, show, show_coverage, diff, compare, show_history):
    law.add_command(_command)
