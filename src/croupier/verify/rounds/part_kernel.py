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
    named: bool = found.numbers[slot] >= 0 and end - start <= _LONG_NAME
    for place in range(start, end if named else start):
        named = named and 32 < data[place] < 127
    return named


@lean
def _own_wager(data: Bytes, at: int, end: int, tables: Tables, recorded: Integers) -> bool:
    own = 4 * len(tables.stakes)
    amounts = False
    for amount in range(own, own + 4):
        amounts = amounts or tells(recorded[amount])
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
                if recorded[to + amount] != EMPTY:
                    return False
                recorded[to + amount] = recorded[own + amount]
            return True
    return False


@lean
def _seats_have_needs(tables: Tables, seats: Integers, count: int) -> bool:
    missing = 0
    for place in range(count):
        missing += not has_needs(tables, seats[2 * place + 1])
    return missing == 0


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
    same = True
    for card in range(6):
        same = same and cards[6 * slot + card] == cards[6 * group + card]
    return same


@lean
def read_parts(
    data: Bytes, tables: Tables, found: Found, recorded: Integers, seats: Integers
) -> int:
    """Read the rounds of a piece, as ``read_rows`` does.

    ``recorded`` is a buffer of four amounts for each wager and for the one named in a row,
    ``seats`` of two numbers for each of ``MOST_SEATS``.
    """
    group, line, at, count = -1, 0, 0, 0
    was_named, by_wager = False, len(tables.named)
    length = len(data) - PADDING
    while at < length:
        end = end_of_line(data, at)
        stop = end - (end > at and data[end - 1] == _RETURN)
        slot = group + 1
        plain, players, bankers, word, total, bankers_total, seat, named, named_end = cells_of(
            data, at, stop, tables, found, slot, recorded
        )
        is_named = plain and _is_named(data, found, slot)
        is_more = (
            is_named and was_named and found.numbers[slot] == found.numbers[group]
            and are_alike(data, found.names, slot, group)
        )  # fmt: skip
        if not is_more:
            if group >= 0 and not (is_named and _seats_have_needs(tables, seats, count)):
                found.right[group] = 0
            group, count = slot, 0
            found.starts[group], found.lines[group] = at, line
            found.staked[group], found.facts[group] = 0, -1
            if players and bankers:
                found.facts[group] = facts_of(found.cards, 6 * group, tables)
            found.right[group] = is_named and found.facts[group] >= 0
        if found.right[group]:
            facts, staked = int(found.facts[group]), -1
            if has_result(facts, word, total, bankers_total, tables) and (
                not by_wager or _own_wager(data, named, named_end, tables, recorded)
            ):
                staked = stakes_right(tables, facts, recorded)
            right = staked >= 0
            if players or bankers:
                right = right and _same_cards(found.cards, slot, group) and players * bankers > 0
            else:
                right = right and staked > 0
            count = _takes(seats, count, seat, staked, by_wager) if right else 0
            found.staked[group] |= max(staked, 0)
            found.right[group] = count > 0
        was_named = is_named
        line += 1
        at = end + 1
    if group >= 0:
        found.right[group] = 0
    found.starts[group + 1], found.lines[group + 1] = at, line
    return group + 1
