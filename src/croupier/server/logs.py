"""Structured logs of the service: JSON lines without tokens, links, codes, or cards."""

from __future__ import annotations

import json
import logging
import queue
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from logging.handlers import QueueHandler, QueueListener, SysLogHandler, WatchedFileHandler
from pathlib import Path
from typing import Final

LOG: Final = logging.getLogger("croupier.server")
_MOST_QUEUED: Final = 1 << 16


def note(
    event: str, message: str, fields: Mapping[str, object] | None = None, level: int = logging.INFO
) -> None:
    LOG.log(level, "%s", message, extra={"event": event, "fields": fields or {}})


@contextmanager
def logged(place: str = "") -> Iterator[None]:
    """Send logs to standard error: warnings as text, or all as JSON lines to ``place``.

    ``place`` is a file, ``-`` for standard error, ``syslog``, or ``syslog:ADDRESS``. Raises
    ``OSError``.
    """
    root, logger = logging.getLogger(), logging.getLogger("croupier")
    level_before = logger.level
    handlers: list[logging.Handler] = []
    listener = None
    if place != "-":
        text = logging.StreamHandler()
        text.setLevel(logging.WARNING)
        text.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
        handlers.append(text)
    if place:
        records: queue.Queue[logging.LogRecord] = queue.Queue(_MOST_QUEUED)
        # A slow disk must not hold up the event loop.
        listener = QueueListener(records, _written_to(place))
        lines = _Queued(records)
        lines.setFormatter(JsonLines())
        handlers.append(lines)
        logger.setLevel(logging.INFO)
        listener.start()
    for handler in handlers:
        root.addHandler(handler)
    try:
        yield
    finally:
        for handler in handlers:
            root.removeHandler(handler)
        logger.setLevel(level_before)
        if listener is not None:
            listener.stop()
            for each in listener.handlers:
                each.close()


def _written_to(place: str) -> logging.Handler:
    if place == "-":
        return logging.StreamHandler(sys.stderr)
    if (address := syslog_of(place)) is None:
        if Path(place).is_dir():
            raise OSError(f"{place}: it is a folder")
        Path(place).absolute().parent.mkdir(parents=True, exist_ok=True)
        return WatchedFileHandler(place, encoding="utf-8")
    handler = SysLogHandler(address)
    handler.ident = "croupier: "
    return handler


def syslog_of(place: str) -> str | tuple[str, int] | None:
    """Address of a syslog; ``None`` for a file. Raises ``OSError``."""
    kind, _, address = place.partition(":")
    host, colon, port = address.rpartition(":")
    if kind != "syslog":
        return None
    if not colon:
        return address or "/dev/log"
    if not (port.isascii() and port.isdigit() and int(port) < 1 << 16):
        raise OSError(f"{place}: write syslog:HOST:PORT")
    return host.removeprefix("[").removesuffix("]"), int(port)


class _Queued(QueueHandler):
    def enqueue(self, record: logging.LogRecord) -> None:
        try:
            super().enqueue(record)
        except queue.Full:
            return


class JsonLines(logging.Formatter):
    """Formats a record as JSON, without exceptions' messages, which may quote a request."""

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": getattr(record, "event", "log"),
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info and record.exc_info[0] is not None:
            kind, _, frames = record.exc_info
            fields["exception"] = kind.__name__
            fields["frames"] = [f"{one.name} {one.lineno}" for one in traceback.extract_tb(frames)]
        return json.dumps(fields, ensure_ascii=False, default=str)
