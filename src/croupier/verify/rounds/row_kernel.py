"""Compiled loops that find plainly correct rows.

A row is *plain* if every cell has the usual form, and *right* if the full verifier would find no
error in it by itself.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types

from croupier.odds.arrays import Integers
from croupier.odds.compiled import lean, operation

Bytes: TypeAlias = npt.NDArray[np.uint8]
Shorts: TypeAlias = npt.NDArray[np.int16]
Places: TypeAlias = npt.NDArray[np.int32]

(UNREAD, SHOE, ROUND, PLAYER, BANKER, WINNER, PLAYER_TOTAL, BANKER_TOTAL, BLANK, SEAT, WAGER, STAKE,
 NET, PAID, VIGORISH) = range(15)  # fmt: skip
"""Meaning of a column; ``BLANK`` columns are ignored if their cells are blank."""

EITHER, DEDUCTED, WHOLE, RETURNED, RETURNED_LESS = range(5)
"""Meaning of a payment: vigorish deducted or not, always deducted, never; the total returned,
before vigorish that is recorded or after it."""

CELLS: Final = 1600
"""Number of cells of facts: Point Counts, numbers of cards, and pairs of both hands."""

MOST_WAGERS: Final = 59
"""Maximum number of a row's wagers, which are bits of an integer."""

NO_CARD: Final = 255
EMPTY: Final = -(1 << 62)
_STRANGE: Final = EMPTY + 1
_RETURN, _BLANK, _MINUS, _ZERO = 13, 32, 45, 48
_SEATS: Final = 1_000
"""Seat numbers from here on are invalid."""


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
# Eight digits become four pairs, which are multiplied by their place values.
_BY_ODD: Final = np.uint64(0x000F424000000064)
_BY_EVEN: Final = np.uint64(0x0000271000000001)

PADDING: Final = 16
"""Bytes required after a piece, since words are read."""


class Tables(NamedTuple):
    """Columns of a file and rules of its table, as kernels read them.

    ``starts`` maps two cards to 1 for a pair, plus 2 for a Royal 9; ``terms`` are the settlement of
    a line, ``stakes`` the minimum, maximum, unit, and required wagers.
    """

    delimiter: int
    unit_cents: int
    paid_as: int
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
    """The rows of a piece, or its rounds if rows are parts."""

    starts: Places
    right: Bytes
    facts: Shorts
    numbers: Places
    names: Places
    cards: Bytes
    staked: Integers
    lines: Places


def found_in(rows: int, *, parts: bool = False) -> Found:
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


@operation
def _word_at(_context: Any, data: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        start = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(start, [arguments[1]]), ir.IntType(64).as_pointer())
        return builder.load(place, align=1)

    return types.uint64(data, at), generate


