"""Betting systems, ruin and chains written down anew: an oracle that imports nothing of the package.

Stakes are in units. A system is a generator: it yields a stake, and is sent +1, 0 or -1 for a round
that was won, pushed or lost, with what was in fact staked.
"""

from collections.abc import Callable, Generator
from math import sqrt
from typing import TypeAlias

# Ways of eight decks, as anybody can look them up.
PLAYER, BANKER, TIE = 2_230_518_282_592_256, 2_292_252_566_437_888, 475_627_426_473_216
ALL = PLAYER + BANKER + TIE

Progression: TypeAlias = Generator[int, tuple[int, int], None]


def by_losses(stake_after: Callable[[int], int], most_losses: int, most: int) -> Progression:
    """Bet by the losses in a row, and give up after so many, or when the table takes no more."""
    losses = 0
    while True:
        if losses > most_losses or stake_after(losses) > most:
            losses = 0
        outcome, _ = yield stake_after(losses)
        losses = 0 if outcome > 0 else losses + (outcome < 0)


def martingale(most: int, doublings: int = 10**6) -> Progression:
    return by_losses(lambda losses: 2**losses, doublings, most)


def grand_martingale(most: int, doublings: int = 10**6) -> Progression:
    return by_losses(lambda losses: 2 ** (losses + 1) - 1, doublings, most)


def by_wins(stakes: list[int]) -> Progression:
    """Bet the next of some stakes after a win, and the first after a loss or the last."""
    place = 0
    while True:
        outcome, _ = yield stakes[place]
        if outcome > 0:
            place = (place + 1) % len(stakes)
        elif outcome < 0:
            place = 0


def dalembert(most: int) -> Progression:
    stake = 1
    while True:
        outcome, _ = yield stake
        stake = min(max(stake - outcome, 1), most)


def fibonacci(most: int) -> Progression:
    numbers = [1, 1]
    while numbers[-1] <= most:
        numbers.append(numbers[-1] + numbers[-2])
    place = 0
    while True:
        if numbers[place] > most:
            place = 0
        outcome, _ = yield numbers[place]
        if outcome > 0:
            place = max(place - 2, 0)
        elif outcome < 0:
            place += 1


def labouchere(most: int, line: list[int]) -> Progression:
    now = list(line)
    while True:
        stake = now[0] + (now[-1] if len(now) > 1 else 0)
        if stake > most:
            now = list(line)
            stake = now[0] + (now[-1] if len(now) > 1 else 0)
        outcome, staked = yield stake
        if outcome > 0:
            now = now[1:-1]
        elif outcome < 0:
            now.append(staked)
        now = now or list(line)


def oscars_grind(most: int) -> Progression:
    profit, stake = 0, 1
    while True:
        if stake > most:
            profit, stake = 0, 1
        outcome, staked = yield stake
        profit += outcome * staked
        if profit >= 1:
            profit, stake = 0, 1
        elif outcome > 0:
            stake = min(stake + 1, 1 - profit)


def flat() -> Progression:
    while True:
        yield 1


def ruin(start: int, goal: int) -> float:
    """Return the chance to lose all of so many units, one at a time on Player, before the goal."""
    ratio = BANKER / PLAYER
    return (ratio**goal - ratio**start) / (ratio**goal - 1)


def martingale_chain(
    bankroll: int, rounds: int, doublings: int, least: int = 1
) -> dict[int, float]:
    """Return how bankrolls are spread after rounds of a martingale on Player, a chain exactly.

    Whoever cannot double stakes all that he has left; without the least stake he goes home.
    """
    states = {(0, bankroll): 1.0}
    for _ in range(rounds):
        after: dict[tuple[int, int], float] = {}
        for (losses, money), chance in states.items():
            if money < least:
                after[losses, money] = after.get((losses, money), 0.0) + chance
                continue
            stake = min(2**losses, money)
            lost = losses + 1 if losses < doublings else 0
            for state, ways in (
                ((0, money + stake), PLAYER),
                ((losses, money), TIE),
                ((lost, money - stake), BANKER),
            ):
                after[state] = after.get(state, 0.0) + chance * ways / ALL
        states = after
    spread: dict[int, float] = {}
    for (_, money), chance in states.items():
        spread[money] = spread.get(money, 0.0) + chance
    return spread


def chi_square(observed: dict[int, int], expected: dict[int, float]) -> tuple[float, int]:
    """Return chi-square and its degrees of freedom, with cells below five thrown together."""
    number = sum(observed.values())
    assert set(observed) <= set(expected), "something came that cannot"
    total, cells, rare_seen, rare = 0.0, 0, 0, 0.0
    for cell, chance in expected.items():
        wanted = chance * number
        if wanted < 5:
            rare_seen += observed.get(cell, 0)
            rare += wanted
        else:
            total += (observed.get(cell, 0) - wanted) ** 2 / wanted
            cells += 1
    if rare >= 1:
        total += (rare_seen - rare) ** 2 / rare
        cells += 1
    return total, cells - 1


def too_far(total: float, degrees: int) -> bool:
    """Tell whether a chi-square is above what chance surpasses once in ten thousand times.

    After Wilson and Hilferty.
    """
    third: float = (total / degrees) ** (1 / 3)
    return (third - 1 + 2 / (9 * degrees)) / sqrt(2 / (9 * degrees)) > 3.72
