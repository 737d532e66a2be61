"""Clocks for records: the time of every entry comes from one of these, never from the table."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

_NOON: Final = datetime(2000, 1, 1, 12, tzinfo=UTC)


def system_clock() -> datetime:
    """Return the time now, in UTC, to the millisecond that a record writes.

    What is decided by a time is decided by the same one again when the record is verified.
    """
    now = datetime.now(tz=UTC)
    return now.replace(microsecond=now.microsecond // 1000 * 1000)


class SteppedClock:
    """A clock that goes on by the same step at every look, so that a run can be made again.

    >>> clock = SteppedClock(datetime(2011, 2, 22, 20, tzinfo=UTC))
    >>> clock().second, clock().second
    (0, 1)
    """

    def __init__(self, start: datetime = _NOON, step: timedelta = timedelta(seconds=1)) -> None:
        self._next = start
        self._step: Final = step

    @classmethod
    def after(cls, last: datetime, step: timedelta = timedelta(seconds=1)) -> SteppedClock:
        """Return a clock that goes on from the last time that another one showed."""
        return cls(last + step, step)

    def __call__(self) -> datetime:
        """Return the time, and go on by a step."""
        now = self._next
        self._next += self._step
        return now
