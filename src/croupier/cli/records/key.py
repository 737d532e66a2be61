"""``croupier key``: keys that sign table logs and seal secrets."""

from __future__ import annotations

from pathlib import Path

import click

from croupier.cli.common.files import (
    check_outputs,
    force_option,
    give_text,
    input_file,
    keep_private,
    out_option,
    output_path,
)
from croupier.cli.common.output import print_text
from croupier.files.toml import toml_value
from croupier.files.write import Writer
from croupier.records.signing import new_key
from croupier.records.stores.vault import new_vault_key
from croupier.records.trust import FORMAT, trust_in


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
    private, public = new_key()
    keep_private()
    with Writer(force=force) as writer:
        writer.open(path).write(private)
        writer.open(path.with_name(f"{path.name}.pub")).write(public)
    print_text(f"Keep {path} secret; {path}.pub is public.")


@key.command()
@click.argument("paths", metavar="KEY.pub...", type=input_file, nargs=-1, required=True)
@out_option
@force_option
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
