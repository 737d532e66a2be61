"""Table logs whose chain is checked before they are shown."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from croupier.cli.common.output import console, error_console, exit_unless
from croupier.cli.records.record_options import names_of, table_asked
from croupier.cli.submission.rules import in_currency_of
from croupier.files.status import FAILS
from croupier.files.streams import say, visible
from croupier.records.indexing import Wanted
from croupier.records.reader import LogReader
from croupier.reports.chain import chain_warnings


@contextmanager
def log_shown(
    path: Path, *, in_text: bool = False, wanted: Wanted | None = None
) -> Iterator[LogReader]:
    """Open a log, or its wanted parts, or exit with status 2.

    Exit with status 1 after the block if its chain is broken.
    """
    log = LogReader(path, table_asked(), names=names_of(path), wanted=wanted)
    in_currency_of(log.header.rules)
    _warn(log, in_text=in_text)
    yield log
    exit_unless(not log.is_broken)


def _warn(log: LogReader, *, in_text: bool) -> None:
    if not log.is_broken:
        return
    from rich.text import Text  # noqa: PLC0415  (few logs are broken)

    places = [console()] if in_text else []
    if not (in_text and sys.stdout.isatty()):
        places.append(error_console())
    for place in places:
        for warning in chain_warnings(log.data()):
            place.print(Text(visible(warning), style="bold red"), soft_wrap=True)


def unbroken_log(path: Path) -> LogReader:
    """Open a log; exit with status 1 if its chain is broken, with 2 if it cannot be read."""
    log = LogReader(path, table_asked())
    if log.is_broken:
        _warn(log, in_text=False)
        say(
            f"{path}: nothing goes on from a record that was changed; judge it with croupier verify"
        )
        sys.exit(FAILS)
    return log
