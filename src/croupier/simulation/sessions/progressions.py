"""The stakes of the built-in systems, identified by the first number in memory.

Progressions count units at even money without vigorish, and ignore pushes.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from croupier.odds.arrays import Integers
from croupier.odds.compiled import folded
from croupier.simulation.sessions import marks as at

# Numbers of the systems, in the order of PROGRESSIONS. The compiler treats them as constants.
FLAT, MARTINGALE, GRAND, PAROLI, DALEMBERT, FIBONACCI, LABOUCHERE, GRIND, ONE_THREE = range(9)
COUNT = 9

# Memory indices of a progression.
ARGUMENT, LEVEL, PROFIT, FIRST_LINE = 1, 2, 3, 4
LENGTH, LINE = 50, 51
LONGEST_LINE = 200
MOST_LEVEL = 40

# Memory indices of a count.
DECKS_BY, STEPS, TAGS, RAMP = 1, 2, 3, 16


@folded
def built_in(  # noqa: PLR0913, PLR0917  (a kernel takes all that it reads)
    marks: Integers,
    _road: npt.NDArray[np.uint8],
    seen: Integers,
    last: Integers,
    terms: Integers,
    stakes: Integers,
    memory: Integers,
) -> None:
    """Set the stakes of the system in ``memory``; each further wager is one unit."""
    unit, most, outcome = marks[at.UNIT], terms[at.MOST, 0], last[at.OUTCOME, 0]
    if memory[0] == COUNT:
        units = _counted(seen, marks[at.UNSEEN], memory)
    else:
        if marks[at.ROUNDS] == 0:
            _begin(memory)
        elif outcome:
            _follow(last[at.STAKED_BEFORE, 0] // unit, outcome > 0, memory)
        units = _units(memory)
        if units * unit > most:
            if memory[0] == DALEMBERT:
                memory[LEVEL] = most // unit
            else:
                _begin(memory)
            units = _units(memory)
    stakes[0] = units * unit
    if units > 0:
        for wager in range(1, len(stakes)):
            stakes[wager] = unit


@folded
def _begin(memory: Integers) -> None:
    system = memory[0]
    memory[PROFIT] = 0
    memory[LEVEL] = 1 if system in (DALEMBERT, GRIND) else 0
    if system == LABOUCHERE:
        length = memory[ARGUMENT]
        memory[LENGTH] = length
        # Assigning a slice would compile its error messages, which takes seconds.
        for place in range(length):
            memory[LINE + place] = memory[FIRST_LINE + place]


@folded
def _units(memory: Integers) -> int:
    system, level = memory[0], memory[LEVEL]
    units: int = 1
    if system in (MARTINGALE, PAROLI):
        units = 1 << level
    elif system == GRAND:
        units = (2 << level) - 1
    elif system in (DALEMBERT, GRIND):
        units = level
    elif system == FIBONACCI:
        previous = 0
        for _ in range(level):
            units, previous = units + previous, units
    elif system == LABOUCHERE:
        length = memory[LENGTH]
        units = memory[LINE]
        if length > 1:
            units += memory[LINE + length - 1]
    elif system == ONE_THREE:
        units = (1, 3, 2, 6)[level]
    return units


@folded
def _follow(staked: int, won: bool, memory: Integers) -> None:  # noqa: FBT001  (as a kernel does)
    system = memory[0]
    if system == LABOUCHERE:
        _strike(staked, won, memory)
    elif system == GRIND:
        _grind(staked, won, memory)
    else:
        memory[LEVEL] = (
            _risen(system, memory[LEVEL], memory[ARGUMENT])
            if won
            else _fallen(system, memory[LEVEL], memory[ARGUMENT])
        )


@folded
def _risen(system: int, level: int, argument: int) -> int:
    if system == PAROLI:
        return (level + 1) % argument
    if system == ONE_THREE:
        return (level + 1) % 4
    if system == DALEMBERT:
        return max(level - 1, 1)
    if system == FIBONACCI:
        return max(level - 2, 0)
    return 0


@folded
def _fallen(system: int, level: int, argument: int) -> int:
    if system == DALEMBERT:
        return level + 1
    if system == FIBONACCI:
        return (level + 1) % MOST_LEVEL
    if system in (MARTINGALE, GRAND):
        most = argument or MOST_LEVEL
        return level + 1 if level < most else 0
    return 0


@folded
def _grind(staked: int, won: bool, memory: Integers) -> None:  # noqa: FBT001
    """Advance a series of Oscar's grind, which never ends more than one unit ahead."""
    memory[PROFIT] += staked if won else -staked
    if memory[PROFIT] >= 1:
        _begin(memory)
    elif won:
        memory[LEVEL] = min(memory[LEVEL] + 1, 1 - memory[PROFIT])


@folded
def _strike(staked: int, won: bool, memory: Integers) -> None:  # noqa: FBT001
    length = memory[LENGTH]
    if not won:
        if length == LONGEST_LINE:
            _begin(memory)
            return
        memory[LINE + length] = staked
        memory[LENGTH] = length + 1
    elif length <= 2:
        _begin(memory)
    else:
        for place in range(length - 2):
            memory[LINE + place] = memory[LINE + place + 1]
        memory[LENGTH] = length - 2


@folded
def _counted(cards_seen: Integers, unseen: int, memory: Integers) -> int:
    running_count = 0
    for rank in range(13):
        running_count += memory[TAGS + rank] * cards_seen[rank]
    steps = memory[STEPS]
    units = 0
    for step in range(steps):
        if running_count * memory[DECKS_BY] < memory[RAMP + step] * unseen:
            break
        units = memory[RAMP + steps + step]
    return units
