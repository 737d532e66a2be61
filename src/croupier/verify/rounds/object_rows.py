"""Rows for the compiled loops from flat objects: JSON Lines and Parquet."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from croupier.files.errors import TornError
from croupier.files.lines import blocks_of
from croupier.odds.arrays import Integers
from croupier.odds.compiled import lean
from croupier.records.rounds.reading import (
    JsonRounds,
    ParquetRounds,
    PieceRounds,
    PlainLines,
    RoundReader,
)
from croupier.records.rounds.record import RoundRecord, Unreadable
from croupier.records.rounds.tables import CsvHeader, RowBatch
from croupier.verify.rounds.row_kernel import Bytes

_LINES: Final = 4096
_LONGEST_NAME: Final = 200
_MOST_NAMES: Final = 200
_DELIMITER: Final = "\t"
_HANDS: Final = frozenset({"player", "banker"})
TAB, FEED, SPACE, QUOTE, COMMA, MINUS, POINT, ZERO, NINE = 9, 10, 32, 34, 44, 45, 46, 48, 57
COLON, UNKNOWN, OPEN_LIST, ESCAPE, CLOSE_LIST = 58, 63, 91, 92, 93
NULL, OPEN, CLOSE, LAST = 110, 123, 125, 126

_Records = Callable[[int, int, int], RoundRecord | Unreadable | None]
"""Returns the record of a line in a piece, and the name of its round if it has none."""


class _Piece(NamedTuple):
    first: int
    lines: int
    record: _Records


class ObjectRows(PieceRounds):
    """A file of objects as rows of cells."""

    delimiter = _DELIMITER

    def __init__(
        self, rounds: RoundReader, names: tuple[str, ...],
        parts: Iterator[tuple[bytes, int, _Records]],
    ) -> None:  # fmt: skip
        super().__init__(rounds.path, rounds.builder)
        self.header = CsvHeader(names, tuple(map(rounds.builder.target, names)))
        self._parts: Final = parts
        self._pieces: Final[deque[_Piece]] = deque()

    def pieces(self) -> Iterator[RowBatch | PlainLines]:
        """Yield the rows, keeping their objects until verified."""
        first = 1
        for data, lines, record in self._parts:
            # Release pieces whose last row has been verified.
            while self._pieces and self._pieces[0].first + self._pieces[0].lines <= self.line + 1:
                self._pieces.popleft()
            self._pieces.append(_Piece(first, lines, record))
            yield PlainLines(first, data, lines)
            first += lines

    def record(self, row: list[str], line: int) -> RoundRecord | Unreadable | None:
        """Return the round of a line, read from its object."""
        del row
        while self._pieces[0].first + self._pieces[0].lines <= line:
            self._pieces.popleft()
        piece = self._pieces[0]
        found = piece.record(line - piece.first, line, self._number + 1)
        self._number += found is not None
        return found


def rows_of_objects(rounds: RoundReader) -> ObjectRows | None:
    """Return the rows of a file of flat objects, otherwise ``None``."""
    if isinstance(rounds, JsonRounds):
        return _of_json(rounds)
    return _of_parquet(rounds) if isinstance(rounds, ParquetRounds) else None


def _told(rounds: RoundReader, names: tuple[str, ...]) -> bool:
    if len(names) > _MOST_NAMES or any(len(name) > _LONGEST_NAME for name in names):
        return False
    targets = [target for target in map(rounds.builder.target, names) if target is not None]
    return len(set(targets)) == len(targets)


# --- JSON Lines --------------------------------------------------------------------------------


def _of_json(rounds: JsonRounds) -> ObjectRows | None:
    blocks = blocks_of(rounds.path, rounds.builder.mapping.encoding)
    try:
        some = next((block for block in blocks if any(map(str.strip, block))), [])
        fields = msgspec.json.decode(next((line for line in some if line.strip()), ""))
    except (TornError, msgspec.DecodeError, ValueError, RecursionError):
        return None
    if not isinstance(fields, dict) or not _told(rounds, names := tuple(fields)):
        return None
    if any(not name.isascii() or not name.isprintable() or {*name} & {*'"\\'} for name in names):
        return None
    keys = [f'"{name}"'.encode() for name in names]
    targets = map(rounds.builder.target, names)
    hands = [target is not None and target.name in _HANDS for target in targets]
    ends = np.cumsum([0, *map(len, keys)]).astype(np.int64)
    told = np.frombuffer(b"".join(keys), np.uint8)
    everything = blocks_of(rounds.path, rounds.builder.mapping.encoding)
    return ObjectRows(rounds, names, _json_parts(rounds, everything, told, ends, hands))


def _json_parts(
    rounds: JsonRounds, blocks: Iterator[list[str]], keys: Bytes, ends: Integers, hands: list[bool]
) -> Iterator[tuple[bytes, int, _Records]]:
    torn: TornError | None = None
    lists = np.array(hands, np.uint8)
    while torn is None:
        lines: list[str] = []
        try:
            for block in blocks:
                lines += block
                if len(lines) >= _LINES:
                    break
        except TornError as error:
            torn = error
        if not lines:
            break
        text = ("\n".join(lines) + "\n").encode("utf-8", "surrogatepass")
        out = np.empty(len(text) + 2 * len(ends) * len(lines), np.uint8)
        size = flatten(np.frombuffer(text, np.uint8), keys, ends, lists, out)

        def record(
            place: int, line: int, number: int, lines: list[str] = lines
        ) -> RoundRecord | Unreadable | None:
            text = lines[place]
            return rounds.line_record(text, line, number) if text.strip() else None

        yield out[:size].tobytes(), len(lines), record
    if torn is not None:
        raise torn


@lean
def flatten(data: Bytes, keys: Bytes, ends: Integers, lists: Bytes, out: Bytes) -> int:
    """Write the values of each line's object as cells; return the number of bytes."""
    at = to = 0
    columns = len(ends) - 1
    while at < len(data):
        end = at
        while data[end] != FEED:
            end += 1
        began = to
        if end > at:
            to = _line(data, at, end, keys, ends, lists, out, to)
            if to < 0:
                to = began
                for _ in range(columns):
                    out[to], out[to + 1] = UNKNOWN, TAB
                    to += 2
                to -= 1
        out[to] = FEED
        to += 1
        at = end + 1
    return to


