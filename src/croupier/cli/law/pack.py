"""``croupier law pack`` and ``law add``: law files for another machine, in one signed file."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from croupier.cli.common.files import check_outputs, force_option, input_file, output_path, put_file
from croupier.cli.common.output import print_text
from croupier.cli.law.drafts import folder_option
from croupier.law.faults import LawError

if TYPE_CHECKING:
    from croupier.records.law_pack import Unpacked


@click.command("pack", short_help="Pack the law files of a folder into one signed file.")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--key", required=True, type=input_file, help="Key that signs: croupier key new.")
@click.option("-o", "--out", required=True, type=output_path, metavar="FILE.croupierlaw")
@force_option
def pack_folder(folder: Path, key: Path, out: Path, *, force: bool) -> None:
    """Pack the law files, registers, scenarios, and submissions of FOLDER into one signed file.

    A law file with faults is refused.
    """
    from croupier.records.law_pack import pack  # noqa: PLC0415  (signing)
    from croupier.records.signing import Signer  # noqa: PLC0415  (the same)

    check_outputs(out, force=force)
    put_file(out, pack(folder, Signer(key)), force=force)
    print_text(f"{out}: packed; croupier law add {out} verifies it elsewhere.")


@click.command("add", short_help="Verify a pack of law files and add its files to a folder.")
@click.argument("file", type=input_file)
@folder_option(help="Write the files there; none is replaced.")
@click.option("--key", type=input_file, help="Public key that must have signed the pack.")
@click.option(
    "--trust",
    "trust_path",
    type=input_file,
    metavar="FILE",
    help="Trust file (TOML); one of its keys that is valid today must have signed the pack.",
)
def add_pack(file: Path, out: Path, key: Path | None, trust_path: Path | None) -> None:
    """Verify a pack, and write its files to a folder for --laws.

    A pack is refused if a byte of it differs from what was signed, or a law file has faults.
    """
    from croupier.cli.records.trust_options import trust_of  # noqa: PLC0415  (signing)
    from croupier.records.law_pack import Unpacked, check_key  # noqa: PLC0415

    trust = trust_of(trust_path, () if key is None else (key,))
    unpacked = Unpacked(file)
    if trust is not None:
        check_key(file, unpacked, trust)
    _check_laws(file, unpacked)
    targets = {out / name: raw for name, raw in unpacked.files.items()}
    for path in targets:
        check_outputs(path, force=False)
    for path, raw in targets.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        put_file(path, raw, force=False)
    for law, sha256 in unpacked.laws.items():
        print_text(f"{law}: SHA-256 {sha256}")
    for name, one in unpacked.mechanisms.items():
        print_text(f"mechanism {name}: {one['package']} {one['version']}, SHA-256 {one['sha256']}")
    by = f"signed with the key whose SHA-256 is {unpacked.key_id}"
    trusted = "" if trust else "; with --key or --trust it is compared with a key that you trust"
    print_text(f"{file}: whole, {by}{trusted}.")
    print_text(f"Use its laws with: croupier --laws {out}")


def _check_laws(file: Path, unpacked: Unpacked) -> None:
    """Read the laws of a pack as they will be read. Raises ``LawError``."""
    from croupier.records.law_pack import laws_below  # noqa: PLC0415  (signing)

    with tempfile.TemporaryDirectory() as place:
        unpacked.write(Path(place))
        laws = laws_below(Path(place))
    if {law.key: law.sha256 for law in laws} != unpacked.laws:
        raise LawError(f"{file}: its law files are not those of its manifest")
    here = {name: mechanism.stated for law in laws for name, mechanism in law.mechanisms.items()}
    if here != unpacked.mechanisms:
        raise LawError(
            f"{file}: packed with the mechanisms {_listed(unpacked.mechanisms)}; here installed: "
            f"{_listed(here)}"
        )


def _listed(mechanisms: Mapping[str, Mapping[str, str]]) -> str:
    return ", ".join(" ".join((name, *one.values())) for name, one in mechanisms.items()) or "none"
