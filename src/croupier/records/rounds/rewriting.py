"""Rewriting of a round record with corrections, in the writer's format."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import IO, Any, Final, NamedTuple

import msgspec

from croupier.files.lines import MAX_LINE
from croupier.files.text import BROKEN, open_bytes
from croupier.files.workbooks import sheet_rows
from croupier.files.write import WriteError
from croupier.records.rounds.cells import amount_like, listed_in_cell, named_amounts
from croupier.records.rounds.fields import DEEPEST, FIELDS, RecordBuilder, Target, inner_entries
from croupier.records.rounds.mapping import RESULTS, SEAT, SLOT, RoundMapping
from croupier.records.rounds.reading import CsvRounds, RoundReader, TableRounds
from croupier.records.rounds.record import RoundRecord, WagerRecord
from croupier.records.rounds.tables import MOST_LINES_IN_A_ROW


class RowCorrection(NamedTuple):
    before: RoundRecord
    after: RoundRecord


def winner_like(winner: str, model: str, names: Mapping[str, str]) -> str:
    """Return a winner in the writer's words, or in ours with the case of ``model``."""
    model = model.strip()
    names_of_winner = [name for name, winner_of_name in names.items() if winner_of_name == winner]
    if names_of_winner and (model in names or model.casefold() in map(str.casefold, names)):
        return names_of_winner[0]
    text = winner[:1] if len(model) == 1 else winner
    if model.isupper():
        return text.upper()
    return text.capitalize() if model[:1].isupper() else text


class Amender:
    def __init__(self, builder: RecordBuilder) -> None:
        self._builder: Final = builder
        self._mapping: Final[RoundMapping] = builder.mapping

    def cell(self, target: Target, value: Any, amendment: RowCorrection) -> Any:
        before, after = amendment
        if value is None or value == "":
            return value
        if target.name == "wagers" and isinstance(entries := listed_in_cell(value), list):
            new_entries = self._entries(entries, amendment)
            return new_entries if entries is value else json.dumps(new_entries, ensure_ascii=False)
        if target.name == "winner" and before.winner != after.winner:
            if after.winner is None:
                return "" if isinstance(value, str) else None
            return winner_like(after.winner, str(value), self._mapping.values.get("winner", {}))
        if target.name in {"player_total", "banker_total"}:
            old_value, new_value = getattr(before, target.name), getattr(after, target.name)
            if old_value == new_value or new_value is None:
                return value
            return str(new_value) if isinstance(value, str) else new_value
        if target.name == FIELDS:
            return self._fields(target.of, value, amendment)
        return self._result(target, value, amendment)

    def _result(self, target: Target, value: Any, amendment: RowCorrection) -> Any:
        # A row may name the wager in a column of its own.
        is_named = target.of in {"", SEAT, SLOT}
        for wagers in zip(amendment.before.wagers, amendment.after.wagers, strict=True):
            places = {wagers[0].slot} if is_named else {0, 1 + (wagers[0].seat or 0)}
            is_of_wager = target.place in places and (is_named or target.of == wagers[0].wager)
            if target.name in RESULTS and is_of_wager:  # A stake is left unchanged.
                return self._amount(target.name, value, wagers, self._mapping.unit_cents)
        return value

    def _amount(
        self, name: str, value: Any, wagers: tuple[WagerRecord, WagerRecord], unit_cents: int
    ) -> Any:
        old_cents, new_cents = (self._cents(name, wager) for wager in wagers)
        if new_cents is None or (old_cents == new_cents and name not in wagers[0].broken):
            return value
        comma = self._mapping.decimal_comma
        return amount_like(new_cents, value, unit_cents, comma=comma)

    def _cents(self, name: str, wager: WagerRecord) -> int | None:
        if name == "net":
            if wager.net_cents is None or wager.paid_cents is not None:
                return wager.net_cents
            is_apart = self._mapping.vigorish_deducted is False and not self._mapping.paid_returned
            return wager.net_cents + (wager.vigorish_cents or 0) * is_apart
        if name == "vigorish":
            return wager.vigorish_cents
        if self._mapping.paid_returned and wager.net_cents is not None:
            # The total returned includes the stake, and the vigorish if that is recorded
            # separately.
            stake = wager.stake_cents + wager.added_cents
            return wager.net_cents + stake + wager.apart_cents
        return wager.paid_cents

    def row(
        self, fields: Mapping[str, Any], amendment: RowCorrection, prefix: str = "", depth: int = 0
    ) -> dict[str, Any]:
        new_row: dict[str, Any] = {}
        for name, value in fields.items():
            target = self._builder.target(prefix + name)
            is_object = isinstance(value, Mapping) and (target is None or target.name == FIELDS)
            if target is not None and not is_object:
                new_row[name] = self.cell(target, value, amendment)
            elif is_object and depth < DEEPEST:
                new_row[name] = self.row(value, amendment, f"{prefix}{name}.", depth + 1)
            else:
                new_row[name] = value
        return new_row

    def _fields(self, column: str, value: Any, amendment: RowCorrection) -> Any:
        fields, data = self._builder.fields(value), listed_in_cell(value)
        new_fields: Any = self.row(fields, amendment, f"{column}.")
        if isinstance(data, str):
            for name, (start, end) in reversed(named_amounts(data).items() if fields else ()):
                data = f"{data[:start]}{new_fields[name]}{data[end:]}"
            return data
        if isinstance(data, list):
            # The key of the seat, which is not among the fields, stays where it is.
            entries = zip(data, new_fields.values(), strict=True)
            new_fields = [{**entry, **item} for entry, item in entries]
        data = new_fields
        return json.dumps(data, ensure_ascii=False) if isinstance(value, str) else data

    def _entries(self, entries: list[Any], amendment: RowCorrection) -> list[Any]:
        inner, parts = self._builder.inner, filter(_is_mapping, entries)
        read = [e for part in parts for e in (inner_entries(part, inner) if inner else [part])
                if self._tells(e)]  # fmt: skip
        wagers = (of_round.wagers[-len(read) :] for of_round in amendment)
        pairs = dict(zip(map(id, read), zip(*wagers, strict=True), strict=False))

        def corrected(entry: Any) -> Any:
            if inner and _is_mapping(entry) and isinstance(entry.get(inner), list):
                return {**entry, inner: [self._entry(e, pairs.get(id(e))) for e in entry[inner]]}
            return self._entry(entry, pairs.get(id(entry)))

        return list(map(corrected, entries))

    def _tells(self, entry: Any) -> bool:
        keys = self._builder.entry_keys
        return any(keys[key][0] not in {"seat", "wager"} for key in entry if key in keys)

    def _entry(self, entry: Any, wagers: tuple[WagerRecord, WagerRecord] | None) -> Any:
        if wagers is None:
            return entry
        new_entry = {}
        for key, value in entry.items():
            name, reader = self._builder.entry_keys.get(key, ("", None))
            if name in RESULTS and value is not None and value != "":
                unit = self._mapping.unit_cents if reader is self._builder.amount else 1
                new_entry[key] = self._amount(name, value, wagers, unit)
            else:
                new_entry[key] = value
        return new_entry


