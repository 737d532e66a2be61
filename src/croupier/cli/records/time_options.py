"""Options for a span of time in a log."""

from __future__ import annotations

import sys
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final, NamedTuple

import click

from croupier.cli.common.output import option_group


class _Moment(click.ParamType[datetime | time]):
    """A time of day, or a date and time, in UTC."""

    name = "time"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime | time:
        text = str(value).removesuffix("Z")
        found: datetime | time | None = None
        for kind in (time, datetime):
            with suppress(ValueError):
                found = found or kind.fromisoformat(text)
        if found is None or found.tzinfo is not None:
            self.fail(f"{value!r}: write 21:14, or 2026-11-25T21:14, in UTC", param, ctx)
        return found.replace(tzinfo=UTC) if isinstance(found, datetime) else found


MOMENT: Final = _Moment()


span_options = option_group(
    click.option("--from", "since", type=MOMENT, help="Only from this time on (UTC)."),
    click.option("--to", "until", type=MOMENT, help="Only up to this time (UTC)."),
)


class TimeSpan(NamedTuple):
    """A span of time, in UTC; a time of day applies to every day, and to the end of its minute.

    ``rounds`` are the numbers of the rounds in it that are wanted.
    """

    since: datetime | time | None = None
    until: datetime | time | None = None
    rounds: range = range(sys.maxsize)

    def overlaps(self, began: str, ended: str) -> bool:
        first, last = datetime.fromisoformat(began), datetime.fromisoformat(ended)
        first, last = (
            max(first, self.since) if isinstance(self.since, datetime) else first,
            min(last, _whole(self.until)) if isinstance(self.until, datetime) else last,
        )
        if first > last:
            return False
        since = self.since if isinstance(self.since, time) else time.min
        until = _whole(self.until) if isinstance(self.until, time) else time.max
        days = (first.date() + timedelta(n) for n in range(-1, (last - first).days + 2))
        return any(
            _at(day, since) <= last and first <= _at(day + timedelta(until < since), until)
            for day in days
        )

    def wants(self, number: int, began: str, ended: str) -> bool:
        return number in self.rounds and self.overlaps(began, ended)


def _at(day: date, at: time) -> datetime:
    return datetime.combine(day, at, UTC)


def _whole(at: Any) -> Any:
    return at if at.second or at.microsecond else at.replace(second=59, microsecond=999_999)
