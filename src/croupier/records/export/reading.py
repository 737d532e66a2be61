"""Rows of several logs, read by several processes and given in the order of the logs."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import suppress
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final, NamedTuple

from croupier.records.export.tables import LogTables
from croupier.records.export.writing import prepared
from croupier.records.header import LogError
from croupier.records.reader import LogReader

_ENTRIES: Final = 2000
"""Entries whose rows are in memory at a time."""


class ExportJob(NamedTuple):
    logs: Sequence[tuple[Path, str | None]]
    tables: Sequence[str]
    form: str


def read_rows(job: ExportJob, processes: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield rows by table with the number of their log. Raises ``LogError``."""
    processes = min(processes, len(job.logs))
    if processes < 2:
        for number, log in enumerate(job.logs):
            yield from ((number, some) for some in _rows(log, job))
        return
    workers: list[tuple[Process, Connection]] = []
    try:
        for first in range(processes):
            receiving, sending = Pipe(duplex=False)
            part = job._replace(logs=job.logs[first::processes])
            process = Process(target=_send, args=(sending, part), daemon=True)
            process.start()
            sending.close()
            workers.append((process, receiving))
        for number, (path, _) in enumerate(job.logs):
            receiving = workers[number % processes][1]
            try:
                while (some := receiving.recv()) is not None:
                    if isinstance(some, Exception):
                        raise some
                    yield number, some
            except EOFError as error:
                raise LogError(f"{path}: the process that read it has died") from error
    finally:
        for process, receiving in workers:
            receiving.close()
            process.terminate()
            process.join()


def _send(sending: Connection, job: ExportJob) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(BrokenPipeError):
        try:
            for log in job.logs:
                for some in _rows(log, job):
                    sending.send(some)
                sending.send(None)
        except (LogError, OSError, RuntimeError) as error:
            sending.send(error)


def _rows(log: tuple[Path, str | None], job: ExportJob) -> Iterator[dict[str, Any]]:
    reader = LogReader(*log, scanned=False)
    tables = LogTables(reader.header, job.tables)
    for number, (_, entry) in enumerate(reader.entries(), start=1):
        tables.follow(entry)
        if number % _ENTRIES == 0:
            yield _prepared(tables, log[0], job.form)
    yield _prepared(tables, log[0], job.form)


def _prepared(tables: LogTables, log: Path, form: str) -> dict[str, Any]:
    try:
        return {name: prepared(name, columns, form) for name, columns in tables.take().items()}
    except OverflowError as error:
        raise too_large(log, form) from error


def too_large(log: Path, form: str) -> LogError:
    return LogError(f"{log}: it has a number of more than 64 bits, which {form} does not hold")
