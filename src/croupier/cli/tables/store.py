"""``croupier store``: copies of a service's store, and their verification."""

from __future__ import annotations

import os
from collections.abc import Callable, Container
from itertools import chain, islice
from pathlib import Path
from typing import TypeAlias, TypeVar

import click

from croupier.cli.common.files import output_path
from croupier.cli.common.output import fail, print_text
from croupier.files.status import FAILS
from croupier.files.streams import say
from croupier.records.days import StoredRecords, day_of
from croupier.records.entry import unseal
from croupier.records.header import LogError
from croupier.records.pit_log import is_pit_header, pit_header_of
from croupier.records.stores.backup import Copied, back_up, records_of, restore
from croupier.records.stores.stream import StoreError
from croupier.records.stores.vault import key_of
from croupier.verify.continues import compare_days
from croupier.verify.log import verify_lines
from croupier.verify.pit_log import verify_pit_lines

T = TypeVar("T")
_Tables: TypeAlias = dict[str, list[tuple[str, int]]]


@click.group()
def store() -> None:
    """Copy, restore, and check the store of a service: a file, or postgresql://..."""


@store.command()
@click.argument("place", metavar="STORE")
@click.argument("copy", type=output_path)
def backup(place: str, copy: Path) -> None:
    """Copy STORE into a new file COPY, while services use it.

    COPY is the state of one instant, with the secrets of sealed shoes as they are sealed. It never
    has the key of the vault, which lies beside STORE unless --vault-key named another: keep a copy
    of the key elsewhere.
    """
    found = _done(lambda: back_up(place, copy))
    print_text(f"{copy} has {_counted(found)}")
    if found.secrets:
        key = "that of --vault-key" if found.vault is None else key_of(found.vault)
        print_text(f"It does not have their key: keep a copy of {key} elsewhere")
    _warn_of_lacking(found)


@store.command("restore")
@click.argument("copy", type=click.Path(path_type=Path))
@click.argument("place", metavar="STORE")
def bring_back(copy: Path, place: str) -> None:
    """Bring COPY back as STORE: a new file, or an empty database.

    Secrets of sealed shoes go into the vault beside a file, or into the database. Every grant of
    COPY is void, with its tokens and links, once STORE is served. No service may use STORE
    meanwhile.
    """
    found = _done(lambda: restore(copy, place))
    print_text(f"Restored: {_counted(found)}; check them with croupier store check")
    if found.vault is not None and not key_of(found.vault).exists():
        print_text(f"Put the key of the vault back at {key_of(found.vault)} before you serve it")
    elif found.secrets and found.vault is None:
        print_text("Serve it with the key of these secrets: --vault-key FILE")
    _warn_of_lacking(found)
    print_text("Its grants are void: croupier serve prints new links")


@store.command()
@click.argument("place", metavar="STORE")
def check(place: str) -> int:
    """Verify every record of STORE from scratch, while services use it.

    What the record of a gaming day carries over must be what that of the day before it ended with.
    What a pit ordered, admitted, and took over must be in the records of its tables, and nothing
    else that is the pit's. Exits with 1 if a record diverges from its rules, from the day before
    it, or from that of its pit.
    """
    fails = 0
    try:
        with records_of(place) as records:
            firsts = {name: next(records.lines(name), b"") for name in records.names}
            pits = {name for name, first in firsts.items() if is_pit_header(first)}
            broken: set[str] = set()
            tables: _Tables = {}
            # Whatever a table has by now of its pit, the pit has when it is read after it.
            for name in sorted(records.names, key=pits.__contains__):
                try:
                    if not firsts[name]:
                        # A service that was killed had named the record, and stored nothing of it.
                        told, is_clean = "not begun", True
                    elif name in pits:
                        told, is_clean = _judged_pit(name, records, tables, broken)
                    else:
                        told, is_clean = _judged(name, records, tables)
                except LogError as error:
                    told, is_clean = str(error), False
                if not is_clean:
                    fails += 1
                    broken.add(day_of(name)[0])
                print_text(f"{name}: {told}")
    except StoreError as error:
        fail(str(error))
    return FAILS if fails else 0


def _judged(name: str, records: StoredRecords, tables: _Tables) -> tuple[str, bool]:
    verdict = verify_lines(Path(name), records.lines(name))
    compare_days(verdict, name, records)
    pit = verdict.header.rules.submission.layout.pit
    tables.setdefault(pit, []).append((name, 1 + verdict.entries))
    found = verdict.divergence
    if found is not None:
        return f"line {found.line}: {found.message}", False
    told = f"{verdict.entries:,} entries, {verdict.rounds:,} rounds, verified"
    if count := len(verdict.differences):
        told += f" under edition {verdict.header.edition}; {count:,} entries would differ today"
    return told, verdict.is_clean


def _judged_pit(
    name: str, records: StoredRecords, tables: _Tables, broken: Container[str]
) -> tuple[str, bool]:
    # A table with a broken record is not compared.
    lines = iter(records.lines(name))
    first = next(lines, b"")
    sealed = unseal(first)
    header = pit_header_of(name, first if sealed is None else sealed[0])
    beside = [one for one in tables.get(header.pit, []) if day_of(one[0])[0] not in broken]
    verdict = verify_pit_lines(
        Path(name),
        chain((first,), lines),
        [(Path(table), islice(records.lines(table), count)) for table, count in beside],
    )
    if found := verdict.divergence:
        return f"line {found.line}: {found.message}", False
    wrong = [str(one) for one in verdict.findings]
    wrong += [
        f"table {table}: the pit admitted it, and it has no record here"
        for table in verdict.admitted
        if table not in verdict.tables and table not in broken
    ]
    if wrong:
        more = f", and {len(wrong) - 1:,} more" if wrong[1:] else ""
        return f"{wrong[0]}{more}", False
    number = len(verdict.tables)
    return f"{verdict.entries:,} entries, {number} table{'s' * (number != 1)}, verified", True


def _counted(found: Copied) -> str:
    sealed = f" and {found.secrets:,} sealed secrets of shoes" if found.secrets else ""
    return f"{found.entries:,} entries{sealed}"


def _warn_of_lacking(found: Copied) -> None:
    if found.lacking:
        say(
            f"it lacks secrets of sealed shoes of {', '.join(found.lacking)}: a table whose shoe is"
            " under way is paused when it is served, and its shoe cannot be dealt"
        )


def _done(act: Callable[[], T]) -> T:
    os.umask(0o077)  # A copy is this user's alone, as the store is.
    try:
        return act()
    except ModuleNotFoundError as error:
        fail(f"a store in PostgreSQL needs {error.name}: pip install 'croupier[postgres]'")
    except StoreError as error:
        fail(str(error))
