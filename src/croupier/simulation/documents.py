"""What the document of a simulation holds. It imports nothing that is compiled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypedDict

from croupier.documents import (
    Count,
    Deviation,
    Exact,
    Keywords,
    Number,
    Percentile,
    Positive,
    Provenance,
    Share,
    Word,
)
from croupier.odds.documents import Pays, ShoeCards

__all__ = [
    "BetFigures", "CensusTest", "Interval", "RoundsPerShoe", "SimulatedCensus", "SimulatedLine",
    "SimulatedWager", "SimulationReport",
]  # fmt: skip

_SEED = Keywords(minimum=0, maximum=2**64 - 1)


class Interval(TypedDict):
    """Between what a figure lies."""

    low: Number
    high: Number


class BetFigures(TypedDict):
    """What a bet came to, beside its exact value."""

    id: Annotated[Word, "The wager, or the package, as --wager and --until name it."]
    title: Word
    edge: Annotated[Number, "What the house kept of a unit staked, in the mean."]
    edge_percent: Number
    standard_error: Deviation
    interval: Annotated[Interval, "The 99% interval of the house edge."]
    exact_edge: Annotated[Exact, "The exact house edge of a first round."]
    exact_edge_percent: Number
    z: Annotated[
        Number | None, "Standard errors from the exact house edge; null where nothing varies."
    ]
    design_effect: Annotated[
        Deviation, "The variance of the mean over that of as many independent rounds."
    ]


class SimulatedLine(TypedDict):
    """How often one outcome of a wager came."""

    outcome: Word
    pays: Pays
    rounds: Annotated[Count, "In how many rounds it came."]
    frequency: Percentile
    probability: Annotated[Share, "Its exact probability in a first round."]


class SimulatedWager(BetFigures):
    """A wager that was played."""

    lines: list[SimulatedLine]


class CensusTest(TypedDict):
    """How often each class of coups came, held against the law of chance."""

    cells: Annotated[Positive, "Cells that are compared; some stand for several."]
    pooled: Annotated[Count, "Rare cells that were taken together, until five are expected."]
    chi_square: Annotated[Deviation, "Pearson's statistic."]
    design_effect: Annotated[Deviation, "The mean design effect of the cells."]
    corrected: Annotated[Deviation, "The statistic over the design effect: what is read."]
    degrees_of_freedom: Positive
    bounds: Annotated[Interval, "Between what it lies 999 times in 1,000."]
    p: Annotated[Percentile, "How likely chance is to take it so far, or farther."]
    impossible: Annotated[
        list[Mapping[str, int | str]], "Coups that the law cannot give, and that were dealt."
    ]


class SimulatedCensus(TypedDict):
    """The coups of a simulation by their facts."""

    facts: Annotated[Word, "Which facts of a coup make its cells."]
    test: Annotated[CensusTest | None, "null where there are too few rounds."]


class RoundsPerShoe(TypedDict):
    """How many rounds a shoe gave."""

    shoes: Annotated[Positive, "Shoes that came to their end."]
    mean: Number
    standard_error: Deviation
    standard_deviation: Deviation
    least: Positive
    most: Positive


class Precision(TypedDict):
    """A precision at which the simulation was to end."""

    wager: Word
    within: Annotated[Deviation, "How far the 99% interval may reach from the mean."]
    reached: bool


class SimulationReport(Provenance):
    """What a simulation tells: every bet, and the census. Fractions as n/d."""

    format: Literal["croupier-simulation/2"]
    scheme: Word
    shoe: ShoeCards
    device: Literal["shoe", "continuous"]
    cards_behind: Annotated[
        Count | None, "Cards behind the cutting card; null for a continuous device."
    ]
    engine: Annotated[Word, "Which engine dealt: it names the result with the seed."]
    seed: Annotated[int, _SEED]
    rounds_asked: Positive
    rounds: Positive
    shoes: Annotated[Count, "Shoes that came to their end."]
    ended: Literal["rounds", "precision", "interrupted"]
    until: list[Precision]
    notes: Annotated[list[Word], "What must be known to read the figures."]
    rounds_per_shoe: Annotated[
        RoundsPerShoe | None,
        "null for a continuous device, and where no shoe came to its end.",
    ]
    wagers: list[SimulatedWager]
    packages: list[BetFigures]
    censuses: list[SimulatedCensus]
