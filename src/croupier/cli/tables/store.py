"""``croupier store``: copies of a service's store, and their verification."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from time import sleep
from typing import Final, TypeAlias, TypeVar

import click

from croupier.cli.common.arguments import FiniteRange
from croupier.cli.common.documents import JudgedRecord, StoreCheck, StoreCopy
from croupier.cli.common.files import (
    check_outputs,
    document_options,
    force_option,
    input_file,
    keep_private,
    output_path,
    put_file,
)
from croupier.cli.common.output import (
    command_line,
    exit_unless,
    fail,
    needing,
    print_json,
    print_text,
)
from croupier.cli.records.logs import trust_of, trust_option
from croupier.files.errors import FileError
from croupier.files.streams import FAILS, say
from croupier.files.text import open_bytes
from croupier.law.usage import counted
from croupier.records.checkpoints import (
    SignedThrough,
    Vouched,
    checkpoints_of,
    misplaced,
    read_checkpoints,
)
from croupier.records.entry import body_of
from croupier.records.export.views import views_of
from croupier.records.grants import grant_faults
from croupier.records.header import LogError, StoredRecords, day_of, name_of_day, stream_in
from croupier.records.heads import (
    FORMAT,
    Heads,
    HeadsFile,
    check_stamp,
    doubled,
    stamp_request,
    streams_of,
)
from croupier.records.pit_log import is_pit_header, pit_header_of
from croupier.records.signing import Signer, Trust
from croupier.records.stores.backup import Copied, back_up, records_of, restore
from croupier.records.stores.places import is_database
from croupier.records.stores.proofs import disproved
from croupier.records.stores.store import SqlReader
from croupier.records.stores.vault import key_of
from croupier.rules.documents import made
from croupier.verify.continues import compare_days
from croupier.verify.log import verify_lines
from croupier.verify.pit_log import verify_pit_lines

T = TypeVar("T")
_Tables: TypeAlias = dict[str, list[tuple[str, int]]]
_POSTGRES: Final = ("a store in PostgreSQL", "postgres")
_HEADS: Final = f'{{"format":"{FORMAT}"'.encode()
_LOOKS: Final = 5
_PAUSE: Final = 0.2
"""Seconds between two looks at grants that differ from the record."""
_heads_option = click.option(
    "--heads",
    "heads_paths",
    type=input_file,
    multiple=True,
    metavar="FILE",
    help="Signed heads of the store, checked with the keys of --trust; repeatable.",
)


@click.group()
def store() -> None:
    """Copy, restore, and check the store of a service: a file, or postgresql://..."""


@store.command()
@click.argument("place", metavar="STORE")
@click.argument("copy", type=output_path)
@document_options("text", "json")
def backup(place: str, copy: Path, *, output_format: str) -> None:
    """Copy STORE into a new file COPY, while services use it.

    COPY is the state of one instant, with the secrets of sealed shoes as they are sealed. It never
    has the key of the vault, which lies beside STORE unless --vault-key named another: keep a copy
    of the key elsewhere.
    """
    totals = _attempt(lambda: back_up(place, copy))
    lines = [f"{copy} has {_copy_text(totals)}"]
    if totals.secrets:
        key = "that of --vault-key" if totals.vault is None else key_of(totals.vault)
        lines.append(f"It does not have their key: keep a copy of {key} elsewhere")
    _print_copy(totals, lines, output_format)


