"""The first rows of a record."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from io import BufferedReader
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from croupier.files.errors import FileError
from croupier.files.lines import MAX_LINE, blocks_of
from croupier.files.text import check_keys, open_bytes
from croupier.files.workbooks import sheet_rows
from croupier.records.rounds.card_cells import hands_in_cell
from croupier.records.rounds.cells import is_amount, listed_in_cell, whole
from croupier.records.rounds.fields import containers_of, flat
from croupier.records.rounds.mapping import RoundMapping
from croupier.records.rounds.reading import (
    CsvText,
    ParquetFile,
    RoundReader,
    RowRounds,
    form_of_rounds,
    trimmed,
)
from croupier.records.rounds.tables import below_groups, check_columns, delimiter_of, rows_of

_ROWS: Final = 300
_HEAD: Final = 1000
_END: Final = 4096
_LAST: Final = 3
_FEW: Final = 4


class Sample(NamedTuple):
    form: str
    names: tuple[str, ...]
    rows: list[dict[str, Any]]
    every: Callable[[], Iterable[Mapping[str, Any]]]
    """Reads all rows again."""

    def cells(self, name: str) -> list[str]:
        texts = (str(row.get(name, "")).strip() for row in self.rows if row.get(name) is not None)
        return [text for text in texts if text]

    def states(self, name: str) -> set[str]:
        """Return the values of a column that has few, in all rows."""
        states = {str(row[name]).strip() for row in self.every() if row.get(name) is not None}
        return states - {""}

    def numbers(self, name: str) -> bool:
        cells = self.cells(name)
        return bool(cells) and all(map(is_amount, cells))

    def amounts(self, name: str) -> bool:
        cells = {*self.cells(name)}
        # Codes of the winners may be 1.0, 2.0, and 3.0 in a data frame.
        cells = {*map(whole, cells)} if len(cells) < _FEW else cells
        return self.numbers(name) and any(set(cell) & set(".,-(") for cell in cells)


def sample_again(rounds: RoundReader) -> Sample:
    """Sample the rounds of a reader that has read them. Raises ``FileError``."""
    if not isinstance(rounds, RowRounds):
        return sample_of(rounds.path, replace(rounds.builder.mapping, sheet=rounds.sheet))
    return _sample_of_objects(rounds.form, lambda: rounds.first)


def sheet_head(path: Path, sheet: str | None) -> list[list[str]]:
    """Return a sheet's first rows, and the last, which may be of totals."""
    rows = sheet_rows(path, sheet)
    return [*islice(rows, _HEAD), *deque(filter(_is_filled, rows), maxlen=1)]


def _is_filled(row: Iterable[str]) -> bool:
    return any(cell.strip() for cell in row)


def sample_of(path: Path, mapping: RoundMapping, head: Sequence[list[str]] | None = None) -> Sample:
    """Sample a record, or a sheet's ``head``. Raises ``FileError``."""
    form = mapping.format or form_of_rounds(path, mapping)
    if form not in {"csv", "xlsx"}:
        read = partial(_objects, path, mapping) if form == "jsonl" else ParquetFile(path).rows
        return _sample_of_objects(form, read)
    every = partial(_table, path, mapping, form)
    if form == "xlsx":
        head = sheet_head(path, mapping.sheet) if head is None else head
    filled = filter(_is_filled, every() if head is None else islice(head, mapping.header - 1, None))
    header = [cell.strip() for cell in next(filled, [])]
    check_columns(header)
    names = header

    def is_header(row: Sequence[str]) -> bool:
        return [cell.strip() for cell in row] == names

    if head is not None and header:
        places = range(mapping.header - 1, len(head))
        place = next(place for place in places if _is_filled(head[place]))
        header = below_groups(header, head[place - 1] if place else [])
    read_rows = list(islice(filled, _ROWS))
    if form == "xlsx":
        read_rows += deque(filled, maxlen=1)
    elif len(read_rows) == _ROWS and not mapping.spans:
        read_rows += (row for row in _last_rows(path, mapping) if len(row) == len(header))
    table_rows = [row for row in read_rows if not is_header(row)]
    width = len(trimmed(table_rows[0])) if table_rows else 0
    below_rows = (map(listed_in_cell, row) for row in table_rows if not _is_remark(row, width))
    rows = [dict(zip(header, row, strict=False)) for row in below_rows]
    if not header:
        raise FileError("the file is empty")

    def below() -> Iterator[dict[str, Any]]:
        rows = islice(filter(_is_filled, every()), 1, None)
        return (dict(zip(header, row, strict=False)) for row in rows if not is_header(row))

    return Sample(form, tuple(filter(None, header)), rows, below)


def _is_remark(row: list[str], width: int) -> bool:
    """Whether a line has fewer cells than the first row and a round, and begins with a word."""
    cells = trimmed(row)
    is_word = bool(cells) and not cells[0].strip()[:1].isdigit() and cells[0].strip() != ""
    return is_word and len(cells) < min(_FEW, width) and not any(map(hands_in_cell, cells))


def _sample_of_objects(form: str, read: Callable[[], Iterable[Mapping[str, Any]]]) -> Sample:
    def every() -> Iterator[dict[str, Any]]:
        return map(dict, map(flat, read()))

    rows = list(islice(every(), _ROWS))
    names = tuple(dict.fromkeys(chain.from_iterable(rows)))
    check_columns(names)
    if not names:
        raise FileError("the file contains no rounds")
    # An object that a round does without may be null there.
    objects = {part for name in names for part in containers_of(name)}
    nulls = {name for name in objects & {*names} if all(row.get(name) is None for row in rows)}
    return Sample(form, tuple(name for name in names if name not in nulls), rows, every)


def _table(path: Path, mapping: RoundMapping, form: str) -> Iterator[list[str]]:
    if form == "csv":
        return chain.from_iterable(batch.rows for batch in CsvText(path, mapping).batches())
    return islice(sheet_rows(path, mapping.sheet), mapping.header - 1, None)


def _last_rows(path: Path, mapping: RoundMapping) -> Iterator[list[str]]:
    """Yield the last rows, which may be of totals; none of a compressed file or of UTF-16."""
    with open_bytes(path) as file:
        if not isinstance(file, BufferedReader):
            return
        file.seek(max(0, path.stat().st_size - _END))
        data = file.read()
    is_wide = b"\0" in data  # As UTF-16 is.
    lines = [] if is_wide else data.decode(mapping.encoding or "utf-8", "replace").split("\n")
    for line in [*filter(str.strip, lines)][-_LAST:]:
        for batch in rows_of([[line.rstrip("\r")]], delimiter_of(line), 1):
            yield from batch.rows


def _objects(path: Path, mapping: RoundMapping) -> Iterator[dict[str, Any]]:
    for text in chain.from_iterable(blocks_of(path, mapping.encoding)):
        if not text.strip() or len(text) > MAX_LINE:
            continue
        try:
            check_keys(text, fields := msgspec.json.decode(text))
        except (msgspec.DecodeError, ValueError, RecursionError):
            continue
        if isinstance(fields, dict):
            yield fields
