"""Reading of round records by format."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from importlib import import_module
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from croupier.baccarat.coup import Tableau
from croupier.files.errors import FileError, TornError
from croupier.files.lines import MAX_LINE, LineReader, blocks_of
from croupier.files.text import BROKEN, broken_byte, check_keys, open_bytes
from croupier.files.workbooks import is_workbook, sheet_rows
from croupier.records.header import FORMAT
from croupier.records.rounds import tables
from croupier.records.rounds.cells import readable
from croupier.records.rounds.fields import RecordBuilder
from croupier.records.rounds.mapping import RoundMapping
from croupier.records.rounds.record import RoundRecord, Unreadable

_SEPARATOR: Final = re.compile(r"sep=(.)[,;\t|]*")
"""The line with the cell separator that Excel puts before the header."""
_ROWS: Final = 256
_BATCH: Final = 16_384
_PARQUET: Final = b"PAR1"
_DECODER: Final = msgspec.json.Decoder(float_hook=Decimal)


class RoundReader:
    """The rounds and unreadable lines of a file."""

    form = ""
    sheet: str | None = None

    def __init__(self, path: Path, builder: RecordBuilder) -> None:
        self.path = path
        self.builder = builder
        self.line = 0

    @property
    def size(self) -> int:
        return self.path.stat().st_size

    @property
    def columns(self) -> tuple[list[str], list[str]]:
        return self.builder.columns

    def __iter__(self) -> Iterator[RoundRecord | Unreadable]:
        try:
            yield from self._read()
        except TornError as error:
            yield Unreadable(self.line + 1, str(error))

    def _read(self) -> Iterator[RoundRecord | Unreadable]:
        raise NotImplementedError


class PlainLines(NamedTuple):
    """Whole lines as plain bytes, with the first line number and the count."""

    first: int
    data: bytes
    lines: int

    def rows(self, start: int, end: int, delimiter: str) -> list[list[str]]:
        text = self.data[start:end].decode("ascii").replace("\r\n", "\n")
        lines = text.removesuffix("\n").split("\n")
        return [line[: MAX_LINE + 1].split(delimiter) if line else [] for line in lines]


class TableRounds(RoundReader):
    header: tables.CsvHeader
    is_one_of_several = False
    """Whether its shoes have the sheet in front of their names."""

    def __init__(self, path: Path, builder: RecordBuilder) -> None:
        super().__init__(path, builder)
        self.number = 0

    def batches(self) -> Iterator[tables.RowBatch]:
        """Yield the rows below the header. Raises ``TornError``."""
        raise NotImplementedError

    def record(self, row: list[str], line: int) -> RoundRecord | Unreadable | None:
        """Read a row; ``None`` if it is blank."""
        record = tables.row_record(self.builder, self.header, row, line, self.number + 1)
        self.number += record is not None
        return record

    def passed(self, rows: int) -> None:
        """Count rounds that were read by cell."""
        self.number += rows

    def _read(self) -> Iterator[RoundRecord | Unreadable]:
        for batch in self.batches():
            for self.line, row in enumerate(batch.rows, start=batch.first):
                record = self.record(row, self.line)
                if record is not None:
                    yield record


class PieceRounds(TableRounds):
    delimiter: str

    def pieces(self) -> Iterator[tables.RowBatch | PlainLines]:
        raise NotImplementedError


class CsvText:
    """The lines of a CSV file from its header on, those of its first block in ``lines``."""

    def __init__(self, path: Path, mapping: RoundMapping) -> None:
        self.reader = LineReader(path, mapping.encoding)
        self._blocks = self.reader.blocks()
        if mapping.spans:
            self._blocks = (tables.cut(lines, mapping.spans) for lines in self._blocks)
        self.lines, self.line = self._from_header(mapping.header)
        separator = _SEPARATOR.fullmatch(self.lines[0])
        if separator is not None:
            self.lines, self.line = self._past_blanks(self.lines[1:], self.line)
        self.delimiter = mapping.delimiter or (
            separator[1] if separator else tables.delimiter_of(self.lines[0])
        )
        self.delimiter = tables.FIXED if mapping.spans else self.delimiter

    def batches(self) -> Iterator[tables.RowBatch]:
        return tables.rows_of(chain([self.lines], self._blocks), self.delimiter, self.line)

    def _from_header(self, number: int) -> tuple[list[str], int]:
        skipped_count = 0
        for lines in self._blocks:
            if skipped_count + len(lines) >= number:
                return self._past_blanks(lines[number - 1 - skipped_count :], number - 1)
            skipped_count += len(lines)
        raise FileError("the file is empty" if number == 1 else f"the file has no line {number}")

    def _past_blanks(self, next_lines: list[str], line_count: int) -> tuple[list[str], int]:
        for lines in chain([next_lines], self._blocks):
            for place, line in enumerate(lines):
                if line.strip():
                    return lines[place:], line_count + place + 1
            line_count += len(lines)
        raise FileError("the file is empty")


class CsvRounds(PieceRounds):
    form = "csv"

    def __init__(self, path: Path, builder: RecordBuilder) -> None:
        super().__init__(path, builder)
        self._text = text = CsvText(path, builder.mapping)
        self.line, self.delimiter = text.line, text.delimiter
        # The header is read like other rows, which also returns the rest of its block.
        self._batches = text.batches()
        head_batch = next(self._batches)
        self.header = tables.header_of(head_batch.rows[0], builder)
        self._first = tables.RowBatch(self.line + 1, head_batch.rows[1:])

    def batches(self) -> Iterator[tables.RowBatch]:
        yield self._first
        yield from self._batches

    def pieces(self) -> Iterator[tables.RowBatch | PlainLines]:
        if self.builder.mapping.spans:
            yield from self.batches()
            return
        yield self._first_piece() or self._first
        line_number = self.line + len(self._text.lines)
        for part in self._text.reader.pieces():
            if isinstance(part, bytes):
                lines = part.count(b"\n")
                yield PlainLines(line_number, part, lines)
                line_number += lines
            else:
                yield from tables.rows_of([part], self.delimiter, line_number)
                line_number += len(part)

    def _first_piece(self) -> PlainLines | None:
        start, rows = self._first
        text = "".join(f"{self.delimiter.join(row)}\n" for row in rows)
        if not text.isascii() or '"' in text or "\r" in text or text.count("\n") != len(rows):
            return None
        piece = PlainLines(start, text.encode("ascii"), len(rows))
        # Quoted cells may have contained a delimiter.
        return piece if piece.rows(0, len(text), self.delimiter) == rows else None


class WorkbookRounds(TableRounds):
    form = "xlsx"

    def __init__(self, path: Path, builder: RecordBuilder, sheet: str | None = None) -> None:
        super().__init__(path, builder)
        self.is_one_of_several = sheet is not None
        self.sheet = sheet or builder.mapping.sheet
        self._rows = enumerate(sheet_rows(path, self.sheet), start=1)
        above: list[str] = []
        for number, row in self._rows:
            self.line = number
            if number >= builder.mapping.header and any(cell.strip() for cell in row):
                self.header = tables.header_of(tables.below_groups(_trimmed(row), above), builder)
                return
            above = row
        raise FileError("the file is empty")

    def record(self, row: list[str], line: int) -> RoundRecord | Unreadable | None:
        found = super().record(row, line)
        if found is None or not self.is_one_of_several:
            return found
        if isinstance(found, RoundRecord):
            found = replace(found, sheet=str(self.sheet))
        return replace(found, shoe=f"{self.sheet}/{found.shoe}") if found.shoe else found

    def batches(self) -> Iterator[tables.RowBatch]:
        width = len(self.header.names)
        while numbered_rows := list(islice(self._rows, _ROWS)):
            rows = [row[:width] if any(row) else [] for _, row in numbered_rows]
            yield tables.RowBatch(numbered_rows[0][0], rows)


def _trimmed(row: list[str]) -> list[str]:
    while row and not row[-1].strip():
        row = row[:-1]
    return row


class JsonRounds(RoundReader):
    form = "jsonl"

    def _read(self) -> Iterator[RoundRecord | Unreadable]:
        number = 0
        lines = chain.from_iterable(blocks_of(self.path, self.builder.mapping.encoding))
        for self.line, text in enumerate(lines, start=1):
            if text.strip():
                number += 1
                yield self.line_record(text, self.line, number)

    def line_record(self, text: str, line: int, number: int) -> RoundRecord | Unreadable:
        if len(text) > MAX_LINE:
            return Unreadable(line, f"a line of more than {MAX_LINE:,} characters")
        if not text.isascii() and (fault := broken_byte(text)):
            return Unreadable(line, fault)
        try:
            fields = _DECODER.decode(text)
            check_keys(text, fields)
        except (msgspec.DecodeError, ValueError, ArithmeticError, RecursionError) as error:
            return Unreadable(line, f"it is not JSON: {readable(str(error), 120)}")
        if not isinstance(fields, Mapping):
            return Unreadable(line, "it is not a JSON object: write one round per line")
        return self.builder.record(line, self.builder.cells(fields), number)


class RowRounds(RoundReader):
    """Rounds given as objects, counted from 1 in place of lines."""

    form = "rows"

    size = 0

    def __init__(self, rows: Iterable[object], builder: RecordBuilder) -> None:
        super().__init__(Path(), builder)
        self._rows = rows
        self.first: list[Mapping[str, Any]] = []

    def _read(self) -> Iterator[RoundRecord | Unreadable]:
        for line, row in enumerate(self._rows, start=1):
            self.line = line
            if isinstance(row, Mapping):
                if len(self.first) < _ROWS:
                    self.first.append(row)
                yield self.builder.record(line, self.builder.cells(row), line)
            else:
                yield Unreadable(line, f"{readable(repr(row))} is not a mapping of a round")


class ParquetRounds(RoundReader):
    form = "parquet"

    def __init__(self, path: Path, builder: RecordBuilder) -> None:
        super().__init__(path, builder)
        self._file = ParquetFile(path)
        self.schema = self._file.schema
        tables.header_of(self.schema.names, builder)

    @property
    def size(self) -> int:
        """Bytes of the rows as text, at five for each cell: the file is compressed."""
        return 5 * len(self.schema.names) * self._file.number

    def _read(self) -> Iterator[RoundRecord | Unreadable]:
        for row in self._file.rows():
            self.line += 1
            yield self.row_record(row, self.line)

    def batches(self) -> Iterator[Any]:
        return self._file.batches()

    def row_record(self, row: Mapping[str, Any], line: int) -> RoundRecord | Unreadable:
        return self.builder.record(line, self.builder.cells(row), line)


def _imported(name: str, feature: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise FileError(
            f"{feature} requires pyarrow, which is in an extra: pip install 'croupier[parquet]'"
        ) from error


def arrow_rows(frame: object) -> Iterator[dict[str, Any]]:
    """Read a data frame with ``__arrow_c_stream__``. Raises ``FileError``."""
    for batch in _imported("pyarrow", "a data frame").RecordBatchReader.from_stream(frame):
        yield from batch.to_pylist()


class ParquetFile:
    def __init__(self, path: Path) -> None:
        arrow, parquet = _imported("pyarrow", "Parquet"), _imported("pyarrow.parquet", "Parquet")
        self._broken = (arrow.ArrowException, OSError, ValueError, NotImplementedError)
        try:
            self._file: Any = parquet.ParquetFile(path)
        except self._broken as error:
            raise FileError(f"it is not a Parquet file: {readable(str(error), 120)}") from error
        self.schema: Any = self._file.schema_arrow
        self.number: int = self._file.metadata.num_rows

    def rows(self) -> Iterator[dict[str, Any]]:
        for batch in self.batches():
            yield from batch.to_pylist()

    def batches(self) -> Iterator[Any]:
        try:
            yield from self._file.iter_batches(batch_size=_BATCH)
        except self._broken as error:
            raise TornError(f"the file is truncated here: {readable(str(error), 120)}") from error


_FORMS: Final[Mapping[str, type[RoundReader]]] = {
    "csv": CsvRounds,
    "jsonl": JsonRounds,
    "parquet": ParquetRounds,
    "xlsx": WorkbookRounds,
}


def open_rounds(
    path: Path, mapping: RoundMapping | None = None, tableau: Tableau | None = None
) -> RoundReader:
    """Open a record in the format of its content. Raises ``FileError``."""
    mapping = RoundMapping() if mapping is None else mapping
    builder = RecordBuilder(mapping, tableau)
    form = mapping.format or form_of_rounds(path, mapping)
    return _FORMS[form](path, builder)


def form_of_rounds(path: Path, mapping: RoundMapping) -> str:
    """Detect a file's format. Raises ``FileError`` for a table log."""
    with open_bytes(path) as raw:
        try:
            start = raw.read(len(_PARQUET))
        except BROKEN as error:
            raise FileError(f"the file cannot be read: {error}") from error
    if start == _PARQUET:
        return "parquet"
    if is_workbook(path):
        return "xlsx"
    line = _first_line(path, mapping)
    if not line.startswith(("{", "[")):
        return "csv"
    if line in {"{", "["} or line.startswith("["):
        path_text = ".[]" if line.startswith("[") else ".rounds[]"
        raise FileError(
            "a JSON document of several lines or rounds is not supported: write one JSON object "
            f"per round and line, as with jq -c '{path_text}' FILE > rounds.jsonl"
        )
    if FORMAT.partition("/")[0] in line[:200]:
        raise FileError(
            "this is a table log, which contains its own rules: verify it without a submission"
        )
    return "jsonl"


def _first_line(path: Path, mapping: RoundMapping) -> str:
    try:
        for lines in blocks_of(path, mapping.encoding):
            for line in lines:
                if line.strip():
                    return line.strip()
    except TornError as error:
        raise FileError(str(error)) from error
    raise FileError("the file is empty")
