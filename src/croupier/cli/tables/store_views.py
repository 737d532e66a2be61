"""``croupier store views``: SQL views of a store's records."""

from __future__ import annotations

from time import sleep

import click

from croupier.cli.common.files import keep_private
from croupier.cli.common.numbers import FiniteRange
from croupier.cli.common.output import fail, needing, print_text
from croupier.files.streams import FAILS, say
from croupier.records.export.views import views_of
from croupier.records.stores.places import is_database


@click.command()
@click.argument("place", metavar="STORE")
@click.option(
    "--every", "seconds", type=FiniteRange(0.1),
    help="Refresh them every so many seconds, until the command is stopped.",
)  # fmt: skip
@click.option(
    "--reader", metavar="ROLE",
    help="Role of the database that may read the views, and nothing else of STORE.",
)  # fmt: skip
@click.option("--anew", is_flag=True, help="Make the rows of all records anew.")
def views(place: str, seconds: float | None, reader: str | None, *, anew: bool) -> int:
    """Refresh SQL views of STORE with the tables of an export, while services use it.

    The views lie in STORE.views, or in the schema croupier_views of the database; the view records
    says how far each record was read, and when. The chain of new lines is checked. Exits with 1 if
    a line was changed: its record's rows end before it.
    """
    if reader is not None and not is_database(place):
        fail("--reader is a role of a database: give the file STORE.views to its readers")
    keep_private()
    while True:
        fails = _refresh(place, reader, anew=anew)
        if seconds is None:
            return FAILS if fails else 0
        anew = False
        sleep(seconds)


def _refresh(place: str, reader: str | None, *, anew: bool) -> int:
    fails = 0
    with (
        needing("a store in PostgreSQL", "postgres"),
        views_of(place, anew=anew, reader=reader) as found,
    ):
        for one in found:
            if one.fault is not None:
                fails += 1
                say(f"{one.record}: {one.fault}; its rows end before it")
            elif one.is_new:
                print_text(f"{one.record}: {one.entries:,} entries")
    return fails