@store.command("restore")
@click.argument("copy", type=click.Path(path_type=Path))
@click.argument("place", metavar="STORE")
@_heads_option
@trust_option
@document_options("text", "json")
def bring_back(
    copy: Path,
    place: str,
    heads_paths: tuple[Path, ...],
    trust_path: Path | None,
    *,
    output_format: str,
) -> None:
    """Bring COPY back as STORE: a new file, or an empty database.

    Secrets of sealed shoes go into the vault beside a file, or into the database. Every grant of
    COPY is void, with its tokens and links, once STORE is served. No service may use STORE
    meanwhile. With --heads and --trust, every record is reported that ends before a signed head. A
    copy with a line that is not as it was signed is not restored, and the command exits with 1.
    """
    evidence = _heads(heads_paths, trust_of(trust_path))
    faults = _lost_since(copy, evidence) if evidence else []
    totals = _attempt(lambda: restore(copy, place))
    lines = [f"Restored: {_copy_text(totals)}; check them with croupier store check"]
    if totals.vault is not None and not key_of(totals.vault).exists():
        lines.append(f"Put the key of the vault back at {key_of(totals.vault)} before you serve it")
    elif totals.secrets and totals.vault is None:
        lines.append("Serve it with the key of these secrets: --vault-key FILE")
    lines.append("Its grants are void: croupier grant makes new links")
    _print_copy(totals, lines, output_format, faults, evidence)


def _lost_since(copy: Path, evidence: Sequence[Heads]) -> list[str]:
    """Return which records end before their heads. Exits if others differ from theirs."""
    with _read(str(copy)) as records:
        differing = [*doubled(records)]
        for heads in evidence:
            differing += heads.contradictions(records, is_copy=True)
        shorter = [
            f"{name}: {why}" for heads in evidence for name, why in heads.contradictions(records)
        ]
    faults = [*chain.from_iterable(heads.faults for heads in evidence)]
    faults += [f"{name}: {why}" for name, why in differing]
    if faults:
        say("\n".join(["FAIL: nothing is restored", *faults]))
        raise SystemExit(FAILS)
    return shorter


@store.command()
@click.argument("place", metavar="STORE|HEADS")
@click.option("--key", required=True, type=input_file, help="Key that signs: croupier key new.")
@click.option(
    "-o",
    "--out",
    required=True,
    type=output_path,
    metavar="FILE",
    help="Append the line to this file, in a place that the keeper of STORE cannot change.",
)
@trust_option
def heads(place: str, key: Path, out: Path, trust_path: Path | None) -> None:
    """Sign the heads of all records of STORE, while services use it, in one line of FILE.

    A line has the records that changed since the line before. Exits with 1, and signs nothing, if a
    record is not as an earlier line has it. A witness signs the heads of a file HEADS of another
    organization, whose keys --trust names.
    """
    trust = trust_of(trust_path)
    file = HeadsFile(out, Signer(key), trust)
    if _is_heads(place):
        (source,) = _heads((Path(place),), trust)
        if source.faults or source.vouching is None:
            say("\n".join(["FAIL: nothing is signed", *source.faults, *source.uncounted]))
            raise SystemExit(FAILS)
        changed_heads, faults = file.heads.compared(source)
    else:
        with _read(place) as records:
            faults = [*doubled(records), *file.heads.contradictions(records)]
            changed_heads = [] if faults else _attempt(lambda: [*file.heads.changed(records)])
    for name, message in faults:
        print_text(f"{name}: {message}")
    exit_unless(not faults)
    line = _attempt(lambda: file.append(changed_heads))
    count = f"{len(changed_heads):,} record{'s' * (len(changed_heads) != 1)}"
    print_text(f"{out}: line {line.number}: the heads of {count} that changed")


