"""The documents of exact odds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypedDict

from croupier.odds.stated import Verdict
from croupier.rules.documents import (
    Count,
    Counts,
    Deviation,
    Exact,
    Hash,
    Keywords,
    Made,
    Number,
    OfLaw,
    OfRules,
    Positive,
    Provenance,
    Seed,
    Share,
    Texts,
    Ways,
    Word,
)

Pays = Annotated[
    str,
    "Payment per unit staked, after vigorish.",
    Keywords(pattern="^([1-9][0-9]*:[1-9][0-9]*|push|loses|takes [0-9]+(/[1-9][0-9]*)?)$"),
]
RankName = Annotated[str, Keywords(enum=list("A23456789TJQK"))]
_ALL_RANKS = Keywords(minProperties=13)
_SIX = Keywords(minimum=6)


class ShoeCards(TypedDict):
    """The cards of a shoe."""

    cards: Annotated[int, _SIX]
    by_rank: Annotated[Mapping[RankName, Count], _ALL_RANKS]


# --- the sheet ---------------------------------------------------------------------------------


class ParLine(TypedDict):
    """One outcome of a wager."""

    outcome: Word
    ways: Annotated[
        Ways | None, "Ways (combinations), out of total_ways; null if none are counted."
    ]
    probability: Share
    pays: Pays
    contribution: Annotated[Exact, "Its probability times the bettor's net result."]
    cycle: Annotated[Share | None, "Wagers per occurrence on average."]
    variance_share: Annotated[Share | None, "Its part of the variance; null if there is none."]


class Rounding(TypedDict):
    """The effect of rounding vigorish or payments at a stake."""

    stake_cents: Count
    vigorish_cents: Count
    house_edge: Exact
    house_edge_percent: Number
    above_exact_percent: Number


class WagerFigures(TypedDict):
    """The figures of a wager."""

    lines: Annotated[list[ParLine], Keywords(minItems=1)]
    house_edge: Annotated[Exact, "House edge: average amount kept per unit staked."]
    house_edge_percent: Number
    return_to_player: Annotated[Exact, "What comes back of a unit staked on average: RTP."]
    edge_per_resolved: Annotated[Exact, "The house edge divided by resolved_frequency."]
    resolved_frequency: Annotated[Share, "How often the whole stake is won or lost."]
    hit_frequency: Annotated[Share, "Probability of a win."]
    hit_cycle: Annotated[Share | None, "Wagers per win on average; null if nothing wins."]
    rounds_per_wager: Annotated[Share, "Rounds that a wager lasts on average: 1 except a streak."]
    hit_cycle_rounds: Annotated[Share | None, "Rounds per win on average; null if nothing wins."]
    push_frequency: Annotated[Share, "Probability of a push."]
    variance: Annotated[Share, "The variance of what a unit brings, exact."]
    standard_deviation: Annotated[Deviation, "The square root of variance, rounded to a double."]
    volatility_index: Annotated[Deviation, "1.645 standard deviations, rounded to a double."]
    skewness: Annotated[Number | None, "Third standardized moment, rounded; null if constant."]
    kurtosis: Annotated[Share | None, "Fourth standardized moment, 3 if normal."]
    top_award_wagers: Annotated[Positive | None, "Wagers that include the top award with 95%."]


class ParWager(WagerFigures):
    """A wager on offer."""

    id: Word
    title: Word
    scheme: Annotated[Word | None, "The vigorish scheme of a wager that bears it."]
    min_cents: Count | None
    max_cents: Count | None
    max_win_cents: Annotated[Count | None, "None without limits, and where a meter pays."]
    max_win_meters: Annotated[list[Word], "Meters that set the most that is won: it has no bound."]
    rounding: Annotated[list[Rounding], "The edge at stakes with rounded vigorish or payments."]
    definition: Annotated[list[Word], "What makes each line, where facts do; else see clauses."]
    cites: Annotated[list[Word], "The clauses of the wager; none for a custom wager."]
    interpretations: list[Word]


Unit = Annotated[
    Literal["rate", "gain", "cents", "square_cents", "chance", "count"],
    "What its figures are: a part of the stake; what a unit added brings, which is added where that"
    " is positive; cents; or a probability.",
]


class PackageColumn(TypedDict):
    """A column of a package."""

    id: Word
    title: Word
    unit: Unit


class PackageRow(TypedDict):
    """A row of a package: its figures by column, null if there is none."""

    id: Word
    title: Word
    figures: Mapping[str, Exact | None]


class Package(TypedDict):
    """Wagers with a different combined edge, or with an edge that depends on circumstances."""

    id: Word
    title: Word
    says: Word
    cites: list[Word]
    interpretations: list[Word]
    of: Annotated[Word, "What its rows are."]
    columns: list[PackageColumn]
    rows: list[PackageRow]


_DRAW_OR_STAY = Keywords(pattern="^[DS]+$")


class DrawingRules(TypedDict):
    """The third-card rules, D for draw and S for stay."""

    says: Annotated[list[Word], "The rules in words."]
    player_draws: Annotated[str, "By the Point Count of Player's Hand, 0 to 7.", _DRAW_OR_STAY]
    banker_draws: Annotated[
        list[Annotated[str, _DRAW_OR_STAY]],
        "By the Point Count of Banker's Hand, 0 to 7: if Player's Hand has no third card, then by"
        " the value of that card, 0 to 9.",
    ]
    cites: list[Word]


class Band(TypedDict):
    """Where the RTP of a number of independent wagers lies, with a confidence."""

    wagers: Positive
    confidence: Share
    normal_low: Number
    normal_high: Number
    exact_low: Annotated[Exact | None, "Below it with at most half of the rest; null if too large."]
    exact_high: Exact | None


class Agreement(TypedDict):
    """The first of three numbers of wagers in a row at which both bands agree to 1%."""

    confidence: Share
    wagers: Annotated[Positive | None, "1, 2, or 5 times a power of ten; null if not reached."]


class WagerBands(TypedDict):
    """The confidence bands of a wager's RTP."""

    wager: Word
    return_to_player: Exact
    bands: list[Band]
    agree_from: list[Agreement]