@operation
def _lowest(_context: Any, _bits: Any) -> Any:
    """Index of the lowest set bit; 64 if none is set."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


@lean
def _place_of(word: np.uint64, bits: np.uint64) -> int:
    """Position of the byte repeated in ``bits``, 8 if it is absent."""
    differs = word ^ bits
    bit: int = _lowest((differs - _ONES) & ~differs & _HIGHS)
    return bit >> 3


@lean
def _digits(word: np.uint64, number: int) -> Any:
    """Return the number written in the first one to eight bytes of a word; -1 if invalid."""
    if number == 0:
        return -1
    zeros = (_ZEROS >> np.uint64(8 * number - 8)) >> np.uint64(8)
    word = word << np.uint64(64 - 8 * number) | zeros
    if (word & _UPPER) != _ZEROS or ((word + _SIXES) & _UPPER) != _ZEROS:
        return -1
    word -= _ZEROS
    word = word * np.uint64(10) + (word >> np.uint64(8))
    odd_bytes, even_bytes = word & _FOURTHS, word >> np.uint64(16) & _FOURTHS
    return np.int64((odd_bytes * _BY_ODD + even_bytes * _BY_EVEN) >> np.uint64(32))


@lean
def _amount(data: Bytes, at: int, end: int, unit: int) -> Any:
    """Amount in cents; ``EMPTY`` if blank, ``_STRANGE`` if not plain."""
    if at == end:
        return EMPTY
    is_negative = data[at] == _MINUS
    if is_negative:
        at += 1
    length = end - at
    if length > 8:
        return _STRANGE
    word = _word_at(data, at)
    point = min(_place_of(word, _POINTS), length)
    places = 0
    if point < length:
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
    elif places != 2 or unit != 100:
        return _STRANGE
    return -cents if is_negative else cents


@lean
def _number(data: Bytes, at: int, end: int) -> Any:
    """Return a number without leading zeros, or -1."""
    length = end - at
    if length > 8 or (length > 1 and data[at] == _ZERO):
        return -1
    return _digits(_word_at(data, at), length)


@lean
def _hand(  # noqa: PLR0913, PLR0917  (a cell, and where it goes)
    data: Bytes, at: int, end: int, codes: Bytes, cards: Bytes, to: int
) -> Any:
    """Return the number of cards, or 0 if the hand is not plain."""
    length = end - at
    if length not in (5, 8):
        return 0
    word = _word_at(data, at)
    one, other = codes[np.int64(word & _SHORT)], codes[np.int64(word >> np.uint64(24) & _SHORT)]
    cards[to], cards[to + 1] = one, other
    has_blank = word >> np.uint64(16) & _BYTE == _BLANK
    if length == 5:
        cards[to + 2] = NO_CARD
        return 2 * (has_blank and NO_CARD not in (one, other))
    third = codes[np.int64(word >> np.uint64(48))]
    cards[to + 2] = third
    has_blank = has_blank and word >> np.uint64(40) & _BYTE == _BLANK
    return 3 * (has_blank and NO_CARD not in (one, other, third))


@lean
def _is_winner(word: np.uint64, winner: int, tables: Tables) -> bool:
    count = 0
    for known_word in range(len(tables.words)):
        count += (tables.words[known_word] == word) * (tables.meant[known_word] == winner)
    return count > 0


@lean
def facts_of(cards: Bytes, to: int, tables: Tables) -> Any:
    """Cell of facts of two hands, or -1."""
    values, has_none = tables.values, cards[to + 2] == NO_CARD
    bankers_none = cards[to + 5] == NO_CARD
    player = (values[cards[to]] + values[cards[to + 1]]) % 10
    banker = (values[cards[to + 3]] + values[cards[to + 4]]) % 10
    third = 10 if has_none else values[cards[to + 2]]
    first = player * 10 + banker
    if tables.takes[first] == has_none or tables.draws[first * 11 + third] == bankers_none:
        return -1
    pairs = tables.starts[np.int64(cards[to]) * 52 + cards[to + 1]]
    bankers = tables.starts[np.int64(cards[to + 3]) * 52 + cards[to + 4]]
    if (pairs | bankers) & 2:
        return -1
    if not has_none:
        player = (player + third) % 10
    if not bankers_none:
        banker = (banker + values[cards[to + 5]]) % 10
    counts = (player * 10 + banker) * 4 + (not has_none) * 2 + (not bankers_none)
    return counts * 4 + pairs * 2 + bankers


@lean
def _settles(tables: Tables, wager: int, facts: int, recorded: Integers) -> Any:  # noqa: C901, PLR0912  (each amount has its turn)
    at = wager * 4
    stake, net, cents, vigorish = recorded[at], recorded[at + 1], recorded[at + 2], recorded[at + 3]
    limits, terms = tables.stakes, tables.terms
    line = tables.lines[wager * CELLS + facts]
    if line < 0 or not limits[wager, 0] <= stake <= limits[wager, 1] or stake % limits[wager, 2]:
        return False
    if cents != EMPTY and tables.paid_as >= RETURNED:
        due_cents = 0 if vigorish == EMPTY or tables.paid_as == RETURNED_LESS else vigorish
        if net == EMPTY:
            net = cents - stake - due_cents
        elif cents - stake not in (net, net + due_cents):
            return False
        cents = EMPTY
    win = stake * terms[line, 0]
    if terms[line, 1] > 1:
        if win % terms[line, 1]:
            return False
        win //= terms[line, 1]
    win += terms[line, 2]
    due_cents = 0
    if terms[line, 4]:
        due_cents = (stake if terms[line, 7] else win) * terms[line, 4]
        if terms[line, 6]:
            part = terms[line, 5] * terms[line, 6]
            due_cents = (due_cents + part - 1) // part * terms[line, 6]
        elif due_cents % terms[line, 5]:
            return False
        else:
            due_cents //= terms[line, 5]
    right_net = win - due_cents - (stake if terms[line, 3] else 0)
    if net not in (EMPTY, right_net) or vigorish not in (EMPTY, due_cents):
        return False
    if cents == EMPTY or cents == (win - due_cents if tables.paid_as == DEDUCTED else win):
        return True
    if vigorish != EMPTY or tables.paid_as != EITHER:
        return False
    return cents in (win - due_cents, right_net)


@lean
def stakes_right(tables: Tables, facts: int, recorded: Integers) -> int:
    """Bit mask of wagers staked, or -1 if one may be wrong by itself."""
    stakes = 0
    count = len(tables.stakes)
    for wager in range(count):
        stake = recorded[wager * 4]
        if stake > 0:
            stakes |= 1 << wager
        elif (stake != EMPTY and stake) or (
            tells(recorded[wager * 4 + 1])
            or tells(recorded[wager * 4 + 2])
            or tells(recorded[wager * 4 + 3])
        ):
            return -1
    for wager in range(count):
        if stakes >> wager & 1 and not _settles(tables, wager, facts, recorded):
            return -1
    return stakes


@lean
def has_needs(tables: Tables, staked: int) -> bool:
    for wager in range(len(tables.stakes)):
        if staked >> wager & 1:
            for need in range(3, tables.stakes.shape[1]):
                if tables.stakes[wager, need] and not tables.stakes[wager, need] & staked:
                    return False
    return True


@lean
def tells(amount: int) -> bool:
    """Whether an amount is recorded and not zero."""
    return amount not in (EMPTY, 0)


@lean
def words_at(data: Bytes, at: int, end: int) -> Any:
    """Cell of at most 24 bytes as three words."""
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
    data: Bytes, at: int, end: int, tables: Tables, found: Found, row: int, recorded: Integers
) -> Any:
    """Read a delimited row of cells.

    A word does not tell a text from one that ends in NUL, so such a row is not plain.
    Returns whether it is plain; each hand's number of cards; the word for the winner; the Point
    Counts and the seat, -1 if missing; the position of the wager's name.
    """
    for amount in range(len(recorded)):
        recorded[amount] = EMPTY
    delimiters = _ONES * np.uint64(tables.delimiter)
    players = bankers = name_start = name_end = 0
    word = np.uint64(0)
    total = bankers_total = seat = -1
    last = len(tables.kinds) - 1
    found.numbers[row] = -1
    found.names[2 * row] = found.names[2 * row + 1] = 0
    is_plain = True
    for column in range(last + 1):
        stop = at + _place_of(_word_at(data, at), delimiters)
        while stop < end and data[stop] != tables.delimiter:
            stop += 1
        is_plain = (stop >= end) == (column == last)
        if not is_plain:
            break
        stop = min(stop, end)
        kind = tables.kinds[column]
        if kind >= STAKE:
            cents = _amount(data, at, stop, tables.unit_cents)
            is_plain = cents != _STRANGE
            recorded[tables.wagers[column] * 4 + kind - STAKE] = cents
        elif kind == SHOE:
            found.names[2 * row], found.names[2 * row + 1] = at, stop
            is_plain = at < stop  # A blank cell may be one below merged cells.
        elif kind == ROUND:
            found.numbers[row] = _number(data, at, stop)
        elif at == stop or kind == UNREAD:
            pass
        elif kind == PLAYER:
            players = _hand(data, at, stop, tables.cards, found.cards, 6 * row)
            is_plain = players > 0
        elif kind == BANKER:
            bankers = _hand(data, at, stop, tables.cards, found.cards, 6 * row + 3)
            is_plain = bankers > 0
        elif kind == WINNER and stop - at <= 8:
            word = _word_at(data, at) & (_ALL >> np.uint64(64 - 8 * (stop - at)))
            is_plain = data[stop - 1] != 0
        elif kind == PLAYER_TOTAL:
            total = _number(data, at, stop)
            is_plain = total >= 0
        elif kind == BANKER_TOTAL:
            bankers_total = _number(data, at, stop)
            is_plain = bankers_total >= 0
        elif kind == SEAT:
            seat = _number(data, at, stop)
            is_plain = 0 <= seat < _SEATS
        elif kind == WAGER:
            name_start, name_end = at, stop
            is_plain = data[stop - 1] != 0
        else:
            is_plain = False
        if not is_plain:
            break
        at = stop + 1
    return is_plain, players, bankers, word, total, bankers_total, seat, name_start, name_end


@lean
def has_result(facts: int, word: np.uint64, total: int, bankers_total: int, tables: Tables) -> bool:
    player, banker = facts // 160, facts // 16 % 10
    if (total >= 0 and total != player) or (bankers_total >= 0 and bankers_total != banker):
        return False
    return not word or _is_winner(word, (player > banker) + 2 * (banker > player), tables)


@lean
def _row(  # noqa: PLR0913, PLR0917  (where it stands, and where it goes)
    data: Bytes, at: int, end: int, tables: Tables, found: Found, row: int, recorded: Integers
) -> bool:
    is_plain, players, bankers, word, total, bankers_total, _seat, _named, _named_end = cells_of(
        data, at, end, tables, found, row, recorded
    )
    if not (is_plain and players and bankers):
        return False
    facts = facts_of(found.cards, 6 * row, tables)
    if facts < 0 or not has_result(facts, word, total, bankers_total, tables):
        return False
    found.facts[row] = facts
    stakes = stakes_right(tables, facts, recorded)
    found.staked[row] = stakes
    return stakes >= 0 and has_needs(tables, stakes)


@lean
def end_of_line(data: Bytes, at: int) -> int:
    step = _place_of(_word_at(data, at), _LINE_FEEDS)
    while step == 8:
        at += 8
        step = _place_of(_word_at(data, at), _LINE_FEEDS)
    return at + step


@lean
def read_rows(data: Bytes, tables: Tables, found: Found, recorded: Integers) -> int:
    """Read the rows of a piece that ends with a line, then ``PADDING``; return their number.

    ``recorded`` is a buffer of four amounts for each wager.
    """
    row = at = 0
    length = len(data) - PADDING
    while at < length:
        end = end_of_line(data, at)
        found.starts[row] = at
        stop = end - (end > at and data[end - 1] == _RETURN)
        found.right[row] = _row(data, at, stop, tables, found, row, recorded)
        row += 1
        at = end + 1
    found.starts[row] = at
    return row