@store.command()
@click.argument("heads_path", metavar="HEADS", type=input_file)
@click.option(
    "--request", type=output_path, metavar="FILE.tsq", help="Write a request over the last line."
)
@click.option(
    "--response", type=input_file, metavar="FILE.tsr", help="Verify this response of the authority."
)
@click.option(
    "--authority",
    type=input_file,
    metavar="CERT.pem",
    help="Certificates of the authority that are trusted.",
)
@force_option
def stamp(
    heads_path: Path,
    request: Path | None,
    response: Path | None,
    authority: Path | None,
    *,
    force: bool,
) -> None:
    """Request a time stamp (RFC 3161) over the last line of HEADS, or verify one offline.

    The program openssl does both, so it must be installed. Exits with 1 if the response is not one
    of the authority over a line of HEADS.
    """
    if (request is None) is (response is None) or (response is None) is not (authority is None):
        fail("give --request FILE, or --response FILE with --authority CERT")
    check_outputs(request, force=force)
    if request is not None:
        number, stamp_query = stamp_request(heads_path)
        put_file(request, stamp_query, force=force)
        message = f"{request}: a request over line {number} of {heads_path}"
    elif response is not None and authority is not None:
        number, stamp_time = check_stamp(heads_path, response, authority)
        time_text = f"{stamp_time:%Y-%m-%dT%H:%M:%SZ}"
        message = f"{heads_path}: line {number} and those before it existed at {time_text}"
    print_text(message)


@store.command()
@click.argument("place", metavar="STORE")
@_heads_option
@trust_option
@document_options("text", "json")
def check(
    place: str, heads_paths: tuple[Path, ...], trust_path: Path | None, *, output_format: str
) -> int:
    """Verify every record of STORE from scratch, while services use it.

    What the record of a gaming day carries over must be what that of the day before it ended with.
    What a pit ordered, admitted, and took over must be in the records of its tables, and nothing
    else that is the pit's. Grants must be as their pits recorded them, and leases, answers, and
    tables as services left them. With --trust, every checkpoint in STORE.checkpoints must be in its
    record; with --heads, no record may be missing, renamed, truncated, or changed since it was
    signed. Exits with 1 if a record diverges from its rules, from the day before it, from that of
    its pit, or from a signature, or if something else in STORE differs from the records.
    """
    trust = trust_of(trust_path)
    heads_files = _heads(heads_paths, trust)
    checkpoints = Vouched({}, [], []) if trust is None else _checkpoints(place, trust)
    streams = {*checkpoints.through}
    is_text = output_format == "text"
    judgments: list[JudgedRecord] = []
    with _read(place) as records:
        for record in _judgments(records, checkpoints):
            judgments.append(record)
            if is_text:
                _print_line(f"{record['record']}: {record['judgment']}")
        conflicts = chain(doubled(records), *(one.contradictions(records) for one in heads_files))
        faults = [f"{name}: {message}" for name, message in conflicts]
        if guards := records.lacking():
            text = "missing, changed, or disabled: what is stored can be changed or deleted"
            faults.append(f"{', '.join(guards)}: {text}")
        faults += disproved(records)
        faults += _grant_faults(records)
        by_heads = {name for heads_file in heads_files for name in heads_file.last}
        unsigned_lines = [
            f"{name}: no trusted key has signed it"
            for name, stream in streams_of(records)
            if trust is not None and stream not in streams and name not in by_heads
        ]
    signed_files: list[Heads | Vouched] = [*heads_files, checkpoints]
    faults += chain.from_iterable(signed_file.faults for signed_file in signed_files)
    faults += [f"stream {stream}: signed, and missing" for stream in sorted(checkpoints.through)]
    if trust is not None and not heads_files and not streams:
        faults.append("no trusted key has signed a checkpoint of this store: give its --heads")
    is_clean = not faults and all(record["is_clean"] for record in judgments)
    is_clean = is_clean and all(heads_file.vouching for heads_file in heads_files)
    uncounted = [*chain.from_iterable(one.uncounted for one in signed_files), *unsigned_lines]
    document: StoreCheck = {
        "format": "croupier-store-check/1",
        **made(command_line()),
        "records": judgments,
        "wrong": faults,
        "uncounted": uncounted,
        "heads": [heads_file.extent for heads_file in heads_files],
        "is_clean": is_clean,
    }
    if is_text:
        for message in (*faults, *uncounted, *document["heads"]):
            _print_line(message)
    else:
        print_json(document)
    return 0 if is_clean else FAILS