class TicketNet(TypedDict):
    """One net result of a ticket."""

    net_cents: int
    ways: Ways
    probability: Share


class Covariance(TypedDict):
    """The covariance of the net results of two wagers of a ticket."""

    wager: Word
    other: Word
    square_cents: Exact


class TicketEnding(TypedDict):
    """How a ticket ends that is made again in each round, dealt from the shoe of the sheet."""

    bankroll_cents: Positive
    goal_cents: Positive | None
    rounds: Annotated[Positive | None, "The limit of rounds; null for none."]
    ruin: Annotated[Share, "Probability that the bankroll falls below the stakes."]
    goal: Annotated[Share | None, "Probability that the goal is reached first."]
    mean_rounds: Annotated[Share, "Mean number of rounds until the end."]
    error: Annotated[
        Share, "These figures differ from the exact ones by at most this: 0/1 if exact."
    ]


class Ticket(TypedDict):
    """Several wagers of one patron in one round, from their joint law."""

    title: Word
    stakes_cents: Counts
    staked_cents: Positive
    mean_cents: Annotated[Exact, "The bettor's mean net result."]
    house_edge: Annotated[Exact, "Per unit of all that is staked."]
    variance_square_cents: Share
    standard_deviation_cents: Deviation
    hit_frequency: Annotated[Share, "How often the net result is a gain."]
    push_frequency: Annotated[Share, "How often the net result is zero."]
    min_net_cents: int
    max_net_cents: int
    total_ways: Ways
    nets: list[TicketNet]
    covariances: list[Covariance]
    ending: Annotated[TicketEnding | None, "Null unless a bankroll is given."]


class ParParts(TypedDict):
    """Parts of a sheet; bands and tickets are empty unless asked for."""

    packages: list[Package]
    bands: list[WagerBands]
    tickets: list[Ticket]


class ParSheet(Provenance, ParParts):
    """The PAR sheet of a table: fractions as n/d, ways as text."""

    format: Literal["croupier-par/5"]
    scheme: Annotated[Word | None, "The vigorish scheme of the table."]
    source: Annotated[Word | None, "Where probabilities come from that no cards are counted for."]
    drawing: DrawingRules | None
    shoe: Annotated[ShoeCards | None, "Null if no cards are counted."]
    total_ways: Annotated[Ways | None, "Number of ordered sequences of six cards from the shoe."]
    wagers: list[ParWager]
    clauses: Annotated[Texts, "Every clause cited, with what it says, paraphrased."]
    reading_texts: Annotated[Texts, "Every reading in words, or of a sheet of some wagers theirs."]


# --- comparison and sweep ----------------------------------------------------------------------


class SidesCited(TypedDict):
    """The clauses of each table."""

    before: list[Word]
    after: list[Word]


class ParComparisonStep(TypedDict):
    """A step that replaces one group of rules, and its effect on an edge."""

    group: Word
    rules: list[Word]
    cites: SidesCited
    change: Exact