@lean
def _line(  # noqa: C901, PLR0913, PLR0917  (what is read, and where it goes)
    data: Bytes, at: int, end: int, keys: Bytes, ends: Integers, lists: Bytes, out: Bytes, to: int
) -> int:
    """Return where the cells end, or -1 for a different object."""
    if data[at] != OPEN:
        return -1
    at += 1
    for column in range(len(ends) - 1):
        at = _past(data, at, end)
        first, size = ends[column], ends[column + 1] - ends[column]
        if at + size >= end:
            return -1
        for place in range(size):
            if data[at + place] != keys[first + place]:
                return -1
        at = _past(data, at + size, end)
        if at >= end or data[at] != COLON:
            return -1
        at = _past(data, at + 1, end)
        if at < end and data[at] == OPEN_LIST and not lists[column]:
            return -1
        at, to = _value(data, at, end, out, to)
        if at < 0:
            return -1
        at = _past(data, at, end)
        is_last = column == len(ends) - 2
        if at >= end or data[at] != (CLOSE if is_last else COMMA):
            return -1
        at += 1
        if not is_last:
            out[to] = TAB
            to += 1
    return to if _past(data, at, end) == end else -1


@lean
def _past(data: Bytes, at: int, end: int) -> int:
    while at < end and data[at] == SPACE:
        at += 1
    return at


@lean
def _value(data: Bytes, at: int, end: int, out: Bytes, to: int) -> tuple[int, int]:
    """Return the ends of value and cell, or -1 for another value."""
    if at >= end:
        return -1, to
    if data[at] == QUOTE:
        return _text(data, at, end, out, to)
    if data[at] == OPEN_LIST:
        return _list(data, at, end, out, to)
    if data[at] == NULL:
        return (at + 4 if _is_null(data, at, end) else -1), to
    began = at
    while at < end and (data[at] == MINUS or data[at] == POINT or ZERO <= data[at] <= NINE):
        out[to] = data[at]
        at += 1
        to += 1
    return (at if _is_number(data, began, at) else -1), to


