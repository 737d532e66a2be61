"""Rows of an export: each round played, as columns and as lines of CSV, numbered from one."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from croupier.baccarat.cards import DECK
from croupier.baccarat.coup import WINNERS
from croupier.odds.arrays import Bytes, Integers
from croupier.odds.compiled import compiled
from croupier.simulation.sessions.play import SessionChunk

NO_THIRD: Final = 52

# The compiler treats these as constants.
NOTATION = np.array([[ord(one) for one in card.notation] for card in DECK], dtype=np.uint8)
NAMES = np.array([list(name.ljust(6).encode()) for name in WINNERS], dtype=np.uint8)
LENGTHS = np.array([len(name) for name in WINNERS], dtype=np.int64)
COMMA, BLANK, LINE, MINUS, POINT, ZERO = 44, 32, 10, 45, 46, 48


class RoundColumns(NamedTuple):
    """Rounds as columns. ``hands`` has both hands' three cards; ``NO_THIRD`` if there is none."""

    session: int
    shoe: Integers
    round: Integers
    hands: Bytes
    winner: Bytes
    totals: Bytes
    stake: Integers
    net: Integers
    bankroll: Integers


def column_names(wagers: tuple[str, ...]) -> tuple[str, ...]:
    amounts = [f"{amount}:{wager}" for wager in wagers for amount in ("stake", "net")]
    plain = ("shoe", "round", "player", "banker", "winner", "player_total", "banker_total")
    return (*plain, *amounts, "session", "bankroll")


def numbered(part: SessionChunk, session: int, shoes_before: int) -> RoundColumns:
    rounds_seen = part.seen
    shoe = part.rounds.shoe[:rounds_seen]
    first_rounds = np.flatnonzero(np.diff(shoe, prepend=-1))
    place = np.repeat(np.arange(len(first_rounds)), np.diff(first_rounds, append=rounds_seen))
    hands = np.empty((rounds_seen, 6), dtype=np.uint8)
    _hands(part.rounds.cards[:rounds_seen], part.rounds.cell[:rounds_seen], hands)
    return RoundColumns(
        session + 1,
        shoes_before + 1 + place,
        np.arange(rounds_seen) - first_rounds[place] + 1,
        hands,
        part.rounds.winner[:rounds_seen],
        part.rounds.totals[:rounds_seen],
        part.book.stake[:rounds_seen],
        part.book.net[:rounds_seen],
        part.book.bankroll[:rounds_seen],
    )


@compiled
def _hands(cards: Bytes, cell: Integers, hands: Bytes) -> None:
    for row in range(len(cards)):
        player_third, banker_third = cell[row] // 8 % 2, cell[row] // 4 % 2
        for place in range(2):
            hands[row, place] = cards[row, 2 * place]
            hands[row, 3 + place] = cards[row, 2 * place + 1]
        hands[row, 2] = cards[row, 4] if player_third else 52
        hands[row, 5] = cards[row, 4 + player_third] if banker_third else 52


def longest_line(wagers: int) -> int:
    return 120 + 2 * wagers * 24


@compiled
def write_lines(rows: RoundColumns, first: int, last: int, text: Bytes) -> int:
    session, shoe, number, hands, winner, totals, stake, net, bankroll = rows
    end = 0
    for row in range(first, last):
        end = _write_number(text, end, shoe[row], COMMA)
        end = _write_number(text, end, number[row], COMMA)
        for hand in range(2):
            for place in range(3):
                card = hands[row, 3 * hand + place]
                if card == 52:
                    continue
                if place:
                    text[end] = BLANK
                    end += 1
                text[end] = NOTATION[card, 0]
                text[end + 1] = NOTATION[card, 1]
                end += 2
            text[end] = COMMA
            end += 1
        for letter in range(LENGTHS[winner[row]]):
            text[end] = NAMES[winner[row], letter]
            end += 1
        text[end] = COMMA
        end += 1
        end = _write_number(text, end, totals[row, 0], COMMA)
        end = _write_number(text, end, totals[row, 1], COMMA)
        for wager in range(stake.shape[1]):
            end = _write_dollars(text, end, stake[row, wager], COMMA)
            end = _write_dollars(text, end, net[row, wager], COMMA)
        end = _write_number(text, end, session, COMMA)
        end = _write_dollars(text, end, bankroll[row], LINE)
    return end


@compiled
def _write_number(text: Bytes, end: int, number: int, separator: int) -> int:
    digits, remaining = 1, number // 10
    while remaining:
        digits += 1
        remaining //= 10
    for place in range(digits - 1, -1, -1):
        text[end + place] = ZERO + number % 10
        number //= 10
    text[end + digits] = separator
    return end + digits + 1


@compiled
def _write_dollars(text: Bytes, end: int, cents: int, separator: int) -> int:
    if cents < 0:
        text[end] = MINUS
        end += 1
        cents = -cents
    end = _write_number(text, end, cents // 100, POINT)
    text[end] = ZERO + cents // 10 % 10
    text[end + 1] = ZERO + cents % 10
    text[end + 2] = separator
    return end + 3