class EdgeChange(TypedDict):
    """One wager at two tables; null if a table does not offer it."""

    wager: Word
    before: Exact | None
    after: Exact | None
    change: Exact | None
    steps: Annotated[list[ParComparisonStep], "The steps that add up to the change."]


class PackageChange(TypedDict):
    """One figure of a package at two tables; null if a table does not have it."""

    package: Word
    row: Word
    column: Word
    unit: Unit
    before: Exact | None
    after: Exact | None
    change: Exact | None


class ParComparison(Made):
    """The edges of two tables, and the rules that make them differ."""

    format: Literal["croupier-par-comparison/2"]
    before: OfRules
    after: OfRules
    wagers: list[EdgeChange]
    packages: list[PackageChange]


class SweptEdge(TypedDict):
    """One wager under one set of elections."""

    wager: Word
    decks: Positive
    elections: Annotated[Texts, "Rules that affect the wager."]
    house_edge: Exact
    house_edge_percent: Number
    return_to_player: Exact
    hit_frequency: Share
    variance: Share
    cites: list[Word]


class SweptFigure(TypedDict):
    """One figure of a package under one set of elections."""

    package: Word
    row: Word
    column: Word
    unit: Unit
    decks: Positive
    elections: Annotated[Texts, "Those that bear on the package, by rule."]
    value: Exact | None
    cites: list[Word]


class EdgeSweep(Made, OfLaw):
    """Every wager of a regulation under every election that affects an edge."""

    format: Literal["croupier-par-sweep/2"]
    figures: list[SweptEdge]
    packages: list[SweptFigure]


# --- chances in mid-round ----------------------------------------------------------------------


KnownCards = Annotated[
    list[Word],
    "What is known of a hand's cards: 9h, a rank, 0 for one of value 0, ? for one not seen.",
]


class OddsLine(TypedDict):
    """One outcome of a wager, given what is known."""

    outcome: Word
    ways: Ways
    probability: Share
    pays: Pays


class WagerOdds(TypedDict):
    """A wager, given what is known."""

    id: Word
    total_ways: Ways
    lines: list[OddsLine]
    expectation: Annotated[Exact, "Expected value per unit staked."]
    expectation_percent: Number


class RoundOdds(Provenance):
    """The exact odds of every wager, given what is known of a round."""

    format: Literal["croupier-odds/2"]
    shoe: Annotated[ShoeCards, "The cards before the round that are not known to have left."]
    unseen: Annotated[Count, "How many of them had left the shoe unseen."]
    player: KnownCards
    banker: KnownCards
    wagers: list[WagerOdds]


class OddsCondition(TypedDict):
    """The odds of every wager under one condition."""

    condition: Word
    probability: Annotated[Share, "How likely the condition is."]
    player_wins: Share
    banker_wins: Share
    ties: Share
    wagers: list[WagerOdds]


class OddsTable(Provenance):
    """The exact odds of every wager by an unknown card or count."""

    format: Literal["croupier-odds-table/1"]
    shoe: Annotated[ShoeCards, "The cards before the round that are not known to have left."]
    unseen: Annotated[Count, "How many of them had left the shoe unseen."]
    player: KnownCards
    banker: KnownCards
    by: Word
    conditions: list[OddsCondition]


# --- the design of a side bet ------------------------------------------------------------------


class DesignCandidate(TypedDict):
    """A pay table of a custom wager within the bounds."""

    pays: Annotated[Mapping[str, Count], "What each line pays to one; with 0 it loses."]
    house_edge: Exact
    return_to_player: Exact
    variance: Share
    hit_frequency: Annotated[Share, "How often a line that pays is hit."]
    top_award: Annotated[Positive, "The largest payout to one."]
    edge_by_decks: Mapping[str, Exact]
    effects_of_removal: Annotated[Mapping[RankName, Exact], _ALL_RANKS]
    tags: Annotated[str | None, "The best integer tags up to 2."]
    correlation: Number | None
    gain_per_100_rounds: Annotated[
        Mapping[str, Number], "By how much of the shoe is dealt; an estimate by linear theory."
    ]


class DesignReport(Provenance):
    """The pay tables of a custom wager nearest to a target house edge."""

    format: Literal["croupier-design/2"]
    wager: Word
    wager_title: Word
    shoe: ShoeCards
    hit_frequency: Annotated[Share, "How often any line that pays odds is hit."]
    chances: Annotated[Mapping[str, Share], "How likely each line is, and a loss."]
    within_bounds: Count
    candidates: list[DesignCandidate]


