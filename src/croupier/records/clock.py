"""Clocks that supply the time of every entry."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

_NOON: Final = datetime(2000, 1, 1, 12, tzinfo=UTC)


def system_clock() -> datetime:
    now = datetime.now(tz=UTC)
    return now.replace(microsecond=now.microsecond // 1000 * 1000)


class SteppedClock:
    """A clock that advances by a step at each reading, for reproducible runs."""

    def __init__(self, start: datetime = _NOON, step: timedelta = timedelta(seconds=1)) -> None:
        self._next = start
        self._step: Final = step

    @classmethod
    def after(cls, last: datetime, step: timedelta = timedelta(seconds=1)) -> SteppedClock:
        return cls(last + step, step)

    def __call__(self) -> datetime:
        now = self._next
        self._next += self._step
        return now
