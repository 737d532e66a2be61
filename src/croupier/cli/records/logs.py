"""Table logs that a command shows, deals, or runs, and trusted keys that sign them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from croupier.cli.common.files import input_file, missing_folder, output_path, record_file
from croupier.cli.common.output import console, error_console, exit_unless, fail
from croupier.cli.records.record_options import names_of, table_asked, with_law_asked
from croupier.cli.submission.rules import in_currency_of
from croupier.files.pipes import is_pipe
from croupier.files.streams import FAILS, note, say, visible
from croupier.law.interpretations import edition_of
from croupier.records.carried import Carried
from croupier.records.chain import read_log_header
from croupier.records.entry import system_clock
from croupier.records.header import LogError, LogHeader, LogRulesError, stream_in
from croupier.records.indexing import Wanted
from croupier.records.log import (
    LogLines,
    Resumed,
    begin_log,
    continued_log,
    continued_record,
    resume_log,
)
from croupier.records.pit_log import tables_in
from croupier.records.reader import LogReader
from croupier.records.recorder import Recorder
from croupier.records.signing import Trust, read_trust, trust_in
from croupier.records.stores.places import is_store
from croupier.reports.verification import chain_warnings
from croupier.rules import TableRules
from croupier.table.machine.session import Clock, TableSession
from croupier.table.machine.state import Phase

if TYPE_CHECKING:
    from rich.console import Console

log_option = click.option(
    "-o",
    "--log",
    "log_path",
    type=output_path,
    metavar="LOG",
    help="Write the table log here; a name that ends in .sqlite is a store of many tables.",
)

resume_option = click.option(
    "--resume",
    "resume_path",
    metavar="LOG",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Continue an open log exactly where it ends.",
)

continues_option = click.option(
    "--continues",
    metavar="LOG",
    type=record_file,
    help="Begin the log of the next gaming day from this closed one.",
)


def logs_of(records: Iterable[Path]) -> list[tuple[Path, str | None]]:
    """Name the logs, and every table of each store. Raises ``LogError`` if one is given twice."""
    logs_by_stream: dict[str, tuple[Path, str | None]] = {}
    for log in ((path, name) for path in records for name in tables_in(path)):
        # A reader reports a header without a stream.
        line = next(iter(LogLines(*log)), b"")
        with suppress(LogError):
            place = log[0] if log[1] is None else f"{log[0]}: {log[1]}"
            _warn_of_law(place, read_log_header(place, line)[0])
        stream = stream_in(line) or str(log)
        if stream in logs_by_stream:
            places = [
                str(path) if name is None else f"{path}: {name}"
                for path, name in (log, logs_by_stream[stream])
            ]
            raise LogError(f"{places[0]}: the log of {stream} is given twice; it is {places[1]}")
        logs_by_stream[stream] = log
    return [*logs_by_stream.values()]


def _warn_of_law(place: Path | str, header: LogHeader) -> None:
    law = header.rules.law
    if edition_of(law, header.edition, header.law_sha256) is None:
        text = (
            f"WARNING: {place} was recorded under another law file of {law.key}, and is shown "
            "under the one of today: give the law as it was for that table with --laws"
        )
        _print_in_red(error_console(), text)


def _print_in_red(place: Console, text: str) -> None:
    from rich.text import Text  # noqa: PLC0415  (few logs have warnings)

    place.print(Text(visible(text), style="bold red"), soft_wrap=True)


class TableLog(Struct):
    path: Path
    session: TableSession
    recorder: Recorder
    resumed: Resumed | None = None
    won_before_cents: int = 0
    """What the table had won in the logs that this one continues."""

    @property
    def table(self) -> str | None:
        """The name of the record in a store; ``None`` for a log file."""
        return self.recorder.stream.name if is_store(self.path) else None


@contextmanager
def table_log(  # noqa: PLR0913  (what a log is begun with)
    rules: TableRules,
    path: Path | None,
    resume_path: Path | None,
    *,
    shuffle: str,
    reads: Iterable[Path] = (),
    replace: bool = False,
    clock: Clock = system_clock,
    continues: Path | None = None,
) -> Iterator[TableLog]:
    """Begin or continue a log; write its last line at the end if the table is closed.

    ``continues`` is the log of the day before. Errors in the block exit with status 2 and remove a
    new log without entries.
    """
    if path is not None and resume_path is None:
        carry = None if continues is None else _carried(continues, rules)
        created_folder = missing_folder(path)
        recorder, _ = begin_log(
            path,
            rules,
            shuffle=shuffle,
            table=table_asked(),
            reads=(*reads, *(() if continues is None or is_store(path) else (continues,))),
            replace=replace,
            continues=carry,
            with_law=with_law_asked(),
        )
        if created_folder is not None:
            note(f"{path}: created the folder {created_folder}")
        position = None if carry is None else carry.position
        session = TableSession(rules, record=recorder, clock=clock, position=position)
        win_cents = 0 if position is None else position.ledger.table_win_cents
        table = TableLog(path, session, recorder, won_before_cents=win_cents)
    elif continues is not None:
        fail("--continues is of a log that begins: give it a name with --log FILE")
    elif resume_path is not None and path is None:
        table = _resumed(rules, resume_path, clock)
    else:
        fail("give one log: --log FILE begins one, --resume LOG continues an open one")
    try:
        yield table
        if table.session.state.phase is Phase.CLOSED and table.session.position.house.opened:
            table.recorder.finish()
    finally:
        if table.resumed is None and not table.recorder.count:
            table.recorder.stream.discard()
        else:
            table.recorder.close()


def _carried(path: Path, rules: TableRules) -> Carried:
    from croupier.verify.log import verify_log  # noqa: PLC0415  (few logs continue another)

    table = continued_record(path, table_asked(), rules)
    verdict = verify_log(path, table=table, processes=os.cpu_count() or 1)
    if verdict.divergence is not None:
        say(f"{path}: nothing continues a log that diverges: {verdict.divergence}")
        sys.exit(FAILS)
    return continued_log(path, table, rules)


def _resumed(rules: TableRules, path: Path, clock: Clock) -> TableLog:
    if is_pipe(path):
        raise LogError(f"{path}: a log that is resumed is written to: give a file, not a pipe")
    unbroken_log(path)
    state, stream = resume_log(path, table_asked())
    if state.header.rules.sha256 != rules.sha256:
        stream.close()
        raise LogError(
            f"{path}: this log was begun under different rules "
            f"({state.header.rules.title}): resume it with the submission and "
            "the custom wagers that it was begun with"
        )
    recorder = state.recorder(stream)
    win_cents = state.header.opening.ledger.table_win_cents
    return TableLog(path, state.session(recorder, clock), recorder, state, win_cents)


@contextmanager
def rounds_advised(path: Path, advice: str) -> Iterator[None]:
    """Say what to do with external rounds, if a file is no log."""
    try:
        yield
    except LogError as error:
        if isinstance(error, LogRulesError) or is_store(path) or not advice:
            raise
        fail(f"{error}\n  {advice}, add --submission FILE.")


@contextmanager
def log_shown(
    path: Path, *, in_text: bool = False, wanted_rounds: Wanted | None = None, advice: str = ""
) -> Iterator[LogReader]:
    """Exit with status 2 for an unreadable log, and with 1 after the block for a broken chain."""
    with rounds_advised(path, advice):
        log = LogReader(path, table_asked(), names=names_of(path), wanted_rounds=wanted_rounds)
    in_currency_of(log.header.rules)
    _warn_of_law(path, log.header)
    _warn(log, in_text=in_text)
    yield log
    exit_unless(not log.is_broken)


def _warn(log: LogReader, *, in_text: bool) -> None:
    if not log.is_broken:
        return
    places = [console()] if in_text else []
    if not (in_text and sys.stdout.isatty()):
        places.append(error_console())
    for place in places:
        for warning in chain_warnings(log.data()):
            _print_in_red(place, warning)


def unbroken_log(path: Path) -> LogReader:
    """Exit with status 1 if the chain is broken, with 2 if the log cannot be read."""
    log = LogReader(path, table_asked())
    if log.is_broken:
        _warn(log, in_text=False)
        say(f"{path}: a changed record cannot be continued; to see more, run croupier verify")
        sys.exit(FAILS)
    return log


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
    keys = dict(trust_in(public_keys).keys)
    if trust_path is not None:
        # The limits of a trust file apply to a key that is given twice.
        keys |= read_trust(trust_path).keys
    return Trust(keys)
