"""``croupier export``: table logs as tables for data programs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from croupier.cli.common.files import force_option, record_file
from croupier.cli.common.output import fail, print_text, progress_of
from croupier.cli.records.logs import logs_of
from croupier.files.streams import FAILS, say
from croupier.law.usage import counted
from croupier.records.export.tables import TABLES
from croupier.records.export.writing import (
    FORMS,
    ExportJob,
    export_to_database,
    export_to_files,
    files,
    read_rows,
    replacing,
)
from croupier.records.reader import ChangedLogError

_FILES: Final = ("parquet", "csv")


@click.command("export")
@click.argument("records", metavar="LOG|STORE...", nargs=-1, required=True, type=record_file)
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), required=True,
    help="A folder for one file per table, or a file that ends in .sqlite, .duckdb, .parquet, or"
    " .csv; the last two take one table.",
)  # fmt: skip
@click.option(
    "--tables", "named", metavar="NAMES", default=",".join(TABLES),
    help=f"Tables to write, joined by commas: {', '.join(TABLES)}.  [default: all]",
)  # fmt: skip
@click.option(
    "--format", "stated", type=click.Choice(_FILES),
    help="Format of the files in a folder.  [default: parquet]",
)  # fmt: skip
@click.option(
    "--threads", "processes", type=click.IntRange(1),
    help="Number of processes for several logs (default: all cores).",
)  # fmt: skip
@force_option
def export(  # noqa: PLR0913  (each is an option of the command)
    records: Sequence[Path],
    *,
    out: Path,
    named: str,
    stated: str | None,
    processes: int | None,
    force: bool,
) -> None:
    """Write table logs, or every table of a store, as tables of rows.

    Logs are read entry by entry in constant memory; all of them go into the same tables. Columns
    are described in docs/exports.md. Exit status 1 means that lines of a log were changed since
    they were sealed: nothing is written.
    """
    tables = _tables(named)
    form = stated or "parquet"
    is_file = out.suffix.lstrip(".") in FORMS
    if is_file:
        form = out.suffix.lstrip(".")
        if form in _FILES and len(tables) > 1:
            raise click.UsageError(f"a {form} file takes one table: add --tables, or name a folder")
    if out.exists() and not force:
        fail(f"{out} exists: add --force to replace it")
    try:
        with replacing(out) as target:
            job = ExportJob(logs_of(records), tables, form)
            counts = _write(job, target, processes or os.cpu_count() or 1, is_file=is_file)
    except ChangedLogError as error:
        say(f"{error}; nothing is written; to see more, run croupier verify")
        raise SystemExit(FAILS) from error
    except OSError as error:
        fail(str(error))
    for name, count in counts.items():
        print_text(f"{name}: {counted(count, 'row')}")


def _tables(names_text: str) -> tuple[str, ...]:
    wanted_names = [part.strip() for part in names_text.split(",")]
    if unknown_names := [name for name in wanted_names if name not in TABLES]:
        raise click.BadParameter(
            f"{', '.join(unknown_names)}: write some of {', '.join(TABLES)}", param_hint="--tables"
        )
    return tuple(name for name in TABLES if name in wanted_names)


def _write(job: ExportJob, target: Path, processes: int, *, is_file: bool) -> dict[str, int]:
    _, tables, form = job
    if form not in _FILES:
        target_export = export_to_database(target, tables, form)
    elif is_file:
        target_export = export_to_files({tables[0]: target}, form)
    else:
        target.mkdir()
        target_export = export_to_files(files(target, tables, form), form)
    with target_export as open_export, progress_of(len(job.logs), "logs") as count_done:
        for number, rows in read_rows(job, processes, target.parent):
            open_export.add(rows)
            count_done(number)
    return open_export.counts
