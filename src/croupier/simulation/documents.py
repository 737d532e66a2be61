"""What the document of a simulation holds. It imports nothing that is compiled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypedDict

from croupier.odds.documents import Pays, ShoeCards
from croupier.rules.documents import (
    Count,
    Deviation,
    Exact,
    Number,
    Percentile,
    Positive,
    Provenance,
    Seed,
    Share,
    Word,
)


class Interval(TypedDict):
    """Between what a figure lies."""

    low: Number
    high: Number


class BetFigures(TypedDict):
    """What a bet came to, beside its exact value."""

    id: Annotated[Word, "The wager or package, as named by --wager and --until."]
    title: Word
    edge: Annotated[Number, "House edge: average amount kept per unit staked."]
    edge_percent: Number
    standard_error: Deviation
    interval: Annotated[Interval, "The 99% interval of the house edge."]
    exact_edge: Annotated[Exact, "The exact house edge of a first round."]
    exact_edge_percent: Number
    z: Annotated[
        Number | None, "Standard errors from the exact house edge; null if nothing varies."
    ]
    design_effect: Annotated[
        Deviation,
        "The variance of the mean divided by that of the same number of independent rounds.",
    ]


class SimulatedLine(TypedDict):
    """How often one outcome of a wager came."""

    outcome: Word
    pays: Pays
    rounds: Annotated[Count, "Number of rounds in which it occurred."]
    frequency: Percentile
    probability: Annotated[Share, "Its exact probability in a first round."]


class SimulatedWager(BetFigures):
    """A wager that was played."""

    lines: list[SimulatedLine]


class CensusTest(TypedDict):
    """How often each class of coups came, held against the law of chance."""

    cells: Annotated[Positive, "Cells that are compared; some combine several."]
    pooled: Annotated[Count, "Rare cells that were pooled until five are expected."]
    chi_square: Annotated[Deviation, "Pearson's statistic."]
    design_effect: Annotated[Deviation, "The mean design effect of the cells."]
    corrected: Annotated[
        Deviation, "The statistic divided by the design effect: the one to interpret."
    ]
    degrees_of_freedom: Positive
    bounds: Annotated[Interval, "Its 99.9% bounds."]
    p: Annotated[Percentile, "The probability of a value at least this extreme by chance."]
    impossible: Annotated[list[Mapping[str, int | str]], "Impossible rounds that were dealt."]


class SimulatedCensus(TypedDict):
    """The coups of a simulation by their facts."""

    facts: Annotated[Word, "The facts of a round that define its cells."]
    test: Annotated[CensusTest | None, "null if there are too few rounds."]


class RoundsPerShoe(TypedDict):
    """How many rounds a shoe gave."""

    shoes: Annotated[Positive, "Shoes that were completed."]
    mean: Number
    standard_error: Deviation
    standard_deviation: Deviation
    least: Positive
    most: Positive


class Precision(TypedDict):
    """A precision at which the simulation was to end."""

    wager: Word
    within: Annotated[Deviation, "Half-width of the 99% interval."]
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
    engine: Annotated[Word, "The engine that dealt; with the seed, it identifies the result."]
    seed: Seed
    rounds_asked: Positive
    rounds: Positive
    shoes: Annotated[Count, "Shoes that were completed."]
    ended: Literal["rounds", "precision", "interrupted"]
    until: list[Precision]
    notes: Annotated[list[Word], "Notes needed to interpret the figures."]
    rounds_per_shoe: Annotated[
        RoundsPerShoe | None,
        "null for a continuous device, or if no shoe was completed.",
    ]
    wagers: list[SimulatedWager]
    packages: list[BetFigures]
    censuses: list[SimulatedCensus]
