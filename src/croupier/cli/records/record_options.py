"""Shared options for verifying a record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from croupier.cli.common.files import input_file, record_file
from croupier.files.text import encoding_named

if TYPE_CHECKING:
    from croupier.records.names import Names

record_argument = click.argument("record", type=record_file)

submission_option = click.option(
    "--submission",
    type=input_file,
    help="Rules submission of the table; a table log contains its own.",
)

mapping_option = click.option(
    "--mapping",
    type=input_file,
    help="Mapping of the columns and values of external rounds (TOML).",
)

behind_option = click.option(
    "--cards-behind",
    type=click.IntRange(0),
    metavar="CARDS",
    help="Cards behind the cutting card (cut card), if the house uses a fixed number.",
)


def _keep(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    context.meta[f"croupier.{parameter.name}"] = value


def _asked(name: str) -> Any:
    return click.get_current_context().meta.get(f"croupier.{name}")


def _keep_encoding(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    try:
        _keep(context, parameter, None if value is None else encoding_named(value))
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


encoding_option = click.option(
    "--encoding",
    metavar="NAME",
    expose_value=False,
    callback=_keep_encoding,
    help="Encoding of the record if not UTF-8, such as cp1252 or utf-16-le.",
)


def encoding_asked() -> str | None:
    encoding: str | None = _asked("encoding")
    return encoding


limits_option = click.option(
    "--no-limits",
    is_flag=True,
    expose_value=False,
    callback=_keep,
    help="Do not check stakes against the table limits; the result says so.",
)


def limits_checked() -> bool:
    return not _asked("no_limits")


table_option = click.option(
    "--table",
    metavar="NAME",
    expose_value=False,
    callback=_keep,
    help="Record of this table in a .sqlite store; needed only if the store holds several.",
)


with_law_option = click.option(
    "--with-law",
    is_flag=True,
    expose_value=False,
    callback=_keep,
    help="Store a law of your own in the log, so that it verifies without the law's folder.",
)


def with_law_asked() -> bool:
    return bool(_asked("with_law"))


def table_asked() -> str | None:
    table: str | None = _asked("table")
    return table


vault_file = click.Path(exists=True, dir_okay=False, path_type=Path)


names_option = click.option(
    "--names",
    type=vault_file,
    metavar="VAULT",
    expose_value=False,
    callback=_keep,
    help="Vault of the names of patrons, if not RECORD.names.",
)


def names_of(record: Path | None) -> Names | None:
    from croupier.records.names import Names, names_beside  # noqa: PLC0415  (few commands read names)

    asked: Path | None = _asked("names")
    vault = asked or (None if record is None else names_beside(record))
    return Names(vault) if vault is not None and (asked or vault.exists()) else None
