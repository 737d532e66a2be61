"""The kernels of a session: round results, betting and settlement, and streaks.

Cards are dealt first, independent of the bets.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, Final, NamedTuple

import numpy as np
from numba import njit
from numba.extending import is_jitted

from croupier.odds.arrays import Bytes, Integers, ShoeProcedureArrays
from croupier.odds.compiled import compiled, folded
from croupier.simulation.sessions import marks as at
from croupier.simulation.sessions.systems import Bet, View
from croupier.simulation.sessions.systems import built_in as decide
from croupier.simulation.sessions.table import WagerArrays

# The compiler treats these as constants.
NONE = 255
VALUES = np.array([min(card % 13 + 1, 10) % 10 for card in range(52)], dtype=np.int64)
RANKS = np.array([card % 13 for card in range(52)], dtype=np.int64)

LONGEST_RUN: Final = 64

LONGEST_ROAD = 2048


class RoundArrays(NamedTuple):
    """Rounds as dealt: ``shoe`` from 0, cards, and results."""

    shoe: Integers
    cards: Bytes
    burned: Bytes
    """Burned cards shown, by shoe."""
    cell: Integers
    winner: Bytes
    totals: Bytes
    cells: Integers
    """Cells by wager, which are lines for wagers on cards; no columns if there are none."""


class Bettor(NamedTuple):
    """A bettor's state between chunks; ``last`` is the previous round's."""

    marks: Integers
    memory: Integers
    road: Bytes
    seen: Integers
    last: Integers
    turnover: Integers


class Book(NamedTuple):
    """A record of each round: stakes and net results by wager, and the bankroll after it."""

    stake: Integers
    net: Integers
    bankroll: Integers


@compiled
def judge(
    cards: Bytes, course: ShoeProcedureArrays, cell: Integers, winner: Bytes, totals: Bytes
) -> None:
    """Work out the results of coups from their cards in dealing order."""
    for row in range(len(cards)):
        coup = cards[row]
        player = (VALUES[coup[0]] + VALUES[coup[2]]) % 10
        banker = (VALUES[coup[1]] + VALUES[coup[3]]) % 10
        player_third = banker_third = 0
        if coup[4] != NONE:
            if coup[5] != NONE:
                player_third = banker_third = 1
                player = (player + VALUES[coup[4]]) % 10
                banker = (banker + VALUES[coup[5]]) % 10
            elif course.takes[player]:
                player_third = 1
                player = (player + VALUES[coup[4]]) % 10
            else:
                banker_third = 1
                banker = (banker + VALUES[coup[4]]) % 10
        pairs = 2 * (RANKS[coup[0]] == RANKS[coup[2]]) + (RANKS[coup[1]] == RANKS[coup[3]])
        cell[row] = ((player * 10 + banker) * 4 + player_third * 2 + banker_third) * 4 + pairs
        winner[row] = at.PLAYER if player > banker else (at.BANKER if banker > player else at.TIE)
        totals[row, 0] = player
        totals[row, 1] = banker


@compiled
def at_table(rounds: RoundArrays, layout: WagerArrays, bettor: Bettor, book: Book) -> int:
    """Play rounds until they or the session end; return the number of rounds seen.

    ``rounds`` begin with a new shoe. ``decide`` sets the stakes.
    """
    # Unpacking the arrays in every round would cost more than betting.
    shoe, cards, burned, cell, winner = rounds[0], rounds[1], rounds[2], rounds[3], rounds[4]
    cells = rounds[6]
    marks, memory, road, cards_seen, last, turnover = bettor
    terms = layout[4]
    book_stake, book_net, bankroll = book
    staked, net = last[at.STAKED_BEFORE], last[at.NET]
    stakes = np.zeros(len(staked), dtype=np.int64)
    for row in range(len(shoe)):
        _sit(row, shoe, burned, marks, cards_seen)
        for wager in range(len(stakes)):
            stakes[wager] = 0
        decide(marks, road, cards_seen, last, terms, stakes, memory)
        if not fit(stakes, terms, marks, staked):
            marks[at.ENDING] = at.RUINED
            return row
        _settle(cell[row], cells[row], layout, marks, last, turnover)
        for wager in range(len(stakes)):
            book_stake[row, wager] = staked[wager]
            book_net[row, wager] = net[wager]
        bankroll[row] = marks[at.BANKROLL]
        _show(cards[row], winner[row], marks, road, cards_seen)
        if marks[at.ENDING]:
            return row + 1
    return len(shoe)


def at_table_with(bet: Bet) -> Callable[[RoundArrays, WagerArrays, Bettor, Book], int]:
    """Loop of ``at_table`` with a custom system, compiled if the system is."""

    def decide(  # noqa: PLR0913, PLR0917  (it takes the place of the built-in systems)
        marks: Integers,
        road: Bytes,
        seen: Integers,
        last: Integers,
        terms: Integers,
        stakes: Integers,
        memory: Integers,
    ) -> None:
        view = View(
            marks[at.BANKROLL],
            marks[at.START],
            marks[at.UNIT],
            marks[at.SHOE],
            marks[at.ROUND],
            marks[at.ROUNDS],
            road[: marks[at.ROAD_LENGTH]],
            seen,
            marks[at.UNSEEN],
            last[at.STAKED_BEFORE],
            last[at.OUTCOME],
            last[at.NET],
            terms[at.LEAST],
            terms[at.MOST],
        )
        bet(view, stakes, memory)

    compiles: Any = njit(nogil=True, error_model="numpy") if is_jitted(bet) else lambda it: it
    loop: Any = at_table
    code, names = loop.py_func.__code__, loop.py_func.__globals__
    custom_play: Callable[[RoundArrays, WagerArrays, Bettor, Book], int] = compiles(
        FunctionType(code, {**names, "decide": compiles(decide)}, "at_table_with")
    )
    return custom_play


@folded
def _sit(row: int, shoe: Integers, burned: Bytes, marks: Integers, cards_seen: Integers) -> None:
    if row and shoe[row] == shoe[row - 1]:
        marks[at.ROUND] += 1
        return
    marks[at.SHOE] += 1
    marks[at.ROUND] = 1
    marks[at.UNSEEN] = marks[at.CARDS]
    for rank in range(13):
        cards_seen[rank] = 0
    if not marks[at.SINGLE]:
        marks[at.ROAD_LENGTH] = 0
    for place in range(burned.shape[1]):
        card = burned[shoe[row], place]
        if card != NONE:
            cards_seen[RANKS[card]] += 1
            marks[at.UNSEEN] -= 1


@folded
def fit(stakes: Integers, terms: Integers, marks: Integers, staked: Integers) -> bool:
    """Fit the wanted stakes to limits, bankroll, and step; return whether any is possible."""
    purse = marks[at.BANKROLL]
    backed = is_changed = has_stake = False
    for base in range(2):
        for wager in range(len(stakes)):
            if terms[at.NEEDS_BASE, wager] != base:
                continue
            stake = max(stakes[wager], 0)
            if stake:
                has_stake = True
                stake = min(max(stake, terms[at.LEAST, wager]), terms[at.MOST, wager], purse)
                stake -= stake % terms[at.STEP, wager]
                if stake < terms[at.LEAST, wager] or (base and not backed):
                    stake = 0
            staked[wager] = stake
            purse -= stake
            is_changed |= stake != stakes[wager]
            backed |= stake > 0 and terms[at.BASE, wager] > 0
    marks[at.FITTED] += is_changed
    return not has_stake or purse < marks[at.BANKROLL]


@folded
def _settle(  # noqa: PLR0913, PLR0917  (a kernel takes all that it reads)
    cell: int,
    cells: Integers,
    layout: WagerArrays,
    marks: Integers,
    last: Integers,
    turnover: Integers,
) -> None:
    group, outcome, whole, rest, terms = layout
    total = net = 0
    for wager in range(last.shape[1]):
        stake = last[at.STAKED_BEFORE, wager]
        last[at.OUTCOME, wager] = last[at.NET, wager] = 0
        if stake:
            way = group[wager, cells[wager] if len(cells) else cell]
            periods = stake // terms[at.PERIOD, wager]
            steps = (stake - periods * terms[at.PERIOD, wager]) // terms[at.STEP, wager]
            brought = periods * whole[wager, way] + rest[wager, way, steps]
            last[at.OUTCOME, wager] = outcome[wager, way]
            last[at.NET, wager] = brought
            turnover[wager, 0] += periods
            turnover[wager, 1 + steps] += 1
            total += stake
            net += brought
    marks[at.BANKROLL] += net
    marks[at.ROUNDS] += 1
    if total:
        _mark(marks, total, net)
    if marks[at.BANKROLL] < marks[at.FLOOR]:
        marks[at.ENDING] = at.RUINED
    elif marks[at.GOAL_AT] and marks[at.BANKROLL] >= marks[at.GOAL_AT]:
        marks[at.ENDING] = at.GOAL
    elif marks[at.ROUNDS] == marks[at.MOST_ROUNDS]:
        marks[at.ENDING] = at.DEALT_OUT


@folded
def _mark(marks: Integers, total: int, net: int) -> None:
    marks[at.BETS] += 1
    marks[at.STAKED] += total
    marks[at.GREATEST] = max(marks[at.GREATEST], total)
    marks[at.PEAK] = max(marks[at.PEAK], marks[at.BANKROLL])
    marks[at.LOWEST] = min(marks[at.LOWEST], marks[at.BANKROLL])
    marks[at.DRAWDOWN] = max(marks[at.DRAWDOWN], marks[at.PEAK] - marks[at.BANKROLL])
    if net > 0:
        marks[at.WON] += 1
        marks[at.LOSING] = 0
    elif net < 0:
        marks[at.LOST] += 1
        marks[at.LOSING] += 1
        marks[at.LONGEST_LOSING] = max(marks[at.LONGEST_LOSING], marks[at.LOSING])


@folded
def _show(coup: Bytes, winner: int, marks: Integers, road: Bytes, cards_seen: Integers) -> None:
    for card in coup:
        if card != NONE:
            cards_seen[RANKS[card]] += 1
            marks[at.UNSEEN] -= 1
    if marks[at.ROAD_LENGTH] == LONGEST_ROAD:
        half = LONGEST_ROAD // 2
        for place in range(half):
            road[place] = road[half + place]
        marks[at.ROAD_LENGTH] = half
    road[marks[at.ROAD_LENGTH]] = winner
    marks[at.ROAD_LENGTH] += 1


@compiled
def by_shoe(
    rounds: RoundArrays, net: Integers, seen: int, results: Integers, nets: Integers
) -> None:
    """Count the results of each shoe, and add up the bettor's net result."""
    shoe, winner = rounds[0], rounds[4]
    for row in range(len(shoe)):
        results[shoe[row], winner[row]] += 1
    for row in range(seen):
        for wager in range(net.shape[1]):
            nets[shoe[row]] += net[row, wager]


@compiled
def runs(shoe: Integers, winner: Bytes, state: Integers, whole: Integers, cut: Integers) -> None:
    """Count streaks apart from ties; ``state`` is the hand, length, and shoe of the current one."""
    for row in range(len(shoe)):
        if shoe[row] != state[2]:
            if state[1]:
                cut[state[0], min(state[1], LONGEST_RUN) - 1] += 1
            state[1] = 0
            state[2] = shoe[row]
        if winner[row] == at.TIE:
            continue
        if state[1] and winner[row] != state[0]:
            whole[state[0], min(state[1], LONGEST_RUN) - 1] += 1
            state[1] = 0
        state[0] = winner[row]
        state[1] += 1
