"""Export of rounds or sessions while they are played, one block at a time."""

from __future__ import annotations

import io
from pathlib import Path
from typing import IO, Any, Final, Protocol, Self

import numpy as np

from croupier.files.write import Writer
from croupier.odds.arrays import Bytes, Floats
from croupier.simulation.plan import SimulationError
from croupier.simulation.sessions import marks as at
from croupier.simulation.sessions.play import SessionBatch, SessionChunk, SessionPlan
from croupier.simulation.sessions.rows import (
    RoundColumns,
    column_names,
    longest_line,
    numbered,
    write_lines,
)

FORMS: Final = (".csv", ".csv.gz", ".parquet")

SESSION_COLUMNS: Final = (
    "session", "ending", "net_cents", "expected_net_cents", *at.MARKS[:-1],
)  # fmt: skip
"""The columns of an export of sessions: marks in cents or counts, and the exact expectation."""

_LINES: Final = 8192


def form_of(path: Path) -> str:
    for form in FORMS:
        if path.name.endswith(form) and path.name != form:
            return form
    raise SimulationError(f"{path}: an export must be named *{', *'.join(FORMS)}")


class Sink(Protocol):
    def rows(self, rows: RoundColumns) -> None: ...

    def sessions(self, columns: dict[str, Any]) -> None: ...

    def close(self) -> None: ...


class Export:
    def __init__(
        self, path: Path, writer: Writer, wagers: tuple[str, ...], names: tuple[str, ...]
    ) -> None:
        form = form_of(path)
        self.path = path
        if form == ".parquet":
            from croupier.simulation.sessions.parquet import ParquetSink  # noqa: PLC0415  (an extra)

            self.sink: Sink = ParquetSink(writer.open(path), wagers, names)
        else:
            self.sink = _CsvSink(writer.open(path), wagers, names)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.sink.close()


class RoundsExport(Export):
    def __init__(self, path: Path, writer: Writer, session: SessionPlan) -> None:
        wagers = session.table.wagers
        super().__init__(path, writer, wagers, column_names(wagers))
        self._shoes = 0

    def part(self, number: int, part: SessionChunk) -> None:
        if not part.seen:
            return
        rows = numbered(part, number, self._shoes)
        self._shoes = int(rows.shoe[-1])
        self.sink.rows(rows)


class SessionsExport(Export):
    def __init__(self, path: Path, writer: Writer, session: SessionPlan) -> None:
        super().__init__(path, writer, (), SESSION_COLUMNS)
        self._bankroll = session.bankroll_cents

    def batch(self, batch: SessionBatch) -> None:
        marks = batch.marks
        expected: Floats = np.round(batch.expected, 4)
        self.sink.sessions(
            {
                "session": batch.first + 1 + np.arange(len(marks)),
                "ending": [at.ENDINGS[ending] for ending in marks[:, at.ENDING].tolist()],
                "net_cents": marks[:, at.BANKROLL] - self._bankroll,
                "expected_net_cents": expected,
                **{
                    name: marks[:, place]
                    for place, name in enumerate(at.MARKS)
                    if place != at.ENDING
                },
            }
        )


class _CsvSink:
    def __init__(self, file: IO[bytes], wagers: tuple[str, ...], names: tuple[str, ...]) -> None:
        self._out = file
        self._out.write((",".join(names) + "\n").encode())
        self._text: Bytes = np.empty(_LINES * longest_line(len(wagers)), dtype=np.uint8)

    def rows(self, rows: RoundColumns) -> None:
        for first in range(0, len(rows.shoe), _LINES):
            end = write_lines(rows, first, min(first + _LINES, len(rows.shoe)), self._text)
            self._out.write(self._text[:end].tobytes())

    def sessions(self, columns: dict[str, Any]) -> None:
        text = io.StringIO()
        for row in zip(*columns.values(), strict=True):
            text.write(",".join(map(str, row)) + "\n")
        self._out.write(text.getvalue().encode())

    def close(self) -> None:
        """Write nothing: CSV has no footer."""
