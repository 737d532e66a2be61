"""Writing a record of rounds anew with some rounds amended, and every other line as it stood."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

from croupier.records.rounds.amending import Amender, Amendment
from croupier.records.rounds.lines import LONGEST_LINE, RoundsError, opened
from croupier.records.rounds.reading import CsvRounds, Rounds

__all__ = ["Rewriter"]

_BLOCK: Final = 1 << 16
_MOST_LINES_IN_A_ROW: Final = 20
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")


class Rewriter:
    """Writes a CSV or JSON Lines file anew, in bounded memory.

    ``amend`` takes amended rounds in the order of the file. Lines that are not amended are copied
    as they are, their line ends too; of a row that is amended, only the cells that were wrong read
    differently. The file appears whole when the context ends well, and not at all where it does
    not. A name that ends in ``.gz`` is packed. Raises ``RoundsError`` where the output is the input
    itself, or cannot be written, or where the form of the input cannot be written.
    """

    def __init__(self, rounds: Rounds, out: Path) -> None:
        if rounds.form not in {"csv", "jsonl"}:
            raise RoundsError(
                f"a repair is written of CSV and JSON Lines, and not of {rounds.form}:"
                " convert the rounds to one of these first"
            )
        if out.exists() and out.samefile(rounds.path):
            raise RoundsError(f"{out}: it is the record itself, which is never written over")
        self._rounds: Final = rounds
        self._out: Final = out
        self._amender: Final = Amender(rounds.builder)
        self._line = 0
        """The number of the line read last."""

    def __enter__(self) -> Self:
        encoding = self._rounds.builder.mapping.encoding
        self._source = opened(self._rounds.path)
        if encoding is None:
            encoding = "utf-16" if self._source.read(2) in _UTF_16 else "utf-8"
            self._source.seek(0)
        # Line ends and bytes that are no text go through as they are.
        self._lines = self._read(
            io.TextIOWrapper(self._source, encoding, errors="surrogateescape", newline="")
        )
        try:
            handle, name = tempfile.mkstemp(prefix=f".{self._out.name}.", dir=self._out.parent)
        except OSError as error:
            self._source.close()
            raise self._unwritten(error) from error
        self._scratch = Path(name)
        raw: IO[bytes] = os.fdopen(handle, "wb")
        self._raw = raw
        # Neither name nor time goes into the packed file: the same rounds make the same bytes.
        self._packed = (
            gzip.GzipFile("", "wb", fileobj=raw, mtime=0) if self._out.suffix == ".gz" else None
        )
        self._written = io.TextIOWrapper(
            io.BufferedWriter(self._packed) if self._packed else raw,
            encoding,
            errors="surrogateescape",
            newline="",
        )
        return self

    def _read(self, text: io.TextIOWrapper) -> Iterator[str]:
        """Yield the lines with their ends, an endless one in pieces."""
        while line := text.readline(_BLOCK):
            yield line

    def amend(self, amendment: Amendment) -> None:
        """Copy all lines before a round, and write that one amended."""
        self._copy(amendment.before.line)
        text = self._row()
        body = text.rstrip("\r\n")
        if isinstance(self._rounds, CsvRounds):
            amended = self._cells(body, amendment, self._rounds)
        else:
            amended = self._object(body, amendment)
        self._written.write(amended + text[len(body) :])

    def _copy(self, until: int) -> None:
        """Copy lines until the one with that number comes next."""
        while self._line + 1 < until:
            piece = self._next()
            self._written.write(piece)

    def _next(self) -> str:
        """Return the next line, or a piece of it; count it when it ends."""
        piece = next(self._lines)
        if piece.endswith(("\n", "\r")):
            self._line += 1
        return piece

    def _row(self) -> str:
        """Return the next row, which takes several lines where a quoted cell does."""
        row = self._next()
        while not row.endswith(("\n", "\r")) and len(row) <= LONGEST_LINE:
            try:
                row += self._next()
            except StopIteration:
                break
        taken = 1
        if self._rounds.form == "csv":
            while row.count('"') % 2 and taken < _MOST_LINES_IN_A_ROW:
                row += self._next()
                taken += 1
        return row

    def _object(self, text: str, amendment: Amendment) -> str:
        fields = self._amender.row(json.loads(text.removeprefix("\ufeff")), amendment)
        return json.dumps(fields, ensure_ascii=False)

    def _cells(self, text: str, amendment: Amendment, rounds: CsvRounds) -> str:
        cells = next(csv.reader(io.StringIO(text, newline=""), delimiter=rounds.delimiter))
        targets = rounds.header.targets
        amended = [
            cell if target is None else self._amender.cell(target, cell, amendment)
            for target, cell in zip(targets, cells, strict=False)
        ]
        row = io.StringIO(newline="")
        csv.writer(row, delimiter=rounds.delimiter, lineterminator="").writerow(
            [*amended, *cells[len(targets) :]]
        )
        return row.getvalue()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        del error, trace
        try:
            if kind is None:
                self._finish()
        finally:
            self._source.close()
            self._scratch.unlink(missing_ok=True)

    def _finish(self) -> None:
        try:
            try:
                for piece in self._lines:
                    self._written.write(piece)
            except (EOFError, zlib.error, gzip.BadGzipFile):
                # The record breaks off here, which was told; what stands before is kept.
                pass
            self._written.flush()
            self._written.close()
            self._raw.close()
            self._scratch.chmod(0o644)
            self._scratch.replace(self._out)
        except OSError as error:
            raise self._unwritten(error) from error

    def _unwritten(self, error: OSError) -> RoundsError:
        return RoundsError(f"{self._out}: it cannot be written: {error.strerror or error}")
