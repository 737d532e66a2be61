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
from croupier.records.rounds.fields import DEEPEST, NO_CARDS, RecordBuilder, flat
from croupier.records.rounds.mapping import RoundMapping
from croupier.records.rounds.record import RoundRecord, Unreadable

_SEPARATOR: Final = re.compile(r"sep=(.)[,;\t|]*")
"""The line with the cell separator that Excel puts before the header."""
_ROWS: Final = 256
_BATCH: Final = 16_384
_ENOUGH: Final = 4_096
"""Characters after which no more is read to detect a format."""
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
            yield from filter(None, self._read())
        except TornError as error:
            yield Unreadable(self.line + 1, str(error))

    def _read(self) -> Iterator[RoundRecord | Unreadable | None]:
        raise NotImplementedError

    def object_record(
        self, fields: Mapping[str, Any], line: int, number: int
    ) -> RoundRecord | Unreadable | None:
        """Read an object; ``None`` if it is skipped."""
        builder, cells = self.builder, self.builder.cells(fields)
        if builder.mapping.skip and builder.skips((cell for _, cell in flat(fields)), cells):
            return None
        return builder.record(line, cells, number - builder.skipped.total())


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

    def _read(self) -> Iterator[RoundRecord | Unreadable | None]:
        for batch in self.batches():
            for self.line, row in enumerate(batch.rows, start=batch.first):
                yield self.record(row, self.line)


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
        width = len(self.header.names)
        first_row = next((row for row in head_batch.rows[1:] if len(row) == width), [])
        builder.first_cell = next(filter(None, map(str.strip, first_row)), "")

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
                self.header = tables.header_of(tables.below_groups(trimmed(row), above), builder)
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


def trimmed(row: list[str]) -> list[str]:
    while row and not row[-1].strip():
        row = row[:-1]
    return row


class JsonRounds(RoundReader):
    form = "jsonl"

    def _read(self) -> Iterator[RoundRecord | Unreadable | None]:
        number = 0
        lines = chain.from_iterable(blocks_of(self.path, self.builder.mapping.encoding))
        for self.line, text in enumerate(lines, start=1):
            if text.strip():
                number += 1
                yield self.line_record(text, self.line, number)

    def line_record(self, text: str, line: int, number: int) -> RoundRecord | Unreadable | None:
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
        record = self.object_record(fields, line, number)
        if isinstance(record, Unreadable) and record.message == NO_CARDS and "[" in text:
            advice = f"if its rounds are in a list, {_one_per_line(text, is_line=True)}"
            message = f"no cards and no mark: {advice}"
            return replace(record, message=message) if _place_of_rounds(text)[0] else record
        return record


class RowRounds(RoundReader):
    """Rounds given as objects, counted from 1 in place of lines."""

    form = "rows"

    size = 0

    def __init__(self, rows: Iterable[object], builder: RecordBuilder) -> None:
        super().__init__(Path(), builder)
        self._rows = rows
        self.first: list[Mapping[str, Any]] = []

    def _read(self) -> Iterator[RoundRecord | Unreadable | None]:
        for line, row in enumerate(self._rows, start=1):
            self.line = line
            if isinstance(row, Mapping):
                if len(self.first) < _ROWS:
                    self.first.append(row)
                yield self.object_record(row, line, line)
            else:
                yield Unreadable(line, f"{readable(repr(row))} is not a mapping of a round")


class ParquetRounds(RoundReader):
    form = "parquet"

    def __init__(self, path: Path, builder: RecordBuilder) -> None:
        super().__init__(path, builder)
        self._file = ParquetFile(path)
        self.schema = self._file.schema
        tables.header_of([*_leaves(self.schema)], builder)

    @property
    def size(self) -> int:
        """Bytes of the rows as text, at five for each cell: the file is compressed."""
        return 5 * len(self.schema.names) * self._file.number

    def _read(self) -> Iterator[RoundRecord | Unreadable | None]:
        for row in self._file.rows():
            self.line += 1
            yield self.object_record(row, self.line, self.line)

    def batches(self) -> Iterator[Any]:
        return self._file.batches()


