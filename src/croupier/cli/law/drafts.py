"""``croupier law new``, ``amend``, ``check``, ``pack``, and ``add``: law files of your own."""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from croupier.cli.common.arguments import text_named, texts_named
from croupier.cli.common.files import (
    check_outputs,
    document_options,
    force_option,
    give_text,
    input_file,
    input_path,
    output_path,
    put_file,
)
from croupier.cli.common.output import (
    command_line,
    exit_unless,
    fail,
    print_json,
    print_text,
    usual_option,
)
from croupier.cli.law.documents import FaultOfLaw, LawCheck
from croupier.files.streams import WRONG_USE, echo, note, say
from croupier.law.contracts import duty_warnings
from croupier.law.faults import LawError, LawFault
from croupier.law.folders import law_files
from croupier.law.interpretations import REGISTER
from croupier.law.laying_out import MARK, lay_out, new_law, new_register
from croupier.law.model import Instrument
from croupier.law.resolve import law_ids, shadowed, source_of
from croupier.law.usage import counted
from croupier.rules import checked_law
from croupier.rules.documents import made

if TYPE_CHECKING:
    from croupier.records.law_pack import Unpacked


@click.command("check", short_help="Check law files: every fault, with line and column.")
@click.argument("paths", metavar="FILE...", nargs=-1, required=True, type=input_path)
@document_options("text", "json")
def check_files(paths: Sequence[Path], output_format: str) -> None:
    """Check law files as they are read, against the contract of every rule.

    Prints each fault as FILE:LINE:COLUMN: ID: MESSAGE [CODE], and below it, indented, the faults
    that it caused. docs/law-file.md lists the codes.

    FILE may be a folder: every law file at and below it is checked; interpretations.toml stands for
    its folder. Exit status: 1 if a file has faults, 2 if one cannot be read as TOML.
    """
    files = dict.fromkeys(file for path in paths for file in _files(path))
    results = [(file, _checked(file)) for file in files]
    if output_format == "json":
        document: LawCheck = {
            "format": "croupier-law-check/1",
            **made(command_line()),
            "files": [
                {
                    "file": str(path),
                    "law": None if isinstance(law, LawError) else law.key,
                    "accepted": not isinstance(law, LawError),
                    "faults": [_data(fault) for fault in _faults(law)],
                    "warnings": [
                        {"id": rule_id, "message": message}
                        for rule_id, message in _warnings(path, law)
                    ],
                }
                for path, law in results
            ],
        }
        print_json(document)
    else:
        for path, result in results:
            _print(path, result)
    errors = [result for _, result in results if isinstance(result, LawError)]
    if any(not error.faults or error.faults[0].code == "toml" for error in errors):
        sys.exit(WRONG_USE)
    exit_unless(not errors)


def _files(path: Path) -> Sequence[Path]:
    # The laws of a folder are read with its register.
    folder = path.parent if path.name == REGISTER else path
    files = [law.path for law in law_files(folder)] if folder.is_dir() else [path]
    if not files:
        fail(f"{folder}: the folder has no law file: one has a table [instrument]")
    return files


def _checked(path: Path) -> Instrument | LawError:
    try:
        return checked_law(path)
    except LawError as error:
        return error


def _faults(one: Instrument | LawError) -> Iterator[LawFault]:
    faults = sorted(one.faults, key=lambda fault: fault.place) if isinstance(one, LawError) else []
    shown_ids = set[int]()

    def with_consequences(fault: LawFault) -> Iterator[LawFault]:
        if id(fault) in shown_ids:
            return
        shown_ids.add(id(fault))
        yield fault
        for consequence in faults:
            if consequence.cause == fault.item:
                yield from with_consequences(consequence)

    for fault in [law_fault for law_fault in faults if not law_fault.cause] + faults:
        yield from with_consequences(fault)


def _warnings(path: Path, outcome: Instrument | LawError) -> Iterator[tuple[str, str]]:
    if isinstance(outcome, LawError):
        return
    if reason := shadowed(outcome.id, path):
        yield outcome.id, f"no folder of laws may have this file: {reason}"
    yield from duty_warnings(outcome.rules)


def _print(path: Path, law: Instrument | LawError) -> None:
    if isinstance(law, Instrument):
        for rule_id, message in _warnings(path, law):
            echo(f"{path}: warning: {rule_id}: {message}")
        echo(f"{path}: accepted: {law.key}, {len(law.clauses)} clauses, {len(law.rules)} rules")
        for mechanism in law.mechanisms.values():
            echo(f"{path}: {mechanism}, SHA-256 {mechanism.sha256}")
        return
    for fault in _faults(law):
        echo(f"{'  ' if fault.cause else ''}{fault} [{fault.code}]")
    if not law.faults:
        say(str(law))
        return
    roots = sum(not fault.cause for fault in law.faults)
    rest = len(law.faults) - roots
    caused = f", and {rest} that they caused" if rest else ""
    echo(f"{path}: refused: {counted(roots, 'fault')}{caused}")


def _data(fault: LawFault) -> FaultOfLaw:
    return {
        "file": str(fault.place.file),
        "line": fault.place.line or 1,
        "column": fault.place.column or 1,
        "id": fault.item,
        "message": fault.message,
        "code": fault.code,
        "cause": fault.cause or None,
    }


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
    register = path.with_name(REGISTER)
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
    earlier_texts = [text for text in texts_named(law_id) if text.in_force_from < on]
    if not earlier_texts:
        fail(f"no version of {law_id} from before {on} is included: there is nothing to amend")
    if out is not None:
        check_outputs(out, force=False)
    text = earlier_texts[-1]
    draft_text = lay_out(text, source_of(text), on)
    give_text(draft_text, out, force=False)
    note(f"{text.id}@{on}, drafted from {text.key}: {draft_text.count(MARK)} places to check")


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
    law_pack = Unpacked(file)
    if trust is not None:
        check_key(file, law_pack, trust)
    _check_laws(file, law_pack)
    targets = {out / name: raw for name, raw in law_pack.files.items()}
    for path in targets:
        check_outputs(path, force=False)
    for path, raw in targets.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        put_file(path, raw, force=False)
    for law, sha256 in law_pack.laws.items():
        print_text(f"{law}: SHA-256 {sha256}")
    for name, one in law_pack.mechanisms.items():
        print_text(f"mechanism {name}: {one['package']} {one['version']}, SHA-256 {one['sha256']}")
    signature_text = f"signed with the key whose SHA-256 is {law_pack.key_id}"
    advice = "" if trust else "; with --key or --trust it is compared with a key that you trust"
    print_text(f"{file}: whole, {signature_text}{advice}.")
    print_text(f"Use its laws with: croupier --laws {out}")


def _check_laws(file: Path, law_pack: Unpacked) -> None:
    from croupier.records.law_pack import laws_below  # noqa: PLC0415  (signing)

    with tempfile.TemporaryDirectory() as place:
        law_pack.write(Path(place))
        laws = laws_below(Path(place))
    if {law.key: law.sha256 for law in laws} != law_pack.laws:
        raise LawError(f"{file}: its law files are not those of its manifest")
    local = {name: mechanism.stated for law in laws for name, mechanism in law.mechanisms.items()}
    if local != law_pack.mechanisms:
        raise LawError(
            f"{file}: packed with the mechanisms {_listed(law_pack.mechanisms)}; here installed: "
            f"{_listed(local)}"
        )


def _listed(mechanisms: Mapping[str, Mapping[str, str]]) -> str:
    return ", ".join(" ".join((name, *one.values())) for name, one in mechanisms.items()) or "none"
