"""Verification of a record while it grows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from croupier.records.entry import body_of
from croupier.records.header import LogError, header_of
from croupier.verify.log import Replay
from croupier.verify.verdict import Diverged, LogDivergence, Verdict


class RunningVerdict:
    """The verdict on a growing record up to its first divergence. Raises ``LogError``."""

    def __init__(self, path: Path, header: bytes) -> None:
        found = header_of(path, body_of(header))
        self._replay: Final = Replay(path, Verdict(found), ())
        self.divergence: LogDivergence | None = None
        self._judge(self._replay.begin, (header,))

    @property
    def through(self) -> int:
        """The last entry verified without a divergence."""
        return self._replay.verdict.last

    def follow(self, lines: Iterable[bytes]) -> LogDivergence | None:
        if self.divergence is None:
            self._judge(self._replay.follow, lines)
        return self.divergence

    def _judge(self, judge: Callable[[bytes], None], lines: Iterable[bytes]) -> None:
        try:
            for line in lines:
                judge(line)
        except Diverged as found:
            self.divergence = found.divergence
        except LogError as error:
            number = self._replay.line
            self.divergence = LogDivergence(number, 0, "unreadable", (), str(error))
