"""The simulation engines by name, and their blocks played on threads, in order."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from itertools import count
from typing import Final, Protocol, TypeVar

from croupier.odds.threads import in_turn
from croupier.simulation.lanes import LaneEngine
from croupier.simulation.plan import WHOLE, Engine, Plan, SimulationError, TallyResult


def _scalar(plan: Plan, seed: int) -> Engine:
    from croupier.simulation.scalar import ScalarEngine  # noqa: PLC0415  (it imports numba)

    return ScalarEngine(plan, seed)


_SCALAR: Final = "scalar"

ENGINES: Final[Mapping[str, Callable[[Plan, int], Engine]]] = {
    LaneEngine.name: LaneEngine,
    _SCALAR: _scalar,
}
"""Engine factories by name, the fastest first."""

DEFAULT: Final = LaneEngine.name


def default_of(plan: Plan) -> str:
    """Fastest engine for a plan. Lanes know kinds of cards but not cards."""
    return _SCALAR if plan.card_wagers else DEFAULT


def engine_of(plan: Plan, seed: int, name: str = DEFAULT) -> Engine:
    if name not in ENGINES:
        raise SimulationError(f"there is no engine {name!r}: write one of {', '.join(ENGINES)}")
    if plan.card_wagers and name == LaneEngine.name:
        names = ", ".join(wager.id for wager in plan.card_wagers)
        raise SimulationError(f"{names}: the lanes know no cards; write --engine scalar")
    return ENGINES[name](plan, seed)


Blocks = Callable[[Engine], Generator[TallyResult]]
"""A function that plays the blocks of an engine, whole, in order, and without end."""


class BlockResult(Protocol):
    @property
    def rounds(self) -> int: ...


_FEW: Final = 50_000
"""Up to this number, rounds are first sought in the first block alone."""

Result = TypeVar("Result", bound=BlockResult)


def on_threads(threads: int | None = None) -> Blocks:

    def blocks(engine: Engine) -> Generator[TallyResult]:
        return in_order(engine.play, threads)

    return blocks


def in_order(play: Callable[[int, int], Result], threads: int | None) -> Generator[Result]:
    number = (os.cpu_count() or 1) if threads is None else threads
    return in_turn(lambda block: play(block, WHOLE), count(), number)


def run(engine: Engine, blocks: Blocks, rounds: int) -> Generator[TallyResult]:
    return exactly(blocks(engine), engine.play, rounds)


def exactly(
    blocks: Generator[Result], play: Callable[[int, int], Result], rounds: int
) -> Generator[Result]:
    """Yield blocks up to a number of rounds; the last is played again, up to it."""
    rounds_left = rounds
    # Closing the generator ends its threads.
    with closing(blocks) as stream:
        if rounds <= _FEW:
            # The beginning of one block is enough: play no whole block, and start no thread.
            first_block = play(0, rounds)
            if first_block.rounds == rounds:
                yield first_block
                return
        for block, tally in enumerate(stream):
            if tally.rounds > rounds_left:
                tally = play(block, rounds_left)  # noqa: PLW2901  (as far as asked for)
            rounds_left -= tally.rounds
            yield tally
            if not rounds_left:
                return
