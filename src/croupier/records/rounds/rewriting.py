"""Rewriting of a round record with corrections."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any, Final

import msgspec

from croupier.files.lines import MAX_LINE
from croupier.files.text import BROKEN, open_bytes
from croupier.files.workbooks import sheet_rows
from croupier.files.write import WriteError
from croupier.records.rounds.amending import Amender, RowCorrection
from croupier.records.rounds.reading import CsvRounds, RoundReader, TableRounds

_BLOCK: Final = 1 << 16
_MOST_LINES_IN_A_ROW: Final = 20
_FORMS: Final = ("csv", "jsonl", "xlsx")
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_ENDS: Final = ("\n", "\r")


@contextmanager
def rewriting(rounds: RoundReader, target: IO[bytes]) -> Iterator[Rewriter]:
    """Rewrite a record in bounded memory, a spreadsheet as CSV. Raises ``WriteError``."""
    if rounds.builder.mapping.spans:
        raise WriteError("text of fixed width cannot be repaired: convert the rounds to CSV first")
    if rounds.form not in _FORMS:
        raise WriteError(
            f"only CSV, JSON Lines, and spreadsheets can be repaired, not {rounds.form}: convert "
            "the rounds to one of these first"
        )
    is_sheet = rounds.form == "xlsx"
    with _as_csv(rounds) if is_sheet else open_bytes(rounds.path) as source:
        encoding = rounds.builder.mapping.encoding
        if encoding is None:
            encoding = "utf-16" if source.read(2) in _UTF_16 else "utf-8"
            source.seek(0)
        # Preserve line ends and bytes that are not text.
        as_is: dict[str, Any] = {"encoding": encoding, "errors": "surrogateescape", "newline": ""}
        written = io.TextIOWrapper(target, **as_is)
        try:
            rewriter = Rewriter(rounds, io.TextIOWrapper(source, **as_is), written)
            yield rewriter
            rewriter.copy_rest()
            written.flush()
        finally:
            with suppress(WriteError, ValueError):
                written.detach()


def _as_csv(rounds: RoundReader) -> IO[bytes]:
    text = io.StringIO(newline="")
    # One line for each row, so that lines keep their numbers.
    rows = sheet_rows(rounds.path, rounds.builder.mapping.sheet)
    csv.writer(text, lineterminator="\n").writerows(
        [" ".join(cell.splitlines()) for cell in row] for row in rows
    )
    return io.BytesIO(text.getvalue().encode())


class Rewriter:
    """Rewrites a record, changing only wrong cells; corrections come in file order."""

    def __init__(
        self, rounds: RoundReader, source: io.TextIOWrapper, out: io.TextIOWrapper
    ) -> None:
        self._rounds: Final = rounds
        self._source: Final = source
        self._written: Final = out
        self._amender: Final = Amender(rounds.builder)
        self._line = 0
        self._parted = False
        """Whether a piece may have ended between CR and LF."""

    def amend(self, amendment: RowCorrection) -> None:
        """Copy the lines before a round, and write its correction."""
        while self._line + 1 < amendment.before.line:
            self._written.write(self._next())
        text = self._row()
        body = text.rstrip("".join(_ENDS))
        if isinstance(self._rounds, TableRounds):
            amended = self._cells(body, amendment, self._rounds)
        else:
            amended = self._object(body, amendment)
        self._written.write(amended + text[len(body) :])

    def copy_rest(self) -> None:
        # If a compressed record is truncated, which its reader reports, keep the part before.
        with suppress(*BROKEN):
            while piece := self._next():
                self._written.write(piece)

    def _next(self) -> str:
        piece = self._source.readline(_BLOCK)
        self._line += piece.endswith(_ENDS) and not (self._parted and piece == "\n")
        self._parted = len(piece) == _BLOCK and piece.endswith("\r")
        return piece

    def _row(self) -> str:
        row, taken = self._next(), 1
        while not row.endswith(_ENDS) and len(row) <= MAX_LINE and (more := self._next()):
            row += more
        if isinstance(self._rounds, TableRounds):
            while row.count('"') % 2 and taken < _MOST_LINES_IN_A_ROW and (more := self._next()):
                row += more
                taken += 1
        return row

    def _object(self, text: str, amendment: RowCorrection) -> str:
        # Decoded as by the reader, so the same bytes are written.
        fields = msgspec.json.decode(text.removeprefix("\ufeff"))
        try:
            return json.dumps(self._amender.row(fields, amendment), ensure_ascii=False)
        except (RecursionError, ValueError) as error:
            raise WriteError(
                f"line {amendment.before.line} cannot be rewritten: {error}"
            ) from error

    def _cells(self, text: str, amendment: RowCorrection, rounds: TableRounds) -> str:
        delimiter = rounds.delimiter if isinstance(rounds, CsvRounds) else ","
        cells = next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
        targets = rounds.header.targets
        amended = [
            cell if target is None else self._amender.cell(target, cell, amendment)
            for target, cell in zip(targets, cells, strict=False)
        ]
        row = io.StringIO(newline="")
        writer = csv.writer(row, delimiter=delimiter, lineterminator="")
        writer.writerow([*amended, *cells[len(targets) :]])
        return row.getvalue()
