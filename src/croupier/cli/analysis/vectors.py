"""``croupier vectors``: write conformance test vectors for any language."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from rich.progress import Progress, SpinnerColumn, TextColumn

from croupier.cli.common.files import force_option
from croupier.cli.common.output import (
    error_console,
    format_option,
    headline,
    plain_table,
    print_json,
    print_table,
    print_text,
)
from croupier.cli.common.terminal import laws_asked
from croupier.cli.submission.rules import TableAsked, print_rules, table_options
from croupier.files.streams import FAILS, say
from croupier.files.text import read_bytes
from croupier.law.folders import named_folders
from croupier.law.interpretations import is_listed
from croupier.scenarios.vectors.pack import MANIFEST, Pack, RulesSource, check_folder, pack, write


@click.command()
@table_options
@click.option(
    "-o",
    "--out",
    "folder",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR",
    help="Folder for the files: new, empty, or with older vectors, which --force replaces.",
)
@force_option
@format_option
def vectors(*, asked: TableAsked, folder: Path, force: bool, output_format: str) -> None:
    """Write the conformance test vectors of a table to the folder DIR.

    The JSON files contain every start of two hands with every continuation, every wager's result
    and payment, rounding at many stakes, every irregularity played to its end, and every refusal
    with its code and clauses. A manifest lists and hashes the files, and their schemas are
    included. The same rules always produce the same bytes; see croupier help conformance. Exit
    status: 1 if something the rules allow is in no vector.
    """
    rules, path = asked.rules(), asked.submission
    source = None if path is None else RulesSource(path.name, read_bytes(path))
    places = () if is_listed(rules.law) else laws_asked() or named_folders()
    check_folder(folder, force=force)
    with _progress() as progress:
        vectors_pack = pack(rules, source, progress, [one.resolve().name for one in places])
    write(vectors_pack, folder, force=force)
    if output_format == "json":
        print_json({**vectors_pack.manifest, "folder": str(folder)})
    else:
        headline(f"Conformance vectors in {folder}")
        print_rules(rules)
        _print(vectors_pack)
    if vectors_pack.gaps:
        say(f"not covered: {', '.join(vectors_pack.gaps)}")
        raise SystemExit(FAILS)


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    err = error_console()
    columns = (SpinnerColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as display:
        task = display.add_task("Preparing")
        yield lambda topic: display.update(task, description=f"Generating {topic}")


def _print(vectors_pack: Pack) -> None:
    table = plain_table("File", "bytes", "holds")
    for file in vectors_pack.manifest["files"]:
        if file["schema"] is not None:
            counts = ", ".join(f"{number:,} {name}" for name, number in file["counts"].items())
            counts = counts.replace("_", " ")
            table.add_row(file["name"], f"{file['bytes']:,}", counts)
    print_table(table)
    print_text(f"{MANIFEST} lists and hashes every file; the schemas are included.")
