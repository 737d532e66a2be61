"""``croupier law new``, ``amend``, ``pack``, and ``add``: write law files, and carry them over."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from croupier.cli.common.files import (
    check_outputs,
    force_option,
    give_text,
    input_file,
    output_path,
    put_file,
)
from croupier.cli.common.output import fail, print_text, usual_option
from croupier.cli.common.text_named import text_named, texts_named
from croupier.files.streams import note
from croupier.law.faults import LawError
from croupier.law.laying_out import MARK, lay_out, new_law, new_register
from croupier.law.resolve import law_ids, source_of

if TYPE_CHECKING:
    from croupier.records.law_pack import Unpacked

folder_option = partial(
    usual_option,
    "-o",
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    default=Path("laws"),
)
_day_option = partial(
    click.option,
    "--on",
    "day",
    metavar="YYYY-MM-DD",
    type=click.DateTime(["%Y-%m-%d"]),
    required=True,
)


@click.command("new", short_help="Lay out the law file of a regulation of your own.")
@click.argument("law_id", metavar="ID")
@click.option("--from", "model", metavar="ID@DATE", required=True, help="The regulation to follow.")
@_day_option(help="The first date on which the text is in force.")
@folder_option(help="Write FOLDER/ID@DATE.toml, which must not exist.")
def new_file(law_id: str, model: str, day: datetime, out: Path) -> None:
    """Lay out the law file of ID, such as au-nsw/mini-baccarat, with every rule as a question.

    Rules that the model has are written as it has them, but cite no clause; all others are
    comments. croupier law check lists what is still open. Also writes interpretations.toml, with
    the readings that the program may ask for, unless the folder has that file.
    """
    if not re.fullmatch(r"[a-z0-9-]+(/[a-z0-9-]+)+", law_id):
        fail(f"{law_id!r} is not an id: write place/game in lower-case letters, digits, hyphens")
    if law_id in law_ids():
        fail(f"{law_id} exists: croupier law amend lays out another date of it")
    text = text_named(model)
    path = out / f"{law_id}@{day.date()}.toml"
    register = path.with_name("interpretations.toml")
    check_outputs(path, force=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    put_file(path, new_law(text, source_of(text), law_id, day.date()).encode(), force=False)
    if not register.exists():
        put_file(register, new_register().encode(), force=False)
    note(f"list what is open with: croupier law check {path}")


@click.command("amend", short_help="Lay out the law file of an amended regulation.")
@click.argument("law_id", metavar="ID")
@_day_option(help="The first date on which the amended text is in force.")
@click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write to FILE, which must not exist.",
)
def amend(law_id: str, day: datetime, out: Path | None) -> None:
    """Lay out a complete copy of the last text of ID before a day, to be amended by hand.

    The copy has the new date. A comment that begins with AMEND stands above each place that must
    be compared with the new text: each section, each clause that an interpretation is about, and
    what is said of the source. Never replaces a file. The guide is docs/amending-a-law.md.
    """
    on = day.date()
    before = [text for text in texts_named(law_id) if text.in_force_from < on]
    if not before:
        fail(f"no version of {law_id} from before {on} is included: there is nothing to amend")
    if out is not None:
        check_outputs(out, force=False)
    text = before[-1]
    laid = lay_out(text, source_of(text), on)
    give_text(laid, out, force=False)
    note(f"{text.id}@{on}, drafted from {text.key}: {laid.count(MARK)} places to check")


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
    from croupier.cli.records.logs import trust_of  # noqa: PLC0415  (signing)
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
