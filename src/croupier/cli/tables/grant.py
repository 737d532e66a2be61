"""``croupier grant``: a one-time link, made next to a running service."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from croupier.acts.roles import GRANTED
from croupier.cli.common.arguments import FiniteRange
from croupier.cli.common.files import output_path
from croupier.cli.common.output import fail, needing, print_text, usual_option
from croupier.files.streams import echo
from croupier.files.toml import read_settings
from croupier.files.write import write_private
from croupier.records.stores.places import is_database


@click.command()
@click.option(
    "--office", required=True, type=click.Choice([*map(str, GRANTED)]), help="The office."
)
@click.option("--person", default="", help="Who holds it (default: the office).")
@click.option("--table", "tables", multiple=True, help="At this table (default: all); repeatable.")
@click.option("--pit", default="", help="Of this pit (default: the only one).")
@click.option("--seat", type=click.IntRange(0), help="Seat of a patron.")
@usual_option(
    "--hours", type=FiniteRange(0, 8784, min_open=True), default=12.0,
    help="How long a new grant lasts.",
)  # fmt: skip
@click.option(
    "--store", "place", metavar="FILE",
    help="The store of the service (default: that of croupier.toml, or croupier.sqlite).",
)  # fmt: skip
@click.option(
    "--control", type=click.Path(path_type=Path), metavar="FILE",
    help="The socket of a service whose store is a database: its own --control.",
)  # fmt: skip
@click.option("-o", "--out", type=output_path, metavar="FILE", help="Write the link to a new file.")
def grant(  # noqa: PLR0913  (each is an option of the command)
    *,
    office: str,
    person: str,
    tables: tuple[str, ...],
    pit: str,
    seat: int | None,
    hours: float,
    place: str | None,
    control: Path | None,
    out: Path | None,
) -> None:
    """Make a one-time link to an office, next to a running service.

    Run it as the user that runs the service. The link is valid for ten minutes. It is printed on a
    terminal only, or written to a new file that this user alone may read (--out). The record of the
    pit has the grant and the link, but not its code.
    """
    if out is None and not sys.stdout.isatty():
        fail("standard output is not a terminal: write the link to a new file with --out FILE")
    with needing("grant", "server"):
        from croupier.server.control import ask, control_of  # noqa: PLC0415  (an extra)
    file = read_settings()
    table = {} if file is None else file.tables.get("serve", {})
    settings = table if isinstance(table, dict) else {}
    default_place = str(settings.get("store", "croupier.sqlite"))
    place, setting = place or default_place, settings.get("control")
    # The socket of the settings is that of their store.
    control_path = control or (Path(str(setting)) if setting and place == default_place else None)
    if control_path is None and is_database(place):
        fail("the store is a database: name the socket of the service with --control FILE")
    socket = control_path or control_of(Path(place))
    if out is not None and out.exists():
        fail(f"{out}: it exists: name a new file")
    request = {"office": office, "person": person, "tables": tables, "pit": pit, "seat": seat,
               "hours": hours}  # fmt: skip
    try:
        answer = ask(socket, request)
    except OSError as error:
        fail(f"{socket}: no service answers there ({error.strerror or error}): is it running?")
    if "error" in answer:
        fail(str(answer["error"]))
    if out is None:
        echo(answer["link"])
        return
    try:
        write_private(out, f"{answer['link']}\n")
    except OSError as error:
        fail(f"{out}: {error.strerror}")
    print_text(f"{out} has the link of {answer['person']}, {office}")
