"""``croupier names``: the vault of the names of patrons."""

from __future__ import annotations

from pathlib import Path

import click

from croupier.cli.common.files import output_path
from croupier.cli.common.output import print_text
from croupier.cli.records.record_options import vault_file
from croupier.records.names import Names, new_names

_vault_argument = click.argument("vault", metavar="VAULT", type=vault_file)


@click.group()
def names() -> None:
    """Keep the names of patrons apart from records, which have tokens, and erase names."""


@names.command()
@click.argument("vault", metavar="VAULT", type=output_path)
def new(vault: Path) -> None:
    """Elect names of patrons: make VAULT, an empty vault of names.

    Name it after its record: LOG.names, or STORE.names for a store in a file. It is found there.
    For a database, give it to serve with --names VAULT. Without a vault, patrons are recorded as
    they are called: use pseudonyms.
    """
    new_names(vault)
    print_text(f"{vault} takes the names of patrons; records have tokens")


@names.command("list")
@_vault_argument
def list_names(vault: Path) -> None:
    """List the names in VAULT with their tokens, and who erased names, when, and why."""
    kept, erased = Names(vault).listed()
    for token, name in kept.items():
        print_text(f"{token}  {name}")
    for token, one in erased.items():
        print_text(f"{token}  erased on {one.at:%Y-%m-%d %H:%M} UTC by {one.by}: {one.reason}")
    print_text(f"{len(kept)} names, {len(erased)} erased")


@names.command()
@_vault_argument
@click.argument("name", metavar="NAME|TOKEN")
@click.option("--by", required=True, metavar="PERSON", help="Who erases the name.")
@click.option("--reason", required=True, help="Why it is erased.")
def erase(vault: Path, name: str, by: str, reason: str) -> None:
    """Erase a name from VAULT for good; records keep the token, and verify as before.

    Copies of VAULT, and files in which you kept its names, are yours to remove.
    """
    token = Names(vault).erase(name, by, reason)
    print_text(f"Erased: {token} has no name any more")
