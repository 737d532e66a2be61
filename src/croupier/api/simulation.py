"""Simulation of rounds, compared with exact odds; requires the kernels extra."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from croupier.api.figures import Document, Shoe, composition
from croupier.api.result import Figures, Frame
from croupier.api.rules import GameRules
from croupier.files.arguments import checks_types
from croupier.rules.documents import MOST_SEED
from croupier.simulation import documents


class SimulationResult(Document, frozen=True):
    """Result of a simulation: every bet with its exact house edge."""

    form = documents.SimulationReport

    def _frame(self) -> Frame:
        bets = (*self.document["wagers"], *self.document["packages"])
        return (documents.BetFigures,), ((bet,) for bet in bets)

    @property
    def rounds(self) -> int:
        """Number of rounds played."""
        return int(self.document["rounds"])

    def figures(self) -> Iterator[Figures]:
        """Yield every bet with its simulated and exact house edge."""
        rows = [
            (
                wager["id"],
                f"{wager['edge_percent']:.4f}%",
                f"{wager['exact_edge_percent']:.4f}%",
                "" if wager["z"] is None else f"{wager['z']:+.2f}",
            )
            for wager in (*self.document["wagers"], *self.document["packages"])
        ]
        title = f"{self.document['title']}: {self.rounds:,} rounds, seed {self.document['seed']}"
        yield Figures(title, ("Bet", "House edge", "Exact", "z"), rows)


@checks_types
def simulate(
    rules: GameRules,
    *,
    rounds: int,
    seed: int,
    shoe: Shoe = None,
    progress: Callable[[int, int], None] | None = None,
) -> SimulationResult:
    """Simulate rounds of a table, reproducibly by seed, and compare them with exact odds.

    Requires the extra ``croupier[kernels]``, and uses one thread. ``progress`` is called with the
    numbers of rounds played and requested. Raises ``ModuleNotFoundError`` without the extra, and
    ``ValueError`` for rounds that cannot be played.
    """
    if type(rounds) is not int or rounds < 1:
        raise ValueError(f"{rounds!r} rounds: write an integer greater than zero")
    if type(seed) is not int or not 0 <= seed <= MOST_SEED:
        raise ValueError(f"{seed!r} is not a seed: write an integer from 0 to 2**64 - 1")
    from croupier.simulation.engines import default_of, engine_of, on_threads  # noqa: PLC0415  (an extra)
    from croupier.simulation.plan import plan_of  # noqa: PLC0415
    from croupier.simulation.report import report  # noqa: PLC0415
    from croupier.simulation.simulate import simulate as play  # noqa: PLC0415

    table = rules.table
    plan = plan_of(table, shoe=None if shoe is None else composition(rules, shoe))
    simulation_result = play(
        table, plan, engine_of(plan, seed, default_of(plan)), on_threads(1),
        seed=seed, rounds=rounds, progress=progress,
    )  # fmt: skip
    return SimulationResult(report(simulation_result))