def _grant_faults(records: SqlReader) -> list[str]:
    for _ in range(_LOOKS):
        if not (faults := grant_faults(records)):
            break
        # A service may be about to end a grant that its pit has ended.
        sleep(_PAUSE)
        records.look_again()
    return [str(fault) for fault in faults]


def _print_line(message: str) -> None:
    # The name of a record in a changed store may have a line break.
    print_text(message.replace("\n", "\\n"))


def _judgments(records: StoredRecords, checkpoints: Vouched) -> Iterator[JudgedRecord]:
    firsts = {name: next(iter(records.lines(name, 0, 0)), b"") for name in records.names}
    pits = {name for name, first_line in firsts.items() if is_pit_header(first_line)}
    broken_tables: set[str] = set()
    tables: _Tables = {}
    # Whatever a table has by now of its pit, the pit has when it is read after it.
    for name in sorted(records.names, key=pits.__contains__):
        signatures = checkpoints.through.pop(stream_in(firsts[name]), [])
        try:
            if not firsts[name]:
                # A service that was killed had named the record, and stored nothing of it.
                is_clean = not records.count(name)
                judgment = "not begun" if is_clean else "its first line is missing, others are not"
            elif name in pits:
                judgment, is_clean = _judge_pit(name, records, tables, broken_tables)
            else:
                judgment, is_clean = _judge(name, records, tables, signatures)
        except LogError as error:
            judgment, is_clean = str(error), False
        if not is_clean:
            broken_tables.add(day_of(name)[0])
        yield {"record": name, "judgment": judgment, "is_clean": is_clean}


def _heads(paths: tuple[Path, ...], trust: Trust | None) -> list[Heads]:
    if paths and trust is None:
        fail("--heads are checked with keys: give --trust")
    return [Heads.read(path, trust) for path in paths if trust is not None]


def _is_heads(place: str) -> bool:
    try:
        with open_bytes(Path(place)) as file:
            return file.read(len(_HEADS)) == _HEADS
    except FileError:
        return False


def _checkpoints(place: str, trust: Trust) -> Vouched:
    path = checkpoints_of(Path(place))
    if is_database(place) or not path.exists():
        return Vouched({}, [], [])
    return read_checkpoints(path, trust)


@contextmanager
def _read(place: str) -> Iterator[SqlReader]:
    with needing(*_POSTGRES), records_of(place) as records:
        yield records


def _judge(
    name: str, records: StoredRecords, tables: _Tables, signatures: Sequence[SignedThrough]
) -> tuple[str, bool]:
    verdict = verify_lines(Path(name), records.lines(name), (one.sha256 for one in signatures))
    compare_days(verdict, name, records)
    pit = verdict.header.rules.submission.layout.pit
    tables.setdefault(pit, []).append((name, 1 + verdict.entries))
    divergence = verdict.divergence
    if divergence is not None:
        return f"line {divergence.line}: {divergence.message}", False
    for message in misplaced(signatures, verdict.heads):
        return message, False
    judgment = f"{verdict.entries:,} entries, {counted(verdict.rounds, 'round')}, verified"
    if count := len(verdict.differences):
        differ = counted(count, "entry", "entries")
        judgment += f" under edition {verdict.header.edition}; {differ} would differ today"
    carry = verdict.header.continues
    if carry is not None and day_of(name)[1] == 1:
        # It may have been dealt under another name; otherwise, a later day was renamed.
        for earlier, _ in filter(lambda one: one[1] == carry.stream, streams_of(records)):
            table, day = day_of(earlier)
            next_name = name_of_day(table, day + 1)
            judgment += f"; it continues {earlier}: if not dealt so, name it {next_name}"
    return judgment, verdict.is_clean