def _leaves(fields: Iterable[Any], depth: int = 0) -> Iterator[str]:
    """Yield the columns of a schema, or those inside a column of objects."""
    for field in fields:
        inner_fields = field.flatten()
        if depth < DEEPEST and inner_fields != [field]:
            yield from _leaves(inner_fields, depth + 1)
        else:
            yield field.name


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
    text = _start(path, mapping)
    line = text.partition("\n")[0].strip()
    if line.startswith("<") and mapping.header == 1:
        raise FileError(
            "this is XML or HTML, not a table: open it in a spreadsheet, save it as CSV"
        )
    if not line.startswith(("{", "[")):
        return "csv"
    if FORMAT.partition("/")[0] in line[:200]:
        raise FileError(
            "this is a table log, which contains its own rules: verify it without a submission"
        )
    if line.endswith("},"):
        raise FileError("each line ends with a comma: remove it, as with sed 's/},$/}/' FILE")
    # Elsewhere a line of one object, or of a torn one.
    if line.startswith("[") or line.endswith(("{", "[", ",", ":")) or len(line) > MAX_LINE:
        raise FileError(f"a JSON document of several lines or rounds: {_one_per_line(text)}")
    return "jsonl"


def _start(path: Path, mapping: RoundMapping) -> str:
    """Return the first lines of a file, from the first that is not blank."""
    text = ""
    try:
        for lines in blocks_of(path, mapping.encoding):
            text = "\n".join([text, *lines]).lstrip()
            if len(text) > _ENOUGH:
                break
    except TornError as error:
        if not text:
            raise FileError(str(error)) from error
    if not text:
        raise FileError("the file is empty")
    return text


_JSON_TOKEN: Final = re.compile(r'"((?>(?:[^"\\]++|\\.)*))"?(\s*:)?|\[\s*\{|[{}]')
"""A text without an end is one token: a search from each quote in it takes quadratic time."""
_OF_HANDS: Final = re.compile(
    "(?i)(?:(?:player|banker)s?[ _-]?)?(?:cards?|hand)|player|banker|winner|outcome"
)
_DEEPEST: Final = 10
_LONGEST_COMMAND: Final = 300


def _one_per_line(text: str, *, is_line: bool = False) -> str:
    """Advise on a JSON document, or a line that is one, by the place of its rounds.

    What is next to a list of rounds, such as their shoe, is kept with each of them.
    """
    lists, first_key = _place_of_rounds(text)
    command = f"{lists[-1]}[]" if lists else "."
    of_parts = [*zip([f"{place}[] | " for place in lists], lists[1:], strict=False)]
    if is_line and lists and not lists[0].startswith(first_key):
        of_parts.insert(0, ("", lists[0]))
    for outer, inner in reversed(of_parts):
        command = f"{outer}del({inner}) + {f'({command})' if '|' in command else command}"
    # A name may neither end the words of a shell nor begin an expression of jq.
    is_safe = lists or (text[:1] == "{" and not is_line)
    is_safe = is_safe and {"'", "\\"}.isdisjoint(command)
    is_safe = is_safe and command.isprintable() and len(command) <= _LONGEST_COMMAND
    advice = f", as with jq -c '{command}' FILE > rounds.jsonl" if is_safe else ""
    return f"write one JSON object per round and line{advice}"


def _place_of_rounds(text: str) -> tuple[list[str], str]:
    """Return the lists around the first round, each in an object of the last, and the first key.

    Without a round they are those around the first object of a list.
    """
    path: list[tuple[str, bool]] = []
    """The key of each open object, and whether it is in a list."""
    key = first_key = ""
    last, follows_key = ("", False), False
    lists: list[str] = []
    found: list[str] | None = None
    for token in _JSON_TOKEN.finditer(text):
        if token[0] == "}":
            last = path.pop() if path else last
        elif token[2]:
            is_plain = token[1].isascii() and token[1].isidentifier()
            key = f".{token[1]}" if is_plain else f'."{token[1]}"'
            first_key = first_key or key
            if _OF_HANDS.fullmatch(token[1]):
                places = _lists(path)
                found = places if found is None else min(found, places, key=len)
        elif token[0][-1] == "{":
            # Without a key before it, an object is one more of the last list.
            in_list = token[0] != "{"
            path.append((key, in_list) if in_list or follows_key else last)
            lists = lists or (_lists(path) if in_list else [])
        follows_key = bool(token[2])
        if not path or len(path) > _DEEPEST:
            break
    return lists if found is None else found, first_key


def _lists(path: Iterable[tuple[str, bool]]) -> list[str]:
    places, keys = [], ""
    for key, in_list in path:
        keys += key
        if in_list:
            places.append(keys or ".")
            keys = ""
    return places
