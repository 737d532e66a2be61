"""``croupier schema``: print the JSON Schema of a format that leaves the program."""

from __future__ import annotations

import rich_click as click

from croupier.cli.output import print_json
from croupier.records.schemas import SCHEMAS

__all__ = ["schema"]


@click.command()
@click.argument("name", type=click.Choice(list(SCHEMAS)))
def schema(name: str) -> None:
    """Print the JSON Schema of a format: a line of a table log, or a rules submission."""
    print_json(SCHEMAS[name]())
