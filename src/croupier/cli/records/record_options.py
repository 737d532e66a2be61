"""Shared options for verifying a record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from croupier.cli.common.files import input_file, record_file
from croupier.cli.common.output import fail
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

_ENCODING: Final = "croupier.encoding"


def _asked(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    del parameter
    try:
        context.meta[_ENCODING] = None if value is None else encoding_named(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


encoding_option = click.option(
    "--encoding",
    metavar="NAME",
    expose_value=False,
    callback=_asked,
    help="Encoding of the record if not UTF-8, such as cp1252 or utf-16-le.",
)


def encoding_asked() -> str | None:
    """Return the encoding given for the record, if any."""
    encoding: str | None = click.get_current_context().meta.get(_ENCODING)
    return encoding


_LIMITS: Final = "croupier.limits"


def _unlimited(context: click.Context, parameter: click.Parameter, value: bool) -> None:  # noqa: FBT001  (as click calls it)
    del parameter
    context.meta[_LIMITS] = not value


limits_option = click.option(
    "--no-limits",
    is_flag=True,
    expose_value=False,
    callback=_unlimited,
    help="Do not check stakes against the table limits; the result says so.",
)


def limits_checked() -> bool:
    """Return whether stakes are checked against the limits."""
    checked: bool = click.get_current_context().meta.get(_LIMITS, True)
    return checked


_TABLE: Final = "croupier.table"
_WITH_LAW: Final = "croupier.with_law"


def _table(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    del parameter
    context.meta[_TABLE] = value


table_option = click.option(
    "--table",
    metavar="NAME",
    expose_value=False,
    callback=_table,
    help="Record of this table in a .sqlite store; needed only if the store holds several.",
)


def _with_law(context: click.Context, parameter: click.Parameter, value: bool) -> None:  # noqa: FBT001
    del parameter
    context.meta[_WITH_LAW] = value


with_law_option = click.option(
    "--with-law",
    is_flag=True,
    expose_value=False,
    callback=_with_law,
    help="Store a law of your own in the log, so that it verifies without the law's folder.",
)


def with_law_asked() -> bool:
    """Return whether a log is to have its law."""
    return bool(click.get_current_context().meta.get(_WITH_LAW))


def table_asked() -> str | None:
    """Return the name of the record in a store, if given."""
    table: str | None = click.get_current_context().meta.get(_TABLE)
    return table


_NAMES: Final = "croupier.names"
vault_file = click.Path(exists=True, dir_okay=False, path_type=Path)


def _names(context: click.Context, parameter: click.Parameter, value: Path | None) -> None:
    del parameter
    context.meta[_NAMES] = value


names_option = click.option(
    "--names",
    type=vault_file,
    metavar="VAULT",
    expose_value=False,
    callback=_names,
    help="Vault of the names of patrons, if not RECORD.names.",
)


def names_of(record: Path | None) -> Names | None:
    """Return the names elected for a record, if any; exit with status 2 if they are damaged."""
    from croupier.records.names import (  # noqa: PLC0415  (few commands read names)
        Names,
        NamesError,
        names_beside,
    )

    asked: Path | None = click.get_current_context().meta.get(_NAMES)
    vault = asked or (None if record is None else names_beside(record))
    try:
        return Names(vault) if vault is not None and (asked or vault.exists()) else None
    except NamesError as error:
        fail(str(error))
