"""``croupier schema``: print the JSON Schema of a format that leaves the program."""

from __future__ import annotations

from typing import Final

import rich_click as click

from croupier.cli.output import print_json
from croupier.odds.schema import par_sheet
from croupier.records import schemas
from croupier.verify.rounds.audit_schema import audit_report
from croupier.verify.rounds.schema import round_mapping, round_record, rounds_judgement

__all__ = ["SCHEMAS", "schema"]

SCHEMAS: Final = {
    **schemas.SCHEMAS,
    "par": par_sheet,
    "round-record": round_record,
    "round-mapping": round_mapping,
    "rounds-judgement": rounds_judgement,
    "audit": audit_report,
}
"""Every schema, by the name under which it is asked for."""


@click.command()
@click.argument("name", type=click.Choice(list(SCHEMAS)))
def schema(name: str) -> None:
    """Print the JSON Schema of a format: a line of a table log, a rules submission, a PAR sheet,
    rounds that others dealt, what maps their names, the judgement of them, or an audit.
    """  # noqa: D205  (the command's help is its first paragraph)
    print_json(SCHEMAS[name]())
