"""Rows for the compiled loops from objects: JSON Lines and Parquet."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from itertools import chain
from typing import Any, Final, NamedTuple

import msgspec

from croupier.files.errors import TornError
from croupier.files.lines import MAX_LINE, blocks_of
from croupier.files.text import check_keys
from croupier.records.rounds.fields import RecordBuilder, Target
from croupier.records.rounds.mapping import AMOUNTS
from croupier.records.rounds.reading import (
    JsonRounds,
    ParquetRounds,
    PieceRounds,
    PlainLines,
    RoundReader,
)
from croupier.records.rounds.record import RoundRecord, Unreadable
from croupier.records.rounds.tables import CsvHeader, RowBatch
from croupier.rules import TableRules
from croupier.verify.rounds.row_kernel import MOST_WAGERS

_LINES: Final = 1024
_DELIMITER: Final = "\t"
_HANDS: Final = frozenset({"player", "banker"})
_AMOUNTS: Final = ("stake", "net", "paid", "vigorish")
_WAGERS: Final = Target("wagers")
_ANY: Final = Target("")
_UNREAD, _NAME, _SEAT = -1, -2, -3

_Records = Callable[[int, int, int], RoundRecord | Unreadable | None]
"""Returns the record of a line in a piece, and the name of its round if it has none."""


class _Piece(NamedTuple):
    first: int
    lines: int
    record: _Records


class ObjectRows(PieceRounds):
    delimiter = _DELIMITER

    def __init__(
        self, rounds: RoundReader, targets: tuple[Target | None, ...],
        parts: Iterator[tuple[bytes, int, _Records]],
    ) -> None:  # fmt: skip
        super().__init__(rounds.path, rounds.builder)
        self.header = CsvHeader(("",) * len(targets), targets)
        self._parts: Final = parts
        self._pieces: Final[deque[_Piece]] = deque()

    def pieces(self) -> Iterator[RowBatch | PlainLines]:
        line = 1
        for data, lines, record in self._parts:
            # Release pieces whose last row has been verified.
            while self._pieces and self._pieces[0].first + self._pieces[0].lines <= self.line + 1:
                self._pieces.popleft()
            self._pieces.append(_Piece(line, lines, record))
            yield PlainLines(line, data, lines)
            line += lines

    def record(self, row: list[str], line: int) -> RoundRecord | Unreadable | None:
        del row
        while self._pieces[0].first + self._pieces[0].lines <= line:
            self._pieces.popleft()
        piece = self._pieces[0]
        record = piece.record(line - piece.first, line, self.number + 1)
        self.number += record is not None
        return record


def rows_of_objects(rounds: RoundReader, rules: TableRules) -> ObjectRows | None:
    if isinstance(rounds, JsonRounds):
        return _of_json(rounds, rules)
    return _of_parquet(rounds) if isinstance(rounds, ParquetRounds) else None


# --- JSON Lines --------------------------------------------------------------------------------


class _Number(str):
    __slots__ = ()


_DECODER: Final = msgspec.json.Decoder(float_hook=_Number)


class _JsonRows:
    """Rows of cells from objects with the keys of the first one.

    Wagers in a list have columns for each seat of a round.
    """

    def __init__(self, builder: RecordBuilder, rules: TableRules, row: object) -> None:
        self._builder: Final = builder
        self._wagers: Final[dict[str, int]] = {}
        """The place of a wager among those offered, by its name as written."""
        self._roles: Final[dict[str, int]] = {}
        """The meaning of a key of a wager: the number of an amount, or a negative one."""
        self._cents: Final[set[str]] = set()
        self._offered: Final = [
            name for name, offer in rules.offers.items() if offer.wager.at_chair is None
        ]
        cells = builder.cells(row) if isinstance(row, dict) else {}
        seats = MOST_WAGERS // max(1, len(self._offered))
        self._lists: Final = cells.pop(_WAGERS, None) is not None
        self._flat: Final = {target: index for index, target in enumerate(cells)}
        self.targets: Final = (
            *cells,
            *(
                Target(amount, wager, seat)
                for seat in range(seats if self._lists else 0)
                for wager in self._offered
                for amount in _AMOUNTS
            ),
        )
        self._unknown: Final = _DELIMITER.join("?" * len(self.targets))
        """A line for the verifier."""

    def row(self, text: str) -> str:
        """Cells of a line; question marks if it is not plain."""
        if not text.strip():
            return ""
        if len(text) > MAX_LINE or not text.isascii():
            return self._unknown
        try:
            fields = _DECODER.decode(text)
            check_keys(text, fields)
            return self._row(self._builder.cells(fields))
        except (AttributeError, LookupError, TypeError, ValueError, RecursionError):
            return self._unknown

    def _row(self, cells: dict[Target, Any]) -> str:
        row = [""] * len(self.targets)
        entries = cells.pop(_WAGERS, None) if self._lists else None
        if type(entries) is list:
            self._entries(entries, row)
        elif entries not in (None, ""):
            raise ValueError
        for target, value in cells.items():
            number = type(value) is _Number and target.name in AMOUNTS
            row[self._flat[target]] = value if number else _cell(target, value)
        return _DELIMITER.join(row)

    def _entries(self, entries: Sequence[dict[str, Any]], row: list[str]) -> None:
        seats: dict[int | None, int] = {}
        inner, roles = self._builder.inner, self._roles
        for number, entry in enumerate(entries, start=1):
            base = {key: value for key, value in entry.items() if key != inner} if inner else {}
            for bet in entry[inner] if inner else [entry]:
                seat, wager, amounts = number if inner else None, -1, []
                for key, value in (base | bet if base else bet).items():
                    role = roles[key] if key in roles else self._role(key)
                    if role == _NAME:
                        wager = self._wagers[value] if value in self._wagers else self._wager(value)
                    elif role == _SEAT:
                        seat = self._seat(value)
                    elif role >= 0:
                        amounts.append((role, self._amount(key, value)))
                if wager < 0 or not amounts:
                    raise ValueError
                place = seats.setdefault(seat, len(seats)) * len(self._offered) + wager
                for role, text in amounts:
                    index = len(self._flat) + len(_AMOUNTS) * place + role
                    if row[index]:
                        raise ValueError
                    row[index] = text

    def _role(self, key: str) -> int:
        self._builder.saw_entry(key)
        name, reader = self._builder.entry_keys.get(key, ("", None))
        other_names = {"": _UNREAD, "wager": _NAME, "seat": _SEAT}
        role = other_names[name] if name in other_names else _AMOUNTS.index(name)
        if role >= 0 and reader is not self._builder.amount:
            self._cents.add(key)
        self._roles[key] = role
        return role

    def _amount(self, key: str, value: object) -> str:
        if key not in self._cents:
            return value if type(value) is _Number else _cell(_ANY, value)
        unit = self._builder.mapping.unit_cents
        if type(value) is not int or value < 0 or unit not in {1, 100}:
            raise ValueError
        if unit == 1:
            return str(value)
        return f"{value // 100}.{value % 100:02}"

    def _seat(self, value: object) -> int | None:
        text = _cell(_ANY, value)
        if text.isdigit() and len(text) < 4:
            return int(text)
        return self._builder.seats[text] if text else None

    def _wager(self, name: object) -> int:
        wager = self._builder.wager(_cell(_ANY, name))
        self._wagers[str(name)] = place = self._offered.index(wager)
        return place


def _cell(target: Target, value: object) -> str:
    if value is None:
        return ""
    if type(value) is int:
        return str(value)
    if type(value) is list and target.name in _HANDS:
        if any(type(card) is not str or len(card) != 2 for card in value):
            raise ValueError
        value = " ".join(value)
    if type(value) is not str or not (value.isascii() and value.isprintable()):
        raise ValueError
    return value


def _of_json(rounds: JsonRounds, rules: TableRules) -> ObjectRows | None:
    encoding = rounds.builder.mapping.encoding
    try:
        lines = chain.from_iterable(blocks_of(rounds.path, encoding))
        row = msgspec.json.decode(next((line for line in lines if line.strip()), ""))
    except (TornError, msgspec.DecodeError, ValueError, RecursionError):
        return None
    rows = _JsonRows(rounds.builder, rules, row)
    parts = _json_parts(rounds, blocks_of(rounds.path, encoding), rows)
    return ObjectRows(rounds, rows.targets, parts)


def _json_parts(
    rounds: JsonRounds, blocks: Iterator[list[str]], rows: _JsonRows
) -> Iterator[tuple[bytes, int, _Records]]:
    torn_error: TornError | None = None
    while torn_error is None:
        lines: list[str] = []
        try:
            for block in blocks:
                lines += block
                if len(lines) >= _LINES:
                    break
        except TornError as error:
            torn_error = error
        if not lines:
            break

        def record(
            place: int, line: int, number: int, lines: list[str] = lines
        ) -> RoundRecord | Unreadable | None:
            text = lines[place]
            return rounds.line_record(text, line, number) if text.strip() else None

        yield "".join(f"{rows.row(line)}\n" for line in lines).encode(), len(lines), record
    if torn_error is not None:
        raise torn_error


# --- Parquet -----------------------------------------------------------------------------------


def _of_parquet(rounds: ParquetRounds) -> ObjectRows | None:
    arrow, writer = import_module("pyarrow"), import_module("pyarrow.csv")
    schema, names = rounds.schema, tuple(rounds.schema.names)
    kinds = arrow.types
    # The shortest form of a float depends on the program that writes it.
    tests = (kinds.is_string, kinds.is_large_string, kinds.is_integer, kinds.is_float64,
             kinds.is_decimal, kinds.is_null)  # fmt: skip
    if not all(any(test(kind) for test in tests) for kind in schema.types):
        return None
    targets = tuple(map(rounds.builder.target, names))
    options = writer.WriteOptions(include_header=False, delimiter=_DELIMITER, quoting_style="none")

    def parts() -> Iterator[tuple[bytes, int, _Records]]:
        for batch in rounds.batches():
            sink = arrow.BufferOutputStream()
            try:
                writer.write_csv(batch, sink, options)
                data = sink.getvalue().to_pybytes()
            except arrow.ArrowException:
                # The cell contains a delimiter or a line end.
                data = (_DELIMITER.join("?" * len(names)) + "\n").encode() * batch.num_rows
            if not data.isascii():
                data = _without_letters(data, len(names))
            yield data, batch.num_rows, _parquet_records(rounds, batch)

    return ObjectRows(rounds, targets, parts())


def _without_letters(data: bytes, columns: int) -> bytes:
    unread_row = _DELIMITER.join("?" * columns).encode()
    rows = data.removesuffix(b"\n").split(b"\n")
    return b"".join((row if row.isascii() else unread_row) + b"\n" for row in rows)


def _parquet_records(rounds: ParquetRounds, batch: Any) -> _Records:
    rows: list[dict[str, Any]] = []
    first, few = 0, 0

    def record(place: int, line: int, _: int) -> RoundRecord | Unreadable | None:
        nonlocal first, few
        if not first <= place < first + len(rows):
            # Small numbers of rows are taken one by one, larger ones several at once.
            first, few = place, min(2 * few + 1, _LINES)
            rows[:] = batch.slice(place, few).to_pylist()
        return rounds.object_record(rows[place - first], line, line)

    return record
