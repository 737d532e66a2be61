"""What commands ask about a record that they judge: its rules, its names, its cutting card."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

__all__ = ["behind_option", "mapping_option", "record_argument", "submission_option"]

_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)

record_argument = click.argument("record", type=_FILE)

submission_option = click.option(
    "--submission",
    type=_FILE,
    help="The rules submission of the table; a table log names its own.",
)

mapping_option = click.option(
    "--mapping", type=_FILE, help="What other people call the columns and values of their rounds."
)

behind_option = click.option(
    "--cards-behind",
    type=click.IntRange(0),
    metavar="CARDS",
    help="How many cards lie behind the cutting card, where the house always has it so.",
)
