"""A complete simulation, which also has results if it is interrupted."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from itertools import repeat
from typing import Final

from msgspec import Struct

from croupier.rules import TableRules
from croupier.simulation.bets import Bet, ExactDistribution, bets_of, law_of
from croupier.simulation.engines import Blocks, run
from croupier.simulation.figures import DesignEffects, Estimate, effects_of, estimate, rounds_for
from croupier.simulation.plan import Engine, Plan, SimulationError, TallyBuffers, TallyResult

_UNTIL: Final = re.compile(
    r"(?P<bet>\S+)\s+edge\s+(?:\+-|\+/-|±)\s*(?P<within>[0-9]*\.?[0-9]+(?:[eE]-?[0-9]{1,2})?)(?P<percent>%?)"
)
_FINEST: Final = Decimal("1e-9")


class Ended(Enum):
    ROUNDS = "rounds"
    PRECISION = "precision"
    INTERRUPTED = "interrupted"


class Until(Struct, frozen=True):
    """A target precision: a bet, and the half-width of its 99% interval."""

    bet: str
    within: Decimal

    def __str__(self) -> str:
        return f"{self.bet} edge +-{self.within:f}"


def parse_until(text: str, bets: Collection[str]) -> Until:
    """Read a target precision. Raises ``SimulationError``.

    >>> str(parse_until("tie edge +-0.05%", ["player", "banker", "tie"]))
    'tie edge +-0.0005'
    """
    found = _UNTIL.fullmatch(text.strip())
    if found is None:
        raise SimulationError(
            f"{text!r}: write a wager, the word edge, and the half-width of its 99% interval, as in"
            ' "dragon_7 edge +-0.0005"'
        )
    errors = []
    if found["bet"] not in bets:
        errors.append(f"{text!r}: this table offers {', '.join(bets)}")
    within = Decimal(found["within"]) / (100 if found["percent"] else 1)
    if not within:
        errors.append(f"{text!r}: the half-width must be greater than zero")
    elif within < _FINEST:
        errors.append(f"{text!r}: {_FINEST:f} is the finest precision")
    if errors:
        raise SimulationError(*errors)
    return Until(found["bet"], within)


class Simulation(Struct, frozen=True):
    """The rounds played, and the exact values; ``effects`` is ``None`` for independent rounds."""

    rules: TableRules
    plan: Plan
    engine: str
    seed: int
    asked: int
    untils: tuple[Until, ...]
    law: ExactDistribution
    bets: tuple[Bet, ...]
    effects: DesignEffects | None
    played: TallyResult
    ended: Ended

    @property
    def estimates(self) -> tuple[Estimate, ...]:
        return tuple(
            estimate(bet, self.played, effect) for bet, effect in _effects(self.bets, self.effects)
        )

    def rounds_for(self, until: Until) -> int:
        return _rounds_for(self.bets, self.effects, until)


def simulate(  # noqa: PLR0913  (what is played, by whom, where and how far)
    rules: TableRules,
    plan: Plan,
    engine: Engine,
    blocks: Blocks,
    *,
    seed: int,
    rounds: int,
    untils: Sequence[Until] = (),
    progress: Callable[[int, int], None] | None = None,
    enough: Callable[[], bool] = lambda: False,
) -> Simulation:
    """Play; ``progress`` receives the rounds played and the total, ``enough`` says when to end."""
    law = law_of(rules, plan)
    bets = bets_of(rules, law)
    effects = effects_of(plan, bets, seed)
    rounds_needed = max((_rounds_for(bets, effects, until) for until in untils), default=None)
    limit = rounds if rounds_needed is None else min(rounds, rounds_needed)
    tally = TallyBuffers.of(plan).played(0)
    interrupted = False
    with closing(run(engine, blocks, limit)) as stream:
        for block in stream:
            tally = tally.plus(block)
            if progress is not None:
                progress(tally.rounds, limit)
            if tally.rounds < limit and enough():
                interrupted = True
                break
    ended = Ended.INTERRUPTED if interrupted else Ended.ROUNDS
    if rounds_needed is not None and tally.rounds >= rounds_needed:
        ended = Ended.PRECISION
    return Simulation(
        rules, plan, engine.name, seed, rounds, tuple(untils), law, bets, effects, tally, ended
    )


def _effects(bets: Sequence[Bet], effects: DesignEffects | None) -> Iterator[tuple[Bet, float]]:
    yield from zip(bets, repeat(1.0) if effects is None else effects.bets, strict=False)


def _rounds_for(bets: Sequence[Bet], effects: DesignEffects | None, until: Until) -> int:
    return next(
        rounds_for(bet, Fraction(until.within), effect)
        for bet, effect in _effects(bets, effects)
        if bet.id == until.bet
    )
