"""Betting systems: the stakes for the next round, given the rounds seen.

A system is a function ``bet(view, stakes, memory)``, which fills ``stakes``, in cents by wager;
``memory`` is an array of integers. It may be plain Python or compiled by numba.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from croupier.odds.arrays import Integers
from croupier.odds.compiled import folded
from croupier.odds.counting import CountingError, Tags, tags_text
from croupier.simulation.plan import SimulationError
from croupier.simulation.sessions import marks as at

# --- progressions ---------------------------------------------------------------------------------


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


# --- systems --------------------------------------------------------------------------------------


class View(NamedTuple):
    """A bettor's view at the beginning of a round, in cents. Do not change anything.

    ``results`` and ``seen`` are of this shoe: 0 Player, 1 Banker, 2 tie; cards shown by rank.
    ``staked``, ``outcome`` (1 won, 0 push or no stake, -1 lost) and ``net`` are of the previous
    round.
    """

    bankroll: int
    start: int
    unit: int
    shoe: int
    round: int
    played: int
    results: npt.NDArray[np.uint8]
    seen: Integers
    unseen: int
    staked: Integers
    outcome: Integers
    net: Integers
    least: Integers
    most: Integers


Bet: TypeAlias = Callable[[View, Integers, Integers], None]

MEMORY: Final = 256


class System(Struct, frozen=True):
    """A betting system; its function is ``None`` if built in."""

    name: str
    bet: Bet | None
    memory: tuple[int, ...] = ()
    counts: bool = False
    """Whether it depends on the cards seen, which is useless for a continuous device."""


PROGRESSIONS: Final = (
    "flat", "martingale", "grand-martingale", "paroli", "dalembert", "fibonacci", "labouchere",
    "oscars-grind", "1-3-2-6",
)  # fmt: skip
"""Systems that depend only on wins and losses, in the order of their numbers in memory."""

_COUNT: Final = len(PROGRESSIONS)
_LONGEST_LINE: Final = 40
_MOST_STEPS: Final = 30
_MOST_LINE: Final = 1000
_PAROLI_WINS: Final = 3
_PLAIN_LINE: Final = (1, 2, 3, 4)


def progression(text: str) -> System:
    """One of ``PROGRESSIONS``, with an optional argument. Raises ``SimulationError``.

    >>> progression("paroli").memory, progression("labouchere:1-1-2").name
    ((3, 3, 0, 0), 'labouchere:1-1-2')
    """
    name, _, argument = text.partition(":")
    if name not in PROGRESSIONS:
        names = ", ".join((*PROGRESSIONS, "count"))
        raise SimulationError(
            f"{name!r}: the systems are {names}; a custom system is FILE.py:function"
        )
    kind = PROGRESSIONS.index(name)
    if name == "labouchere":
        line = _line(argument) if argument else _PLAIN_LINE
        return System(text, None, (kind, len(line), 0, 0, *line))
    argument_of = {"martingale": 0, "grand-martingale": 0, "paroli": _PAROLI_WINS}
    if argument and name not in argument_of:
        raise SimulationError(f"{text}: {name} takes no arguments")
    steps = _whole(argument, 1, _MOST_STEPS, text) if argument else argument_of.get(name, 0)
    return System(text, None, (kind, steps, 0, 0))


def _whole(text: str, least: int, most: int, where: str) -> int:
    if not (text.isascii() and text.isdigit()) or not least <= int(text[:9]) <= most:
        raise SimulationError(f"{where}: write an integer from {least} to {most}, not {text!r}")
    return int(text)


def _line(text: str) -> tuple[int, ...]:
    parts = text.split("-")
    if len(parts) > _LONGEST_LINE:
        raise SimulationError(f"labouchere: a line may begin with at most {_LONGEST_LINE} numbers")
    return tuple(_whole(part, 1, _MOST_LINE, "labouchere") for part in parts)


# --- counts --------------------------------------------------------------------------------------

_MOST_RAMP: Final = 60
_STEP: Final = re.compile(r"\s*([+-]?[0-9]{1,3}(?:\.[0-9]{1,3})?)\s*=\s*([0-9]{1,6})\s*")


def parse_ramp(text: str) -> tuple[tuple[Fraction, int], ...]:
    """Read the units bet from each true count on. Raises ``SimulationError`` with every error.

    >>> parse_ramp("4=1,5.5=3")
    ((Fraction(4, 1), 1), (Fraction(11, 2), 3))
    """
    ramp = []
    errors = []
    for part in text.split(","):
        match = _STEP.fullmatch(part)
        if match is None:
            errors.append(
                f"{part.strip()!r} is not a step of a ramp: write a true count and the units bet "
                "from there on, such as 3.5=2"
            )
        else:
            ramp.append((Fraction(match[1]), int(match[2])))
    if any(later[0] <= earlier[0] for earlier, later in pairwise(ramp)):
        errors.append(f"{text}: a ramp must go from the lowest true count to the highest")
    if len(ramp) > _MOST_RAMP:
        errors.append(f"a ramp may have at most {_MOST_RAMP} steps, not {len(ramp)}")
    if not errors and not any(units for _, units in ramp):
        errors.append(f"{text}: nothing would ever be bet")
    if errors:
        raise SimulationError(*errors)
    return tuple(ramp)


def count_system(tags: Tags, ramp: Sequence[tuple[Fraction, int]]) -> System:
    if not any(tags):
        raise CountingError("every tag is zero")
    tag_unit = lcm(*(tag.denominator for tag in tags))
    ramp_unit = lcm(*(at.denominator for at, _ in ramp))
    scaled = (int(tag * tag_unit) for tag in tags)
    thresholds = (int(at * ramp_unit) * tag_unit for at, _ in ramp)
    units = (one for _, one in ramp)
    memory = (_COUNT, 52 * ramp_unit, len(ramp), *scaled, *thresholds, *units)
    return System(f"count {tags_text(tags)}", None, memory, counts=True)
