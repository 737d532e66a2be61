"""``croupier vectors``: write what a table must do as data that any language can read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn

from croupier.cli.output import (
    FAILS,
    format_option,
    headline,
    plain_table,
    print_json,
    print_table,
    print_text,
)
from croupier.cli.par import rules_named
from croupier.cli.rules import print_rules
from croupier.cli.text_named import as_of_option
from croupier.files.streams import say
from croupier.files.text import read_bytes
from croupier.law.resolve import AsOf
from croupier.vectors.pack import MANIFEST, Pack, RulesSource, pack, write

__all__ = ["vectors"]


@click.command()
@click.option(
    "--submission",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The rules submission of the table.",
)
@click.option(
    "--law", "law_id", metavar="ID", help="A law, as ID@DATE, with its default elections."
)
@as_of_option
@click.option(
    "-o",
    "--out",
    "folder",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR",
    help="The folder for the files: a new one, an empty one, or one of older vectors.",
)
@format_option
def vectors(
    submission: Path | None,
    law_id: str | None,
    as_of: AsOf | None,
    folder: Path,
    *,
    output_format: str,
) -> None:
    """Write conformance vectors of a table into the folder DIR.

    JSON files tell, for any language: every start of two hands with all that may follow, every
    wager's result and payment, rounding at many stakes, every irregularity played to its end, and
    every refusal with its code and clauses. A manifest names and hashes them, and their schemas
    stand beside them. The same rules give the same bytes; croupier help conformance says how to use
    them. Exit status 1 where something that the rules have room for is in no vector.
    """
    rules = rules_named(submission, law_id, as_of, None)
    source = None if submission is None else RulesSource(submission.name, read_bytes(submission))
    with _progress() as progress:
        made = pack(rules, source, progress)
    write(made, folder)
    if output_format == "json":
        print_json({**made.manifest, "folder": str(folder)})
    else:
        headline(f"Conformance vectors in {folder}")
        print_rules(rules)
        _print(made)
    if made.gaps:
        say(f"in no vector: {', '.join(made.gaps)}")
        raise SystemExit(FAILS)


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """Show on standard error what is being made, where that is a terminal."""
    err = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as shown:
        task = shown.add_task("Making ready")
        yield lambda topic: shown.update(task, description=f"Making {topic}")


def _print(made: Pack) -> None:
    table = plain_table("File", "bytes", "holds")
    for file in made.manifest["files"]:
        if file["schema"] is not None:
            counts = ", ".join(f"{number:,} {name}" for name, number in file["counts"].items())
            counts = counts.replace("_", " ")
            table.add_row(file["name"], f"{file['bytes']:,}", counts)
    print_table(table)
    print_text(f"{MANIFEST} names them with the schemas beside them, and hashes each.")
