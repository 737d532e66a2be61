"""The first shoes of many streams, dealt by numpy to measure design effects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from croupier.baccarat.coup import NO_THIRD_CARD
from croupier.odds.arrays import Bytes, Integers
from croupier.odds.card_wagers import LineLookup, line_lookup
from croupier.simulation.plan import Plan, ShoeProcedureArrays
from croupier.simulation.streams import States, next_numbers, stream_states

_TOGETHER: Final = 2048
_HALF: Final = 32
_WORD: Final = 2**_HALF - 1
_LEAST: Final = 6
_NINE, _JACK = 8, 10

_ALL: Final = slice(None)

Codes: TypeAlias = npt.NDArray[np.uint16]

CODES: Final = np.array(
    [min(card % 13 + 1, 10) % 10 << 10 | card % 13 << 6 | card for card in range(52)],
    dtype=np.uint16,
)
"""Codes of cards, which include rank and value to avoid lookups."""


def drawing_table(course: ShoeProcedureArrays) -> Bytes:
    """Return which hands draw, by both two-card counts and the fifth card's value (16 each).

    Three bits contain the number of cards, followed by a bit for each hand.
    """
    fifths = np.arange(10)
    own = course.takes[:8].astype(np.uint8)[:, None, None]
    rows = np.where(own, fifths, NO_THIRD_CARD)
    other = course.draws[rows, np.arange(8)[None, :, None]].astype(np.uint8)
    thirds = np.full((16, 16, 16), 4, dtype=np.uint8)
    thirds[:8, :8, :10] = 4 + own + other | own << 3 | other << 4
    return thirds.ravel()


class ShoeTallies(NamedTuple):
    cells: Integers
    royals: Integers
    hits: Integers


def tallied_shoes(plan: Plan, seed: int, shoes: int) -> Iterator[ShoeTallies]:
    """Deal the first shoe of each of the first streams of a seed, and yield tallies in batches."""
    for first in range(0, shoes, _TOGETHER):
        number = min(_TOGETHER, shoes - first)
        yield _Shoes(plan, stream_states(seed, first, number)).dealt()


class _Shoes:
    def __init__(self, plan: Plan, streams: States) -> None:
        self.plan, self.course = plan, plan.course
        self.streams = streams.astype(np.uint32).T
        """The words of the streams, a column each."""
        self.number = len(streams)
        self.cards = len(plan.cards)
        self.codes: Codes = np.tile(CODES[list(plan.cards)], self.number)
        self.row = np.arange(self.number)
        self.at = np.zeros(self.number, dtype=np.int64)
        self.hands_left = np.full(self.number, -1)
        self.thirds = drawing_table(plan.course)
        self.lookup = line_lookup(plan.card_wagers)
        self.cells: list[Integers] = []
        self.royals: list[Integers] = []
        self.hits: list[Integers] = []

    def dealt(self) -> ShoeTallies:
        self._burn()
        while len(self.row):
            self._round()
            stays = (self.hands_left != 0) & (self.cards - self.at >= _LEAST)
            if not stays.all():
                self.row, self.at = self.row[stays], self.at[stays]
                self.hands_left, self.streams = self.hands_left[stays], self.streams[:, stays]
        return ShoeTallies(
            self._counted(self.cells, self.plan.cells),
            self._counted(self.royals, self.plan.royal_cells),
            self._counted(self.hits, self.plan.hits),
        )

    def _counted(self, found: list[Integers], size: int) -> Integers:
        places = np.concatenate(found) if found else np.zeros(0, dtype=np.int64)
        return np.bincount(places, minlength=self.number * size).reshape(self.number, size)

    def _two(self, at: Integers, of: Integers | slice = _ALL) -> tuple[Integers, Integers]:
        left = self.cards - at
        both = left * (left - 1)
        first = next_numbers(self.streams, of) * left
        second = (first & _WORD) * (left - 1)
        for shoe in np.flatnonzero(second & _WORD < both):
            alone = np.arange(len(self.row))[of][shoe : shoe + 1]
            while second[shoe] & _WORD < (_WORD + 1) % both[shoe]:
                first[shoe] = next_numbers(self.streams, alone)[0] * left[shoe]
                second[shoe] = (first[shoe] & _WORD) * (left[shoe] - 1)
        here = self.row[of] * self.cards + at
        return self._drawn(here, first >> _HALF), self._drawn(here + 1, second >> _HALF)

    def _drawn(self, here: Integers, further: Integers) -> Integers:
        there = here + further
        codes = self.codes[there]
        self.codes[there] = self.codes[here]
        self.codes[here] = codes
        found: Integers = codes.astype(np.int64)
        return found

    def _burn(self) -> None:
        first = 0
        if self.course.burns:
            card, _ = self._two(self.at)
            value = card >> 10
            self.at, first = 1 + np.where(value, value, 10), 2
        else:
            self.at = np.full(self.number, self.course.burned)
        for at in range(first, int(self.at.max()), 2):
            more = np.flatnonzero(self.at > at)
            self._two(np.full(len(more), at), more)

    def _round(self) -> None:
        a, b = self._two(self.at)
        c, d = self._two(self.at + 2)
        fifth, sixth = self._two(self.at + 4)
        player, banker = ((a >> 10) + (c >> 10)) % 10, ((b >> 10) + (d >> 10)) % 10
        third = fifth >> 10
        drawn = self.thirds[player << 8 | banker << 4 | third].astype(np.int64)
        own, other = drawn >> 3 & 1, drawn >> 4
        player = (player + third * own) % 10
        last = np.where(own, sixth, fifth)
        banker = (banker + (last >> 10) * other) % 10
        cell = ((player * 10 + banker) * 2 + own) * 2 + other
        if self.plan.level != "counts":
            cell = cell * 4 + _pair(a, c) * 2 + _pair(b, d)
        self.cells.append(self.row * self.plan.cells + cell)
        if self.plan.royal_cells:
            hands = _royals(a, c) * 49 + _royals(b, d)
            self.royals.append(self.row * self.plan.royal_cells + hands)
        if self.lookup is not None:
            of_player, of_banker = _hand(a, c, fifth, own), _hand(b, d, last, other)
            lines = _lines(self.lookup, of_player, of_banker)
            self.hits.append((self.row * self.plan.hits + lines).ravel())
        self._after(drawn & 7)

    def _after(self, drawn: Integers) -> None:
        course, began = self.course, self.at
        self.at = began + drawn
        at_first = self.cards - began <= course.cards_behind
        given = np.where(at_first & bool(course.ends_at_first), 0, course.last_hands)
        called = np.where(self.cards - (self.at - 1) > course.cards_behind, -1, given)
        self.hands_left = np.where(self.hands_left > 0, self.hands_left - 1, called)


def _pair(one: Integers, other: Integers) -> Integers:
    found: Integers = np.equal((one ^ other) & 0x3C0, 0).astype(np.int64)
    return found


def _royals(first: Integers, second: Integers) -> Integers:
    one, other = first & 0x3F, second & 0x3F
    before = one % 13 == _NINE
    nine, face = np.where(before, one, other), np.where(before, other, one)
    cell = 1 + nine // 13 * 12 + face // 13 * 3 + face % 13 - _JACK
    return np.where((nine % 13 == _NINE) & (face % 13 >= _JACK), cell, 0)


def _hand(one: Integers, two: Integers, three: Integers, drew: Integers) -> Integers:
    first = (one & 0x3F) * 52 + (two & 0x3F)
    return np.where(drew, 52 * 52 + first * 52 + (three & 0x3F), first)


def _lines(lookup: LineLookup, player: Integers, banker: Integers) -> Integers:
    own = lookup.kinds[:, 0, :][:, player].astype(np.int64)
    other = lookup.kinds[:, 1, :][:, banker].astype(np.int64)
    found: Integers = lookup.line[lookup.first[:, None] + own * lookup.width[:, None] + other]
    return found
