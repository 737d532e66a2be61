"""The first shoes of many streams, dealt by numpy to measure design effects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from croupier.baccarat.coup import NO_THIRD_CARD
from croupier.odds.arrays import Bytes, Integers, ShoeProcedureArrays
from croupier.odds.card_wagers import LineLookup, line_lookup
from croupier.simulation.plan import Plan
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
    player_draws = course.takes[:8].astype(np.uint8)[:, None, None]
    rows = np.where(player_draws, fifths, NO_THIRD_CARD)
    banker_draws = course.draws[rows, np.arange(8)[None, :, None]].astype(np.uint8)
    thirds = np.full((16, 16, 16), 4, dtype=np.uint8)
    thirds[:8, :8, :10] = 4 + player_draws + banker_draws | player_draws << 3 | banker_draws << 4
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
            is_open = (self.hands_left != 0) & (self.cards - self.at >= _LEAST)
            if not is_open.all():
                self.row, self.at = self.row[is_open], self.at[is_open]
                self.hands_left, self.streams = self.hands_left[is_open], self.streams[:, is_open]
        return ShoeTallies(
            self._counted(self.cells, self.plan.cells),
            self._counted(self.royals, self.plan.royal_cells),
            self._counted(self.hits, self.plan.hits),
        )

    def _counted(self, found: list[Integers], size: int) -> Integers:
        places = np.concatenate(found) if found else np.zeros(0, dtype=np.int64)
        return np.bincount(places, minlength=self.number * size).reshape(self.number, size)

    def _two(self, at: Integers, rows: Integers | slice = _ALL) -> tuple[Integers, Integers]:
        cards_left = self.cards - at
        pairs = cards_left * (cards_left - 1)
        first = next_numbers(self.streams, rows) * cards_left
        second = (first & _WORD) * (cards_left - 1)
        for shoe in np.flatnonzero(second & _WORD < pairs):
            stream = np.arange(len(self.row))[rows][shoe : shoe + 1]
            while second[shoe] & _WORD < (_WORD + 1) % pairs[shoe]:
                first[shoe] = next_numbers(self.streams, stream)[0] * cards_left[shoe]
                second[shoe] = (first[shoe] & _WORD) * (cards_left[shoe] - 1)
        places = self.row[rows] * self.cards + at
        return self._drawn(places, first >> _HALF), self._drawn(places + 1, second >> _HALF)

    def _drawn(self, places: Integers, offsets: Integers) -> Integers:
        drawn_places = places + offsets
        codes = self.codes[drawn_places]
        self.codes[drawn_places] = self.codes[places]
        self.codes[places] = codes
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
            burning = np.flatnonzero(self.at > at)
            self._two(np.full(len(burning), at), burning)

    def _round(self) -> None:
        a, b = self._two(self.at)
        c, d = self._two(self.at + 2)
        fifth, sixth = self._two(self.at + 4)
        player, banker = ((a >> 10) + (c >> 10)) % 10, ((b >> 10) + (d >> 10)) % 10
        third = fifth >> 10
        thirds = self.thirds[player << 8 | banker << 4 | third].astype(np.int64)
        player_draws, banker_draws = thirds >> 3 & 1, thirds >> 4
        player = (player + third * player_draws) % 10
        last = np.where(player_draws, sixth, fifth)
        banker = (banker + (last >> 10) * banker_draws) % 10
        cell = ((player * 10 + banker) * 2 + player_draws) * 2 + banker_draws
        if self.plan.level != "counts":
            cell = cell * 4 + _pair(a, c) * 2 + _pair(b, d)
        self.cells.append(self.row * self.plan.cells + cell)
        if self.plan.royal_cells:
            hands = _royals(a, c) * 49 + _royals(b, d)
            self.royals.append(self.row * self.plan.royal_cells + hands)
        if self.lookup is not None:
            of_player, of_banker = _hand(a, c, fifth, player_draws), _hand(b, d, last, banker_draws)
            lines = _lines(self.lookup, of_player, of_banker)
            self.hits.append((self.row * self.plan.hits + lines).ravel())
        self._after(thirds & 7)

    def _after(self, drawn: Integers) -> None:
        course, start = self.course, self.at
        self.at = start + drawn
        at_first = self.cards - start <= course.cards_behind
        hands_given = np.where(at_first & bool(course.ends_at_first), 0, course.last_hands)
        called = np.where(self.cards - (self.at - 1) > course.cards_behind, -1, hands_given)
        self.hands_left = np.where(self.hands_left > 0, self.hands_left - 1, called)


def _pair(first: Integers, second: Integers) -> Integers:
    found: Integers = np.equal((first ^ second) & 0x3C0, 0).astype(np.int64)
    return found


def _royals(first: Integers, second: Integers) -> Integers:
    one, other = first & 0x3F, second & 0x3F
    nine_first = one % 13 == _NINE
    nine, face = np.where(nine_first, one, other), np.where(nine_first, other, one)
    cell = 1 + nine // 13 * 12 + face // 13 * 3 + face % 13 - _JACK
    return np.where((nine % 13 == _NINE) & (face % 13 >= _JACK), cell, 0)


def _hand(one: Integers, two: Integers, three: Integers, has_third: Integers) -> Integers:
    first = (one & 0x3F) * 52 + (two & 0x3F)
    return np.where(has_third, 52 * 52 + first * 52 + (three & 0x3F), first)


def _lines(lookup: LineLookup, player: Integers, banker: Integers) -> Integers:
    own = lookup.kinds[:, 0, :][:, player].astype(np.int64)
    other = lookup.kinds[:, 1, :][:, banker].astype(np.int64)
    found: Integers = lookup.line[lookup.first[:, None] + own * lookup.width[:, None] + other]
    return found
