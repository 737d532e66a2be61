"""What tests of simulations share: tables, and what comes of playing them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from croupier.baccarat.coup import Facts
from croupier.rules import TableRules, default_submission, read_submission, table_rules
from croupier.simulation.engines import engine_of, on_threads
from croupier.simulation.plan import PAIR_CELLS, facts_of, plan_of
from croupier.simulation.sessions import marks as at
from croupier.simulation.sessions.table import SessionTable
from croupier.simulation.simulate import Simulation, Until, simulate
from support.project import ROOT
from support.texts import NJ_MINI

LAW = "us-nj/minibaccarat"


def plain(**elections: Any) -> TableRules:
    """The rules of a plain game but for some elections; ``__`` stands for a dot."""
    return table_rules(default_submission(LAW, NJ_MINI, **elections))


def named(name: str) -> TableRules:
    """The rules of a sample submission."""
    return table_rules(read_submission(Path(ROOT / "submissions" / f"{name}.toml")))


def simulated(
    rules: TableRules,
    rounds: int,
    *,
    seed: int = 7,
    engine: str = "scalar",
    threads: int = 1,
    untils: Sequence[Until] = (),
    **more: Any,
) -> Simulation:
    """Simulate a table."""
    plan = plan_of(rules)
    return simulate(
        rules,
        plan,
        engine_of(plan, seed, engine),
        on_threads(threads),
        seed=seed,
        rounds=rounds,
        untils=untils,
        **more,
    )


def brought(table: SessionTable, facts: Facts, stake: int, place: int = 0) -> int:
    """Settle a stake as the kernel of sessions does."""
    layout = table.layout
    group = layout.group[place, facts_of(PAIR_CELLS).index(facts)]
    periods, rest = divmod(stake, int(layout.terms[at.PERIOD, place]))
    steps = rest // int(layout.terms[at.STEP, place])
    return int(periods * layout.whole[place, group] + layout.rest[place, group, steps])
