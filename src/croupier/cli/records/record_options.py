"""Shared options for reading a record."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click
from msgspec import Struct

from croupier.cli.common.files import input_file, record_file
from croupier.cli.common.output import keep, kept, kept_option, option_group
from croupier.cli.submission.rules import own_option
from croupier.files.text import encoding_named

if TYPE_CHECKING:
    from croupier.records.names import Names


class RoundAsked(Struct, frozen=True):
    number: str | None
    moment: datetime | time | None
    line: int | None
    shoe: str | None
    seat: int | None
    report: Path | None
    at: int | None


record_argument = click.argument("record", type=record_file)

submission_option = click.option(
    "--submission",
    type=input_file,
    help="Rules submission of the table; a table log contains its own.",
)

mapping_option = click.option(
    "--mapping",
    type=input_file,
    help="Mapping of the columns and values of external rounds (TOML).",
)

behind_option = click.option(
    "--cards-behind",
    type=click.IntRange(0),
    metavar="CARDS",
    help="Cards behind the cutting card (cut card), if the house uses a fixed number.",
)


def _keep_encoding(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    try:
        keep(context, parameter, None if value is None else encoding_named(value))
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


encoding_option = kept_option(
    "--encoding",
    metavar="NAME",
    callback=_keep_encoding,
    help="Encoding of the record if not UTF-8, such as cp1252 or utf-16-le.",
)
limits_option = kept_option(
    "--no-limits",
    is_flag=True,
    help="Do not check stakes against the table limits; the result says so.",
)
table_option = kept_option(
    "--table",
    metavar="NAME",
    help="Record of this table in a .sqlite store; needed only if the store holds several.",
)
with_law_option = kept_option(
    "--with-law",
    is_flag=True,
    help="Store a law of your own in the log, so that it verifies without the law's folder.",
)
vault_file = click.Path(exists=True, dir_okay=False, path_type=Path)
names_option = kept_option(
    "--names",
    type=vault_file,
    metavar="VAULT",
    help="Vault of the names of patrons, if not RECORD.names.",
)
external_options = option_group(
    submission_option, mapping_option, own_option, behind_option, limits_option, encoding_option,
    table_option,
)  # fmt: skip
"""The options of rounds that others dealt, and of a store that a log is in."""

encoding_asked: Callable[[], str | None] = partial(kept, "encoding")
table_asked: Callable[[], str | None] = partial(kept, "table")
with_law_asked: Callable[[], bool] = partial(kept, "with_law")


def limits_checked() -> bool:
    return not kept("no_limits")


def names_of(record: Path | None) -> Names | None:
    from croupier.records.names import Names, names_beside  # noqa: PLC0415  (few commands read names)

    asked_path: Path | None = kept("names")
    vault = asked_path or (None if record is None else names_beside(record))
    return Names(vault) if vault is not None and (asked_path or vault.exists()) else None


class _Moment(click.ParamType[datetime | time]):
    name = "time"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime | time:
        text = str(value).removesuffix("Z")
        moment: datetime | time | None = None
        for kind in (time, datetime):
            with suppress(ValueError):
                moment = moment or kind.fromisoformat(text)
        if moment is None or moment.tzinfo is not None:
            self.fail(f"{value!r}: write 21:14, or 2026-11-25T21:14, in UTC", param, ctx)
        if not isinstance(moment, datetime):
            return moment
        is_last_day = len(text) <= len("2026-11-25") and param is not None and param.name == "until"
        moment = moment.replace(tzinfo=UTC)
        return moment.replace(hour=23, minute=59) if is_last_day else moment


MOMENT: Final = _Moment()

span_options = option_group(
    click.option("--from", "since", type=MOMENT, help="Only from this time on (UTC)."),
    click.option(
        "--to", "until", type=MOMENT, help="Only up to the end of this minute or day (UTC)."
    ),
)


class TimeSpan(NamedTuple):
    """A span of time, in UTC; a time of day applies to every day, and to the end of its minute.

    ``rounds`` are the numbers of the rounds in it that are wanted.
    """

    since: datetime | time | None = None
    until: datetime | time | None = None
    rounds: range = range(sys.maxsize)

    def overlaps(self, start_text: str, end_text: str) -> bool:
        start, end = datetime.fromisoformat(start_text), datetime.fromisoformat(end_text)
        start, end = (
            max(start, self.since) if isinstance(self.since, datetime) else start,
            min(end, _whole(self.until)) if isinstance(self.until, datetime) else end,
        )
        if start > end:
            return False
        time_since = self.since if isinstance(self.since, time) else time.min
        until = _whole(self.until) if isinstance(self.until, time) else time.max
        days = (start.date() + timedelta(n) for n in range(-1, (end - start).days + 2))
        return any(
            _at(day, time_since) <= end and start <= _at(day + timedelta(until < time_since), until)
            for day in days
        )

    def wants(self, number: int, start_text: str, end_text: str) -> bool:
        return number in self.rounds and self.overlaps(start_text, end_text)


def _at(day: date, time_of_day: time) -> datetime:
    return datetime.combine(day, time_of_day, UTC)


def _whole(at: Any) -> Any:
    return at if at.second or at.microsecond else at.replace(second=59, microsecond=999_999)