def _judge_pit(
    name: str, records: StoredRecords, tables: _Tables, broken_tables: Container[str]
) -> tuple[str, bool]:
    # A table with a broken record is not compared.
    lines = iter(records.lines(name))
    first_line = next(lines, b"")
    header = pit_header_of(name, body_of(first_line))
    counts = [one for one in tables.get(header.pit, []) if day_of(one[0])[0] not in broken_tables]
    verdict = verify_pit_lines(
        Path(name),
        chain((first_line,), lines),
        [(Path(table), islice(records.lines(table), count)) for table, count in counts],
    )
    if divergence := verdict.divergence:
        return f"line {divergence.line}: {divergence.message}", False
    faults = [str(finding) for finding in verdict.findings]
    faults += [
        f"table {table}: the pit admitted it, and it has no record here"
        for table in verdict.admitted
        if table not in verdict.tables and table not in broken_tables
    ]
    if faults:
        suffix = f", and {len(faults) - 1:,} more" if faults[1:] else ""
        return f"{faults[0]}{suffix}", False
    tables_text = counted(len(verdict.tables), "table")
    return f"{verdict.entries:,} entries, {tables_text}, verified", True


def _copy_text(totals: Copied) -> str:
    secrets_text = f" and {totals.secrets:,} sealed secrets of shoes" if totals.secrets else ""
    return f"{totals.entries:,} entries{secrets_text}"


def _print_copy(
    totals: Copied,
    lines: list[str],
    output_format: str,
    faults: Sequence[str] = (),
    heads_files: Sequence[Heads] = (),
) -> None:
    uncounted = [*chain.from_iterable(heads_file.uncounted for heads_file in heads_files)]
    extents = [heads_file.extent for heads_file in heads_files]
    if output_format == "json":
        document: StoreCopy = {
            "format": "croupier-store-copy/1",
            **made(command_line()),
            "entries": totals.entries,
            "secrets": totals.secrets,
            "lacking": [*totals.lacking],
            "says": lines,
            "wrong": [*faults],
            "uncounted": uncounted,
            "heads": extents,
        }
        print_json(document)
    else:
        for line in (*faults, *uncounted, *extents):
            say(line)
        for line in lines:
            print_text(line)
    if totals.lacking:
        say(
            f"it lacks secrets of sealed shoes of {', '.join(totals.lacking)}: a table whose shoe"
            " is under way is paused when it is served, and its shoe cannot be dealt"
        )


def _attempt(act: Callable[[], T]) -> T:
    keep_private()
    with needing(*_POSTGRES):
        return act()


@store.command()
@click.argument("place", metavar="STORE")
@click.option(
    "--every", "seconds", type=FiniteRange(0.1),
    help="Refresh them every so many seconds, until the command is stopped.",
)  # fmt: skip
@click.option(
    "--reader", metavar="ROLE",
    help="Role of the database that may read the views, and nothing else of STORE.",
)  # fmt: skip
@click.option("--anew", is_flag=True, help="Make the rows of all records anew.")
def views(place: str, seconds: float | None, reader: str | None, *, anew: bool) -> int:
    """Refresh SQL views of STORE with the tables of an export, while services use it.

    The views lie in STORE.views, or in the schema croupier_views of the database; the view records
    says how far each record was read, and when. The chain of new lines is checked. Exits with 1 if
    a line was changed, or cannot be stored: its record's rows end before it.
    """
    if reader is not None and not is_database(place):
        fail("--reader is a role of a database: give the file STORE.views to its readers")
    keep_private()
    while True:
        fails = _refresh(place, reader, anew=anew)
        if seconds is None:
            return FAILS if fails else 0
        anew = False
        sleep(seconds)


def _refresh(place: str, reader: str | None, *, anew: bool) -> int:
    fails = 0
    with (
        needing("a store in PostgreSQL", "postgres"),
        views_of(place, anew=anew, reader=reader) as record_views,
    ):
        for record_view in record_views:
            if record_view.fault is not None:
                fails += 1
                say(f"{record_view.record}: {record_view.fault}; its rows end before it")
            elif record_view.is_new:
                print_text(f"{record_view.record}: {record_view.entries:,} entries")
    return fails
