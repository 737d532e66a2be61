"""The documents of simulations and of sessions. Imports nothing compiled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypedDict

from croupier.odds.documents import Pays, ShoeCards
from croupier.rules.documents import (
    Cents,
    Count,
    Deviation,
    Exact,
    Keywords,
    Number,
    Percentile,
    Positive,
    Provenance,
    Seed,
    Share,
    Word,
)


class Interval(TypedDict):
    """The bounds of a figure."""

    low: Number
    high: Number


class BetFigures(TypedDict):
    """A bet's simulated house edge, with its exact value."""

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
    """The frequency of one outcome of a wager."""

    outcome: Word
    pays: Pays
    rounds: Annotated[Count, "Number of rounds in which it occurred."]
    frequency: Percentile
    probability: Annotated[Share, "Its exact probability in a first round."]


class SimulatedWager(BetFigures):
    """A simulated wager."""

    lines: list[SimulatedLine]


class CensusTest(TypedDict):
    """A chi-square test of the census against the exact distribution."""

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
    """The rounds of a simulation, classified by their facts."""

    facts: Annotated[Word, "The facts of a round that define its cells."]
    test: Annotated[CensusTest | None, "null if there are too few rounds."]


class RoundsPerShoe(TypedDict):
    """The number of rounds per shoe."""

    shoes: Annotated[Positive, "Shoes that were completed."]
    mean: Number
    standard_error: Deviation
    standard_deviation: Deviation
    least: Positive
    most: Positive


class Precision(TypedDict):
    """A target precision that ends the simulation."""

    wager: Word
    within: Annotated[Deviation, "Half-width of the 99% interval."]
    reached: bool


class SimulationReport(Provenance):
    """The results of a simulation: every bet, and the census. Fractions are written as n/d."""

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


# --- sessions of a betting system -----------------------------------------------------------------


QUANTILES: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
"""The reported quantiles."""

_SOME_SHARE = Keywords(enum=[f"{share:g}" for share in QUANTILES])
_EACH_SHARE = Keywords(minProperties=len(QUANTILES))
_LENGTH = Keywords(pattern="^[1-9][0-9]?$")

Lengths = Mapping[Annotated[str, _LENGTH], Positive]


class HistogramSummary(TypedDict):
    """The distribution of a figure."""

    mean: Number
    standard_deviation: Deviation
    least: int
    most: int
    quantiles: Annotated[
        Mapping[Annotated[str, _SOME_SHARE], int],
        "By share: the quantile of that share.",
        _EACH_SHARE,
    ]


class SessionResult(HistogramSummary):
    """Net results of sessions, in cents."""

    standard_error_cents: Deviation
    ahead: Percentile
    even: Percentile
    behind: Percentile


class EndedSessions(TypedDict):
    """Number of sessions with this ending, with 99% bounds on its probability."""

    sessions: Count
    share: Percentile
    low_99: Percentile
    high_99: Percentile


class SessionWager(TypedDict):
    """A wager of the system."""

    id: Word
    title: Word
    min_cents: Positive
    max_cents: Positive | None
    step_cents: Annotated[Positive, "The betting increment: a stake is a multiple of it."]


class ShoesDealt(TypedDict):
    """Distributions over shoes."""

    shoes: Positive
    rounds: HistogramSummary
    player_wins: HistogramSummary
    banker_wins: HistogramSummary
    ties: HistogramSummary
    begun: Annotated[Count, "Number of shoes that the bettor played, in whole or in part."]
    net_cents: Annotated[HistogramSummary, "The bettor's net result in those."]


class Dealt(TypedDict):
    """All rounds dealt, including those after the bettor left."""

    rounds: Count
    player_wins: Count
    banker_wins: Count
    ties: Count
    by_shoe: ShoesDealt | None


class Streaks(TypedDict):
    """Consecutive rounds won by one hand."""

    streaks: Count
    mean_length: Number | None
    longest: Count
    by_length: Annotated[Lengths, "Number of streaks by length; 64 includes longer ones."]
    cut_off: Annotated[Lengths, "The same for streaks truncated by the end of a shoe."]


class StreaksByHand(TypedDict):
    """Streaks of each hand."""

    player: Streaks
    banker: Streaks


class IndependentRuin(TypedDict):
    """How sessions end if each round is dealt from a fresh shoe: rounded, not simulated."""

    rounds: Annotated[Positive | None, "The limit of rounds; null for none."]
    ruin: Percentile
    goal: Percentile | None
    mean_rounds: Deviation


class Theory(TypedDict):
    """The net result compared with the exact expectation of all stakes."""

    expected_net_cents: Annotated[Exact, "Expected net result of all stakes by the exact odds."]
    expected_per_session_cents: Number
    edge: Number | None
    difference_per_session_cents: Number
    standard_error_cents: Deviation
    z: Number | None
    independent_rounds: Annotated[
        IndependentRuin | None,
        "Of flat stakes, with a limit of rounds or a goal; null if there are too many bankrolls.",
    ]


class Totals(TypedDict):
    """All sessions together."""

    rounds: Count
    bets: Count
    rounds_ahead: Count
    rounds_behind: Count
    fitted: Count
    staked_cents: Count
    net_cents: Cents


class Time(TypedDict):
    """Durations of sessions."""

    rounds_per_hour: Annotated[float, Keywords(exclusiveMinimum=0)]
    rounds: HistogramSummary
    mean_hours: Deviation


class SessionReport(Provenance):
    """How a bankroll evolves over sessions of a betting system."""

    format: Literal["croupier-session/2"]
    system: Word
    wagers: Annotated[list[SessionWager], Keywords(minItems=1)]
    unit_cents: Positive
    bankroll_cents: Positive
    goal_cents: Positive | None
    shoes_asked: Positive | None
    rounds_asked: Positive | None
    shoe_cards: Positive
    cards_behind: Count | None
    seed: Count
    sessions_asked: Positive
    sessions: Count
    complete: bool
    result: SessionResult
    ruin: EndedSessions
    goal: EndedSessions | None
    drawdown_cents: HistogramSummary
    greatest_stake_cents: HistogramSummary
    longest_losing_run: HistogramSummary
    time: Time
    totals: Totals
    theory: Theory
    dealt: Dealt
    streaks: StreaksByHand
