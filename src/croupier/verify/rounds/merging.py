"""Merging of rows that are parts of one round, or that a correction of it replaced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final

from msgspec.structs import replace

from croupier.records.rounds.record import (
    IrregularityMark,
    RoundRecord,
    RowResult,
    Shown,
    Unreadable,
)

_MOST_BETWEEN: Final = 256
"""Maximum number of consecutive unreadable lines within a round."""

_Cards = tuple[tuple[Shown, ...], tuple[Shown, ...]]
_NO_CARDS: Final[_Cards] = ((), ())
_RESULT: Final = RowResult._fields

Again = tuple[int | None, str]
"""A repeated seat, or wager of a seat."""


def merged(rounds: Iterable[RoundRecord | Unreadable]) -> Iterator[RoundRecord | Unreadable]:
    merger = Merger()
    for item in rounds:
        yield from merger.with_item(item)
    yield from merger.rest()


class Merger:
    def __init__(self) -> None:
        self._held: _Held | None = None

    @property
    def waits_for(self) -> tuple[str, str] | None:
        return None if self._held is None else self._held.name

    def with_item(self, item: RoundRecord | Unreadable) -> Iterator[RoundRecord | Unreadable]:
        """Add a line, and yield the items that it completes.

        Of rows of a round, the void ones were replaced by the others.
        """
        if isinstance(item, RoundRecord) and item.marked("replaced"):
            yield item
            return
        group, is_void = self._held, isinstance(item, RoundRecord) and item.marked("void")
        if group is not None and group.name != (item.shoe, item.round) and item.round:
            shoe, round_ = group.name
            if item.round == round_:
                item = replace(item, shoe=named_like(item.shoe, shoe))
        if group is None or group.name != (item.shoe, item.round) or group.is_void == is_void:
            if group is not None and group.takes(item):
                return
            yield from self.rest()
        elif is_void:
            yield replaced(item)
            return
        else:
            yield from map(replaced, self.rest())
        if isinstance(item, RoundRecord) and (item.is_part or item.marked("void")):
            self._held = _Held(item)
        else:
            yield item

    def rest(self) -> Iterator[RoundRecord | Unreadable]:
        group, self._held = self._held, None
        if group is not None:
            yield from group.items()


def named_like(shoe: str, shoe_before: str) -> str:
    """Complete the name of a shoe with blank parts, as below merged cells, by the one before it.

    >>> named_like("", "3"), named_like("MB-9/", "MB-9/3"), named_like("MB-8/", "MB-9/3")
    ('3', 'MB-9/3', 'MB-8/')
    """
    parts, parts_before = shoe.split("/"), shoe_before.split("/")
    if shoe and len(parts) != len(parts_before):
        return shoe
    is_like = all(part in {"", before} for part, before in zip(parts, parts_before, strict=False))
    return shoe_before if is_like else shoe


def replaced(item: RoundRecord | Unreadable) -> RoundRecord | Unreadable:
    if isinstance(item, Unreadable):
        return item
    return replace(item, marks=(IrregularityMark("replaced"),))


class _Held:
    def __init__(self, record: RoundRecord) -> None:
        self._first: Final = record
        self._cards: _Cards = (record.player, record.banker)
        self._rows = [record]
        self._keys = Counter(_keys(record))
        self._within: list[Unreadable] = []
        self._behind: list[Unreadable] = []
        """Lines that are not rounds: between the rows, and after the last so far."""

    @property
    def name(self) -> tuple[str, str]:
        return self._first.shoe, self._first.round

    @property
    def is_void(self) -> bool:
        return self._first.marked("void")

    def takes(self, item: RoundRecord | Unreadable) -> bool:
        if isinstance(item, Unreadable):
            self._behind.append(item)
            return len(self._behind) < _MOST_BETWEEN
        record, keys = self._first, _keys(item)
        if not item.is_part or self.name != (item.shoe, item.round):
            return False
        cards = (item.player, item.banker)
        if self._cards == _NO_CARDS:
            self._cards = cards
        if cards not in {self._cards, _NO_CARDS}:
            if any(key in self._keys for key in keys):
                return False  # Another round of the same number.
            message = f"this row has other cards than line {record.line} has of the same round"
            self._behind.append(Unreadable(item.line, message, item.shoe, item.round))
        else:
            self._rows.append(item)
            self._keys.update(keys)
        self._within += self._behind
        self._behind.clear()
        return True

    def items(self) -> Iterator[RoundRecord | Unreadable]:
        yield from self._within
        yield self._first if len(self._rows) == 1 else self._round()
        yield from self._behind

    def _round(self) -> RoundRecord:
        record, rows = self._first, self._rows
        fields: dict[str, Any] = {
            name: next((getattr(row, name) for row in rows if getattr(row, name) is not None), None)
            for name in (*_RESULT, "burned")
        }
        results = dict.fromkeys(
            tuple(None if (one := getattr(row, name)) == fields[name] else one for name in _RESULT)
            for row in rows
        )
        repeated_keys = tuple(key for key, count in self._keys.items() if count > 1)
        return replace(
            record,
            **fields,
            player=self._cards[0],
            banker=self._cards[1],
            wagers=tuple(wager for row in rows for wager in row.wagers),
            marks=next((row.marks for row in rows if row.marks), ()),
            meters={name: cents for row in reversed(rows) for name, cents in row.meters.items()},
            others=tuple(RowResult(*one) for one in results if one != RowResult(None, None, None)),
            again=repeated_keys,
            is_doubled=bool(repeated_keys) and len(repeated_keys) == len(self._keys),
        )


def _keys(row: RoundRecord) -> list[Again]:
    if not row.of_wager:
        return [(row.seat, "")]
    return [(wager.seat, wager.wager) for wager in row.wagers]
