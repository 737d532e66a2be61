"""``croupier law check``: every fault of a law file, with its place."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from croupier.cli.common.files import document_options, input_path
from croupier.cli.common.output import command_line, exit_unless, print_json
from croupier.cli.law.documents import FaultOfLaw, LawCheck
from croupier.files.status import WRONG_USE
from croupier.files.streams import echo, say
from croupier.law.contracts import duty_warnings
from croupier.law.faults import LawError, LawFault
from croupier.law.model import Instrument
from croupier.rules import checked_law
from croupier.rules.documents import made


@click.command("check", short_help="Check law files: every fault, with line and column.")
@click.argument("paths", metavar="FILE...", nargs=-1, required=True, type=input_path)
@document_options("text", "json")
def check_files(paths: Sequence[Path], output_format: str) -> None:
    """Check law files as they are read, against the contract of every rule.

    Prints each fault as FILE:LINE:COLUMN: ID: MESSAGE [CODE], and below it, indented, the faults
    that it caused. docs/law-file.md lists the codes.

    Exit status: 1 if a file has faults, 2 if one cannot be read as TOML.
    """
    checked = [(path, _checked(path)) for path in paths]
    if output_format == "json":
        document: LawCheck = {
            "format": "croupier-law-check/1",
            **made(command_line()),
            "files": [
                {
                    "file": str(path),
                    "law": None if isinstance(one, LawError) else one.key,
                    "accepted": not isinstance(one, LawError),
                    "faults": [_data(fault) for fault in _faults(one)],
                    "warnings": [
                        {"id": rule_id, "message": message} for rule_id, message in _warnings(one)
                    ],
                }
                for path, one in checked
            ],
        }
        print_json(document)
    else:
        for path, one in checked:
            _print(path, one)
    errors = [one for _, one in checked if isinstance(one, LawError)]
    if any(not error.faults or error.faults[0].code == "toml" for error in errors):
        sys.exit(WRONG_USE)
    exit_unless(not errors)


def _checked(path: Path) -> Instrument | LawError:
    try:
        return checked_law(path)
    except LawError as error:
        return error


def _faults(one: Instrument | LawError) -> Iterator[LawFault]:
    """By place, each followed by those that it caused."""
    faults = sorted(one.faults, key=lambda fault: fault.place) if isinstance(one, LawError) else []
    shown = set[int]()

    def with_consequences(fault: LawFault) -> Iterator[LawFault]:
        if id(fault) in shown:
            return
        shown.add(id(fault))
        yield fault
        for other in faults:
            if other.cause == fault.item:
                yield from with_consequences(other)

    for fault in [law_fault for law_fault in faults if not law_fault.cause] + faults:
        yield from with_consequences(fault)


def _warnings(outcome: Instrument | LawError) -> Iterator[tuple[str, str]]:
    return iter(()) if isinstance(outcome, LawError) else duty_warnings(outcome.rules)


def _print(path: Path, one: Instrument | LawError) -> None:
    if isinstance(one, Instrument):
        for rule_id, message in _warnings(one):
            echo(f"{path}: warning: {rule_id}: {message}")
        echo(f"{path}: accepted: {one.key}, {len(one.clauses)} clauses, {len(one.rules)} rules")
        for found in one.mechanisms.values():
            echo(f"{path}: {found}, SHA-256 {found.sha256}")
        return
    for fault in _faults(one):
        echo(f"{'  ' if fault.cause else ''}{fault} [{fault.code}]")
    if not one.faults:
        say(str(one))
    roots = sum(not fault.cause for fault in one.faults)
    more = len(one.faults) - roots
    echo(f"{path}: refused: {roots} faults" + (f", and {more} that they caused" if more else ""))


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