@lean
def _is_null(data: Bytes, at: int, end: int) -> bool:
    return at + 4 <= end and data[at + 1] == 117 and data[at + 2] == 108 and data[at + 3] == 108


@lean
def _is_number(data: Bytes, at: int, end: int) -> bool:
    if at < end and data[at] == MINUS:
        at += 1
    whole = at
    while at < end and data[at] != POINT:
        if data[at] == MINUS:
            return False
        at += 1
    if at == whole or (data[whole] == ZERO and at > whole + 1):
        return False
    if at == end:
        return True
    places = at + 1
    for place in range(places, end):
        if data[place] == MINUS or data[place] == POINT:
            return False
    return places < end


@lean
def _text(data: Bytes, at: int, end: int, out: Bytes, to: int) -> tuple[int, int]:
    at += 1
    while at < end and data[at] != QUOTE:
        if data[at] < SPACE or data[at] > LAST or data[at] == ESCAPE:
            return -1, to
        out[to] = data[at]
        at += 1
        to += 1
    return (at + 1 if at < end else -1), to


@lean
def _list(data: Bytes, at: int, end: int, out: Bytes, to: int) -> tuple[int, int]:
    at = _past(data, at + 1, end)
    began = to
    while at < end and data[at] == QUOTE:
        if to > began:
            out[to] = SPACE
            to += 1
        blank = to
        at, to = _text(data, at, end, out, to)
        if at < 0 or to == blank:  # A blank holds the place of a card.
            return -1, to
        at = _past(data, at, end)
        if at < end and data[at] == COMMA:
            at = _past(data, at + 1, end)
            if at >= end or data[at] != QUOTE:
                return -1, to
        elif at >= end or data[at] != CLOSE_LIST:
            return -1, to
    return (at + 1 if at < end and data[at] == CLOSE_LIST else -1), to


# --- Parquet -----------------------------------------------------------------------------------


def _of_parquet(rounds: ParquetRounds) -> ObjectRows | None:
    arrow, writer = import_module("pyarrow"), import_module("pyarrow.csv")
    schema, names = rounds.schema, tuple(rounds.schema.names)
    kinds = arrow.types
    # The shortest form of a float depends on the program that writes it.
    plain = (kinds.is_string, kinds.is_large_string, kinds.is_integer, kinds.is_float64,
             kinds.is_decimal, kinds.is_null)  # fmt: skip
    if not _told(rounds, names) or not all(any(is_(one) for is_ in plain) for one in schema.types):
        return None
    how = writer.WriteOptions(include_header=False, delimiter=_DELIMITER, quoting_style="none")

    def parts() -> Iterator[tuple[bytes, int, _Records]]:
        for batch in rounds.batches():
            sink = arrow.BufferOutputStream()
            try:
                writer.write_csv(batch, sink, how)
                data = sink.getvalue().to_pybytes()
            except arrow.ArrowException:
                # The cell contains a delimiter or a line end.
                data = (_DELIMITER.join("?" * len(names)) + "\n").encode() * batch.num_rows
            if not data.isascii():
                data = _without_letters(data, len(names))
            yield data, batch.num_rows, _parquet_records(rounds, batch)

    return ObjectRows(rounds, names, parts())


def _without_letters(data: bytes, columns: int) -> bytes:
    """Return rows with non-ASCII ones made unreadable."""
    unknown = _DELIMITER.join("?" * columns).encode()
    rows = data.removesuffix(b"\n").split(b"\n")
    return b"".join((row if row.isascii() else unknown) + b"\n" for row in rows)


def _parquet_records(rounds: ParquetRounds, batch: Any) -> _Records:
    rows: list[dict[str, Any]] = []
    first, few = 0, 0

    def record(place: int, line: int, _: int) -> RoundRecord | Unreadable | None:
        nonlocal first, few
        if not first <= place < first + len(rows):
            # Small numbers of rows are taken one by one, larger ones several at once.
            first, few = place, min(2 * few + 1, _LINES)
            rows[:] = batch.slice(place, few).to_pylist()
        return rounds.row_record(rows[place - first], line)

    return record