def _is_mapping(entry: Any) -> bool:
    return isinstance(entry, Mapping)


_BLOCK: Final = 1 << 16
_FORMS: Final = ("csv", "jsonl", "xlsx")
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
            encoding = "utf-16" if source.read(2) in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
            source.seek(0)
        # Preserve line ends and bytes that are not text.
        options: dict[str, Any] = {"encoding": encoding, "errors": "surrogateescape", "newline": ""}
        text_target = io.TextIOWrapper(target, **options)
        try:
            rewriter = Rewriter(rounds, io.TextIOWrapper(source, **options), text_target)
            yield rewriter
            rewriter.copy_rest()
            text_target.flush()
        finally:
            with suppress(WriteError, ValueError):
                text_target.detach()


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
        self, rounds: RoundReader, source: io.TextIOWrapper, target: io.TextIOWrapper
    ) -> None:
        self._rounds: Final = rounds
        self._source: Final = source
        self._written: Final = target
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
            new_text = self._cells(body, amendment, self._rounds)
        else:
            new_text = self._object(body, amendment)
        self._written.write(new_text + text[len(body) :])

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
        row, count = self._next(), 1
        while not row.endswith(_ENDS) and len(row) <= MAX_LINE and (line := self._next()):
            row += line
        if isinstance(self._rounds, TableRounds):
            while row.count('"') % 2 and count < MOST_LINES_IN_A_ROW and (line := self._next()):
                row += line
                count += 1
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
        new_cells = [
            cell if target is None else self._amender.cell(target, cell, amendment)
            for target, cell in zip(targets, cells, strict=False)
        ]
        row = io.StringIO(newline="")
        writer = csv.writer(row, delimiter=delimiter, lineterminator="")
        writer.writerow([*new_cells, *cells[len(targets) :]])
        return row.getvalue()
