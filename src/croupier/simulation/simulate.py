"""A simulation from its beginning to its end: rounds are played and added up.

It ends when the rounds asked for are played, when the precision asked for is reached, or when
whoever started it wants no more; what was played until then is told all the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from contextlib import closing
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Final

from croupier.rules import TableRules
from croupier.simulation.bets import Law, bets_of, law_of
from croupier.simulation.figures import estimate
from croupier.simulation.plan import Plan, SimulationError
from croupier.simulation.played import Engine
from croupier.simulation.runner import Blocks, run
from croupier.simulation.tally import Tally

__all__ = ["MOST_ROUNDS", "Ended", "Simulation", "Until", "parse_until", "simulate"]

MOST_ROUNDS: Final = 10**15
"""More rounds than a machine plays in a year: whoever asks for more has made a slip."""

_UNTIL: Final = re.compile(
    r"(?P<bet>\S+)\s+edge\s+(?:\+-|\+/-|±)\s*(?P<within>[0-9]*\.?[0-9]+(?:[eE]-?[0-9]{1,2})?)(?P<percent>%?)"
)
_FINEST: Final = Decimal("1e-9")


class Ended(Enum):
    """Why a simulation came to its end."""

    ROUNDS = "rounds"
    PRECISION = "precision"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True)
class Until:
    """A precision that is wanted: a bet, and how far its 99% interval may reach from its mean."""

    bet: str
    within: Decimal

    def __str__(self) -> str:
        return f"{self.bet} edge +-{self.within:f}"


def parse_until(text: str, bets: Collection[str]) -> Until:
    """Read a wanted precision, such as ``dragon_7 edge +-0.0005`` or ``tie edge +-0.05%``.

    Raises ``SimulationError`` where it cannot be read, or nobody can bet on that here.

    >>> str(parse_until("tie edge +-0.05%", ["player", "banker", "tie"]))
    'tie edge +-0.0005'
    """
    found = _UNTIL.fullmatch(text.strip())
    if found is None:
        raise SimulationError(
            f"{text!r}: write a wager, the word edge, and how far its 99% interval may reach, as in"
            ' "dragon_7 edge +-0.0005"'
        )
    faults = []
    if found["bet"] not in bets:
        faults.append(f"{found['bet']}: this table offers {', '.join(bets)}")
    within = Decimal(found["within"]) / (100 if found["percent"] else 1)
    if not within:
        faults.append(f"{text!r}: no number of rounds makes an interval as narrow as nothing")
    elif within < _FINEST:
        faults.append(f"{text!r}: {_FINEST:f} is the finest precision")
    if faults:
        raise SimulationError(*faults)
    return Until(found["bet"], within)


@dataclass(frozen=True)
class Simulation:
    """What was played, and what it is to be held against."""

    rules: TableRules
    plan: Plan
    engine: str
    seed: int
    asked: int
    untils: tuple[Until, ...]
    law: Law
    tally: Tally
    ended: Ended

    @property
    def independent(self) -> bool:
        """Whether every round is dealt from a full shoe, whatever came before."""
        return bool(self.plan.course.single)


def simulate(  # noqa: PLR0913  (what is played, by whom, where and how far)
    rules: TableRules,
    plan: Plan,
    engine: Engine,
    blocks: Blocks,
    *,
    seed: int,
    rounds: int,
    untils: Sequence[Until] = (),
    progress: Callable[[Tally], None] | None = None,
    enough: Callable[[], bool] = lambda: False,
) -> Simulation:
    """Play the rounds of a table by an engine, and add them up.

    ``seed`` is the engine's; ``blocks`` plays its blocks (``on_threads``). ``progress`` is called
    after each block, ``enough`` asked whether to end there. A precision is looked at block after
    block, so that where it ends hangs on the seed alone.

    >>> from croupier.rules import table_rules
    >>> from croupier.simulation.plan import plan_of
    >>> from croupier.simulation.runner import on_threads
    >>> from croupier.simulation.scalar import ScalarEngine
    >>> from croupier.submission import plain_submission
    >>> rules = table_rules(plain_submission("us-nj/minibaccarat"))
    >>> plan = plan_of(rules)
    >>> engine = ScalarEngine(plan, 7)
    >>> simulate(rules, plan, engine, on_threads(1), seed=7, rounds=1000).tally.rounds
    1000
    """
    law = law_of(rules, plan)
    tally = Tally(bets_of(rules, law), plan.cells, plan.royal_cells)
    wanted = [(tally.place(until.bet), float(until.within)) for until in untils]
    independent = bool(plan.course.single)
    ended = Ended.ROUNDS
    with closing(run(engine, blocks, rounds)) as played:
        for block in played:
            tally.add(block)
            if progress is not None:
                progress(tally)
            if wanted and all(
                estimate(tally, place, independent=independent).reach <= within
                for place, within in wanted
            ):
                ended = Ended.PRECISION
                break
            if enough():
                ended = Ended.ROUNDS if tally.rounds == rounds else Ended.INTERRUPTED
                break
    return Simulation(rules, plan, engine.name, seed, rounds, tuple(untils), law, tally, ended)
