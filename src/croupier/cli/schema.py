"""``croupier schema``: print the JSON Schema of a format that leaves the program."""

from __future__ import annotations

from typing import Final

import click

from croupier.cli.output import print_json
from croupier.odds.schema import par_sheet
from croupier.records import schemas
from croupier.simulation.schema import simulation_report
from croupier.simulation.sessions.schema import session_report
from croupier.vectors import schema as vectors
from croupier.verify.rounds.audit_schema import audit_report
from croupier.verify.rounds.schema import round_mapping, round_record, rounds_judgement

__all__ = ["SCHEMAS", "schema"]

SCHEMAS: Final = {
    **schemas.SCHEMAS,
    "par": par_sheet,
    "simulation": simulation_report,
    "session": session_report,
    "round-record": round_record,
    "round-mapping": round_mapping,
    "rounds-judgement": rounds_judgement,
    "audit": audit_report,
    **vectors.SCHEMAS,
}
"""Every schema, by the name under which it is asked for."""


@click.command(epilog="NAME is one of " + ", ".join(SCHEMAS) + ".")
@click.argument("name", metavar="NAME", type=click.Choice(list(SCHEMAS)))
def schema(name: str) -> None:
    """Print the JSON Schema of what commands read or write, by the name of the format."""
    print_json(SCHEMAS[name]())
