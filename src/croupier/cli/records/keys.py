"""``croupier key`` and ``names``: keys, and the vault of the names of patrons."""

from __future__ import annotations

from pathlib import Path

import click

from croupier.cli.common.files import (
    check_outputs,
    force_option,
    give_text,
    input_file,
    keep_private,
    out_options,
    output_path,
)
from croupier.cli.common.output import print_text
from croupier.cli.records.record_options import vault_file
from croupier.files.toml import toml_value
from croupier.files.write import Writer
from croupier.law.usage import counted
from croupier.records.names import Names, new_names
from croupier.records.signing import FORMAT, new_key, trust_in
from croupier.records.stores.vault import new_vault_key


@click.group()
def key() -> None:
    """Make keys that sign the checkpoints of table logs, and that seal vaults."""


@key.command()
@click.argument("path", metavar="KEY", type=output_path)
@force_option
def new(path: Path, *, force: bool) -> None:
    """Make a pair of Ed25519 keys: KEY, which is secret, and KEY.pub, for everybody.

    Keep KEY where only the table's server reads it. Hand KEY.pub to whoever is to check logs.
    """
    private_key, public = new_key()
    keep_private()
    with Writer(force=force) as writer:
        writer.open(path).write(private_key)
        writer.open(path.with_name(f"{path.name}.pub")).write(public)
    print_text(f"Keep {path} secret; {path}.pub is public.")


@key.command()
@click.argument("paths", metavar="KEY.pub...", type=input_file, nargs=-1, required=True)
@out_options
def trust(paths: tuple[Path, ...], out: Path | None, *, force: bool) -> None:
    """Print a trust file with these public keys, for --trust.

    Edit the labels, and add valid_from, valid_until, and revoked: see croupier help record-bytes.
    """
    check_outputs(out, force=force)
    keys = trust_in(paths).keys.values()
    text = f"format = {toml_value(FORMAT)}\n"
    for one in keys:
        label = toml_value(Path(one.label).name)
        text += f"\n# {one.id}\n[[key]]\nlabel = {label}\npublic_key = {toml_value(one.pem)}\n"
    give_text(text, out, force=force)


@key.command()
@click.argument("path", metavar="KEY", type=output_path)
@force_option
def vault(path: Path, *, force: bool) -> None:
    """Make KEY, which seals the vault of a table's secrets: `croupier deal --vault`.

    Keep KEY apart from the vault: whoever has both knows the mystery values before they are hit.
    """
    keep_private()
    with Writer(force=force) as writer:
        writer.open(path).write(new_vault_key())
    print_text(f"Keep {path} secret, and apart from the vault that it seals.")


_vault_argument = click.argument("vault", metavar="VAULT", type=vault_file)


@click.group()
def names() -> None:
    """Keep the names of patrons apart from records, which have tokens, and erase names."""


@names.command("new")
@click.argument("vault", metavar="VAULT", type=output_path)
def new_vault(vault: Path) -> None:
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
    kept_names, erased_names = Names(vault).listed()
    for token, name in kept_names.items():
        print_text(f"{token}  {name}")
    for token, one in erased_names.items():
        print_text(f"{token}  erased on {one.at:%Y-%m-%d %H:%M} UTC by {one.by}: {one.reason}")
    print_text(f"{counted(len(kept_names), 'name')}, {len(erased_names)} erased")


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
