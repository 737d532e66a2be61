"""Options for trusted public keys."""

from __future__ import annotations

from pathlib import Path

import click

from croupier.cli.common.files import input_file
from croupier.records.trust import Trust, read_trust, trust_in

trust_option = click.option(
    "--trust",
    "trust_path",
    type=input_file,
    metavar="FILE",
    help="Trust file (TOML): the public keys whose signatures count, and when.",
)
public_key_option = click.option(
    "--public-key",
    "public_keys",
    type=input_file,
    multiple=True,
    help="Public key whose signatures count at any time; repeatable.",
)


def trust_of(trust_path: Path | None, public_keys: tuple[Path, ...] = ()) -> Trust | None:
    if trust_path is None and not public_keys:
        return None
    found = dict(trust_in(public_keys).keys)
    if trust_path is not None:
        # The limits of a trust file apply to a key that is given twice.
        found |= read_trust(trust_path).keys
    return Trust(found)