# --- card counting -----------------------------------------------------------------------------


class Effects(TypedDict):
    """The effect of removal of each rank on a wager, and the efficiency of a count."""

    wager: Word
    shoe: ShoeCards
    expectation: Exact
    effects_of_removal: Annotated[Mapping[RankName, Exact], _ALL_RANKS]
    best_tags: Annotated[Mapping[RankName, Number], _ALL_RANKS] | None
    tags: Annotated[Mapping[RankName, str], _ALL_RANKS]
    correlation_with_effects: Number | None


class CountedRound(TypedDict):
    """The state of a count before a round."""

    round: Count
    drawn: Count
    unseen: Count
    running_count: Number
    true_count: Number
    advantage: Exact
    advantage_percent: Number


class CountingRounds(Provenance, Effects):
    """A card count through given cards, round by round."""

    format: Literal["croupier-count-rounds/1"]
    rounds: list[CountedRound]


class ThresholdFigures(TypedDict):
    """The results of betting from a true count on."""

    bets_per_100_shoes: Number
    units_per_100_shoes: Number
    standard_error: Number | None
    advantage: Number | None


class AtTrueCount(ThresholdFigures):
    """The results of betting, with the true count."""

    true_count: Number


class CountBin(TypedDict):
    """Rounds with similar true counts."""

    true_count: Number
    rounds: Count
    advantage: Number


class CountingStudy(Provenance, Effects):
    """The frequency and size of a card count's advantage over the house."""

    format: Literal["croupier-count/1"]
    credited: Annotated[
        Literal["advantage", "result"],
        "What a bet is credited with: its exact advantage or, if that takes all cards, its result.",
    ]
    betting_efficiency: Number | None
    gain_per_100_rounds: Annotated[
        Mapping[str, Number], "What a perfect linear count gains, by the part of the shoe dealt."
    ]
    shoes: Positive
    seed: Seed
    cards_behind: Count
    rounds: Count
    rounds_per_shoe: Number
    correlation: Number | None
    worth_of_true_count: Number | None
    best_threshold: Number | None
    efficiency: Number | None
    perfect: Annotated[ThresholdFigures | None, "None where bets are credited with their results."]
    thresholds: list[AtTrueCount]
    bins: list[CountBin]


# --- the check of a vendor's sheet -------------------------------------------------------------


class VendorColumn(TypedDict):
    """A column of a vendor's file."""

    column: Word
    read_as: Annotated[Word | None, "The figure that it states; null for one that is not read."]


class VendorSheet(TypedDict):
    """A vendor's file as it was read."""

    file: Word
    file_sha256: Hash
    file_bytes: Count
    page: Annotated[str | None, "The page of a workbook that was read."]
    other_pages: Annotated[list[Word], "Its pages that were not read."]
    columns: list[VendorColumn]


class CheckedFigure(TypedDict):
    """One figure of a vendor's file, compared with the exact one."""

    file: Word
    line: Annotated[Positive, "The line of the file, or the row of the page."]
    wager: Annotated[Word, "A wager, or a package of the sheet."]
    outcome: Annotated[Word | None, "An outcome of the wager, or a row of the package."]
    figure: Word
    stated: Annotated[Word, "As the file has it."]
    expected: Annotated[Word, "The exact value, rounded to the digits stated."]
    exact: Annotated[Exact | None, "Null for a square root."]
    verdict: Verdict
    difference: Annotated[str, "Stated less exact; empty where it is equal."]
    note: Annotated[str, "What the figure would be right as, if anything."]
    cites: list[Word]


class NotStated(TypedDict):
    """A wager that the files omit, or a missing outcome of a wager whose outcomes it lists."""

    wager: Word
    outcome: Word | None


class VerdictCounts(TypedDict):
    """The number of figures by verdict."""

    equal: Count
    rounded_otherwise: Count
    wrong: Count


class VendorCheck(Provenance):
    """A vendor's PAR sheets, checked figure by figure against the exact one of a table."""

    format: Literal["croupier-par-check/2"]
    source: Annotated[Word, "The name of the file or folder."]
    files: list[VendorSheet]
    other_files: Annotated[list[Word], "Files of the folder that are not sheets."]
    shoe: ShoeCards
    total_ways: Ways
    agrees: Annotated[bool, "Whether no figure is wrong."]
    counts: VerdictCounts
    figures: list[CheckedFigure]
    not_stated: list[NotStated]
