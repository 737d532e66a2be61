"""The rows of a record that are plainly right, found over its bytes by compiled loops.

A row is *plain* if every cell is written the way most programs write it, and *right* if the full
judge would find nothing in it by itself; whatever else it is, nothing is said of it here. All that
the rules say is given as tables; the arithmetic of a settlement alone is written out once more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from croupier.odds.arrays import Integers
from croupier.odds.compiled import lean

Bytes: TypeAlias = npt.NDArray[np.uint8]
Shorts: TypeAlias = npt.NDArray[np.int16]
Places: TypeAlias = npt.NDArray[np.int32]

(UNREAD, SHOE, ROUND, PLAYER, BANKER, WINNER, PLAYER_TOTAL, BANKER_TOTAL, BLANK, SEAT, WAGER, STAKE,
 NET, PAID, VIGORISH) = range(15)  # fmt: skip
"""What a column tells; one that is ``BLANK`` tells nothing that is read here, where it is blank."""

CELLS: Final = 1600
"""Cells of facts: Point Counts, numbers of cards, and pairs of both hands."""

NO_CARD: Final = 255
EMPTY: Final = -(1 << 62)
_STRANGE: Final = EMPTY + 1
_RETURN, _BLANK, _MINUS, _ZERO = 13, 32, 45, 48
_SEATS: Final = 1_000
"""Numbers of seats from here on are none."""


_ALL: Final = np.uint64(0xFFFFFFFFFFFFFFFF)
_BYTE: Final = np.uint64(0xFF)
_SHORT: Final = np.uint64(0xFFFF)
_ONES: Final = np.uint64(0x0101010101010101)
_HIGHS: Final = np.uint64(0x8080808080808080)
_ZEROS: Final = np.uint64(0x3030303030303030)
_UPPER: Final = np.uint64(0xF0F0F0F0F0F0F0F0)
_SIXES: Final = np.uint64(0x0606060606060606)
_POINTS: Final = np.uint64(0x2E2E2E2E2E2E2E2E)
_LINE_FEEDS: Final = np.uint64(0x0A0A0A0A0A0A0A0A)
_FOURTHS: Final = np.uint64(0x000000FF000000FF)
# Eight digits become four pairs, and these are multiplied by what their places are worth.
_BY_ODD: Final = np.uint64(0x000F424000000064)
_BY_EVEN: Final = np.uint64(0x0000271000000001)

PADDING: Final = 16
"""Bytes that must be there behind a piece, since words are read."""


class Tables(NamedTuple):
    """What a file's columns tell, and what the rules say, as kernels read it.

    ``kinds`` and ``wagers`` are of the columns. ``cards`` gives the code of a card by its two
    bytes, ``values`` what a code is worth, ``starts`` whether two cards make a pair (1) or what no
    cell tells (2). ``takes`` is whether Player draws, ``draws`` whether Banker does, by the Point
    Counts of the first cards (and Player's third card). ``words`` are the words for winners with
    who is meant. ``lines`` is the line of each wager by the cell of facts, ``terms`` what a line
    comes to, ``stakes`` the least, the greatest, the unit and the needs of each wager's stake.
    Where each row tells one wager, ``names`` are the names of wagers, three words of each, with the
    wager ``named``.
    """

    delimiter: int
    unit_cents: int
    kinds: Integers
    wagers: Integers
    cards: Bytes
    values: Integers
    starts: Bytes
    takes: Bytes
    draws: Bytes
    words: npt.NDArray[np.uint64]
    meant: Integers
    lines: Places
    terms: Integers
    stakes: Integers
    names: npt.NDArray[np.uint64]
    named: Integers


class Found(NamedTuple):
    """The rows of a piece: where each begins, whether it is right, and what the shoe must know.

    ``names`` is where the shoe's name begins and ends, ``staked`` has a bit for each wager. Where
    rows are parts of rounds, each stands for a round, and ``lines`` is how many lines come before.
    """

    starts: Places
    right: Bytes
    facts: Shorts
    numbers: Places
    names: Places
    cards: Bytes
    staked: Integers
    lines: Places


def found_in(rows: int, *, parts: bool = False) -> Found:
    """Return room for so many rows, or for the rounds of so many parts."""
    return Found(
        np.empty(rows + 1, np.int32),
        np.zeros(rows, np.uint8),
        np.empty(rows, np.int16),
        np.empty(rows, np.int32),
        np.empty(2 * rows, np.int32),
        np.empty(6 * rows, np.uint8),
        np.zeros(rows, np.int64),
        np.zeros(rows + 1 if parts else 0, np.int32),
    )


def _operation(generator: Callable[..., Any]) -> Callable[..., Any]:
    """Make an operation for kernels of a function that tells its types and how it is compiled."""
    made: Callable[..., Any] = intrinsic(generator)
    return made


@_operation
def _word_at(_context: Any, data: Any, at: Any) -> Any:
    """Return eight bytes from a place on as one number, the first its lowest byte."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        start = context.make_array(signature.args[0])(context, builder, given[0]).data
        place = builder.bitcast(builder.gep(start, [given[1]]), ir.IntType(64).as_pointer())
        return builder.load(place, align=1)

    return types.uint64(data, at), generate


@_operation
def _lowest(_context: Any, _bits: Any) -> Any:
    """Return the place of the lowest bit that is set; 64 where none is."""

    def generate(_target: Any, builder: Any, _signature: Any, given: Any) -> Any:
        return builder.cttz(given[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


@lean
def _place_of(word: np.uint64, eight: np.uint64) -> int:
    """Return the first byte of a word that is the one that ``eight`` has everywhere, 8 for none."""
    differs = word ^ eight
    bit: int = _lowest((differs - _ONES) & ~differs & _HIGHS)
    return bit >> 3


@lean
def _digits(word: np.uint64, number: int) -> Any:
    """Return the number that the first bytes of a word write, one to eight; -1 for none."""
    if number == 0:
        return -1
    zeros = (_ZEROS >> np.uint64(8 * number - 8)) >> np.uint64(8)
    word = word << np.uint64(64 - 8 * number) | zeros
    if (word & _UPPER) != _ZEROS or ((word + _SIXES) & _UPPER) != _ZEROS:
        return -1
    word -= _ZEROS
    word = word * np.uint64(10) + (word >> np.uint64(8))
    odd, even = word & _FOURTHS, word >> np.uint64(16) & _FOURTHS
    return np.int64((odd * _BY_ODD + even * _BY_EVEN) >> np.uint64(32))


@lean
def _amount(data: Bytes, at: int, end: int, unit: int) -> Any:
    """Return an amount in cents; ``EMPTY`` for none, ``_STRANGE`` where it is not plain."""
    if at == end:
        return EMPTY
    negative = data[at] == _MINUS
    if negative:
        at += 1
    length = end - at
    if length > 8:
        return _STRANGE
    word = _word_at(data, at)
    point = min(_place_of(word, _POINTS), length)
    places = 0
    if point < length:
        # The point is taken out from between the digits.
        upper = word >> np.uint64(8) & (_ALL << np.uint64(8 * point))
        word = word & ~(_ALL << np.uint64(8 * point)) | upper
        places = length - point - 1
        length -= 1
    cents = _digits(word, length)
    if cents < 0 or point == 0:
        return _STRANGE
    if places == 0:
        cents *= unit
    elif places == 1 and unit == 100:
        cents *= 10
    elif places > 2 or unit == 1:
        return _STRANGE
    return -cents if negative else cents


@lean
def _number(data: Bytes, at: int, end: int) -> Any:
    """Return a number as it is written without zeros before it, else -1."""
    length = end - at
    if length > 8 or (length > 1 and data[at] == _ZERO):
        return -1
    return _digits(_word_at(data, at), length)


@lean
def _hand(  # noqa: PLR0913, PLR0917  (a cell, and where it goes)
    data: Bytes, at: int, end: int, codes: Bytes, cards: Bytes, to: int
) -> Any:
    """Write the codes of a hand's cards; return how many there are, or 0 where it is not plain."""
    length = end - at
    if length not in (5, 8):
        return 0
    word = _word_at(data, at)
    one, other = codes[np.int64(word & _SHORT)], codes[np.int64(word >> np.uint64(24) & _SHORT)]
    cards[to], cards[to + 1] = one, other
    parted = word >> np.uint64(16) & _BYTE == _BLANK
    if length == 5:
        cards[to + 2] = NO_CARD
        return 2 * (parted and NO_CARD not in (one, other))
    third = codes[np.int64(word >> np.uint64(48))]
    cards[to + 2] = third
    parted = parted and word >> np.uint64(40) & _BYTE == _BLANK
    return 3 * (parted and NO_CARD not in (one, other, third))


@lean
def _is_winner(word: np.uint64, winner: int, tables: Tables) -> bool:
    """Return whether a word means a winner."""
    means = 0
    for known in range(len(tables.words)):
        means += (tables.words[known] == word) * (tables.meant[known] == winner)
    return means > 0


@lean
def facts_of(cards: Bytes, to: int, tables: Tables) -> Any:
    """Return the cell of two hands that have the cards that they must have, else -1."""
    values, none = tables.values, cards[to + 2] == NO_CARD
    bankers_none = cards[to + 5] == NO_CARD
    player = (values[cards[to]] + values[cards[to + 1]]) % 10
    banker = (values[cards[to + 3]] + values[cards[to + 4]]) % 10
    third = 10 if none else values[cards[to + 2]]
    first = player * 10 + banker
    if tables.takes[first] == none or tables.draws[first * 11 + third] == bankers_none:
        return -1
    pairs = tables.starts[np.int64(cards[to]) * 52 + cards[to + 1]]
    bankers = tables.starts[np.int64(cards[to + 3]) * 52 + cards[to + 4]]
    if (pairs | bankers) & 2:
        return -1
    if not none:
        player = (player + third) % 10
    if not bankers_none:
        banker = (banker + values[cards[to + 5]]) % 10
    counts = (player * 10 + banker) * 4 + (not none) * 2 + (not bankers_none)
    return counts * 4 + pairs * 2 + bankers


@lean
def _settles(tables: Tables, wager: int, facts: int, told: Integers) -> Any:
    """Return whether a wager lies there as it may, and came to what is told of it."""
    at = wager * 4
    stake, net, paid, vigorish = told[at], told[at + 1], told[at + 2], told[at + 3]
    limits, terms = tables.stakes, tables.terms
    line = tables.lines[wager * CELLS + facts]
    if line < 0 or not limits[wager, 0] <= stake <= limits[wager, 1] or stake % limits[wager, 2]:
        return False
    won = stake * terms[line, 0]
    if terms[line, 1] > 1:
        if won % terms[line, 1]:
            return False
        won //= terms[line, 1]
    won += terms[line, 2]
    due = 0
    if terms[line, 4]:
        due = (stake if terms[line, 7] else won) * terms[line, 4]
        if terms[line, 6]:
            part = terms[line, 5] * terms[line, 6]
            due = (due + part - 1) // part * terms[line, 6]
        elif due % terms[line, 5]:
            return False
        else:
            due //= terms[line, 5]
    right = won - due - (stake if terms[line, 3] else 0)
    if net not in (EMPTY, right) or vigorish not in (EMPTY, due):
        return False
    if paid in (EMPTY, won):
        return True
    return vigorish == EMPTY and (paid == won - due or paid == right)


@lean
def stakes_right(tables: Tables, facts: int, told: Integers) -> int:
    """Return which wagers lie there, a bit each, or -1 where one may be wrong by itself.

    ``told`` are four amounts of each.
    """
    staked = 0
    count = len(tables.stakes)
    for wager in range(count):
        stake = told[wager * 4]
        if stake > 0:
            staked |= 1 << wager
        elif (stake != EMPTY and stake) or (
            tells(told[wager * 4 + 1]) or tells(told[wager * 4 + 2]) or tells(told[wager * 4 + 3])
        ):
            return -1
    for wager in range(count):
        if staked >> wager & 1 and not _settles(tables, wager, facts, told):
            return -1
    return staked


@lean
def has_needs(tables: Tables, staked: int) -> bool:
    """Return whether each of the wagers of a seat has those beside it that it needs."""
    for wager in range(len(tables.stakes)):
        if staked >> wager & 1:
            for need in range(3, tables.stakes.shape[1]):
                if tables.stakes[wager, need] and not tables.stakes[wager, need] & staked:
                    return False
    return True


@lean
def tells(amount: int) -> bool:
    """Return whether an amount is told, and is not nothing."""
    return amount not in (EMPTY, 0)


@lean
def words_at(data: Bytes, at: int, end: int) -> Any:
    """Return what a cell of 24 bytes or fewer says, as three words."""
    first = second = third = np.uint64(0)
    length = end - at
    if length > 0:
        first = _word_at(data, at) & (_ALL >> np.uint64(64 - 8 * min(length, 8)))
    if length > 8:
        second = _word_at(data, at + 8) & (_ALL >> np.uint64(64 - 8 * min(length - 8, 8)))
    if length > 16:
        third = _word_at(data, at + 16) & (_ALL >> np.uint64(64 - 8 * min(length - 16, 8)))
    return first, second, third


@lean
def cells_of(  # noqa: C901, PLR0912, PLR0913, PLR0915, PLR0917  (each kind of cell has its turn)
    data: Bytes, at: int, end: int, tables: Tables, found: Found, row: int, told: Integers
) -> Any:
    """Read a row of cells parted by a delimiter.

    Returns whether it is plain; the number of cards of each hand, none where the cell is blank; the
    word for the winner; the Point Counts, the seat, -1 for none; where the wager is named.
    """
    for amount in range(len(told)):
        told[amount] = EMPTY
    delimiters = _ONES * np.uint64(tables.delimiter)
    players = bankers = named = named_end = 0
    word = np.uint64(0)
    total = bankers_total = seat = -1
    last = len(tables.kinds) - 1
    found.numbers[row] = -1
    found.names[2 * row] = found.names[2 * row + 1] = 0
    plain = True
    for column in range(last + 1):
        stop = at + _place_of(_word_at(data, at), delimiters)
        while stop < end and data[stop] != tables.delimiter:
            stop += 1
        plain = (stop >= end) == (column == last)
        if not plain:
            break
        stop = min(stop, end)
        kind = tables.kinds[column]
        if kind >= STAKE:
            cents = _amount(data, at, stop, tables.unit_cents)
            plain = cents != _STRANGE
            told[tables.wagers[column] * 4 + kind - STAKE] = cents
        elif kind == SHOE:
            found.names[2 * row], found.names[2 * row + 1] = at, stop
        elif kind == ROUND:
            found.numbers[row] = _number(data, at, stop)
        elif at == stop or kind == UNREAD:
            pass
        elif kind == PLAYER:
            players = _hand(data, at, stop, tables.cards, found.cards, 6 * row)
            plain = players > 0
        elif kind == BANKER:
            bankers = _hand(data, at, stop, tables.cards, found.cards, 6 * row + 3)
            plain = bankers > 0
        elif kind == WINNER and stop - at <= 8:
            word = _word_at(data, at) & (_ALL >> np.uint64(64 - 8 * (stop - at)))
        elif kind == PLAYER_TOTAL:
            total = _number(data, at, stop)
            plain = total >= 0
        elif kind == BANKER_TOTAL:
            bankers_total = _number(data, at, stop)
            plain = bankers_total >= 0
        elif kind == SEAT:
            seat = _number(data, at, stop)
            plain = 0 <= seat < _SEATS
        elif kind == WAGER:
            named, named_end = at, stop
        else:
            plain = False
        if not plain:
            break
        at = stop + 1
    return plain, players, bankers, word, total, bankers_total, seat, named, named_end


@lean
def has_result(facts: int, word: np.uint64, total: int, bankers_total: int, tables: Tables) -> bool:
    """Return whether what a row tells of a result is that of its facts."""
    player, banker = facts // 160, facts // 16 % 10
    if (total >= 0 and total != player) or (bankers_total >= 0 and bankers_total != banker):
        return False
    return not word or _is_winner(word, (player > banker) + 2 * (banker > player), tables)


@lean
def _row(  # noqa: PLR0913, PLR0917  (where it stands, and where it goes)
    data: Bytes, at: int, end: int, tables: Tables, found: Found, row: int, told: Integers
) -> bool:
    """Read a row; return whether it is right."""
    plain, players, bankers, word, total, bankers_total, _seat, _named, _named_end = cells_of(
        data, at, end, tables, found, row, told
    )
    if not (plain and players and bankers):
        return False
    facts = facts_of(found.cards, 6 * row, tables)
    if facts < 0 or not has_result(facts, word, total, bankers_total, tables):
        return False
    found.facts[row] = facts
    staked = stakes_right(tables, facts, told)
    found.staked[row] = staked
    return staked >= 0 and has_needs(tables, staked)


@lean
def end_of_line(data: Bytes, at: int) -> int:
    """Return where a line ends that begins at a place."""
    step = _place_of(_word_at(data, at), _LINE_FEEDS)
    while step == 8:
        at += 8
        step = _place_of(_word_at(data, at), _LINE_FEEDS)
    return at + step


@lean
def read_rows(data: Bytes, tables: Tables, found: Found, told: Integers) -> int:
    """Read the rows of a piece that ends with a line, then ``PADDING``; return how many there are.

    ``told`` is room for four amounts of each wager.
    """
    row = at = 0
    length = len(data) - PADDING
    while at < length:
        end = end_of_line(data, at)
        found.starts[row] = at
        stop = end - (end > at and data[end - 1] == _RETURN)
        found.right[row] = _row(data, at, stop, tables, found, row, told)
        row += 1
        at = end + 1
    found.starts[row] = at
    return row
