"""The simulation engines by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from croupier.simulation.lanes import LaneEngine
from croupier.simulation.plan import Plan, SimulationError
from croupier.simulation.tallies import Engine


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
