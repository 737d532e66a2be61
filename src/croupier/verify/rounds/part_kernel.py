"""Compiled verification of rounds that span several rows.

Rounds next to a line that is not plain, or at a piece's end, may have more rows and are not passed.
"""

from __future__ import annotations

from typing import Any, Final

from croupier.odds.arrays import Integers
from croupier.odds.compiled import lean
from croupier.verify.rounds.row_kernel import (
    EMPTY,
    PADDING,
    Bytes,
    Found,
    Tables,
    cells_of,
    end_of_line,
    facts_of,
    has_needs,
    has_result,
    stakes_right,
    tells,
    words_at,
)
from croupier.verify.rounds.shoe_kernel import are_alike

MOST_SEATS: Final = 64
"""Maximum number of seats in a round; larger rounds go to the verifier."""

_RETURN: Final = 13
_LONG_NAME: Final = 32
"""Maximum bytes of a shoe name; longer ones go to the verifier, which may refuse them."""

_LONGEST_WAGER: Final = 24
"""Maximum bytes read of a wager's name."""


@lean
def _is_named(data: Bytes, found: Found, slot: int) -> bool:
    start, end = found.names[2 * slot], found.names[2 * slot + 1]
    is_named: bool = found.numbers[slot] >= 0 and end - start <= _LONG_NAME
    for place in range(start, end if is_named else start):
        is_named = is_named and 32 < data[place] < 127
    return is_named


@lean
def _own_wager(data: Bytes, at: int, end: int, tables: Tables, row_amounts: Integers) -> bool:
    own = 4 * len(tables.stakes)
    amounts = False
    for amount in range(own, own + 4):
        amounts = amounts or tells(row_amounts[amount])
    if not amounts:
        return True
    if at == end or end - at > _LONGEST_WAGER:
        return False
    first, second, third = words_at(data, at, end)
    for name in range(len(tables.named)):
        if (
            tables.names[3 * name] == first
            and tables.names[3 * name + 1] == second
            and tables.names[3 * name + 2] == third
        ):
            to = 4 * tables.named[name]
            for amount in range(4):
                if row_amounts[to + amount] != EMPTY:
                    return False
                row_amounts[to + amount] = row_amounts[own + amount]
            return True
    return False


@lean
def _seats_have_needs(tables: Tables, seats: Integers, count: int) -> bool:
    lacking = 0
    for place in range(count):
        lacking += not has_needs(tables, seats[2 * place + 1])
    return lacking == 0


@lean
def _takes(seats: Integers, count: int, seat: int, staked: int, by_wager: int) -> Any:
    """Return the number of seats, or 0 for a repetition."""
    for place in range(count):
        if seats[2 * place] == seat:
            if not by_wager or seats[2 * place + 1] & staked:
                return 0
            seats[2 * place + 1] |= staked
            return count
    if count == MOST_SEATS or (not by_wager and count and (seat < 0 or seats[0] < 0)):
        return 0
    seats[2 * count], seats[2 * count + 1] = seat, staked
    return count + 1


@lean
def _same_cards(cards: Bytes, slot: int, group: int) -> bool:
    is_same = True
    for card in range(6):
        is_same = is_same and cards[6 * slot + card] == cards[6 * group + card]
    return is_same


@lean
def read_parts(
    data: Bytes, tables: Tables, arrays: Found, row_amounts: Integers, seats: Integers
) -> int:
    """Read the rounds of a piece, as ``read_rows`` does.

    ``row_amounts`` is a buffer of four amounts for each wager and for the one named in a row,
    ``seats`` of two numbers for each of ``MOST_SEATS``.
    """
    group, line, at, count = -1, 0, 0, 0
    was_named, by_wager = False, len(tables.named)
    length = len(data) - PADDING
    while at < length:
        end = end_of_line(data, at)
        stop = end - (end > at and data[end - 1] == _RETURN)
        slot = group + 1
        is_plain, players, bankers, word, total, bankers_total, seat, name_start, name_end = (
            cells_of(data, at, stop, tables, arrays, slot, row_amounts)
        )
        is_named = is_plain and _is_named(data, arrays, slot)
        is_more = (
            is_named and was_named and arrays.numbers[slot] == arrays.numbers[group]
            and are_alike(data, arrays.names, slot, group)
        )  # fmt: skip
        if not is_more:
            if group >= 0 and not (is_named and _seats_have_needs(tables, seats, count)):
                arrays.right[group] = 0
            group, count = slot, 0
            arrays.starts[group], arrays.lines[group] = at, line
            arrays.staked[group], arrays.facts[group] = 0, -1
            if players and bankers:
                arrays.facts[group] = facts_of(arrays.cards, 6 * group, tables)
            arrays.right[group] = is_named and arrays.facts[group] >= 0
        if arrays.right[group]:
            facts, stakes = int(arrays.facts[group]), -1
            if has_result(facts, word, total, bankers_total, tables) and (
                not by_wager or _own_wager(data, name_start, name_end, tables, row_amounts)
            ):
                stakes = stakes_right(tables, facts, row_amounts)
            fits = stakes >= 0
            if players or bankers:
                fits = fits and _same_cards(arrays.cards, slot, group) and players * bankers > 0
            else:
                fits = fits and stakes > 0
            count = _takes(seats, count, seat, stakes, by_wager) if fits else 0
            arrays.staked[group] |= max(stakes, 0)
            arrays.right[group] = count > 0
        was_named = is_named
        line += 1
        at = end + 1
    if group >= 0:
        arrays.right[group] = 0
    arrays.starts[group + 1], arrays.lines[group + 1] = at, line
    return group + 1
