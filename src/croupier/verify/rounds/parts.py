"""Verification of rows that are parts of rounds."""

from __future__ import annotations

from croupier.records.rounds.fields import Target
from croupier.records.rounds.reading import TableRounds
from croupier.records.rounds.record import RoundRecord, Unreadable
from croupier.verify.rounds.cached import CachedVerifier, Known, RoundListener
from croupier.verify.rounds.verifier import RecordVerifier


def has_parts(source: TableRounds) -> bool:
    """Return whether rows may be parts of rounds."""
    return any(Target(name) in source.header.targets for name in ("seat", "wager"))


class PartVerifier(CachedVerifier):
    """Verifies every row in full, once its round is complete."""

    def __init__(
        self, verifier: RecordVerifier, source: TableRounds, listener: RoundListener | None = None,
        known: Known | None = None,
    ) -> None:  # fmt: skip
        super().__init__(verifier, source, listener, known, remembers=False)

    def batch(self, rows: list[list[str]], first: int) -> None:
        for line, row in enumerate(rows, start=first):
            if row:
                self.at_length(row, line)
        self.source.line = first + len(rows) - 1

    def at_length(self, row: list[str], line: int) -> None:
        self.source.line = line
        record = self.source.record(row, line)
        if record is not None:
            self.take(record)

    def goes_on(self, shoe: str, number: int) -> bool:
        """Return whether the pending round is this one; otherwise, verify it."""
        if self._merger.waits_for == (shoe, str(number)):
            return True
        for complete in self._merger.rest():
            self._judge(complete)
        return False

    def _judge(self, item: RoundRecord | Unreadable) -> None:
        super()._judge(item)
        self.shoe = item.shoe
