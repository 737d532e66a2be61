"""Rows of an export as Parquet, through pyarrow; amounts are decimals of dollars."""

from __future__ import annotations

from typing import IO, Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from croupier.baccarat.cards import DECK
from croupier.baccarat.coup import WINNERS
from croupier.odds.arrays import Integers
from croupier.simulation.sessions.rows import NO_THIRD, RoundColumns

_GROUP: Final = 500_000
"""Rounds per row group, all buffered in memory."""
_LEVEL: Final = 6
_DOLLARS: Final = pa.decimal128(18, 2)
_THIRDS: Final = NO_THIRD + 1


def _hands() -> pa.Array:
    cards = [card.notation for card in DECK]
    thirds = [f" {card}" for card in cards] + [""]
    return pa.array(
        f"{first} {second}{third}" for first in cards for second in cards for third in thirds
    )


class ParquetSink:
    def __init__(self, file: IO[bytes], wagers: tuple[str, ...], names: tuple[str, ...]) -> None:
        self._out = file
        self._wagers = wagers
        self._names = names
        self._writer: Any = None
        self._waiting: list[Any] = []
        self._held = 0
        if wagers:
            self._texts = _hands()
            self._winners = pa.array(WINNERS)

    def rows(self, rows: RoundColumns) -> None:
        hands = rows.hands.astype(np.int32)
        number = len(rows.shoe)
        columns = [
            pa.array(rows.shoe),
            pa.array(rows.round.astype(np.int32)),
            self._hand(hands[:, :3]),
            self._hand(hands[:, 3:]),
            pa.DictionaryArray.from_arrays(pa.array(rows.winner.astype(np.int8)), self._winners),
            pa.array(rows.totals[:, 0]),
            pa.array(rows.totals[:, 1]),
        ]
        for wager in range(len(self._wagers)):
            columns += [_dollars(rows.stake[:, wager]), _dollars(rows.net[:, wager])]
        columns += [pa.array(np.full(number, rows.session)), _dollars(rows.bankroll)]
        self._hold(pa.table(columns, names=list(self._names)))

    def sessions(self, columns: dict[str, Any]) -> None:
        self._hold(pa.table(columns))

    def close(self) -> None:
        self._write()
        if self._writer is not None:
            self._writer.close()

    def _hand(self, cards: npt.NDArray[np.int32]) -> Any:
        index = (cards[:, 0] * 52 + cards[:, 1]) * _THIRDS + cards[:, 2]
        return pa.DictionaryArray.from_arrays(pa.array(index), self._texts)

    def _hold(self, table: Any) -> None:
        self._waiting.append(table)
        self._held += table.num_rows
        if self._writer is None:
            self._writer = pq.ParquetWriter(
                self._out, table.schema, compression="zstd", compression_level=_LEVEL
            )
        if self._held >= _GROUP:
            self._write()

    def _write(self) -> None:
        if self._waiting:
            self._writer.write_table(pa.concat_tables(self._waiting), row_group_size=_GROUP)
        self._waiting, self._held = [], 0


def _dollars(cents: Integers) -> Any:
    words = np.stack([cents, cents >> 63], axis=1)
    return pa.Array.from_buffers(_DOLLARS, len(cents), [None, pa.py_buffer(words)])
