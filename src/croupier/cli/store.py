"""``croupier store``: copies of a service's store, and whether every record in it is whole."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import TypeVar

import click

from croupier.cli.files import output_path
from croupier.cli.output import fail, print_text
from croupier.files.status import FAILS
from croupier.records.backup import back_up, records_of, restore
from croupier.records.days import StoredRecords
from croupier.records.header import LogError
from croupier.records.pit_log import is_pit_header
from croupier.records.stream import StoreError
from croupier.verify.continues import compare_days
from croupier.verify.log import Verdict, verify_lines
from croupier.verify.pit_log import PitVerdict, verify_pit_lines

__all__ = ["store"]

T = TypeVar("T")


@click.group()
def store() -> None:
    """Copy, restore, and check the store of a service: a file, or postgresql://..."""


@store.command()
@click.argument("place", metavar="STORE")
@click.argument("copy", type=output_path)
def backup(place: str, copy: Path) -> None:
    """Copy STORE into a new file COPY, while services use it.

    COPY is the state of one instant. Secrets of sealed shoes lie in the vault beside a store, and
    are not in COPY: copy the vault too, and its key to another place.
    """
    entries = _done(lambda: back_up(place, copy))
    print_text(f"{copy} has {entries:,} entries")


@store.command("restore")
@click.argument("copy", type=click.Path(path_type=Path))
@click.argument("place", metavar="STORE")
def bring_back(copy: Path, place: str) -> None:
    """Bring COPY back as STORE: a new file, or an empty database.

    No service may use STORE meanwhile.
    """
    entries = _done(lambda: restore(copy, place))
    print_text(f"{entries:,} entries are restored; check them with croupier store check")


@store.command()
@click.argument("place", metavar="STORE")
def check(place: str) -> int:
    """Verify every record of STORE from scratch, while services use it.

    What the record of a gaming day carries over must be what that of the day before it ended with.
    Exits with 1 if a record diverges from its rules, or from the day before it.
    """
    fails = 0
    try:
        with records_of(place) as records:
            for name in records.names:
                try:
                    told, is_clean = _judged(name, records)
                except LogError as error:
                    told, is_clean = str(error), False
                fails += not is_clean
                print_text(f"{name}: {told}")
    except StoreError as error:
        fail(str(error))
    return FAILS if fails else 0


def _judged(name: str, records: StoredRecords) -> tuple[str, bool]:
    """Say what came of verifying a record, a table's or a pit's, and whether it is clean."""
    lines = records.lines(name)
    first = next(lines, b"")
    if not first:
        # A service that was killed had named the record, and stored nothing of it.
        return "not begun", True
    every = chain((first,), lines)
    verdict: PitVerdict | Verdict
    if is_pit_header(first):
        verdict = verify_pit_lines(Path(name), every)
        told = f"{verdict.entries:,} entries, verified"
    else:
        verdict = verify_lines(Path(name), every)
        compare_days(verdict, name, records)
        told = f"{verdict.entries:,} entries, {verdict.rounds:,} rounds, verified"
    found = verdict.divergence
    return told if found is None else f"line {found.line}: {found.message}", verdict.is_clean


def _done(act: Callable[[], T]) -> T:
    os.umask(0o077)  # A copy is this user's alone, as the store is.
    try:
        return act()
    except ModuleNotFoundError as error:
        fail(f"a store in PostgreSQL needs {error.name}: pip install 'croupier[postgres]'")
    except StoreError as error:
        fail(str(error))
